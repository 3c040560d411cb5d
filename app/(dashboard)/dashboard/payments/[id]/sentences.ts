import { type getFormatter, getTranslations } from "next-intl/server";
import { declineReasons } from "@/app/(dashboard)/dashboard/payments/[id]/decline-words";
import type { ChargeStatus } from "@/db/schema/charges";
import { surplusOf } from "@/lib/charges/engine/surplus";
import { type ExtraPayment, extraPayments } from "@/lib/charges/extra-payments";
import { holdEnd, ranOut, refusalByAnalysis } from "@/lib/charges/history";
import { holdReleasedAt } from "@/lib/charges/holds";
import type { PaymentAction } from "@/lib/charges/operator-actions";
import { refundable } from "@/lib/charges/operator-actions";
import type { PaymentOverview } from "@/lib/charges/overview";
import type { AttemptRow } from "@/lib/payments/attempts";

/** What panels say their texts with. */
export interface Words {
  format: Awaited<ReturnType<typeof getFormatter>>;
  money: (cents: number) => string;
}

export const momentText = ({ format }: Words, at: Date): string =>
  format.dateTime(at, { dateStyle: "medium", timeStyle: "short" });

export const nameOfProvider = ({ route, row }: PaymentOverview, id: string | null, kind?: string): string =>
  route.find((stop) => stop.id === id)?.name ?? kind ?? row.providerType ?? "";

const isPayment = ({ kind }: AttemptRow): boolean => kind === "authorize" || kind === "pix" || kind === "wallet";

/** What happened and what is left, in plain sentences (design/dashboard.md 6.2). */
export async function sentencesOf(payment: PaymentOverview, words: Words): Promise<string[]> {
  const { row, attempts } = payment;
  const { money } = words;
  const t = await getTranslations("payments");
  const declines = attempts.filter((attempt) => isPayment(attempt) && attempt.state === "declined").length;
  const remaining = refundable(row);
  const isPaid = row.status === "authorized";
  return [
    await mainSentence(payment, words),
    ...(row.status === "failed" && declines > 1 ? [t("sTries", { count: declines })] : []),
    ...(isPaid && declines > 0 ? [t("sAfterDeclines", { count: declines })] : []),
    ...(row.cardId !== null && row.capturedAmount > 0 && row.capturedAmount < row.originalAmount
      ? [t("sPartCaptured", { captured: money(row.capturedAmount), original: money(row.originalAmount) })]
      : []),
    ...(row.cardId === null && row.capturedAmount > 0 && row.capturedAmount !== row.originalAmount
      ? [
          t(row.capturedAmount < row.originalAmount ? "sPaidShort" : "sPaidOver", {
            paid: money(row.capturedAmount),
            original: money(row.originalAmount),
            difference: money(Math.abs(row.capturedAmount - row.originalAmount)),
          }),
        ]
      : []),
    ...(isPaid && row.refundedAmount > 0
      ? [t("sPartRefunded", { refunded: money(row.refundedAmount), remaining: money(remaining) })]
      : []),
    ...extraPayments(payment).map(({ amount, state }) =>
      t(EXTRA_TEXTS[state], { amount: money(amount), provider: nameOfProvider(payment, row.providerId) }),
    ),
    ...(row.reviewReason ? [t("sReview")] : []),
  ];
}

const EXTRA_TEXTS = {
  returned: "sExtraReturned",
  returning: "sExtraReturning",
  here: "sExtraHere",
  kept: "sExtraKept",
  handed_back: "sExtraHanded",
} as const satisfies Record<ExtraPayment["state"], string>;

async function mainSentence(payment: PaymentOverview, words: Words): Promise<string> {
  const { row, attempts } = payment;
  const { money } = words;
  const t = await getTranslations("payments");
  const reasonOf = await declineReasons(payment);
  const provider = nameOfProvider(payment, row.providerId);
  const answered = (...types: string[]): string =>
    momentText(
      words,
      attempts.find(
        (each) => types.includes(each.requestType) && each.requestStatus === "success" && surplusOf(each) === undefined,
      )?.updatedAt ?? row.updatedAt,
    );
  const refusal = refusalByAnalysis(payment);
  if (refusal) {
    const date = momentText(words, refusal.updatedAt);
    return t(REFUSAL_TEXTS[row.status] ?? "sRefused", { date, reason: reasonOf(refusal), provider });
  }
  switch (row.status) {
    case "authorized":
      return t("sPaid", { date: answered("capture", "authorization"), provider });
    case "pre_authorized":
      return row.expiresAt
        ? t("sHeld", {
            date: answered("pre_authorization"),
            provider,
            until: momentText(words, holdReleasedAt(row.expiresAt)),
          })
        : t("sHeldOpen", { date: answered("pre_authorization"), provider });
    case "failed":
      return t("sFailed", {
        date: momentText(words, row.updatedAt),
        reason: reasonOf(attempts.find((attempt) => attempt.providerError !== null)),
      });
    case "canceled":
      return t(ranOut(payment) ? "sExpired" : "sCanceled", { date: momentText(words, row.updatedAt) });
    case "voided":
      return row.refundedAmount > 0
        ? t("sVoided", { date: answered("void"), amount: money(row.refundedAmount) })
        : releasedSentence();
    case "charged_back":
      return t("sDisputed", { amount: money(row.chargedBackAmount) });
    case "refund_pending":
      return t(row.capturedAmount === 0 ? "sReleasing" : "sRefunding", {
        amount: money(row.operationAmount ?? row.amount),
        provider,
      });
    case "capture_pending":
      return t("sCapturing", { amount: money(row.operationAmount ?? row.amount), provider });
    case "pending":
      return pendingSentence(payment, words, provider);
  }

  /** By a person or the API, by us because it was about to end, or by itself at the provider. */
  function releasedSentence(): string {
    const end = holdEnd(payment);
    if (!end) return t("sReleased", { date: answered("void") });
    const date = momentText(words, end.updatedAt);
    return end.kind === "notice" ? t("sHoldEndedThere", { date, provider }) : t("sHoldEnded", { date });
  }
}

/** Of what a fraud analysis refused: a hold had been made or not, and is released or not yet. */
const REFUSAL_TEXTS: Partial<Record<ChargeStatus, "sRefused" | "sRefusedHeld" | "sRefusedReleasing">> = {
  failed: "sRefused",
  voided: "sRefusedHeld",
  refund_pending: "sRefusedReleasing",
};

async function pendingSentence({ row, attempts }: PaymentOverview, words: Words, provider: string): Promise<string> {
  const t = await getTranslations("payments");
  if (attempts.some(({ state }) => state === "undetermined")) return t("sUnknown", { provider });
  const date = momentText(words, row.createdAt);
  if (!row.expiresAt) return t("sPending", { date, provider });
  const until = momentText(words, row.expiresAt);
  if (row.paymentType === "boleto") return t("sBoleto", { date, until });
  return row.paymentType === "pix" ? t("sPix", { date, until }) : t("sPending", { date, provider });
}

const KINDS: Partial<Record<PaymentAction, readonly AttemptRow["kind"][]>> = {
  capture: ["capture"],
  refund: ["refund", "void"],
  release: ["void"],
  cancel: ["cancel_open"],
};

const TEXTS = {
  capture: { done: "done_capture", waiting: "waiting_capture", failed: "failed_capture" },
  refund: { done: "done_refund", waiting: "waiting_refund", failed: "failed_refund" },
  release: { done: "done_release", waiting: "waiting_release", failed: "failed_release" },
  cancel: { done: "done_cancel", waiting: "waiting_cancel", failed: "failed_cancel" },
} as const;

/** How an action ended, told from its attempt and not from the address: a made-up address says nothing untrue. */
export async function noticeOf(
  { attempts }: PaymentOverview,
  action: PaymentAction,
  words: Words,
): Promise<{ kind: "done" | "waiting" | "failed"; text: string } | undefined> {
  const t = await getTranslations("payments");
  const reasonOf = await declineReasons();
  const { money } = words;
  if (action === "recheck") return { kind: "done", text: t("done_recheck") };
  if (action === "hand_back") return { kind: "done", text: t("done_hand_back") };
  if (action === "simulate") return { kind: "done", text: t("done_simulate") };
  const newest = attempts.find((attempt) => KINDS[action]?.includes(attempt.kind) && surplusOf(attempt) === undefined);
  if (!newest) return undefined;
  const amount = money(newest.amount);
  if (newest.requestStatus === "success") return { kind: "done", text: t(TEXTS[action].done, { amount }) };
  if (newest.requestStatus === "failed") {
    return { kind: "failed", text: t(TEXTS[action].failed, { amount, reason: reasonOf(newest) }) };
  }
  return { kind: "waiting", text: t(TEXTS[action].waiting, { amount }) };
}
