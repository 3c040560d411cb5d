import { getFormatter, getLocale, getTranslations } from "next-intl/server";
import { panelWords } from "@/app/(dashboard)/dashboard/payments/[id]/panel-words";
import { formatCents } from "@/components/ui/money-format";
import type { LineVerdict } from "@/db/schema/settlement";
import { noonOf } from "@/lib/brazil/bank-calendar";
import type { BreakRow } from "@/lib/finance/breaks";
import type { ShownAccount } from "@/lib/finance/ledger";
import type { DueState } from "@/lib/finance/reconciliation";
import type { EvidenceType } from "@/lib/ledger/post";
import type { IdentityName } from "@/lib/settlement/identities";

export const FINANCE = "/dashboard/finance";
export const LEDGER = `${FINANCE}/ledger`;
export const BREAKS = `${FINANCE}/breaks`;
export const STATEMENTS = `${FINANCE}/statements`;
export const CREDITS = `${FINANCE}/credits`;

const JOURNAL_TEXTS = {
  hold: "journalHold",
  hold_release: "journalHoldRelease",
  capture: "journalCapture",
  fee: "journalFee",
  fares: "journalFares",
  provider_cost: "journalProviderCost",
  settlement: "journalSettlement",
  release: "journalRelease",
  payout: "journalPayout",
  payout_paid: "journalPayoutPaid",
  payout_failed: "journalPayoutFailed",
  payout_returned: "journalPayoutReturned",
  adjustment: "journalAdjustment",
  prepayment: "journalPrepayment",
  refund: "journalRefund",
  reversal: "journalReversal",
  chargeback: "journalChargeback",
  chargeback_refund: "journalChargebackRefund",
  suspense: "journalSuspense",
} as const satisfies Record<EvidenceType, string>;

export const BREAK_TEXTS = {
  settlement_missing: "breakMissing",
  settlement_mismatch: "breakMismatch",
  settlement_unowned: "breakUnowned",
  transfer_unknown: "breakUnknown",
  transfer_contradicted: "breakContradicted",
  identity: "breakIdentity",
} as const satisfies Record<BreakRow["kind"], string>;

const IDENTITY_TEXTS = {
  "what is pending is what receivables still wait for": "identityPending",
  "what a seller has available is what stands in no batch, and what it owes": "identityAvailable",
  "what is in transit is what pending batches send": "identityInTransit",
} as const satisfies Record<IdentityName, string>;

export const VERDICT_TEXTS = {
  new: "verdictNew",
  known: "verdictKnown",
  foreign: "verdictForeign",
  malformed: "verdictMalformed",
  wrong_sum: "verdictWrongSum",
  doubled: "verdictDoubled",
  changed: "verdictChanged",
  not_over: "verdictNotOver",
} as const satisfies Record<LineVerdict, string>;

export const VERDICT_WHYS = {
  new: "verdictNewWhy",
  known: "verdictKnownWhy",
  foreign: "verdictForeignWhy",
  malformed: "verdictMalformedWhy",
  wrong_sum: "verdictWrongSumWhy",
  doubled: "verdictDoubledWhy",
  changed: "verdictChangedWhy",
  not_over: "verdictNotOverWhy",
} as const satisfies Record<LineVerdict, string>;

export const STATE_TEXTS = {
  matched: "stateMatched",
  netted: "stateNetted",
  costed: "stateCosted",
  differs: "stateDiffers",
  missing: "stateMissing",
  closed: "stateClosed",
  uneven: "stateUneven",
  waiting: "stateWaiting",
} as const satisfies Record<DueState, string>;

export async function financeWords() {
  const [t, format, locale, panel] = await Promise.all([
    getTranslations("finance"),
    getFormatter(),
    getLocale(),
    panelWords(),
  ]);
  return {
    money: (cents: number): string => formatCents(cents, "BRL", locale),
    day: (day: string): string => format.dateTime(noonOf(day), { dateStyle: "medium" }),
    moment: (at: Date): string => format.dateTime(at, { dateStyle: "medium", timeStyle: "short" }),
    journal: (type: string): string =>
      Object.hasOwn(JOURNAL_TEXTS, type)
        ? // Guarantee: looked up only where the key exists.
          t(JOURNAL_TEXTS[type as EvidenceType])
        : type,
    kind: panel.account,
    account: ({ kind, seller, arrangement }: Pick<ShownAccount, "kind" | "seller" | "arrangement">): string =>
      [panel.account(kind), seller ?? (arrangement && panel.arrangement(arrangement))].filter(Boolean).join(" · "),
    /** Debit or credit, as a word beside a figure that is never negative. */
    side: (balance: number): string => (balance === 0 ? "" : balance > 0 ? t("debit") : t("credit")),
    break: ({ kind }: BreakRow): string => t(BREAK_TEXTS[kind]),
    identity: (name: string): string =>
      Object.hasOwn(IDENTITY_TEXTS, name)
        ? // Guarantee: looked up only where the key exists.
          t(IDENTITY_TEXTS[name as IdentityName])
        : name,
  };
}
