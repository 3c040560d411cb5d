import { and, desc, eq, gt, inArray, ne, sql } from "drizzle-orm";
import { charges } from "@/db/schema/charges";
import { cards, customers } from "@/db/schema/customers";
import { type Context, now } from "@/lib/context";
import type { RetryRefusal } from "@/lib/declines/can-retry";
import { isOneToOne, type SessionRow } from "@/lib/sessions/state";
import { addSeconds } from "@/lib/time";
import { isProtected } from "@/lib/velocity/protection";
import { mayUseCardAgain } from "@/lib/velocity/retry";

/** The same buyer paid the same a moment ago. */
export class AlreadyPaid extends Error {
  constructor(
    readonly id: string,
    readonly amount: number,
    readonly at: Date,
  ) {
    super("paid a moment ago");
  }
}

/** The network, or our own ceiling, forbids this card another try for this purchase. */
export class AlreadyDeclined extends Error {}

const REPEAT_SECONDS = 600;
type Payment = { chargeId: string } | { purchaseId: string };

/** Reusable links: a second payment with the same card or document within ten minutes is asked about first. */
export async function refuseRepeat(ctx: Context, session: SessionRow, payment: Payment): Promise<void> {
  if (isOneToOne(session) || !("chargeId" in payment)) return;
  const same = await ctx.db
    .select({ fingerprint: cards.fingerprint, document: customers.documentNumber })
    .from(charges)
    .leftJoin(cards, eq(cards.id, charges.cardId))
    .leftJoin(customers, eq(customers.id, charges.sourceCustomerId))
    .where(and(eq(charges.clientId, ctx.account.id), eq(charges.id, payment.chargeId)));
  const { fingerprint, document } = same[0] ?? {};
  if (!fingerprint && !document) return;
  const [earlier] = await ctx.db
    .select({ id: charges.id, amount: charges.amount, at: charges.createdAt })
    .from(charges)
    .leftJoin(cards, eq(cards.id, charges.cardId))
    .leftJoin(customers, eq(customers.id, charges.sourceCustomerId))
    .where(
      and(
        eq(charges.clientId, ctx.account.id),
        eq(charges.sessionId, session.id),
        ne(charges.id, payment.chargeId),
        inArray(charges.status, ["authorized", "pre_authorized"]),
        gt(charges.createdAt, addSeconds(now(ctx), -REPEAT_SECONDS)),
        sql`(${cards.fingerprint} = ${fingerprint ?? null} or ${customers.documentNumber} = ${document ?? null})`,
      ),
    )
    .orderBy(desc(charges.createdAt))
    .limit(1);
  if (earlier) throw new AlreadyPaid(earlier.id, earlier.amount, earlier.at);
}

const TOTALS: ReadonlySet<RetryRefusal> = new Set(["own_ceiling", "network_limit"]);

/** Declines of this card on this link count, whichever browser they came from (spec/brazil.md section 7). */
export async function refuseDeclinedCard(ctx: Context, session: SessionRow, payment: Payment): Promise<void> {
  if (!("chargeId" in payment)) return;
  const [charge] = await ctx.db
    .select({ cardId: charges.cardId })
    .from(charges)
    .where(and(eq(charges.clientId, ctx.account.id), eq(charges.id, payment.chargeId)));
  if (!charge?.cardId) return;
  const decision = await mayUseCardAgain(ctx, {
    sessionId: session.id,
    merchantId: session.merchantId,
    cardId: charge.cardId,
    amount: session.amount,
    dataCorrected: true,
  });
  if (decision.allowed) return;
  // Test numbers are tried all day long: their totals bind a sandbox account only when its protection is switched on.
  if (TOTALS.has(decision.reason) && !(await isProtected(ctx))) return;
  throw new AlreadyDeclined(decision.reason);
}
