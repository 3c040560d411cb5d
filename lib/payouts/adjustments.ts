import { sql } from "drizzle-orm";
import { z } from "zod";
import { sellerAdjustments } from "@/db/schema/payouts";
import { audit } from "@/lib/audit";
import { type Context, inTransaction, now } from "@/lib/context";
import { DomainError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { accountOf } from "@/lib/ledger/accounts";
import { balancesOf } from "@/lib/ledger/checkpoints";
import { adjusted } from "@/lib/ledger/journals/payouts";
import { post } from "@/lib/ledger/post";
import { paidSeller } from "@/lib/payouts/paid-seller";
import { endProposal, propose } from "@/lib/proposals/service";

const LARGEST = 100_000_000_00;

/**
 * Money of a seller that no sale moves. A `credit` and a `correction` are borne by the merchant, and a negative
 * correction goes to it; a `write_off` is a debt that nobody will pay, at most all of it.
 */
export const adjustmentInput = z
  .object({
    kind: z.enum(["credit", "correction", "write_off"]),
    amount: z.int().min(-LARGEST).max(LARGEST),
  })
  .refine(({ kind, amount }) => amount > 0 || (kind === "correction" && amount < 0), {
    message: "must be above 0; below it for a correction that takes",
    path: ["amount"],
  });
export type SellerAdjustment = z.output<typeof adjustmentInput>;

/** Asks for it, or makes it at once while nobody else could approve it. */
export const proposeAdjustment = (
  ctx: Context,
  sellerId: string,
  asked: SellerAdjustment,
  reason: string,
): Promise<"proposed" | "done"> =>
  inTransaction(ctx, async (inside) => {
    const { merchantId } = await paidSeller(inside, sellerId);
    await refuseAboveDebt(inside, merchantId, sellerId, asked);
    const wanted = { kind: "adjustment", merchantId, subjectId: sellerId, details: { ...asked }, reason } as const;
    return propose(inside, wanted, (acting) => adjust(acting, sellerId, asked, newId()));
  });

/** The second person's word; the proposal is the evidence of what is booked. */
export const endAdjustment = (
  ctx: Context,
  sellerId: string,
  proposalId: string,
  outcome: "approved" | "refused",
): Promise<void> =>
  endProposal(ctx, { id: proposalId, subjectId: sellerId }, ["adjustment"], outcome, (inside, { id, details }) =>
    adjust(inside, sellerId, adjustmentInput.parse(details), id),
  );

async function adjust(ctx: Context, sellerId: string, adjustment: SellerAdjustment, id: string): Promise<void> {
  const { merchantId } = await paidSeller(ctx, sellerId);
  await lockPosition(ctx, merchantId, sellerId);
  await refuseAboveDebt(ctx, merchantId, sellerId, adjustment);
  const clientId = ctx.account.id;
  const reason = ctx.reason ?? "";
  await ctx.db
    .insert(sellerAdjustments)
    .values({ id, clientId, merchantId, sellerId, ...adjustment, reason, createdAt: now(ctx) });
  await post(ctx, [adjusted({ merchantId, currency: "BRL" }, { id, sellerId, ...adjustment })]);
  await audit(ctx, {
    action: "seller.adjust",
    object: "seller",
    objectId: sellerId,
    after: { id, ...adjustment },
    reason,
  });
}

async function lockPosition({ account, db }: Context, merchantId: string, sellerId: string): Promise<void> {
  await db.execute(sql`
    insert into seller_positions (client_id, merchant_id, seller_id) values (${account.id}, ${merchantId}, ${sellerId})
    on conflict do nothing`);
  await db.execute(sql`
    select 1 from seller_positions where merchant_id = ${merchantId} and seller_id = ${sellerId} for update`);
}

async function refuseAboveDebt(
  ctx: Context,
  merchantId: string,
  sellerId: string,
  { kind, amount }: SellerAdjustment,
): Promise<void> {
  if (kind !== "write_off") return;
  const { id } = accountOf(
    { clientId: ctx.account.id, merchantId, currency: "BRL" },
    { kind: "seller_available", sellerId },
  );
  const debt = Math.max(0, (await balancesOf(ctx, [id])).get(id) ?? 0);
  if (amount > debt) throw new DomainError("amount_exceeds_remaining", `the seller owes ${debt} cents`);
}
