import { sql } from "drizzle-orm";
import { charges } from "@/db/schema/charges";
import { purchases } from "@/db/schema/purchases";
import type { SearchTerm } from "@/lib/charges/search-terms";
import { type Context, inSnapshot } from "@/lib/context";

const NUMBER = /^\d{1,12}$/;
/** What an order begins with, and the number that it ends with. */
const NUMBERED = /^(.*\D)(\d{1,12})$/;
const READ = 100;
const MOST_PREFIXES = 5;

/**
 * People say 1192 of the order PED-1192. Each bare number may also be the end of an order as the account's recent ones are
 * written, so that orders stay found by the index of their beginnings.
 */
export async function withOrderNumbers(
  ctx: Context,
  terms: readonly (readonly SearchTerm[])[],
): Promise<readonly (readonly SearchTerm[])[]> {
  const isNumber = ({ kind, value }: SearchTerm) => kind === "order" && NUMBER.test(value);
  if (!terms.some((each) => each.some(isNumber))) return terms;
  const prefixes = await recentPrefixes(ctx);
  return terms.map((each) => {
    const number = each.find(isNumber);
    if (!number) return each;
    return [
      ...each,
      ...prefixes.map(({ prefix, digits }) => ({
        kind: "order" as const,
        value: `${prefix}${String(number.value).padStart(digits, "0")}`,
      })),
    ];
  });
}

interface Prefix {
  prefix: string;
  /** Of numbers that are filled up with zeros; else 0. */
  digits: number;
}

/** The most frequent first. */
async function recentPrefixes(ctx: Context): Promise<Prefix[]> {
  const rows = await inSnapshot(ctx, ({ db, account: { id: client } }) =>
    db.execute<{ orderId: string }>(sql`
      select order_id as "orderId" from (
        (select order_id from ${charges} where client_id = ${client} order by created_at desc, id desc limit ${READ})
        union all
        (select order_id from ${purchases} where client_id = ${client} order by created_at desc, id desc limit ${READ})
      ) recent where order_id is not null`),
  );
  const counted = new Map<string, { found: Prefix; times: number }>();
  for (const { orderId } of rows) {
    const [, prefix, number = ""] = NUMBERED.exec(orderId) ?? [];
    if (!prefix) continue;
    const known = counted.get(prefix) ?? { found: { prefix, digits: 0 }, times: 0 };
    if (number.startsWith("0")) known.found.digits = number.length;
    known.times++;
    counted.set(prefix, known);
  }
  return [...counted.values()]
    .sort((a, b) => b.times - a.times)
    .slice(0, MOST_PREFIXES)
    .map(({ found }) => found);
}
