import { audit } from "@/lib/audit";
import { ChargeBusy } from "@/lib/charges/engine/lease";
import { type Charge, getCharge } from "@/lib/charges/queries";
import { type Context, inTransaction, now } from "@/lib/context";
import { DomainError, notFound } from "@/lib/errors";
import { isUuid } from "@/lib/ids";
import { enqueue } from "@/lib/outbox";
import { chargeOfTxid } from "@/lib/providers/sandbox/api/queries";
import { reverseChargeback, simulateChargeback, simulateMed } from "@/lib/providers/sandbox/disputes";
import { type PixPayment, simulateBoletoPayment, simulatePixPayment } from "@/lib/providers/sandbox/pay";
import type { Clock, ToolResult } from "@/lib/providers/sandbox/tools";
import { reconcileNow } from "@/lib/purchases/due";
import { pause } from "@/lib/wait";

type Given<T> = { [K in keyof T]?: T[K] | undefined };

/** Members that were not sent are absent, as the simulator takes them. */
const sent = <T extends object>(given: Given<T>): Partial<T> =>
  // Guarantee: only members that are not undefined are kept, each with its own type.
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<T>;

/** The buyer pays a Pix or a wallet; asked by the charge's id or by the Pix's own txid. */
export async function payPix(ctx: Context, txidOrId: string, payment: Given<PixPayment>): Promise<Charge> {
  const id = await chargeIdOf(ctx, txidOrId);
  return simulate(ctx, id, "sandbox.pay", (clientId, clock) =>
    simulatePixPayment(clientId, { chargeId: id }, sent(payment), clock),
  );
}

/** The payer's bank takes a Pix back. */
export async function returnPix(
  ctx: Context,
  txidOrId: string,
  given: { amount?: number | undefined },
): Promise<Charge> {
  const id = await chargeIdOf(ctx, txidOrId);
  return simulate(ctx, id, "sandbox.med", (clientId, clock) =>
    simulateMed(clientId, { chargeId: id }, sent(given), clock),
  );
}

export const payBoleto = (
  ctx: Context,
  chargeId: string,
  payment: { amount?: number | undefined; paidOn?: string | undefined },
): Promise<Charge> =>
  simulate(ctx, chargeId, "sandbox.pay", (clientId, clock) =>
    simulateBoletoPayment(clientId, chargeId, sent(payment), clock),
  );

export const disputeCharge = (
  ctx: Context,
  chargeId: string,
  given: { amount?: number | undefined; reason?: string | undefined },
): Promise<Charge> =>
  simulate(ctx, chargeId, "sandbox.chargeback", (clientId, clock) =>
    simulateChargeback(clientId, chargeId, sent(given), clock),
  );

export const winDispute = (ctx: Context, chargeId: string): Promise<Charge> =>
  simulate(ctx, chargeId, "sandbox.chargeback_reverse", (clientId, clock) =>
    reverseChargeback(clientId, chargeId, clock),
  );

async function chargeIdOf(ctx: Context, txidOrId: string): Promise<string> {
  if (isUuid(txidOrId)) return txidOrId.toLowerCase();
  const id = await inTransaction(ctx, (inside) => chargeOfTxid(inside, txidOrId));
  if (!id) throw notFound("charge");
  return id;
}

/** The simulator changes its own record; what the charge becomes is found out by asking it, as in production. */
async function simulate(
  ctx: Context,
  chargeId: string,
  action: string,
  tool: (clientId: string, clock: Clock) => Promise<ToolResult>,
): Promise<Charge> {
  await inTransaction(ctx, (inside) => getCharge(inside, chargeId));
  const result = await tool(ctx.account.id, () => now(ctx));
  if (!result.ok) throw refusalOf(result);
  await inTransaction(ctx, async (inside) => {
    await audit(inside, { action, object: "charge", objectId: chargeId });
    await tellSender(inside);
  });
  return seen(ctx, chargeId);
}

/** The simulator's notifications are sent by a worker; it looks once a minute, or when it is told. */
export const tellSender = (ctx: Context): Promise<void> =>
  enqueue(ctx.db, ctx.account.id, "sandbox/notifications.due", {});

export function refusalOf(result: Extract<ToolResult, { ok: false }>): Error {
  switch (result.reason) {
    case "not_found":
      // A charge that never reached the simulator, or another provider's.
      return new DomainError("invalid_status_transition", "the simulator has no payment of this charge");
    case "amount_exceeded":
      return new DomainError("amount_exceeds_remaining", "the amount exceeds what is left");
    case "invalid_state":
      return new DomainError("invalid_status_transition", "the state of the charge does not allow this");
  }
}

const TRIES = 40;
const BUSY_MS = 50;
const BUSY_RETRY_SECONDS = 2;

/** Asks the provider now and answers the charge as it is then; waits shortly for somebody who drives it. */
export async function seen(ctx: Context, chargeId: string): Promise<Charge> {
  await whenFree(() => reconcileNow(ctx, chargeId));
  return inTransaction(ctx, (inside) => getCharge(inside, chargeId));
}

export async function whenFree<T>(work: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await work();
    } catch (thrown) {
      // A worker that learned the same news in between has written it: what is left to see is read anew.
      if (!(thrown instanceof ChargeBusy)) throw thrown;
      if (tried >= TRIES) {
        throw new DomainError("charge_operation_in_progress", "the charge is being changed", {
          retryAfterSeconds: BUSY_RETRY_SECONDS,
        });
      }
      await pause(BUSY_MS);
    }
  }
}
