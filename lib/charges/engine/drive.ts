import { judge } from "@/lib/charges/engine/analyse";
import { apply } from "@/lib/charges/engine/apply";
import type { CardMaterial } from "@/lib/charges/engine/card-material";
import type { Decision } from "@/lib/charges/engine/decision";
import { nextProvider } from "@/lib/charges/engine/failover";
import { holdCharge } from "@/lib/charges/engine/lease";
import { onQuery } from "@/lib/charges/engine/on-query";
import { type Performed, perform } from "@/lib/charges/engine/perform";
import { queryAttempt } from "@/lib/charges/engine/query-attempt";
import { deleteAnsweredCvv } from "@/lib/charges/engine/replay";
import { situationOf } from "@/lib/charges/engine/situation";
import type { Charge } from "@/lib/charges/queries";
import { type Context, inTransaction } from "@/lib/context";
import { type AttemptRow, reopenAttempt } from "@/lib/payments/attempts";
import { callTimeoutMs, IN_BAND_MS } from "@/lib/payments/call";
import type { RoutedProvider } from "@/lib/payments/routing";
import { monotonicMs } from "@/lib/time";
import { pause } from "@/lib/wait";

/** Writes one decision whole; a purchase writes its own rows beside it. */
export type Write = typeof apply;

/** Throws when the charge is not this worker's any more; a card of a purchase is held by its operation. */
export type Fence = (ctx: Context, charge: Charge) => Promise<unknown>;

export interface Drive {
  charge: Charge;
  /** Committed as sent, and not sent yet. */
  attempt: AttemptRow;
  provider: RoutedProvider;
  /** Providers not tried yet, in order; failover takes the first. */
  others: RoutedProvider[];
  material: CardMaterial;
  write?: Write;
  fence?: Fence;
  /** On the monotonic clock: when the lease behind this was taken, if that was before now. */
  startedMs?: number;
}

/** A call is not begun with less than this left: it would end by the clock, not by the provider. */
const SHORTEST_CALL_MS = 1_000;

/**
 * Sends the attempt, records what came of it, and goes on until nothing is left to do now. The lease is held from the
 * row in `charge`; whoever loses it stops, and the sweep finishes the charge.
 */
export async function drive(ctx: Context, given: Drive): Promise<Charge> {
  const { write = apply, fence = holdItself, startedMs: started = monotonicMs() } = given;
  let { charge, attempt, provider } = given;
  const others = [...given.others];
  for (;;) {
    const left = IN_BAND_MS - Math.round(monotonicMs() - started);
    const performed =
      left < SHORTEST_CALL_MS
        ? outOfTime
        : await perform(ctx, charge, attempt, provider, given.material, Math.min(left, callTimeoutMs(attempt)));
    const alternative =
      attempt.kind === "authorize" ? await nextProvider(ctx, charge, performed, others[0]) : undefined;
    const situation = situationOf(ctx, charge, attempt, alternative);
    const decided = performed.decide(situation);
    const [applied] = await Promise.all([
      write(ctx, charge, attempt, provider, decided, performed.responseMs),
      deleteAnsweredCvv(ctx, charge, decided),
    ]);
    charge = applied.charge;
    const next = await follow(
      ctx,
      applied.attempt,
      decided,
      { charge, attempt, provider, write, fence },
      given.material,
    );
    if (!next) return charge;
    if (decided.next.do === "attempt" && decided.next.provider) {
      provider = decided.next.provider;
      others.shift();
    }
    if ("charge" in next) {
      charge = next.charge;
      if (!next.attempt) return charge;
      attempt = next.attempt;
    } else attempt = next;
  }
}

const outOfTime: Performed = {
  decide: (situation) => onQuery(situation, { kind: "unavailable" }),
  kind: "undetermined",
  isUnsent: false,
  responseMs: 0,
};

interface Was {
  charge: Charge;
  attempt: AttemptRow;
  provider: RoutedProvider;
  write: Write;
  fence: Fence;
}

/** The next attempt to send; or the charge as it stands after a confirming query, with what that led to. */
async function follow(
  ctx: Context,
  planned: AttemptRow | undefined,
  { next }: Decision,
  was: Was,
  material: CardMaterial,
): Promise<AttemptRow | { charge: Charge; attempt: AttemptRow | undefined } | undefined> {
  switch (next.do) {
    case "nothing":
      return undefined;
    case "attempt":
      return planned;
    case "resend":
      if (next.afterMs > 0) await pause(next.afterMs);
      return sendAgain(ctx, was.charge, was.attempt, was.fence);
    case "confirm":
      return confirm(ctx, { ...was, attempt: planned ?? was.attempt });
    case "analyse":
      return judge(ctx, was.charge, was.provider, material);
  }
}

/** A void or refund is done only when a following query shows it. */
async function confirm(ctx: Context, { charge, attempt, provider, write, fence }: Was) {
  const decided = await queryAttempt(ctx, charge, attempt, provider);
  const applied = await write(ctx, charge, attempt, provider, decided, undefined);
  if (decided.next.do !== "resend") return applied;
  return { charge: applied.charge, attempt: await sendAgain(ctx, applied.charge, attempt, fence) };
}

const holdItself: Fence = (ctx, { row }) => holdCharge(ctx, row);

/**
 * Opens again what provably never left. Between the decision and this, the worker may have been held up for longer
 * than its lease: whoever took over has sent it, or another attempt in its place.
 */
export const sendAgain = (
  ctx: Context,
  charge: Charge,
  attempt: AttemptRow,
  fence: Fence = holdItself,
): Promise<AttemptRow | undefined> =>
  inTransaction(ctx, async (inside) => {
    await fence(inside, charge);
    return reopenAttempt(inside, attempt.id);
  });
