import { beginModification, type ChangeIntent } from "@/lib/charges/change";
import { apply } from "@/lib/charges/engine/apply";
import { challengeMissed } from "@/lib/charges/engine/authorize";
import { driveCharge } from "@/lib/charges/engine/driver";
import { find, reconcileWithProvider, settleAttempt } from "@/lib/charges/engine/settle";
import { situationOf } from "@/lib/charges/engine/situation";
import { openAttempt, withChargeLease } from "@/lib/charges/engine/with-lease";
import { challengeOf, HOLD_ENDS, returnOf } from "@/lib/charges/history";
import type { Charge, ChargeRow } from "@/lib/charges/queries";
import { type Context, inTransaction, now } from "@/lib/context";
import type { JobKind } from "@/lib/due-jobs/kinds";
import { schedule } from "@/lib/due-jobs/schedule";
import type { AttemptRow } from "@/lib/payments/attempts";
import { providerById, type RoutedProvider } from "@/lib/payments/routing/provider";
import { providerFor } from "@/lib/providers/registry";
import { addSeconds, DAY_SECONDS } from "@/lib/time";

/** A charge that has an unknown of its own at its deadline is come back to this much later, and not for ever. */
const DEADLINE_AGAIN_SECONDS = 3_600;
const DEADLINE_AGAIN_DAYS = 10;
/** After a challenge was given up: somebody in the middle of it has finished by then. */
const LATE_CHALLENGE_SECONDS = 600;

/** End of a Pix, a boleto or a challenge: closed at the provider unless it turns out paid. */
export async function expire(ctx: Context, chargeId: string): Promise<void> {
  await withChargeLease(ctx, chargeId, async (charge) => {
    if (charge.row.status !== "pending") return;
    const asked = openAttempt(charge);
    const seen = asked ? await settleAttempt(ctx, charge, asked) : await reconcileWithProvider(ctx, charge);
    const { status, expiresAt, operation } = seen.row;
    if (status !== "pending" || !expiresAt || expiresAt > now(ctx)) return;
    if (await endsChallenge(ctx, seen)) return;
    if (openAttempt(seen) || operation !== null) return comeBack(ctx, "charge.expire", seen.row);
    await start(ctx, seen, { operation: "void", kind: "cancel_open", amount: seen.row.amount });
  });
}

/**
 * The buyer takes another way before the deadline: what ends a challenge then ends it now, after the same question. What
 * turns out approved is paid, and what nobody can tell yet waits on.
 */
export async function leaveChallenge(ctx: Context, chargeId: string): Promise<void> {
  await withChargeLease(ctx, chargeId, async (charge) => {
    const asked = openAttempt(charge);
    if (charge.row.status !== "pending" || !asked || !challengeOf(charge)) return;
    const seen = await settleAttempt(ctx, charge, asked);
    if (seen.row.status === "pending") await endsChallenge(ctx, seen);
  });
}

async function endsChallenge(ctx: Context, charge: Charge): Promise<boolean> {
  const open = openAttempt(charge);
  if (open?.kind !== "authorize" || !challengeOf(charge) || !(await isMissed(ctx, charge, open))) return false;
  await missChallenge(ctx, charge, open);
  return true;
}

const finishesAlone = ({ providerType }: AttemptRow): boolean =>
  providerFor(providerType).continueAuthentication === undefined;

/**
 * Only what provably did not happen was missed. A kind that waits to be told can have nothing, unless what the buyer
 * brought back was sent on; one that finishes the payment by itself must say that it still waits.
 */
async function isMissed(ctx: Context, charge: Charge, attempt: AttemptRow): Promise<boolean> {
  if (!finishesAlone(attempt)) return returnOf(charge) === undefined;
  const found = await find(ctx, charge, attempt, await providerOf(ctx, attempt));
  return found?.state === "pending";
}

/** The buyer of a kind that finishes by itself may do so still: what is authorized then is released. */
async function missChallenge(ctx: Context, charge: Charge, attempt: AttemptRow): Promise<void> {
  const missed = challengeMissed(situationOf(ctx, charge, attempt, undefined));
  const { expiresAt } = charge.row;
  const at = now(ctx);
  // Whoever left early has until the deadline to finish all the same, in another window.
  const last = expiresAt && expiresAt > at ? expiresAt : at;
  const watch = { kind: "orphan.watch", at: addSeconds(last, LATE_CHALLENGE_SECONDS) } as const;
  const decided = finishesAlone(attempt) ? { ...missed, jobs: [...missed.jobs, watch] } : missed;
  await apply(ctx, charge, attempt, await providerOf(ctx, attempt), decided, undefined);
}

const providerOf = (ctx: Context, { providerId }: AttemptRow): Promise<RoutedProvider> =>
  inTransaction(ctx, (inside) => providerById(inside, providerId ?? ""));

async function comeBack(ctx: Context, kind: JobKind, { id, expiresAt }: ChargeRow): Promise<void> {
  const at = addSeconds(now(ctx), DEADLINE_AGAIN_SECONDS);
  if (!expiresAt || at > addSeconds(expiresAt, DEADLINE_AGAIN_DAYS * DAY_SECONDS)) return;
  await inTransaction(ctx, (inside) => schedule(inside, kind, id, at));
}

/** What is still held is voided before the hold ends by itself. */
export async function endHold(ctx: Context, chargeId: string): Promise<void> {
  await withChargeLease(ctx, chargeId, async (charge) => {
    const { row } = charge;
    if (row.status !== "pre_authorized") return;
    if (row.operation !== null) return comeBack(ctx, "charge.hold_ends", row);
    await start(ctx, charge, { operation: "void", kind: "void", amount: row.amount, details: HOLD_ENDS });
  });
}

async function start(ctx: Context, charge: Charge, intent: ChangeIntent): Promise<void> {
  const begun = await inTransaction(ctx, (inside) => beginModification(inside, charge, intent, "system"));
  await driveCharge(ctx, { do: "send", ...begun });
}
