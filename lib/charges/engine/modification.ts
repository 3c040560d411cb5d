import {
  type Decision,
  decision,
  notSent,
  type ProviderError,
  providerError,
  rawOf,
  rejectedError,
  type Situation,
} from "@/lib/charges/engine/decision";
import { differing } from "@/lib/charges/engine/difference";
import type { Outcome } from "@/lib/providers/provider";

type Changes = Decision["attempt"];
type Approved<T> = Extract<Outcome<T>, { kind: "approved" }>;
type Refused = (situation: Situation, error: ProviderError, changes: Changes) => Decision;

/** What each answer of a provider means for one change of a payment: capture, void, refund, close. */
export interface Modification<T> {
  /** Left out or undefined, an approval counts only when a following query shows it. */
  approved?(situation: Situation, outcome: Approved<T>): Decision | undefined;
  /** What an approval means that a query has shown. */
  done(situation: Situation, changes: Changes): Decision;
  /** Definitively not done. */
  declined: Refused;
  /** Refused before processing. Left out, what stands is the provider's to say: a query follows. */
  rejected?: Refused;
  /** It never left, twice over. Left out, it counts as declined. */
  unreached?: Refused;
  /** Taken, not done yet: `at` is when the provider expects the next change. */
  received(situation: Situation, changes: Changes, at: Date | undefined): Decision;
  /** May or may not have happened. */
  undetermined(situation: Situation, changes: Changes): Decision;
  /** Answered for something else than was asked. */
  mismatch(situation: Situation, changes: Changes): Decision;
}

export function onModification<T>(situation: Situation, outcome: Outcome<T>, means: Modification<T>): Decision {
  switch (outcome.kind) {
    case "approved":
      return means.approved?.(situation, outcome) ?? approved(situation, rawOf(outcome.raw), means);
    case "declined":
      return means.declined(situation, providerError(outcome), rawOf(outcome.raw));
    case "rejected": {
      const error = rejectedError(outcome.problem, outcome.detail);
      return means.rejected?.(situation, error, {}) ?? confirmedElsewhere({ providerError: error });
    }
    case "not_sent": {
      const giveUp = means.unreached ?? means.declined;
      return notSent(situation, outcome.cause, (error, changes) => giveUp(situation, error, changes));
    }
    case "pending":
      return means.received(situation, rawOf(outcome.raw), instantSaid(outcome.nextEventAt));
    case "undetermined":
      return means.undetermined(situation, {
        requestStatus: "timeout",
        requestStatusReason: outcome.cause,
        ...rawOf(outcome.raw),
      });
    case "mismatch":
      return means.mismatch(situation, { ...rawOf(outcome.raw), ...differing(situation.attempt, outcome) });
  }
}

const approved = <T>(situation: Situation, changes: Changes, { done }: Modification<T>): Decision =>
  situation.isReplayed ? done(situation, changes) : confirmedElsewhere(changes);

/** Done only when a following query shows it. */
export const confirmedElsewhere = (changes: Changes): Decision =>
  decision({ attempt: { requestStatus: "processing", ...changes }, next: { do: "confirm" } });

export const instantSaid = (text: string | undefined): Date | undefined => (text ? new Date(text) : undefined);
