import { sql } from "drizzle-orm";
import { textArray } from "@/db/arrays";
import type { SellerBankAccount, SellerTransferPolicy } from "@/db/schema/sellers";
import type { CivilDate } from "@/lib/brazil/bank-calendar";
import { type Context, inTransaction, now } from "@/lib/context";
import { newId } from "@/lib/ids";
import type { Party } from "@/lib/ledger/accounts";
import { compose, type Debt, type ReadyAdjustment, type ReadyRow, type Terms } from "@/lib/payouts/compose";
import { isTransferDay } from "@/lib/payouts/transfer-days";
import { writeBatches } from "@/lib/payouts/write";
import { pipelined } from "@/lib/pipeline";

/** Sellers that one transaction cuts for. */
const CHUNK = 100;

/** The batches of a merchant on a bank day: its own, and those of each seller that is paid on it. */
export async function cutBatches(
  ctx: Context,
  merchantId: string,
  day: CivilDate,
  after: CivilDate | null,
): Promise<void> {
  const [, sellerIds] = await inTransaction(ctx, (inside) =>
    pipelined([cutFor(inside, merchantId, day, [null]), sellersToPay(inside, merchantId, day, after)]),
  );
  for (let first = 0; first < sellerIds.length; first += CHUNK) {
    const some = sellerIds.slice(first, first + CHUNK);
    await inTransaction(ctx, (inside) => cutFor(inside, merchantId, day, some));
  }
}

interface Candidate extends Record<string, unknown> {
  id: string;
  policy: SellerTransferPolicy;
}

/** Step 0 of spec/settlement.md section 4, for those who have anything to be paid. */
async function sellersToPay(
  ctx: Context,
  merchantId: string,
  day: CivilDate,
  after: CivilDate | null,
): Promise<string[]> {
  const rows = await ctx.db.execute<Candidate>(sql`
    select s.id, s.transfer_policy as policy from sellers s
     where s.client_id = ${ctx.account.id} and s.merchant_id = ${merchantId} and ${isPayable(now(ctx))}
       and s.id in (
         select seller_id from receivables
          where merchant_id = ${merchantId} and seller_id is not null and batch_id is null and available_at is not null
         union select seller_id from seller_adjustments where merchant_id = ${merchantId} and batch_id is null)
     order by s.id`);
  return [...rows]
    .filter(({ policy }) => policy.transferEnabled && isTransferDay(policy, day, after))
    .map(({ id }) => id);
}

/** Of a seller `s`: nothing leaves for one that may not receive, or that is held. */
export const isPayable = (at: Date) => sql`
  s.deleted_at is null and s.status in ('active', 'partial')
  and (s.transfers_held_until is null or s.transfers_held_until <= ${at.toISOString()})
  and not exists (select from payout_holds h where h.seller_id = s.id and h.lifted_at is null)`;

/** Of one seller, or the merchant's own and everybody's, as the day itself would cut them; in the caller's transaction. */
export async function cutOne(
  ctx: Context,
  merchantId: string,
  day: CivilDate,
  sellerId: string | undefined,
): Promise<void> {
  const payable = await sellersToPay(ctx, merchantId, day, null);
  if (sellerId === undefined) await cutFor(ctx, merchantId, day, [null]);
  const chosen = sellerId === undefined ? payable : payable.filter((id) => id === sellerId);
  for (let first = 0; first < chosen.length; first += CHUNK) {
    await cutFor(ctx, merchantId, day, chosen.slice(first, first + CHUNK));
  }
}

/** All of them in one transaction, their positions locked: nothing is taken from what a batch counts meanwhile. */
async function cutFor(ctx: Context, merchantId: string, day: CivilDate, parties: readonly Party[]): Promise<void> {
  const sellerIds = parties.flatMap((party) => (party === null ? [] : [party]));
  if (sellerIds.length > 0) await lockSellers(ctx, merchantId, sellerIds);
  const [ready, wereCut, terms] = await pipelined([
    readyOf(ctx, merchantId, sellerIds),
    cutOn(ctx, merchantId, day, sellerIds),
    termsOf(ctx, sellerIds),
  ]);
  const cuts = parties.flatMap((party) => {
    const own = ready.get(party);
    const of = party === null ? OWN_TERMS : terms.get(party);
    if (!own || !of || wereCut.has(party)) return [];
    return compose(own.rows, own.adjustments, own.debts, of, newId).map((batch) => ({ party, batch }));
  });
  await writeBatches(ctx, merchantId, day, cuts, terms);
}

/** Of a day that is lived again, who has batches of it: what is ready since then waits for the next one. */
async function cutOn(
  { account, db }: Context,
  merchantId: string,
  day: CivilDate,
  sellerIds: readonly string[],
): Promise<Set<Party>> {
  const whose = sellerIds.length === 0 ? sql`is null` : sql`= any(${textArray(sellerIds)}::uuid[])`;
  const rows = await db.execute<{ party: Party }>(sql`
    select distinct seller_id as party from payout_batches
     where client_id = ${account.id} and merchant_id = ${merchantId} and seller_id ${whose} and payment_date = ${day}`);
  return new Set([...rows].map(({ party }) => party));
}

/** Nothing is transferred to the merchant: its acquirer paid it. */
const OWN_TERMS: Terms = { planId: null, withdrawalFee: 0, minimumPayout: 0 };

async function lockSellers({ account, db }: Context, merchantId: string, ids: readonly string[]): Promise<void> {
  await db.execute(sql`
    insert into seller_positions (client_id, merchant_id, seller_id)
    select ${account.id}, merchant_id, id from sellers
     where merchant_id = ${merchantId} and id = any(${textArray(ids)}::uuid[]) order by id on conflict do nothing`);
  await db.execute(sql`
    select 1 from seller_positions where merchant_id = ${merchantId} and seller_id = any(${textArray(ids)}::uuid[])
     order by seller_id for update`);
}

interface Ready {
  rows: ReadyRow[];
  adjustments: ReadyAdjustment[];
  debts: Debt[];
}

/** Step 1; without sellers it is the merchant's own. */
async function readyOf({ db }: Context, merchantId: string, sellerIds: readonly string[]): Promise<Map<Party, Ready>> {
  const whose = (column: string) =>
    sellerIds.length === 0
      ? sql`${sql.raw(column)} is null`
      : sql`${sql.raw(column)} = any(${textArray(sellerIds)}::uuid[])`;
  const ofRows = db.execute<ReadyRow & { party: Party } & Record<string, unknown>>(sql`
    select r.id, r.seller_id as party, r.type, r.charge_id as "chargeId", r.gross::float8 as gross, r.fee::float8 as fee,
           r.anticipation_fee::float8 as "anticipationFee", r.payment_method as "paymentMethod",
           r.payment_arrangement as "paymentArrangement"
      from receivables r left join receivables p on p.id = r.reduces
     where r.merchant_id = ${merchantId} and ${whose("r.seller_id")} and r.batch_id is null
       and r.available_at is not null and (r.reduces is null or p.available_at is not null)
     order by r.id for update of r`);
  const ofAdjustments =
    sellerIds.length === 0
      ? []
      : db.execute<ReadyAdjustment & { party: string } & Record<string, unknown>>(sql`
      select a.id, a.seller_id as party, a.kind, a.amount::float8 as amount from seller_adjustments a
       where a.merchant_id = ${merchantId} and ${whose("a.seller_id")} and a.batch_id is null
       order by a.id for update of a`);
  const ofDebts = db.execute<Debt & { party: Party } & Record<string, unknown>>(sql`
    select b.id as "batchId", b.seller_id as party, b.final_balance::float8 as "finalBalance" from payout_batches b
     where b.merchant_id = ${merchantId} and ${whose("b.seller_id")} and b.status = 'offset' and b.final_balance < 0
       and not exists (select from payout_lines l where l.source_id = b.id and l.type = 'carried' and l.is_live)
     order by b.id`);
  // In this order, one behind the other: what the first waits for, the others see.
  const [rows, adjustments, debts] = await pipelined([ofRows, ofAdjustments, ofDebts]);
  const ready = new Map<Party, Ready>();
  const of = (party: Party): Ready => {
    const known = ready.get(party) ?? { rows: [], adjustments: [], debts: [] };
    ready.set(party, known);
    return known;
  };
  for (const { party, ...row } of rows) of(party).rows.push(row);
  for (const { party, ...adjustment } of adjustments) of(party).adjustments.push(adjustment);
  for (const { party, ...debt } of debts) ready.get(party)?.debts.push(debt);
  return ready;
}

export interface PayoutTerms extends Terms {
  account: SellerBankAccount;
}

/** Of those who may be paid still: some may be held since they were chosen. */
async function termsOf(ctx: Context, sellerIds: readonly string[]): Promise<Map<string, PayoutTerms>> {
  if (sellerIds.length === 0) return new Map();
  const { account, db } = ctx;
  const rows = await db.execute<PayoutTerms & { id: string } & Record<string, unknown>>(sql`
    select s.id, p.id as "planId", p.withdrawal_fee::float8 as "withdrawalFee",
           p.minimum_payout::float8 as "minimumPayout", s.bank_account as account
      from sellers s join sale_plans p on p.client_id = ${account.id} and p.id = coalesce(s.plan_id, (
        select d.id from sale_plans d where d.client_id = ${account.id} and d.is_default))
     where s.id = any(${textArray(sellerIds)}::uuid[]) and ${isPayable(now(ctx))}`);
  return new Map([...rows].map(({ id, ...terms }) => [id, terms]));
}
