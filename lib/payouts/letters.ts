import { eq } from "drizzle-orm";
import { clients } from "@/db/schema/accounts";
import { payoutTransfers, type TransferReason } from "@/db/schema/payouts";
import { sellers } from "@/db/schema/sellers";
import { saoPauloDay } from "@/lib/brazil/bank-calendar";
import { type Context, now } from "@/lib/context";
import { queueMail } from "@/lib/mail/queue";
import type { MailData } from "@/lib/mail/templates";
import { linkToBatch } from "@/lib/payouts/links";
import type { BatchRow } from "@/lib/payouts/queries";

const LAST = 4;

/** Tells a seller what became of a payout, where it wants to know, in the transaction of what happened. */
export async function writeToSeller(
  ctx: Context,
  batch: BatchRow,
  kind: MailData<"payout">["kind"],
  reason: TransferReason | null = null,
): Promise<void> {
  if (batch.sellerId === null) return;
  const [found] = await ctx.db
    .select({ seller: sellers, destination: payoutTransfers.destination, locale: clients.locale })
    .from(sellers)
    .innerJoin(clients, eq(clients.id, sellers.clientId))
    .leftJoin(payoutTransfers, eq(payoutTransfers.batchId, batch.id))
    .where(eq(sellers.id, batch.sellerId));
  if (!found?.seller.notifyOnPayout) return;
  const { seller, destination, locale } = found;
  const at = now(ctx);
  const account = destination?.account ?? seller.bankAccount;
  await queueMail(ctx, {
    template: "payout",
    to: seller.business?.email ?? seller.owner.email,
    locale,
    merchantId: batch.merchantId,
    data: {
      kind,
      amount: Math.abs(batch.finalBalance),
      day: batch.payoutDate ?? saoPauloDay(at),
      accountEnd: account.accountNumber.slice(-LAST),
      reason,
      url: linkToBatch(batch, at),
    },
    dedupe: `payout:${batch.id}:${kind}`,
  });
}
