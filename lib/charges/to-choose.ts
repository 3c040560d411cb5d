import { and, asc, eq, isNull } from "drizzle-orm";
import { merchants, providers } from "@/db/schema/merchants";
import { type Context, inTransaction } from "@/lib/context";
import { demand } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";

const MOST_MERCHANTS = 200;
const MOST_CONNECTIONS = 1_000;

/** For the filter: the merchants that can be chosen. */
export const merchantsToChoose = (
  ctx: Context,
  role: OperatorRole,
): Promise<{ id: string; name: string | null; createdAt: Date }[]> => {
  demand(role, "payments.see");
  return inTransaction(ctx, ({ db, account }) =>
    db
      .select({ id: merchants.id, name: merchants.name, createdAt: merchants.createdAt })
      .from(merchants)
      .where(and(eq(merchants.clientId, account.id), isNull(merchants.deletedAt)))
      .orderBy(asc(merchants.name), asc(merchants.id))
      .limit(MOST_MERCHANTS),
  );
};

export interface ChosenConnection {
  id: string;
  name: string;
  kind: string;
  merchantId: string;
}

/** For the filter: every live connection of the account, as each merchant tries them. */
export const connectionsToChoose = (ctx: Context, role: OperatorRole): Promise<ChosenConnection[]> => {
  demand(role, "payments.see");
  return inTransaction(ctx, ({ db, account }) =>
    db
      .select({ id: providers.id, name: providers.name, kind: providers.kind, merchantId: providers.merchantId })
      .from(providers)
      .where(and(eq(providers.clientId, account.id), isNull(providers.deletedAt)))
      .orderBy(asc(providers.merchantId), asc(providers.priority), asc(providers.createdAt), asc(providers.id))
      .limit(MOST_CONNECTIONS),
  );
};

/** For the filter: the kinds of provider that payments can have gone through. */
export const providersToChoose = (ctx: Context, role: OperatorRole): Promise<string[]> => {
  demand(role, "payments.see");
  return inTransaction(ctx, async ({ db, account }) => {
    const rows = await db
      .selectDistinct({ kind: providers.kind })
      .from(providers)
      .where(eq(providers.clientId, account.id))
      .orderBy(asc(providers.kind));
    return rows.map(({ kind }) => kind);
  });
};
