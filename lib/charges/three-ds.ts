import { and, eq, isNull, sql } from "drizzle-orm";
import { systemDb } from "@/db/client";
import { charges, transactionRequests } from "@/db/schema/charges";
import { loadAccount } from "@/lib/accounts/service";
import { ChargeBusy } from "@/lib/charges/engine/lease";
import { reconcileCharge } from "@/lib/charges/engine/settle";
import { releaseGivenUp } from "@/lib/charges/engine/watch-dangling";
import { challengeOf, challengeStepOf } from "@/lib/charges/history";
import { getCharge } from "@/lib/charges/queries";
import { type Context, inTransaction, now, systemContext } from "@/lib/context";
import { schedule } from "@/lib/due-jobs/schedule";
import { notFound, RequestError } from "@/lib/errors";
import type { AttemptRow } from "@/lib/payments/attempts";
import type { DeviceSeen } from "@/lib/providers/provider";
import { backToShop, CHALLENGE_SECONDS, isTicketOf } from "@/lib/three-ds/ticket";
import { addSeconds } from "@/lib/time";

/**
 * The buyer comes back from a challenge: the provider is asked what became of it, and the browser goes on to the shop.
 * Answers where. The ticket lets nobody in; it only says that this challenge is over, once.
 */
export async function returnFromChallenge(
  requestId: string,
  chargeId: string,
  ticket: string,
  details = "",
): Promise<string> {
  const ctx = await contextOf(requestId, chargeId);
  const { shop, isGivenUp } = await inTransaction(ctx, (inside) => useTicket(inside, chargeId, ticket, details));
  await (isGivenUp ? releaseNow(ctx, chargeId) : askOn(ctx, chargeId));
  return backToShop(shop, chargeId);
}

/** The buyer had taken another way, and confirmed in another window all the same. */
async function releaseNow(ctx: Context, chargeId: string): Promise<void> {
  try {
    await releaseGivenUp(ctx, chargeId);
  } catch (thrown) {
    // The watch finds what is held a while later.
    if (!(thrown instanceof ChargeBusy)) throw thrown;
  }
}

/** The issuer's hidden page is over, or was not waited for. It was shown by our own page, and counts once. */
export async function goOnFromDevice(ctx: Context, chargeId: string, seen: DeviceSeen): Promise<void> {
  const isFirst = await inTransaction(ctx, async (inside) => {
    const challenge = challengeOf(await getCharge(inside, chargeId));
    if (!challenge || challengeStepOf(challenge).type !== "device" || isLate(inside, challenge)) return false;
    return markUsed(inside, challenge, seen);
  });
  if (isFirst) await askOn(ctx, chargeId);
}

interface Returned {
  shop: string;
  isGivenUp: boolean;
}

async function askOn(ctx: Context, chargeId: string): Promise<void> {
  try {
    await reconcileCharge(ctx, chargeId);
  } catch (thrown) {
    if (!(thrown instanceof ChargeBusy)) throw thrown;
    await inTransaction(ctx, (inside) => schedule(inside, "attempt.query", chargeId, now(inside)));
  }
}

/** Nobody signs in here: the charge says whose it is. */
async function contextOf(requestId: string, chargeId: string): Promise<Context> {
  const [row] = await systemDb().select({ clientId: charges.clientId }).from(charges).where(eq(charges.id, chargeId));
  if (!row) throw notFound("challenge");
  return systemContext(await loadAccount(row.clientId), requestId);
}

async function useTicket(ctx: Context, chargeId: string, ticket: string, returned: string): Promise<Returned> {
  const charge = await getCharge(ctx, chargeId);
  const challenge = challengeOf(charge);
  const shop = charge.row.threeDSecure2?.redirectURL;
  if (!challenge?.transactionId || !isTicketOf(challenge.transactionId, ticket) || typeof shop !== "string") {
    throw notFound("challenge");
  }
  // While the issuer's hidden page is shown, nobody was sent away who could come back.
  const isOpen = challengeStepOf(challenge).type === "redirect" && !isLate(ctx, challenge);
  if (!isOpen || !(await markUsed(ctx, challenge, returned))) {
    throw new RequestError(410, "bad_request", "this way back was used or is too old");
  }
  return { shop, isGivenUp: charge.row.status === "failed" };
}

const isLate = (ctx: Context, { createdAt }: AttemptRow): boolean =>
  now(ctx) > addSeconds(createdAt, CHALLENGE_SECONDS);

const USED = "returned";

async function markUsed(ctx: Context, { id, details }: AttemptRow, returned: string): Promise<boolean> {
  const used = await ctx.db
    .update(transactionRequests)
    .set({ requestStatusReason: USED, details: { ...details, returned }, updatedAt: now(ctx) })
    .where(
      and(
        eq(transactionRequests.clientId, ctx.account.id),
        eq(transactionRequests.id, id),
        isNull(transactionRequests.requestStatusReason),
        // Of the step that it was read at: what comes back twice is not taken for an answer to the next one.
        sql`${transactionRequests.details} ->> 'step' is not distinct from ${details?.step ?? null}::text`,
      ),
    )
    .returning({ id: transactionRequests.id });
  return used.length > 0;
}
