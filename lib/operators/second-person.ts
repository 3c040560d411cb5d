import { eq, type SQL, sql } from "drizzle-orm";
import { type Database, systemDb } from "@/db/client";
import { clients } from "@/db/schema/accounts";
import { type Context, inTransaction } from "@/lib/context";
import { notFound } from "@/lib/errors";
import { colleaguesWho } from "@/lib/operators/held-role";
import type { Right } from "@/lib/operators/permissions";
import { DAY_SECONDS } from "@/lib/time";

/** Cents that one person of the account decides on alone; its owners set them (alone-limits.ts). */
export interface AloneLimits {
  /** A review, or money recorded as paid back, above this is confirmed by a second person. */
  reviews: number;
  /** A refund above this is made when a second person confirms the same. */
  refunds: number;
}

/** Receivables of more than this are paid early when a second person confirms the same. */
export const PREPAY_ALONE_UP_TO = 50_000_00;
/** Whoever proposed it is not the second person. */
export class SamePerson extends Error {}

/** What the first of two people proposed stands this long. */
export const PROPOSAL_SECONDS = DAY_SECONDS;

export async function aloneLimitsIn(db: Database, clientId: string): Promise<AloneLimits> {
  const [row] = await db
    .select({ reviews: clients.reviewsAloneUpTo, refunds: clients.refundsAloneUpTo })
    .from(clients)
    .where(eq(clients.id, clientId));
  if (!row) throw notFound("account");
  return row;
}

/**
 * The limit (one of the account's is read in the transaction that is open), or null while nobody else could be the
 * second person: somebody for whom the merchant of the payment does not exist could not. Without a merchant it is
 * about the whole account, and about those who reach all of it.
 */
export async function secondPersonAbove(
  ctx: Context,
  right: Right,
  limit: number | keyof AloneLimits,
  merchantId?: string,
): Promise<number | null> {
  const people = await colleaguesWho(systemDb(), ctx.account.id, right);
  const eligible = people.filter(
    ({ merchants }) => merchants === null || (merchantId !== undefined && merchants.includes(merchantId)),
  );
  if (eligible.length < 2) return null;
  if (typeof limit === "number") return limit;
  return inTransaction(ctx, async ({ db, account }) => (await aloneLimitsIn(db, account.id))[limit]);
}

/**
 * Of a row of the audit log, `….propose`: whoever proposed it has not taken it back since, as `….withdraw`, and it has not
 * ended otherwise: somebody refused or approved what that person (`by`) proposed, or it could not be done any more
 * (refund_requests_lapse in db/policies, which reads the same).
 */
export const notEnded = (proposal: SQL): SQL => sql`not exists (
  select from audit_log w where w.client_id = ${proposal}.client_id and w.object_id = ${proposal}.object_id
     and w.at >= ${proposal}.at and w.after->>'amount' is not distinct from ${proposal}.after->>'amount'
     and (w.action = replace(${proposal}.action, '.propose', '.withdraw') and w.actor = ${proposal}.actor
       or w.action in (replace(${proposal}.action, '.propose', '.refuse'), replace(${proposal}.action, '.propose', '.approve'),
                       replace(${proposal}.action, '.propose', '.lapse')) and w.after->>'by' = ${proposal}.actor))`;
