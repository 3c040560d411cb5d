import { and, asc, eq, inArray, isNotNull } from "drizzle-orm";
import { charges } from "@/db/schema/charges";
import { type Context, inSnapshot } from "@/lib/context";
import { shownPayer } from "@/lib/operators/buyers";
import type { OperatorRole } from "@/lib/operators/sessions";

/** The document that was typed with the first card of each order on several cards, as the role sees it. */
export async function purchaseDocumentsOf(
  ctx: Context,
  role: OperatorRole,
  purchaseIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (purchaseIds.length === 0) return new Map();
  const rows = await inSnapshot(ctx, ({ db, account }) =>
    db
      .select({ id: charges.purchaseId, holder: charges.holder })
      .from(charges)
      .where(
        and(eq(charges.clientId, account.id), inArray(charges.purchaseId, [...purchaseIds]), isNotNull(charges.holder)),
      )
      .orderBy(asc(charges.createdAt), asc(charges.id)),
  );
  const found = new Map<string, string>();
  for (const { id, holder } of rows) {
    const { document } = shownPayer(role, { email: undefined, document: holder?.document.number });
    if (id && document && !found.has(id)) found.set(id, document);
  }
  return found;
}
