import { parseArgs } from "node:util";
import postgres from "postgres";
import { openShop } from "@/bench/charges/shop";
import { percentile } from "@/bench/latencies";
import { describeMachine } from "@/bench/machine";
import { table } from "@/bench/table";
import { closeWorld, openWorld } from "@/bench/world";
import { closePools } from "@/db/client";
import { loadAccount } from "@/lib/accounts/service";
import { type Context, inTransaction, systemContext } from "@/lib/context";
import { newId } from "@/lib/ids";
import { type AccountName, accountOf } from "@/lib/ledger/accounts";
import { balancesOf, checkpoint } from "@/lib/ledger/checkpoints";
import { unowned } from "@/lib/ledger/journals/charges";
import { post } from "@/lib/ledger/post";
import { ROOT } from "@/scripts/start/paths";

/** What the balance of an account costs that has so many postings, by how many came after its last checkpoint. */
const { values } = parseArgs({ options: { postings: { type: "string", default: "1000000" } } });
const CHUNK = 50_000;
const SINCE = [0, 1_000, 5_000];
const READS = 200;
const TARGET_MS = 5;

process.chdir(ROOT);
process.stdout.write(`${describeMachine()}\n\n`);
const server = await openWorld();
const sql = postgres(server.url, { max: 1, onnotice: () => undefined });
try {
  const shop = await openShop();
  const ctx = systemContext(await loadAccount(shop.clientId), newId());
  const subject = { merchantId: shop.merchantId, currency: "BRL" };
  await inTransaction(ctx, (inside) => post(inside, [unowned({ ...subject, chargeId: newId() }, newId(), 1)]));
  const idOf = (name: AccountName) => accountOf({ clientId: shop.clientId, ...subject }, name).id;
  const [debit, credit] = [idOf({ kind: "bank" }), idOf({ kind: "suspense" })];
  const addTransfers = async (count: number): Promise<void> => {
    for (let left = count; left > 0; left -= CHUNK) {
      await sql`
        with made as (
          insert into journals (id, client_id, merchant_id, event_type, event_id, lines, civil_date, created_at)
          select gen_random_uuid(), ${shop.clientId}::uuid, ${shop.merchantId}::uuid, 'suspense', gen_random_uuid(), 1, now(), now()
            from generate_series(1, ${Math.min(left, CHUNK)}::int) returning id)
        insert into transfers (journal_id, line, client_id, merchant_id, currency, memo, debit_account, credit_account, amount)
        select id, 1, ${shop.clientId}::uuid, ${shop.merchantId}::uuid, 'BRL', false, ${debit}::uuid, ${credit}::uuid, 100 from made`;
    }
  };
  await addTransfers(Number(values.postings));
  await sql`vacuum analyze transfers, journals, ledger_accounts`;
  const rows = [["none", ...(await timed(ctx, debit, 3))]];
  await inTransaction(ctx, (inside) => checkpoint(inside, shop.merchantId));
  let since = 0;
  for (const count of SINCE) {
    await addTransfers(count - since);
    since = count;
    const [p50, p95] = await timed(ctx, debit, READS);
    const isReached = Number(p95) <= TARGET_MS;
    rows.push([count.toLocaleString("en"), p50, `${p95} ≤ ${TARGET_MS} ${isReached ? "reached" : "missed"}`]);
  }
  const [row] = await sql<
    { sum: number }[]
  >`select sum(amount)::float8 as sum from postings where account_id = ${debit}`;
  const balance = (await inTransaction(ctx, (inside) => balancesOf(inside, [debit]))).get(debit);
  if (row?.sum !== balance) throw new Error(`the balance is ${balance}, and its postings add up to ${row?.sum}`);
  process.stdout.write(`The balance of an account with ${Number(values.postings).toLocaleString("en")} postings\n\n`);
  process.stdout.write(table(["postings after its checkpoint", "p50 ms", "p95 ms"], rows));
} finally {
  await sql.end({ timeout: 5 });
  await closePools();
  await closeWorld(server);
}

async function timed(ctx: Context, accountId: string, reads: number): Promise<[p50: string, p95: string]> {
  const took: number[] = [];
  for (let read = 0; read < reads; read++) {
    const startedMs = performance.now();
    await inTransaction(ctx, (inside) => balancesOf(inside, [accountId]));
    took.push(performance.now() - startedMs);
  }
  took.sort((a, b) => a - b);
  return [percentile(took, 0.5).toFixed(1), percentile(took, 0.95).toFixed(1)];
}
