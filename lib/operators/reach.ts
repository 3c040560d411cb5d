import { eq } from "drizzle-orm";
import { charges, transactionRequests } from "@/db/schema/charges";
import { linkRequests } from "@/db/schema/checkout";
import { flows } from "@/db/schema/flows";
import { merchants, providers } from "@/db/schema/merchants";
import { payoutFiles, payoutReturns } from "@/db/schema/payout-files";
import { payoutBatches } from "@/db/schema/payouts";
import { prepayments } from "@/db/schema/prepayments";
import { purchases } from "@/db/schema/purchases";
import { sellerDocuments, sellers } from "@/db/schema/sellers";
import { sessions } from "@/db/schema/sessions";
import { settlementBreaks, statementFiles } from "@/db/schema/settlement";
import { subscriptions } from "@/db/schema/subscriptions";
import { type Context, inTransaction } from "@/lib/context";
import { notFound } from "@/lib/errors";
import { isUuid } from "@/lib/ids";

const THINGS = {
  charge: charges,
  purchase: purchases,
  link: sessions,
  link_request: linkRequests,
  merchant: merchants,
  provider: providers,
  flow: flows,
  dispute: transactionRequests,
  seller: sellers,
  seller_document: sellerDocuments,
  subscription: subscriptions,
  prepayment: prepayments,
  payment_batch: payoutBatches,
  payout_file: payoutFiles,
  payout_return: payoutReturns,
  settlement_break: settlementBreaks,
  statement_file: statementFiles,
} as const;

export type Reached = keyof typeof THINGS;

/**
 * For what is done to one thing. The policies of somebody limited to some merchants let nothing be written; once the
 * thing has been seen under them, what is done to it may touch all that it must, as if anybody else did it.
 */
export async function reaching(ctx: Context, thing: Reached, id: string): Promise<Context> {
  if (!ctx.merchants) return ctx;
  const table = THINGS[thing];
  const [seen] = isUuid(id)
    ? await inTransaction(ctx, ({ db }) => db.select({ id: table.id }).from(table).where(eq(table.id, id)))
    : [];
  if (!seen) throw notFound(thing);
  return unlimited(ctx);
}

/** For what is the person's own, such as how they like to see a list. */
export function unlimited(ctx: Context): Context {
  const { merchants: _, ...whole } = ctx;
  return whole;
}
