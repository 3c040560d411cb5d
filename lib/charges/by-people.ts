import type { AttemptRow } from "@/lib/payments/attempts";

/** Why a row of the history is the word of people and no answer of a provider: they gave money back by other means. */
export const HANDED_BACK = "handed_back";
/** They said what a provider holds (lib/purchases/review). */
export const RESOLVED = "resolved_by_operator";

export const isByPeople = ({ requestStatusReason }: AttemptRow): boolean =>
  requestStatusReason === HANDED_BACK || requestStatusReason === RESOLVED;

/** People said what became of this payment, where its provider never did. */
export const isDecidedByPeople = ({ attempts }: { attempts: readonly AttemptRow[] }): boolean =>
  attempts.some(({ requestStatusReason }) => requestStatusReason === RESOLVED);

export const isHandedBack = ({ requestStatusReason }: AttemptRow): boolean => requestStatusReason === HANDED_BACK;
