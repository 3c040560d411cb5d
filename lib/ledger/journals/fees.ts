import { pendingOf } from "@/lib/ledger/accounts";
import type { Sale, SharePart } from "@/lib/ledger/journals/charges";
import { type Draft, transfer } from "@/lib/ledger/post";

/** What bearers of the processing fee pay of their shares; evidence is the capture. */
export const processingFee = (sale: Sale, eventId: string, parts: readonly SharePart[]): Draft => ({
  ...sale,
  type: "fee",
  eventId,
  transfers: parts.flatMap(({ party, amount }) => transfer(pendingOf(party), { kind: "revenue:platform_fee" }, amount)),
});

/** The merchant's commission on the sellers' shares. */
export const fares = (sale: Sale, eventId: string, parts: readonly SharePart[]): Draft => ({
  ...sale,
  type: "fares",
  eventId,
  transfers: parts.flatMap(({ party, amount }) => transfer(pendingOf(party), { kind: "revenue:fares" }, amount)),
});
