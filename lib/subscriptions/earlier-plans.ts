import { and, desc, eq } from "drizzle-orm";
import { type Interval, subscriptions } from "@/db/schema/subscriptions";
import { type Context, inSnapshot } from "@/lib/context";
import { demand } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";

export interface EarlierPlan {
  /** Of the newest subscription like it. */
  id: string;
  name: string;
  amount: number;
  interval: Interval;
}

const LOOKED_AT = 200;
const MOST_OFFERED = 8;
const REAL = "BRL";

/** What the newest subscriptions of the account are of, each once: a new one is often like an earlier one. */
export async function earlierPlans(ctx: Context, role: OperatorRole): Promise<EarlierPlan[]> {
  demand(role, "subscriptions.see");
  const { id, name, amount, interval, items, currency, clientId, createdAt } = subscriptions;
  const rows = await inSnapshot(ctx, ({ db, account }) =>
    db
      .select({ id, name, amount, interval, items })
      .from(subscriptions)
      .where(and(eq(clientId, account.id), eq(currency, REAL)))
      .orderBy(desc(createdAt), desc(id))
      .limit(LOOKED_AT),
  );
  const known = new Set<string>();
  return rows
    .flatMap((row) => {
      const key = [row.interval, row.amount, row.name].join(" ");
      // The form makes one item alone.
      if (row.items.length !== 1 || known.has(key)) return [];
      known.add(key);
      return [{ id: row.id, name: row.name, amount: row.amount, interval: row.interval }];
    })
    .slice(0, MOST_OFFERED);
}
