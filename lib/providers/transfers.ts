import type { Cents } from "@/lib/money";
import type { Instant, ProviderCall } from "@/lib/providers/provider";

/** What a bank is told to pay (spec/settlement.md section 4). The reference is the same for ever: it is paid once. */
export interface TransferOrder {
  reference: string;
  amount: Cents;
  method: "pix" | "ted";
  account: string;
  holderDocument: string;
}

export interface BankTransferState {
  status: "accepted" | "settled" | "failed" | "returned";
  /** The bank's word for why. */
  reason?: string;
}

export type Sent =
  | { kind: "accepted" }
  | { kind: "refused"; reason: string }
  | { kind: "not_sent" }
  | { kind: "unknown" };
export type TransferAnswer =
  | { kind: "found"; states: ReadonlyMap<string, BankTransferState> }
  | { kind: "unavailable" };

export interface TransferBank {
  send(call: ProviderCall, order: TransferOrder): Promise<Sent>;
  /** A reference that is left out is not known there. */
  ask(call: ProviderCall, references: readonly string[]): Promise<TransferAnswer>;
  /** References of what came back after an instant. */
  returnedSince(call: ProviderCall, since: Instant): Promise<TransferAnswer>;
}
