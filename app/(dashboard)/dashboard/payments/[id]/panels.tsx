import { getTranslations } from "next-intl/server";
import { disputeReasonWords } from "@/app/(dashboard)/dashboard/disputes/reason-words";
import { declineNames } from "@/app/(dashboard)/dashboard/flows/words";
import { type EventAmounts, panelWords } from "@/app/(dashboard)/dashboard/payments/[id]/panel-words";
import type { Words } from "@/app/(dashboard)/dashboard/payments/[id]/sentences";
import { skipWords } from "@/app/(dashboard)/dashboard/payments/[id]/skip-words";
import { type Place, type SortedEntry, TimelineView } from "@/app/(dashboard)/dashboard/payments/[id]/timeline-view";
import { exactText, preciseText } from "@/app/(dashboard)/dashboard/payments/[id]/times";
import { ToldCard } from "@/app/(dashboard)/dashboard/payments/[id]/told-card";
import { publicKeyEnd } from "@/app/(dashboard)/public-key-end";
import { LedgerTable, type ShownJournal } from "@/components/charges/ledger-table";
import { RouteStops, type ShownStop } from "@/components/charges/route-stops";
import { FlowLines } from "@/components/flows/flow-lines";
import { Card, CardHeader } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";
import { systemDb } from "@/db/client";
import { type KeyName, keyNames } from "@/lib/accounts/secret-keys";
import { keyIn, operatorIn } from "@/lib/audit";
import { holdEnd, isAnalysis, refusalByAnalysis } from "@/lib/charges/history";
import {
  type Act,
  actsOn,
  amountsTold,
  eventsOf,
  type LedgerEntry,
  ledgerOf,
  type PaymentOverview,
  type RouteEnd,
  type RouteStop,
} from "@/lib/charges/overview";
import type { Context } from "@/lib/context";
import { disputeReasons } from "@/lib/disputes/reasons";
import { namesOf } from "@/lib/operators/names";
import { may } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";
import type { AttemptRow } from "@/lib/payments/attempts";
import { ignoredAmong, providerNoticesOf } from "@/lib/provider-webhooks/queries";
import { type NoticeTopic, topicOfNotice } from "@/lib/provider-webhooks/topics";

const NOTICE_TEXTS = {
  analysis: "noticeAboutAnalysis",
  capture: "noticeAboutCapture",
  dispute: "noticeAboutDispute",
  end: "noticeAboutEnd",
  mandate: "noticeAboutMandate",
  payment: "noticeAboutPayment",
  refund: "noticeAboutRefund",
} as const satisfies Record<NoticeTopic, string>;

interface PanelProps {
  payment: PaymentOverview;
  words: Words;
}

interface TimelineProps extends PanelProps, Place {
  ctx: Context;
  role: OperatorRole;
}

export async function TimelineCard({ ctx, role, payment, words, ...place }: TimelineProps) {
  const [t, say, reasons] = await Promise.all([getTranslations("payments"), panelWords(), disputeReasonWords()]);
  const { money } = words;
  const [told, amounts, acts, notices] = await Promise.all([
    eventsOf(ctx, payment.row.id),
    amountsTold(ctx, payment.row.id),
    actsOn(ctx, payment.row.id),
    providerNoticesOf(ctx, payment.row.id),
  ]);
  // Money that is kept apart changes no state, and is noted all the same.
  const noted = payment.attempts.filter(({ kind }) => kind === "notice").map(({ createdAt: at }) => ({ at }));
  const ignored = ignoredAmong(notices, [...told, ...noted]);
  const who = await whoActed(ctx, acts);
  const when = (at: Date) => ({ at, text: preciseText(words, at) });
  const why = may(role, "disputes.see") ? disputeReasons(payment.attempts) : [];
  const disputes = told.filter(({ event }) => event === "dispute");
  const entries: SortedEntry[] = [
    {
      id: payment.row.id,
      title: t("created", { amount: money(payment.row.originalAmount) }),
      who: undefined,
      tone: "neutral",
      kind: "state",
      at: when(payment.row.createdAt),
    },
    ...acts.map(
      (act): SortedEntry => ({
        id: act.id,
        title: say.act(act.action, money(act.amount ?? 0), payment.row),
        who: who(act),
        tone: "person",
        kind: "person",
        at: when(act.at),
      }),
    ),
    ...(payment.row.reviewSince
      ? [
          {
            id: `review-${payment.row.id}`,
            title: t("inReviewSince"),
            who: t("whoSystem"),
            tone: "warning",
            kind: "state",
            at: when(payment.row.reviewSince),
          } satisfies SortedEntry,
        ]
      : []),
    ...notices.map(
      ({ id, type, at }): SortedEntry => ({
        id,
        title: t(NOTICE_TEXTS[topicOfNotice(type)]),
        who: t(ignored.has(id) ? "noticeIgnored" : "noticeAsked", { type }),
        tone: "neutral",
        kind: "notice",
        at: when(at),
      }),
    ),
    ...told.map(({ id, event, at }, index): SortedEntry => {
      const { text, tone } = say.event(event, payment, amountOf(id, told[index - 1]?.id));
      const isOurs = event === "voided" && (holdEnd(payment)?.kind === "void" || refusalByAnalysis(payment));
      const reason = why[disputes.findIndex((dispute) => dispute.id === id)];
      const who = isOurs ? t("whoSystem") : reason && reasons.line(reason);
      return { id, title: text, who, tone, kind: "state", at: when(at) };
    }),
  ];
  /** What one event took, or gave back. */
  function amountOf(id: string, before: string | undefined): EventAmounts | undefined {
    const now = amounts.get(id);
    return now && { taken: now.captured, given: now.refunded - (amounts.get(before ?? "")?.refunded ?? 0), money };
  }
  // What was asked comes before what it led to, also within one millisecond.
  const newestFirst = entries.sort((one, other) => one.at.at.getTime() - other.at.at.getTime()).reverse();
  return <TimelineView entries={newestFirst} {...place} />;
}

/** Says who did each of these, as people of the account are called. */
export async function whoActed(ctx: Context, acts: readonly Act[]): Promise<(act: Act) => string> {
  const t = await getTranslations("payments");
  const names = await namesOf(
    systemDb(),
    ctx.account.id,
    acts.flatMap(({ actor, secondActor }) => [operatorIn(actor) ?? [], operatorIn(secondActor ?? "") ?? []].flat()),
  );
  const keys = await keyNames(
    ctx,
    acts.flatMap(({ actor }) => keyIn(actor) ?? []),
  );
  return (act) => (act.reason ? t("whoWhy", { who: whoIn(act), reason: act.reason }) : whoIn(act));

  function whoKey({ name, hint }: KeyName): string {
    return name === null ? t("whoKeyEnding", { hint }) : t("whoKeyNamed", { name, hint });
  }

  function whoIn({ actor, secondActor }: Act): string {
    const operator = operatorIn(actor);
    if (operator === undefined) {
      const key = keys.get(keyIn(actor) ?? "");
      if (key) return whoKey(key);
      const [kind, id = ""] = actor.split(":");
      if (kind === "public") return t("whoPublicKey", { end: publicKeyEnd(id) });
      return actor === "system" ? t("whoSystem") : t("whoKey");
    }
    const name = names.get(operator);
    const second = names.get(operatorIn(secondActor ?? "") ?? "");
    if (name && second) return t("whoTwo", { name, second });
    return name ? t("whoOperator", { name }) : t("whoFormer");
  }
}

/** What an analyst said: it decides on the risk, and processes nothing. */
const ANALYSES = {
  pending: { wording: "routeAnalysing", tone: "info" },
  approved: { wording: "routeApproved", tone: "success" },
  refused: { wording: "routeRefused", tone: "danger" },
  failed: { wording: "routeNoVerdict", tone: "warning" },
} as const;

const analysisOf = ({ state, requestStatus }: AttemptRow): keyof typeof ANALYSES =>
  state === "approved"
    ? "approved"
    : state !== "declined"
      ? "pending"
      : requestStatus === "failed"
        ? "refused"
        : "failed";

const END_TEXTS = {
  decline: "routeEndDecline",
  limit: "routeEndLimit",
  flow: "routeEndFlow",
  challenge: "routeEndChallenge",
} as const satisfies Record<RouteEnd, string>;

interface RouteCardProps extends Pick<PanelProps, "payment"> {
  role: OperatorRole;
  /** Which card of a purchase. */
  of?: string;
}

export async function RouteCard({ payment, role, of }: RouteCardProps) {
  const t = await getTranslations("payments");
  const skipped = await skipWords();
  const { route, routeEnd, row, attempts, decision } = payment;
  const { flow, root, path, names } = decision;
  return (
    <Card>
      <CardHeader
        title={of ? t("routeTitleOf", { card: of }) : t("routeTitle")}
        actions={
          flow && root && may(role, "flows.see") ? (
            <LinkButton size="sm" href={`/dashboard/flows/${flow.id}?payment=${row.id}#test`}>
              {t("routeOpenFlow")}
            </LinkButton>
          ) : null
        }
      />
      <RouteStops
        text={flow ? t("routeFlow", { name: flow.name, version: flow.version }) : t("routePriority")}
        stops={route.map((stop) => {
          const { note, ...state } = stateOf(stop);
          return { id: stop.id, name: stop.name, kind: stop.kind, note, state };
        })}
      >
        {root ? (
          <details className="-mx-5 mb-3">
            <summary className="cursor-pointer px-5 py-1 text-accent-ink text-sm">{t("routePath")}</summary>
            <FlowLines root={root} names={{ providers: names, declines: await declineNames() }} taken={path} />
          </details>
        ) : null}
      </RouteStops>
    </Card>
  );

  function stateOf({ id, isRemoved, skipped: why }: RouteStop): ShownStop["state"] & Pick<ShownStop, "note"> {
    const analysis = attempts.find((attempt) => isAnalysis(attempt) && attempt.providerId === id);
    if (analysis) {
      const { wording, tone } = ANALYSES[analysisOf(analysis)];
      return { text: t(wording), tone };
    }
    const isUnknown = attempts.some(({ providerId, state }) => providerId === id && state === "undetermined");
    if (id === row.providerId && isUnknown) return { text: t("routeUnknown"), tone: "warning" } as const;
    const isTried = attempts.some(({ providerId }) => providerId === id);
    if (id === row.providerId && row.status !== "failed") return { text: t("routeWon"), tone: "success" } as const;
    if (why !== undefined) return { text: skipped(why), tone: "neutral" } as const;
    if (isRemoved) return { text: t("routeRemoved"), tone: "neutral" } as const;
    if (isTried) return { text: t("routeTried"), tone: "danger" } as const;
    const isUnpaid = row.status === "failed" || row.status === "pending";
    if (!isUnpaid) return { text: t("routeSpare"), tone: "neutral" };
    return { text: t("routeUntried"), tone: "neutral", note: routeEnd && t(END_TEXTS[routeEnd]) };
  }
}

export async function EventsCard({ ctx, role, payment, words }: PanelProps & { ctx: Context; role: OperatorRole }) {
  const told = await eventsOf(ctx, payment.row.id);
  return <ToldCard ctx={ctx} role={role} object="transaction" entityId={payment.row.id} told={told} words={words} />;
}

export async function LedgerCard({ ctx, role, payment, words }: PanelProps & { ctx: Context; role: OperatorRole }) {
  const t = await getTranslations("payments");
  const say = await panelWords();
  const journals = await ledgerOf(ctx, role, payment.row.id);
  if (!journals) return null;
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
        journals={ledgerRows(journals, say, words)}
      />
    </Card>
  );
}

/** Journals in finished words. */
export const ledgerRows = (
  journals: readonly LedgerEntry[],
  say: Awaited<ReturnType<typeof panelWords>>,
  words: Words,
): ShownJournal[] =>
  journals.map(({ journalId, type, at, lines }) => ({
    id: journalId,
    title: say.journal(type),
    at: exactText(words, at),
    lines: lines.map(({ account, arrangement, seller, amount }) => ({
      account: [say.account(account), arrangement ? say.arrangement(arrangement) : seller].filter(Boolean).join(" · "),
      amount: words.money(amount),
    })),
  }));
