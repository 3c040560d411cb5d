import {
  type Decision,
  decision,
  ENDED,
  rawOf,
  type Situation,
  undeterminedOutcome,
} from "@/lib/charges/engine/decision";
import type { AttemptRow } from "@/lib/payments/attempts";
import type { FoundTransaction, Outcome, Voided } from "@/lib/providers/provider";
import { addSeconds } from "@/lib/time";

/**
 * What is held for no payment: it showed up after its payment was given up as not found, or beside the transaction that
 * its charge is paid with. It is released, and the charge stays as it is.
 */
export const DANGLING = "orphan";
export const DUPLICATE = "duplicate";
export const isDangling = ({ details }: AttemptRow): boolean => details?.[DANGLING] === true;

/** What a refused release is tried again after. */
const AGAIN_SECONDS = 3_600;

/** Whatever the answer: whether the hold is gone is the provider's record to say. */
export function onDanglingVoid(situation: Situation, outcome: Outcome<Voided>): Decision {
  const raw = "raw" in outcome ? rawOf(outcome.raw) : {};
  if (outcome.kind === "undetermined") return undeterminedOutcome(situation, { requestStatus: "timeout", ...raw }, {});
  if (outcome.kind === "not_sent") return kept(situation, {});
  if (situation.isReplayed) return outcome.kind === "approved" ? released(raw) : kept(situation, raw);
  return decision({ attempt: { requestStatus: "processing", ...raw }, next: { do: "confirm" } });
}

const GONE: readonly FoundTransaction["state"][] = ["voided", "canceled", "expired", "refunded", "declined"];

export function foundDangling(situation: Situation, found: FoundTransaction): Decision {
  const seen = rawOf(found.raw);
  if (!GONE.includes(found.state)) return kept(situation, seen);
  return released(seen);
}

const released = (changes: Decision["attempt"]): Decision =>
  decision({
    attempt: { state: "approved", requestStatus: "success", ...changes },
    charge: { ...ENDED },
    events: ["probe_void"],
  });

const kept = ({ now }: Situation, changes: Decision["attempt"]): Decision =>
  decision({
    attempt: { state: "declined", requestStatus: "failed", ...changes },
    charge: { ...ENDED },
    jobs: [{ kind: "orphan.watch", at: addSeconds(now, AGAIN_SECONDS) }],
  });
