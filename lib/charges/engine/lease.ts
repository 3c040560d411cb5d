import { and, eq, isNull, lt, or, sql } from "drizzle-orm";
import { charges } from "@/db/schema/charges";
import { findRows } from "@/db/statements";
import type { ChargeRow } from "@/lib/charges/queries";
import { type Context, inTransaction } from "@/lib/context";

/** Real time, by the database's own clock: workers' clocks are never compared (spec/reliability.md 2.3). */
export const CHARGE_LEASE_SECONDS = 45;
/** Claims that brought nothing forward; more than this and people must look. */
export const MOST_IDLE_CLAIMS = 10;

export const leaseEnd = sql`now() + make_interval(secs => ${CHARGE_LEASE_SECONDS})`;

/** Takes a charge nobody is driving. Every write of the holder carries the epoch; a stale one writes nothing. */
export async function claimCharge(ctx: Context, chargeId: string): Promise<ChargeRow | undefined> {
  return inTransaction(ctx, async ({ db, account }) => {
    const [row] = await db
      .update(charges)
      .set({ epoch: sql`${charges.epoch} + 1`, idleClaims: sql`${charges.idleClaims} + 1`, leaseUntil: leaseEnd })
      .where(
        and(
          eq(charges.id, chargeId),
          eq(charges.clientId, account.id),
          or(isNull(charges.leaseUntil), lt(charges.leaseUntil, sql`now()`)),
        ),
      )
      .returning();
    return row;
  });
}

/**
 * Work that was cut off gives back only a charge with nothing under way: a call of it may have no question scheduled
 * yet, so its lease runs out, and whoever looks for such leases takes over.
 */
export async function releaseLease(ctx: Context, row: ChargeRow, { isCutOff }: { isCutOff: boolean }): Promise<void> {
  await inTransaction(ctx, ({ db }) =>
    db
      .update(charges)
      .set({ leaseUntil: null, idleClaims: 0 })
      .where(
        and(eq(charges.id, row.id), eq(charges.epoch, row.epoch), isCutOff ? isNull(charges.operation) : undefined),
      ),
  );
}

/** Somebody drives the charge at this moment: come back shortly. */
export class ChargeBusy extends Error {
  constructor() {
    super("somebody else drives the charge");
  }
}

/** Somebody else drives the charge now: stop at once, everything they need is in the database. */
export class LeaseLost extends ChargeBusy {}

/** The fence of a transaction that leads to another call: nobody takes the charge beside it, and a stale epoch throws. */
export async function holdCharge(ctx: Context, { id, epoch }: Pick<ChargeRow, "id" | "epoch">): Promise<void> {
  const [held] = await findRows(ctx.db, charges, { id, epoch }, { lock: "update" });
  if (!held) throw new LeaseLost();
}
