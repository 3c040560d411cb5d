import { and, desc, eq, gt, inArray, isNull } from "drizzle-orm";
import { charges } from "@/db/schema/charges";
import { purchases } from "@/db/schema/purchases";
import { whereIdIn } from "@/db/where-id-in";
import { PAID_STATUSES } from "@/lib/charges/paid-statuses";
import { payersOf } from "@/lib/charges/payer";
import { paymentsOf } from "@/lib/charges/search";
import type { Context } from "@/lib/context";
import type { OperatorRole } from "@/lib/operators/sessions";
import { pipelined } from "@/lib/pipeline";
import { purchasesOf } from "@/lib/search/purchases";

/** Who paid each of these links last, by the name or the e-mail that is known and the role sees. */
export async function lastBuyersOf(
  ctx: Context,
  role: OperatorRole,
  links: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (links.length === 0) return new Map();
  const { db, account } = ctx;
  const [single, several] = await pipelined([
    db
      .selectDistinctOn([charges.sessionId], { link: charges.sessionId, id: charges.id, at: charges.createdAt })
      .from(charges)
      .where(
        and(
          eq(charges.clientId, account.id),
          whereIdIn(charges.sessionId, links),
          isNull(charges.purchaseId),
          inArray(charges.status, [...PAID_STATUSES]),
          gt(charges.capturedAmount, 0),
        ),
      )
      .orderBy(charges.sessionId, desc(charges.createdAt), desc(charges.id)),
    db
      .selectDistinctOn([purchases.sessionId], { link: purchases.sessionId, id: purchases.id, at: purchases.createdAt })
      .from(purchases)
      .where(
        and(eq(purchases.clientId, account.id), whereIdIn(purchases.sessionId, links), eq(purchases.status, "paid")),
      )
      .orderBy(purchases.sessionId, desc(purchases.createdAt), desc(purchases.id)),
  ]);
  const last = [...single, ...several].sort((a, b) => a.at.getTime() - b.at.getTime());
  const ids = last.map(({ id }) => id);
  const items = [...(await paymentsOf(ctx, role, ids)), ...(await purchasesOf(ctx, role, ids))];
  const payers = await payersOf(ctx, role, ids);
  return new Map(
    last.flatMap(({ link, id }): [string, string][] => {
      const item = items.find((each) => each.id === id);
      const name = item?.buyer?.name || item?.buyer?.email || item?.holder || payers.get(id)?.email;
      return link && name ? [[link, name]] : [];
    }),
  );
}
