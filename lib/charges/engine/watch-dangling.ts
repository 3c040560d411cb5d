import { audit } from "@/lib/audit";
import { beginModification } from "@/lib/charges/change";
import { DANGLING, DUPLICATE, isDangling } from "@/lib/charges/engine/dangling-authorization";
import { driveCharge } from "@/lib/charges/engine/driver";
import { find, settleAttempt } from "@/lib/charges/engine/settle";
import { openAttempt, withChargeLease } from "@/lib/charges/engine/with-lease";
import type { Charge } from "@/lib/charges/queries";
import { type Context, inTransaction, now } from "@/lib/context";
import { type AttemptRow, updateAttempt } from "@/lib/payments/attempts";
import { providerById } from "@/lib/payments/routing/provider";
import type { FoundTransaction } from "@/lib/providers/provider";
import { addSeconds, DAY_SECONDS } from "@/lib/time";

export interface DanglingWatch {
  again: (at: Date) => Promise<void>;
  /** Between two looks for a payment that was given up. */
  stepSeconds: number;
  days: number;
}

/** After the release of one, or while something else is under way: another may be left. */
const SOON_SECONDS = 300;
/** What cannot be seen, or would not be released, is tried again after. */
const LATER_SECONDS = 3_600;

/**
 * What nobody should hold at the provider: a payment given up as not found that shows up after all, until its hold could
 * no longer exist; and a second transaction under one reference, beside the one the charge is paid with.
 */
export async function watchDangling(ctx: Context, chargeId: string, watch: DanglingWatch): Promise<void> {
  await withChargeLease(ctx, chargeId, async (charge) => {
    const open = openAttempt(charge);
    // Whoever released it died on the way: what became of that release comes first.
    if (open && isDangling(open)) {
      await settleAttempt(ctx, charge, open);
      return watch.again(addSeconds(now(ctx), SOON_SECONDS));
    }
    const absent = givenUp(charge);
    if (absent) return watchAbsent(ctx, charge, absent, watch);
    return releaseDuplicate(ctx, charge, watch);
  });
}

/** What a payment that was given up holds at this moment; the watch comes all the same, no later than it would have. */
export async function releaseGivenUp(ctx: Context, chargeId: string): Promise<void> {
  await withChargeLease(ctx, chargeId, async (charge) => {
    const absent = givenUp(charge);
    if (!absent || openAttempt(charge)) return;
    const found = await lookFor(ctx, charge, absent);
    if (found && OPEN.includes(found.state)) {
      await release(ctx, charge, absent, found.providerTxId, found.authorized, DANGLING);
    }
  });
}

const givenUp = ({ attempts }: Charge): AttemptRow | undefined =>
  attempts.find(({ kind, state, providerId }) => kind === "authorize" && state === "absent" && providerId !== null);

const ANSWERED: readonly AttemptRow["state"][] = ["approved", "declined", "reversed"];
const OPEN: readonly FoundTransaction["state"][] = ["pre_authorized", "authorized"];

async function watchAbsent(
  ctx: Context,
  charge: Charge,
  attempt: AttemptRow,
  { again, stepSeconds, days }: DanglingWatch,
) {
  const found = await lookFor(ctx, charge, attempt);
  if (found && OPEN.includes(found.state)) {
    return release(ctx, charge, attempt, found.providerTxId, found.authorized, DANGLING);
  }
  const next = addSeconds(now(ctx), stepSeconds);
  if (next < addSeconds(attempt.createdAt, days * DAY_SECONDS)) await again(next);
}

async function releaseDuplicate(ctx: Context, charge: Charge, { again, days }: DanglingWatch) {
  const { row, attempts } = charge;
  const later = async (seconds: number): Promise<void> => {
    const at = addSeconds(now(ctx), seconds);
    if (at < addSeconds(row.createdAt, days * DAY_SECONDS)) await again(at);
  };
  if (openAttempt(charge) || row.operation !== null) return later(SOON_SECONDS);
  let isUnseen = false;
  // Each of the providers that were tried may hold one.
  for (const origin of attempts.filter(({ kind, state }) => kind === "authorize" && ANSWERED.includes(state))) {
    // By its reference, which is what two of them share; by its id the provider would show one.
    const found = await lookFor(ctx, charge, { ...origin, transactionId: null });
    isUnseen ||= found === undefined;
    const stray = found && strayOf(charge, origin, found);
    if (stray === undefined) continue;
    await release(ctx, charge, origin, stray, row.originalAmount, DUPLICATE);
    return later(attempts.some(({ transactionId }) => transactionId === stray) ? LATER_SECONDS : SOON_SECONDS);
  }
  if (isUnseen) await later(LATER_SECONDS);
}

function strayOf(charge: Charge, origin: AttemptRow, found: FoundTransaction): string | undefined {
  const own = origin.state === "approved" ? charge.row.providerTxId : found.providerTxId;
  const others = [...(OPEN.includes(found.state) ? [found.providerTxId] : []), ...found.duplicates];
  return others.find((id) => id !== own && !isReleased(charge, id));
}

const isReleased = ({ attempts }: Charge, id: string): boolean =>
  attempts.some(({ kind, state, transactionId }) => kind === "void" && state === "approved" && transactionId === id);

async function lookFor(ctx: Context, charge: Charge, attempt: AttemptRow): Promise<FoundTransaction | undefined> {
  const provider = await inTransaction(ctx, (inside) => providerById(inside, attempt.providerId ?? ""));
  return find(ctx, charge, attempt, provider);
}

/** Where it was authorized, under an attempt of its own; the charge keeps its status and its amounts. */
async function release(
  ctx: Context,
  charge: Charge,
  { providerId }: AttemptRow,
  transactionId: string,
  amount: number,
  why: string,
): Promise<void> {
  const begun = await inTransaction(ctx, async (inside) => {
    const intent = { operation: "void", kind: "void", amount, providerId } as const;
    const { attempt: planned, ...rest } = await beginModification(inside, charge, intent, "system");
    const attempt = await updateAttempt(inside, planned.id, {
      transactionId,
      requestStatusReason: why,
      details: { [DANGLING]: true },
    });
    await audit(inside, {
      action: `charge.release_${why}`,
      object: "charge",
      objectId: charge.row.id,
      after: { amount, transactionId },
    });
    const attempts = rest.charge.attempts.map((known) => (known.id === attempt.id ? attempt : known));
    return { ...rest, attempt, charge: { ...rest.charge, attempts } };
  });
  await driveCharge(ctx, { do: "send", ...begun });
}
