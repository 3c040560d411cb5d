import { customers } from "@/db/schema/customers";
import { merchants, providers } from "@/db/schema/merchants";
import { sessions } from "@/db/schema/sessions";
import { whereIdIn } from "@/db/where-id-in";
import type { Context } from "@/lib/context";
import { shownBuyer } from "@/lib/operators/buyers";
import type { OperatorRole } from "@/lib/operators/sessions";
import { pipelined } from "@/lib/pipeline";

interface Surrounded {
  buyerId: string | null;
  merchantId: string;
  sessionId: string | null;
  connectionIds?: readonly string[];
}

/** People, merchants, links and connections of a page, each looked up by its key: joined, the planner reads whole tables of them. */
export async function aroundOf({ db }: Context, role: OperatorRole, rows: readonly Surrounded[]) {
  const ids = (of: (row: Surrounded) => string | null): string[] => [...new Set(rows.flatMap((row) => of(row) ?? []))];
  const [buyers, shops, links] = [
    ids(({ buyerId: id }) => id),
    ids(({ merchantId }) => merchantId),
    ids(({ sessionId }) => sessionId),
  ];
  const connections = [...new Set(rows.flatMap(({ connectionIds }) => connectionIds ?? []))];
  const [people, names, titles, connected] = await pipelined([
    buyers.length > 0 ? db.select().from(customers).where(whereIdIn(customers.id, buyers)) : [],
    shops.length > 0
      ? db.select({ id: merchants.id, name: merchants.name }).from(merchants).where(whereIdIn(merchants.id, shops))
      : [],
    links.length > 0
      ? db.select({ id: sessions.id, name: sessions.name }).from(sessions).where(whereIdIn(sessions.id, links))
      : [],
    connections.length > 0
      ? db
          .select({ id: providers.id, name: providers.name })
          .from(providers)
          .where(whereIdIn(providers.id, connections))
      : [],
  ]);
  return {
    buyer: (id: string | null) => shownBuyer(role, people.find((person) => person.id === id) ?? null),
    merchant: (id: string) => names.find((shop) => shop.id === id)?.name ?? null,
    /** One that was removed keeps its name. */
    connection: (id: string) => connected.find((one) => one.id === id)?.name ?? null,
    link: (id: string | null) => (id ? { id, name: titles.find((title) => title.id === id)?.name ?? null } : undefined),
  };
}
