import { and, asc, eq, inArray, isNotNull } from "drizzle-orm";
import { charges, transactionRequests } from "@/db/schema/charges";
import { type Context, inSnapshot } from "@/lib/context";
import type { ListedItem } from "@/lib/search/payments";

/** The NSU of each payment as its receipts have it; of an order on several cards, that of each card. */
export async function nsusOf(ctx: Context, items: readonly ListedItem[]): Promise<ReadonlyMap<string, string[]>> {
  const ids = (kind: ListedItem["kind"]): string[] => items.flatMap((item) => (item.kind === kind ? [item.id] : []));
  const found = new Map<string, string[]>();
  for (const [key, of] of [
    [charges.id, ids("charge")],
    [charges.purchaseId, ids("purchase")],
  ] as const) {
    if (of.length === 0) continue;
    const rows = await inSnapshot(ctx, ({ db }) =>
      db
        .select({ id: key, nsu: transactionRequests.authorizationNsu })
        .from(charges)
        .innerJoin(transactionRequests, eq(transactionRequests.chargeId, charges.id))
        .where(
          and(
            inArray(key, of),
            eq(transactionRequests.kind, "authorize"),
            eq(transactionRequests.state, "approved"),
            isNotNull(transactionRequests.authorizationNsu),
          ),
        )
        .orderBy(asc(transactionRequests.createdAt)),
    );
    for (const { id, nsu } of rows) if (id && nsu) found.set(id, [...(found.get(id) ?? []), nsu]);
  }
  return found;
}
