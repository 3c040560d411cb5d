import { sql } from "drizzle-orm";
import { MOST_COUNTED } from "@/lib/charges/search";
import type { MeantTerm } from "@/lib/charges/search-terms";
import { type Context, inSnapshot } from "@/lib/context";

/**
 * Says of each amount that a number may be, besides other things, whether more payments share it than are counted: they
 * are met while walking the list, fewer are listed by the index of amounts. Given up after `patienceMs`, with SQLSTATE
 * 57014.
 */
export async function withCommonAmounts(
  ctx: Context,
  terms: readonly (readonly MeantTerm[])[],
  patienceMs = 0,
  most = MOST_COUNTED,
): Promise<(readonly MeantTerm[])[]> {
  const asked = terms.flatMap((each) => (each.length > 1 ? each : [])).flatMap(amountOf);
  if (asked.length === 0) return [...terms];
  const common = await inSnapshot(ctx, async (inside) => {
    await inside.db.execute(sql`select set_config('statement_timeout', ${String(patienceMs)}, true)`);
    const found = new Map<number, Readonly<Record<"charge" | "purchase", boolean>>>();
    for (const amount of new Set(asked)) found.set(amount, await commonIn(inside, amount, most));
    return found;
  });
  return terms.map((each) =>
    each.map((term): MeantTerm => {
      const isCommon = term.kind === "amount" ? common.get(term.value) : undefined;
      return term.kind === "amount" && isCommon ? { kind: "amount", value: term.value, isCommon } : term;
    }),
  );
}

const amountOf = (term: MeantTerm): number[] => (term.kind === "amount" ? [term.value] : []);

async function commonIn({ db, account: { id: client } }: Context, amount: number, most: number) {
  const beyond = (rows: string, column: string) => sql`
    exists (select from ${sql.raw(rows)} where client_id = ${client} and ${sql.raw(column)} = ${amount}
            offset ${most})`;
  const [row] = await db.execute<{ charge: boolean; purchase: boolean }>(sql`
    select ${beyond("charges", "original_amount")} as charge,
           (${beyond("purchases", "amount")} or ${beyond("purchase_payments", "amount")}) as purchase`);
  return { charge: row?.charge ?? false, purchase: row?.purchase ?? false };
}
