import { sql } from "drizzle-orm";
import { type Write, writeTogether } from "@/db/writes";
import { saoPauloDay } from "@/lib/brazil/bank-calendar";
import { type Context, now } from "@/lib/context";
import { newId } from "@/lib/ids";
import { type AccountRow, accountOf, availableOf, type Party, pendingOf } from "@/lib/ledger/accounts";
import { accountsWrite, FRESH } from "@/lib/ledger/post";
import { OPEN } from "@/lib/receivables/giving-back";

/** Receivables of one merchant whose payment date has come. */
export interface Released {
  merchantId: string;
  /** As PostgreSQL writes an array of them: they are thousands, and this process looks at none. */
  ids: string;
  count: number;
  /** Of all of them. */
  parties: readonly { sellerId: Party; currency: string }[];
}

/**
 * What they still wait for can be used: one journal for each instalment, whose parties are released together. Made where
 * the receivables are, by the same rules as `post`: evidence already posted is left alone, and nothing that moves nothing
 * is a journal.
 */
export async function postReleases(ctx: Context, released: Released): Promise<void> {
  const { merchantId, parties } = released;
  const accounts = parties.map(({ sellerId, currency }) => {
    const books = { clientId: ctx.account.id, merchantId, currency };
    return { pending: accountOf(books, pendingOf(sellerId)), available: accountOf(books, availableOf(sellerId)) };
  });
  await writeTogether(ctx.db, [
    accountsWrite(accounts.flatMap(({ pending, available }) => [pending, available])),
    partsOf(released),
    journalsOf(ctx, merchantId),
    transfersOf(ctx, merchantId, accounts),
  ]);
}

const partsOf = ({ ids, count }: Released): Write => ({
  as: "part",
  shape: "released parts",
  values: [ids, uuids(Array.from({ length: count }, newId))],
  text: (place, gate) => sql`
    select charge_id, installment, currency, seller_id, open,
           row_number() over (partition by charge_id, installment order by id)::smallint as line,
           (${place(1)}::uuid[])[dense_rank() over (order by charge_id, installment)] as journal_id
      from (select r.id, r.charge_id, r.installment, r.currency, r.seller_id, ${OPEN} as open
              from receivables r where r.id = any(${place(0)}::uuid[]) offset 0) r
     where open <> 0 and ${gate}`,
});

const journalsOf = (ctx: Context, merchantId: string): Write => {
  const at = now(ctx);
  return {
    as: FRESH,
    shape: "release journals",
    values: [ctx.account.id, merchantId, saoPauloDay(at), at.toISOString()],
    text: (place, gate) => sql`
      insert into journals (id, client_id, merchant_id, event_type, event_id, currency, memo, lines, civil_date, charge_id,
          created_at)
      select journal_id, ${place(0)}::uuid, ${place(1)}::uuid, 'release', charge_id || ':' || installment, currency, false,
             count(*), ${place(2)}::date, charge_id, ${place(3)}::timestamptz
        from part where ${gate} group by journal_id, charge_id, installment, currency
      on conflict (event_type, event_id) do nothing returning id`,
  };
};

/** A party without accounts would be refused: no account is null. */
const transfersOf = (
  ctx: Context,
  merchantId: string,
  accounts: readonly { pending: AccountRow; available: AccountRow }[],
): Write => ({
  shape: "release transfers",
  values: [
    ctx.account.id,
    merchantId,
    uuids(accounts.map(({ pending }) => pending.sellerId ?? MERCHANT)),
    `{${accounts.map(({ pending }) => pending.currency).join(",")}}`,
    uuids(accounts.map(({ pending }) => pending.id)),
    uuids(accounts.map(({ available }) => available.id)),
  ],
  // `is true` keeps it a look into a hash table, however few the server expects: it never walks all of them for each.
  text: (place, gate) => sql`
    insert into transfers (journal_id, line, client_id, merchant_id, currency, memo, debit_account, credit_account, amount)
    select p.journal_id, p.line, ${place(0)}::uuid, ${place(1)}::uuid, p.currency, false, a.pending, a.available, p.open
      from part p left join unnest(${place(2)}::uuid[], ${place(3)}::text[], ${place(4)}::uuid[], ${place(5)}::uuid[])
             as a (party, currency, pending, available)
        on a.party = coalesce(p.seller_id, ${sql.raw(`'${MERCHANT}'`)}::uuid) and a.currency = p.currency
     where (p.journal_id in (select id from ${sql.raw(FRESH)})) is true and ${gate} returning 1`,
});

/** In the place of a seller. */
const MERCHANT = "00000000-0000-0000-0000-000000000000";

const uuids = (ids: readonly string[]): string => `{${ids.join(",")}}`;
