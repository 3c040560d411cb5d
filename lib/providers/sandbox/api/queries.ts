import { and, eq } from "drizzle-orm";
import { transactionRequests } from "@/db/schema/charges";
import type { Context } from "@/lib/context";

/** At the simulator a txid is the id of our attempt without its hyphens, so the attempt is found by its key. */
const ATTEMPT = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/i;

/** A Pix is known by its txid to whoever pays it. */
export async function chargeOfTxid(ctx: Context, txid: string): Promise<string | undefined> {
  const parts = ATTEMPT.exec(txid);
  if (!parts) return undefined;
  const [row] = await ctx.db
    .select({ chargeId: transactionRequests.chargeId })
    .from(transactionRequests)
    .where(and(eq(transactionRequests.id, parts.slice(1).join("-")), eq(transactionRequests.clientId, ctx.account.id)));
  return row?.chargeId ?? undefined;
}
