import { and, eq, type SQL, sql } from "drizzle-orm";
import { ledgerAccounts, ledgerCheckpoints } from "@/db/schema/ledger";
import type { Context } from "@/lib/context";
import { notFound } from "@/lib/errors";
import type { AskedFigure } from "@/lib/explanations/schema";
import { type Explained, NET, ofReceivable, rateOf, row } from "@/lib/explanations/sources/source";
import { nextDay, ownComing } from "@/lib/finance/overview";
import { type AccountName, accountOf } from "@/lib/ledger/accounts";
import { type Movements, movementsOfCheckpoint, movementsSince } from "@/lib/ledger/checkpoints";
import { merchantIdsOf } from "@/lib/payouts/queries";
import { balanceOf, merchantOfSeller } from "@/lib/payouts/service";
import { OPEN } from "@/lib/receivables/giving-back";

type Member = "available" | "receivable" | "inTransit";

const OF_SELLER = {
  available: "seller_available",
  receivable: "seller_pending",
  inTransit: "payout_in_transit",
} as const satisfies Record<Member, string>;

/** The balance as `GET /v1/payouts/balance` states it. */
export const balance =
  (member: Member) =>
  async (ctx: Context, { sellerId }: AskedFigure): Promise<Explained> => {
    const { [member]: value } = await balanceOf(ctx, sellerId);
    return { value, currency: "BRL", rows: await rowsOf(ctx, member, sellerId) };
  };

async function rowsOf(ctx: Context, member: Member, sellerId: string | undefined): Promise<SQL> {
  if (sellerId !== undefined) {
    const merchantId = await merchantOfSeller(ctx, sellerId);
    return credited(ctx, [merchantId], { kind: OF_SELLER[member], sellerId });
  }
  if (member === "receivable") return credited(ctx, await merchantIdsOf(ctx), { kind: "merchant_pending" });
  return member === "available" ? ownAvailable(ctx) : ownBatches(ctx, sql`b.status = 'pending'`);
}

/** What was booked on an account of these merchants since its newest checkpoint, and what that brings forward. */
function credited(ctx: Context, merchantIds: readonly string[], name: AccountName): SQL {
  const ids = merchantIds.map(
    (merchantId) => accountOf({ clientId: ctx.account.id, merchantId, currency: "BRL" }, name).id,
  );
  return rowsOfMovements(movementsSince(ids), "sellerId" in name ? sql`${name.sellerId}::uuid` : undefined);
}

/** A credit adds. */
const rowsOfMovements = ({ broughtForward, postings }: Movements, seller: SQL | undefined): SQL => sql`
  select ${row({
    id: sql`k.id`,
    at: sql`k.created_at`,
    type: sql`'brought_forward'`,
    amount: sql`-k.balance`,
    sourceType: "checkpoint",
    sourceId: sql`k.id`,
  })}
    from ${broughtForward}
  union all
  select ${row({
    id: sql`j.id || '/' || p.line`,
    at: sql`j.created_at`,
    type: sql`j.event_type`,
    amount: sql`-p.amount`,
    sourceType: "journal",
    sourceId: sql`j.id`,
    chargeId: sql`j.charge_id`,
    journalId: sql`j.id`,
    ruleId: seller
      ? sql`case when j.event_type in ('fee', 'fares') then ${rateOf(sql`j.charge_id`, seller)} end`
      : sql`null`,
  })}
    from ${postings} join journals j on j.id = p.journal_id`;

/** One step further back: the checkpoint before, and what was booked in between. */
export async function broughtForward(ctx: Context, { checkpointId = "" }: AskedFigure): Promise<Explained> {
  const [found] = await ctx.db
    .select({
      balance: ledgerCheckpoints.balance,
      sellerId: ledgerAccounts.sellerId,
      currency: ledgerAccounts.currency,
    })
    .from(ledgerCheckpoints)
    .innerJoin(ledgerAccounts, eq(ledgerAccounts.id, ledgerCheckpoints.accountId))
    .where(and(eq(ledgerCheckpoints.clientId, ctx.account.id), eq(ledgerCheckpoints.id, checkpointId)));
  if (!found) throw notFound("checkpoint");
  const seller = found.sellerId === null ? undefined : sql`${found.sellerId}::uuid`;
  // Never minus zero.
  return {
    value: 0 - found.balance,
    currency: found.currency,
    rows: rowsOfMovements(movementsOfCheckpoint(checkpointId), seller),
  };
}

/** What is available, the other way round, where it is below zero; of anybody else there are no rows. */
export async function debt(ctx: Context, { sellerId }: AskedFigure): Promise<Explained> {
  const { debt: value } = await balanceOf(ctx, sellerId);
  const rows = await rowsOf(ctx, "available", sellerId);
  return {
    value,
    currency: "BRL",
    rows: sql`
      select found.id, found.at, found.type, -found.amount as amount, found.source_type, found.source_id,
             found.charge_id, found.installment, found.journal_id, found.rule_id
        from (${rows}) found where ${value} > 0`,
  };
}

/** What the next credit brings the account of its own, one of today included until its statement was read. */
export async function next(ctx: Context): Promise<Explained> {
  const coming = ownComing(ctx);
  const first = await nextDay(ctx, coming);
  return {
    value: first?.net ?? 0,
    currency: "BRL",
    rows: sql`
      select ${ofReceivable(OPEN)}
        ${coming} and r.payment_date = ${first?.day ?? null}::date`,
  };
}

const ownAvailable = (ctx: Context): SQL => sql`
  select ${ofReceivable(NET)}
    from merchants m join receivables r on r.merchant_id = m.id left join receivables p on p.id = r.reduces
   where m.client_id = ${ctx.account.id} and r.seller_id is null and r.batch_id is null
     and r.available_at is not null and (r.reduces is null or p.available_at is not null)
  union all ${ownBatches(
    ctx,
    sql`b.status = 'offset' and not exists (
      select from payout_lines l where l.source_id = b.id and l.type = 'carried' and l.is_live)`,
  )}`;

const ownBatches = (ctx: Context, which: SQL): SQL => sql`
  select ${row({
    id: sql`b.id`,
    at: sql`b.created_at`,
    type: sql`'batch'`,
    amount: sql`b.final_balance`,
    sourceType: "batch",
    sourceId: sql`b.id`,
  })}
    from payout_batches b
   where b.client_id = ${ctx.account.id} and b.seller_id is null and ${which}`;
