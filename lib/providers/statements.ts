import type { CivilDate } from "@/lib/brazil/bank-calendar";
import type { Cents } from "@/lib/money";
import type { ProviderCall } from "@/lib/providers/provider";

/** What an acquirer says it paid, or took (spec/settlement.md section 1). */
export interface StatementLine {
  /** The provider's own name of the line: the same whenever it is read. */
  id: string;
  providerTxId: string;
  /**
   * `settlement`: an instalment, or each part of one on its day, refunds already taken from it. `refund`: one that nothing was left to be taken from.
   * `adjustment`: money beside the sale, such as a second payment of one Pix.
   */
  kind: "settlement" | "refund" | "chargeback" | "reversal" | "adjustment";
  /** From 1; 1 for what is not paid in instalments. */
  instalment: number;
  /** Net of the cost; negative when it is taken. */
  amount: Cents;
  /** Of the whole sale, on its first line; 0 on the others. */
  cost: Cents;
  settledOn: CivilDate;
}

/** Days that are over, both included. */
export interface StatementDays {
  from: CivilDate;
  to: CivilDate;
  /** `next` of the page before. */
  after?: string;
}

export type StatementPage =
  | { kind: "page"; lines: StatementLine[]; next?: string }
  | { kind: "unavailable"; retryAfterMs?: number };

/** Present where the provider's API tells: of a day that is over the answer never changes. */
export type ReadStatement = (call: ProviderCall, days: StatementDays) => Promise<StatementPage>;

/** The merchant's own part of an instalment, which its acquirer pays before its day, and what it keeps for that. */
export interface EarlyPayment {
  providerTxId: string;
  instalment: number;
  /** Of the part: the rest of the instalment is paid on its day. An acquirer that takes its cost of each has less to pay. */
  amount: Cents;
  cost: Cents;
  paidOn: CivilDate;
}

/** The same instalment asked for again is the same payment. */
export type PayEarly = (
  call: ProviderCall,
  payments: readonly EarlyPayment[],
) => Promise<{ kind: "done" | "unavailable" }>;

export interface Settlement {
  /** What it paid, day by day: present where its API tells. */
  readonly statement?: ReadStatement;
  /** Pays the merchant's own parts of instalments before their day. */
  readonly payEarly?: PayEarly;
}
