import { getTranslations } from "next-intl/server";
import { AttemptsCard } from "@/app/(dashboard)/dashboard/payments/[id]/attempts-card";
import { panelWords } from "@/app/(dashboard)/dashboard/payments/[id]/panel-words";
import { ledgerRows, whoActed } from "@/app/(dashboard)/dashboard/payments/[id]/panels";
import type { Words } from "@/app/(dashboard)/dashboard/payments/[id]/sentences";
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
import { ledgerOf } from "@/lib/charges/overview";
import type { Context } from "@/lib/context";
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

/** Every move under the row of its table, and who asked for what led to it. */
export async function PurchaseStoryCard({ ctx, purchase, words, ...place }: PanelProps & Place & { ctx: Context }) {
  const [t, say, { moves, acts }] = await Promise.all([
    getTranslations("payments"),
    reviewWords(),
    storyOf(ctx, purchase),
  ]);
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
    ...acts.map((act) => ({
      id: act.id,
      title: isKnownAct(act.action) ? t(PURCHASE_ACTS[act.action]) : t("actOther", { action: act.action }),
      who: who(act),
      tone: "person" as const,
      kind: "person" as const,
      at: { at: act.at, text: preciseText(words, act.at) },
      order: 1,
    })),
    ...moves
      .filter((move) => hasRows || !isRepeated(move))
      .map((move) => ({
        id: String(move.seq),
        title: titleOf(move),
        who: hasRows ? [move.row, causeOf(move)].filter(Boolean).join(" · ") : askedBy(move),
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
  function titleOf({ machine, slotIndex, fact, from, to, operationId }: PurchaseMove): string {
    switch (machine) {
      case "slot":
        if (from === to)
          return t("moveSlotStays", { number: (slotIndex ?? 0) + 1, status: say.slot(to as SlotStatus) });
        return t("moveSlot", {
          number: (slotIndex ?? 0) + 1,
          from: say.slot(from as SlotStatus),
          to: say.slot(to as SlotStatus),
        });
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
        return t(fact === "review.opened" ? "moveOperationStopped" : OPERATION_TEXTS[to as OperationStatus], {
          operation: operation ? say.operation(operation.type) : "",
        });
      }
    }
  }

  function askedBy({ operationId }: PurchaseMove): string | undefined {
    const operation = operations.get(operationId ?? "");
    if (!operation) return undefined;
    return t("causePlain", { by: operation.requestedBy === "client" ? t("causeClient") : t("causeSystem") });
  }

  function causeOf({ operationId, fact }: PurchaseMove): string {
    const operation = operations.get(operationId ?? "");
    if (!operation) return fact;
    const by = operation.requestedBy === "client" ? t("causeClient") : t("causeSystem");
    return t("cause", { fact, operation: say.operation(operation.type), by });
  }
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
  "purchase.recheck": "actRecheck",
  "purchase.resolve": "actResolve",
  "purchase.resolve.propose": "actPropose",
  "review.take": "actTake",
  "review.release": "actRelease",
} as const;
const isKnownAct = (action: string): action is keyof typeof PURCHASE_ACTS => Object.hasOwn(PURCHASE_ACTS, action);

export async function PurchaseTold({ ctx, role, purchase, words }: PanelProps & { ctx: Context; role: OperatorRole }) {
  const { told } = await storyOf(ctx, purchase);
  return <ToldCard ctx={ctx} role={role} object="purchase" entityId={purchase.row.id} told={told} words={words} />;
}
