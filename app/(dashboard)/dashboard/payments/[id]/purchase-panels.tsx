import { getTranslations } from "next-intl/server";
import { disputeReasonWords } from "@/app/(dashboard)/dashboard/disputes/reason-words";
import { AttemptsCard } from "@/app/(dashboard)/dashboard/payments/[id]/attempts-card";
import { panelWords } from "@/app/(dashboard)/dashboard/payments/[id]/panel-words";
import { ledgerRows, whoActed } from "@/app/(dashboard)/dashboard/payments/[id]/panels";
import type { Words } from "@/app/(dashboard)/dashboard/payments/[id]/sentences";
import { slotWords } from "@/app/(dashboard)/dashboard/payments/[id]/slot-words";
import {
  type Place,
  ROWS_PARAMETER,
  type SortedEntry,
  TimelineView,
} from "@/app/(dashboard)/dashboard/payments/[id]/timeline-view";
import { preciseText } from "@/app/(dashboard)/dashboard/payments/[id]/times";
import { ToldCard } from "@/app/(dashboard)/dashboard/payments/[id]/told-card";
import { reviewWords } from "@/app/(dashboard)/dashboard/reviews/words";
import { oneOf } from "@/app/(dashboard)/list-url";
import { LedgerTable } from "@/components/charges/ledger-table";
import type { Tone } from "@/components/charges/timeline";
import { Card, CardHeader } from "@/components/ui/card";
import type { OperationStatus, PurchaseStatus, SlotStatus } from "@/db/schema/purchases";
import { type Act, ledgerOf } from "@/lib/charges/overview";
import type { Context } from "@/lib/context";
import { disputeReasons } from "@/lib/disputes/reasons";
import { may } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";
import type { PurchaseMove } from "@/lib/purchases/moves";
import { type PurchaseOverview, storyOf } from "@/lib/purchases/overview";

interface PanelProps {
  purchase: PurchaseOverview;
  words: Words;
}

/** The trips to providers, card by card. */
export async function PurchaseAttempts({
  ctx,
  role,
  purchase,
  words,
}: PanelProps & { ctx: Context; role: OperatorRole }) {
  const t = await getTranslations("payments");
  return purchase.lanes.map(({ slot, payment }) =>
    payment ? (
      <AttemptsCard
        key={slot.id}
        ctx={ctx}
        role={role}
        payment={payment}
        words={words}
        title={t("attemptsOfCard", { number: slot.slotIndex + 1, amount: words.money(slot.amount) })}
      />
    ) : null,
  );
}

export async function PurchaseLedger({
  ctx,
  role,
  purchase,
  words,
}: PanelProps & { ctx: Context; role: OperatorRole }) {
  const t = await getTranslations("payments");
  const say = await panelWords();
  const ids = purchase.lanes.flatMap(({ slot }) => slot.chargeId ?? []);
  const entries = await Promise.all(ids.map((id) => ledgerOf(ctx, role, id)));
  if (entries.some((each) => each === undefined)) return null;
  return (
    <Card className="overflow-hidden">
      <CardHeader title={t("ledgerTitle")} description={t("ledgerText")} />
      <LedgerTable
        texts={{
          caption: t("ledgerCaption"),
          entry: t("ledgerEntry"),
          account: t("ledgerAccount"),
          amount: t("columnAmount"),
          empty: t("ledgerEmpty"),
        }}
        journals={ledgerRows(
          entries.flatMap((each) => each ?? []).sort((a, b) => a.at.getTime() - b.at.getTime()),
          say,
          words,
        )}
      />
    </Card>
  );
}

const TONES: Partial<Record<string, Tone>> = {
  paid: "success",
  authorized: "success",
  completed: "success",
  failed: "danger",
  charged_back: "danger",
  undetermined: "warning",
  pre_authorized: "warning",
  processing: "info",
};

interface StoryProps extends PanelProps, Place {
  ctx: Context;
  role: OperatorRole;
}

/** Every move under the row of its table, and who asked for what led to it. */
export async function PurchaseStoryCard({ ctx, role, purchase, words, ...place }: StoryProps) {
  const [t, say, reasons, { moves, acts }] = await Promise.all([
    getTranslations("payments"),
    reviewWords(),
    disputeReasonWords(),
    storyOf(ctx, purchase),
  ]);
  const slotText = await slotWords();
  const who = await whoActed(ctx, acts);
  const hasRows = oneOf(place.given, ROWS_PARAMETER) !== undefined;
  const operations = new Map(purchase.operations.map((operation) => [operation.id, operation]));
  const entries: (SortedEntry & { order: number })[] = [
    {
      id: purchase.row.id,
      title: t("created", { amount: words.money(purchase.row.amount) }),
      who: undefined,
      tone: "neutral",
      kind: "state",
      at: { at: purchase.row.createdAt, text: preciseText(words, purchase.row.createdAt) },
      order: 0,
    },
    ...acts
      .map((act) => ({ ...act, at: beganAt(act, purchase, moves) }))
      .map((act) => ({
        id: act.id,
        title: isKnownAct(act.action) ? t(PURCHASE_ACTS[act.action]) : t("actOther", { action: act.action }),
        who: who(act),
        tone: "person" as const,
        kind: "person" as const,
        at: { at: act.at, text: preciseText(words, act.at) },
        order: -1,
      })),
    ...moves
      .filter((move) => hasRows || !isRepeated(move))
      .map((move) => ({
        id: String(move.seq),
        title: titleOf(move),
        who: hasRows ? [move.row, causeOf(move)].filter(Boolean).join(" · ") : (byItself(move) ?? whyDisputed(move)),
        tone: TONES[move.to] ?? ("neutral" as const),
        kind: "state" as const,
        lane: move.slotIndex === null ? undefined : move.slotIndex + 1,
        at: { at: move.createdAt, text: preciseText(words, move.createdAt) },
        order: 2 + move.seq,
      })),
  ];
  entries.sort((one, other) => other.at.at.getTime() - one.at.at.getTime() || other.order - one.order);
  return <TimelineView entries={entries} hasMachineRows {...place} />;

  // Guarantee below: the states of a move are those of its own table.
  function titleOf({ machine, slotIndex, fact, from, to, operationId, seq }: PurchaseMove): string {
    switch (machine) {
      case "slot":
        return from === to
          ? t("moveSlotStays", { number: (slotIndex ?? 0) + 1, status: ofSlot(to) })
          : t("moveSlot", { number: (slotIndex ?? 0) + 1, from: ofSlot(from), to: ofSlot(to) });
      case "purchase":
        if (fact === "review.opened") return t("moveReviewOpened");
        return from === to
          ? t("movePurchaseStays", { status: say.purchase(to as PurchaseStatus) })
          : t("movePurchase", {
              from: say.purchase(from as PurchaseStatus),
              to: say.purchase(to as PurchaseStatus),
            });
      case "operation": {
        const operation = operations.get(operationId ?? "");
        // Once a card was declined, what is left of an authorization is to release the others.
        const isUndone = operation?.type === "authorize" && moves.some((each) => isDecline(each) && each.seq < seq);
        if (isUndone && to !== "failed" && to !== "completed" && fact !== "review.opened") return t("moveUndoBegun");
        if (isUndone && to === "failed") return t("moveNotAuthorized");
        return t(fact === "review.opened" ? "moveOperationStopped" : OPERATION_TEXTS[to as OperationStatus], {
          operation: operation ? say.operation(operation.type) : "",
        });
      }
    }

    // Guarantee: as above.
    function ofSlot(status: string): string {
      const slot = purchase.payments.find((each) => each.slotIndex === slotIndex);
      return slotText(status as SlotStatus, slot?.wasCaptured ?? false);
    }
  }

  /** Whoever asked has a line of their own. */
  function byItself({ machine, operationId, to }: PurchaseMove): string | undefined {
    const isBegun = machine === "operation" && to === "processing";
    return isBegun && operations.get(operationId ?? "")?.requestedBy === "system" ? t("whoSystem") : undefined;
  }

  /** The first dispute of a card is the first in its history, and so on. */
  function whyDisputed(move: PurchaseMove): string | undefined {
    if (!isDispute(move) || !may(role, "disputes.see")) return undefined;
    const { payment } = purchase.lanes.find(({ slot }) => slot.slotIndex === move.slotIndex) ?? {};
    const before = moves.filter((each) => isDispute(each) && each.slotIndex === move.slotIndex && each.seq < move.seq);
    const reason = disputeReasons(payment?.attempts ?? [])[before.length];
    return reason && reasons.line(reason);
  }

  function causeOf({ operationId, fact }: PurchaseMove): string {
    const operation = operations.get(operationId ?? "");
    if (!operation) return fact;
    const by = operation.requestedBy === "client" ? t("causeClient") : t("causeSystem");
    return t("cause", { fact, operation: say.operation(operation.type), by });
  }
}

const isDispute = ({ machine, from, to }: PurchaseMove): boolean =>
  machine === "slot" && to === "charged_back" && from !== to;
const isDecline = ({ machine, to }: PurchaseMove): boolean => machine === "slot" && to === "failed";

/** The longest that writing one transaction takes. */
const TOGETHER_MS = 1_000;

/**
 * When what somebody asked for began to be done. The log has its row at the end of the transaction: what it led to there
 * is told after it.
 */
export function beganAt(
  { action, at }: Pick<Act, "action" | "at">,
  { row }: Pick<PurchaseOverview, "row">,
  moves: readonly Pick<PurchaseMove, "fact" | "createdAt">[],
): Date {
  if (action === "purchase.create") return row.createdAt < at ? row.createdAt : at;
  if (action !== "purchase.resolve") return at;
  const ended = moves.findLastIndex(({ fact, createdAt }) => fact === "review.resolved" && createdAt <= at);
  let began = at;
  // Nothing else moves a purchase under review.
  for (const { fact, createdAt } of moves.slice(0, ended + 1).reverse()) {
    if (fact === "review.opened" || at.getTime() - createdAt.getTime() > TOGETHER_MS) break;
    began = createdAt;
  }
  return began;
}

/** Each time that a worker takes an operation up again: nothing a person asks about changed. */
const isRepeated = ({ machine, from, to }: PurchaseMove): boolean =>
  machine === "operation" && from === "processing" && to === "processing";

const OPERATION_TEXTS = {
  pending: "moveOperationBegun",
  processing: "moveOperationBegun",
  completed: "moveOperationDone",
  failed: "moveOperationFailed",
} as const satisfies Record<OperationStatus, string>;

/** A test holds these against everything that the log keeps of a purchase. */
export const PURCHASE_ACTS = {
  "purchase.create": "actPurchaseCreate",
  "purchase.capture": "actPurchaseCapture",
  "purchase.void": "actPurchaseVoid",
  "purchase.refund": "actPurchaseRefund",
  "purchase.new_link": "actNewLink",
  "purchase.recheck": "actRecheck",
  "purchase.resolve": "actResolve",
  "purchase.resolve.propose": "actPropose",
  "purchase.resolve.withdraw": "actResolveWithdraw",
  "review.take": "actTake",
  "review.release": "actRelease",
} as const;
const isKnownAct = (action: string): action is keyof typeof PURCHASE_ACTS => Object.hasOwn(PURCHASE_ACTS, action);

export async function PurchaseTold({ ctx, role, purchase, words }: PanelProps & { ctx: Context; role: OperatorRole }) {
  const { told } = await storyOf(ctx, purchase);
  return <ToldCard ctx={ctx} role={role} object="purchase" entityId={purchase.row.id} told={told} words={words} />;
}
