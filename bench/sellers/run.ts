import { randomUUID } from "node:crypto";
import { parseArgs } from "node:util";
import { asc, eq } from "drizzle-orm";
import postgres from "postgres";
import { makeTokens, openShop, type Shop, type Token } from "@/bench/charges/shop";
import { inParallel, median, percentile, perSecond } from "@/bench/latencies";
import { describeMachine } from "@/bench/machine";
import { openSellers } from "@/bench/sellers/open";
import { table } from "@/bench/table";
import { closeWorld, openWorld } from "@/bench/world";
import { closePools } from "@/db/client";
import { charges, splitRules } from "@/db/schema/charges";
import { loadAccount } from "@/lib/accounts/service";
import { type Context, inTransaction, systemContext } from "@/lib/context";
import { post } from "@/lib/ledger/post";
import { readDrafts } from "@/lib/receivables/book";
import { captureMovement } from "@/lib/receivables/movements";
import { sellersLike } from "@/lib/search/sellers";
import { callApi } from "@/lib/testing/api-client";
import { ROOT } from "@/scripts/start/paths";

/** What sellers cost: shared charges against others, the capture of the largest, and lists of many sellers. */
const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "7" },
    charges: { type: "string", default: "200" },
    captures: { type: "string", default: "200" },
    sellers: { type: "string", default: "100000" },
  },
});
const HANDS = 8;
const READS = 60;
const SHARED = { sellers: 3, installments: 6, target: 0.8 };
const LARGEST = { sellers: 10, installments: 24, targetMs: 25 };
const LIST_TARGET_MS = 200;

process.chdir(ROOT);
process.stdout.write(`${describeMachine()}\n\n`);
const server = await openWorld();
const sql = postgres(server.url, { max: 1, onnotice: () => undefined });
try {
  const shop = await openShop();
  const ctx = systemContext(await loadAccount(shop.clientId), randomUUID());
  const sellers = await openSellers(shop, LARGEST.sellers);
  await sharedAgainstOthers(shop, sellers.slice(0, SHARED.sellers));
  await largestCapture(shop, ctx, sellers);
  await lists(shop, ctx);
} finally {
  await sql.end({ timeout: 5 });
  await closePools();
  await closeWorld(server);
}

function rulesOf(sellers: readonly string[]): object[] {
  return sellers.map((sellerId) => ({ sellerId, percentage: 9, processingFee: true, liable: true }));
}

function bodyOf(shop: Shop, { tokenId }: Token, given: object): object {
  return {
    merchantId: shop.merchantId,
    amount: 123_456,
    paymentSource: { sourceType: "token", tokenId },
    ...given,
  };
}

async function sharedAgainstOthers(shop: Shop, sellers: readonly string[]): Promise<void> {
  const count = Number(values.charges);
  const paymentMethod = { paymentType: "credit", installments: SHARED.installments };
  const run = async (given: object, times = count): Promise<number> => {
    const tokens = await makeTokens(shop, times);
    return perSecond(
      await inParallel(tokens, HANDS, async (token) => {
        const body = bodyOf(shop, token, { capture: true, paymentMethod, ...given });
        const { status, text } = await callApi(shop, "POST", "/v1/charges", { body });
        if (status !== 201) throw new Error(text);
      }),
    );
  };
  const shared = { splitRules: rulesOf(sellers) };
  // Twice: each connection plans a statement anew for its first five times.
  for (const given of [{}, shared, {}, shared]) await run(given);
  const rounds: { plain: number; split: number }[] = [];
  for (let round = 0; round < Number(values.rounds); round++) {
    const isFirst = round % 2 === 0;
    const one = await run(isFirst ? {} : shared);
    const other = await run(isFirst ? shared : {});
    rounds.push(isFirst ? { plain: one, split: other } : { plain: other, split: one });
  }
  const ratio = median(rounds.map(({ plain, split }) => split / plain));
  const rows = rounds.map(({ plain, split }) => [plain.toFixed(1), split.toFixed(1), (split / plain).toFixed(2)]);
  process.stdout.write(
    `Charges a second, captured at once, ${SHARED.installments} instalments, ${HANDS} at a time: without a split and with ${SHARED.sellers} sellers\n\n`,
  );
  process.stdout.write(`${table(["without", "shared", "ratio"], rows)}\n`);
  process.stdout.write(
    `Median ${ratio.toFixed(2)} ≥ ${SHARED.target} ${ratio >= SHARED.target ? "reached" : "missed"}\n\n`,
  );
}

/** Shares, fees, journals and receivables of one capture, from the first statement to the commit. */
async function largestCapture(shop: Shop, ctx: Context, sellers: readonly string[]): Promise<void> {
  const took: number[] = [];
  const splitRulesAsked = rulesOf(sellers);
  const paymentMethod = { paymentType: "credit", installments: LARGEST.installments };
  const tokens = await makeTokens(shop, Number(values.captures));
  for (const token of tokens) {
    const body = bodyOf(shop, token, { capture: false, paymentMethod, splitRules: splitRulesAsked });
    const { body: made, text } = await callApi(shop, "POST", "/v1/charges", { body });
    if (!made.id) throw new Error(text);
    const [row] = await inTransaction(ctx, ({ db }) => db.select().from(charges).where(eq(charges.id, made.id)));
    const splits = await inTransaction(ctx, ({ db }) =>
      db.select().from(splitRules).where(eq(splitRules.chargeId, made.id)).orderBy(asc(splitRules.position)),
    );
    if (!row) throw new Error("the charge is not there");
    const movement = captureMovement({ row, brand: "Visa", splits }, randomUUID(), row.originalAmount);
    const startedMs = performance.now();
    await inTransaction(ctx, async (inside) => post(inside, await readDrafts(inside, [movement])));
    took.push(performance.now() - startedMs);
  }
  const [counted] = await sql<
    { n: number }[]
  >`select count(*)::int as n from receivables where installments = ${LARGEST.installments}`;
  const expected = tokens.length * (LARGEST.sellers + 1) * LARGEST.installments;
  if (counted?.n !== expected) throw new Error(`${counted?.n} receivables, not ${expected}`);
  took.sort((a, b) => a - b);
  const p95 = percentile(took, 0.95);
  process.stdout.write(
    `Capture of ${LARGEST.sellers} sellers × ${LARGEST.installments} instalments, all statements to the commit: p50 ${percentile(took, 0.5).toFixed(1)} ms, p95 ${p95.toFixed(1)} ≤ ${LARGEST.targetMs} ms ${p95 <= LARGEST.targetMs ? "reached" : "missed"}\n\n`,
  );
}

async function lists(shop: Shop, ctx: Context): Promise<void> {
  const count = Number(values.sellers);
  await sql`
    insert into sellers (id, client_id, merchant_id, mcc, status, owner, business, bank_account, transfer_policy,
           document_key, document_number, owner_email, business_email, owner_name, business_name, created_at, updated_at)
    select gen_random_uuid(), s.client_id, s.merchant_id, s.mcc, (array['active', 'active', 'active', 'pending', 'inactive'])[1 + n % 5],
           s.owner, s.owner, s.bank_account, s.transfer_policy, 'cpf:' || n, lpad(n::text, 11, '0'), 'owner' || n || '@example.com',
           'shop' || n || '@example.com', (array['Ana', 'Bruno', 'Carla', 'Davi', 'Elisa', 'Fábio', 'Gil'])[1 + n % 7] || ' Souza ' || n,
           (array['Padaria', 'Mercado', 'Livraria', 'Oficina', 'Farmácia'])[1 + n % 5] || ' ' ||
             (array['Central', 'do Bairro', 'São João', 'Boa Vista', 'Nova', 'Real', 'Popular', 'da Praça', 'Azul'])[1 + n % 9] || ' ' || n,
           now() - n * interval '1 minute', now()
      from (select * from sellers order by created_at limit 1) s, generate_series(1, ${count}::int) n`;
  await sql`vacuum analyze sellers`;
  const ask = (query: Record<string, string | number>) => async () => {
    const { status, text } = await callApi(shop, "GET", "/v1/sellers", { query });
    if (status !== 200) throw new Error(text);
  };
  const nth = (read: number): number => 1 + ((read * 7_919) % count);
  const cases: [string, (read: number) => () => Promise<unknown>][] = [
    ["list, first page", () => ask({ limit: 25 })],
    ["list, in the middle", () => ask({ limit: 25, page: Math.ceil(count / 50) })],
    ["list by status", () => ask({ limit: 25, status: "pending,inactive" })],
    ["list by e-mail", (read) => ask({ email: `shop${nth(read)}@example.com` })],
    ["list by part of a name, few", (read) => ask({ businessName: `praça ${nth(read)}` })],
    ["list by part of a name, a ninth of all", () => ask({ businessName: "boa vista" })],
    ["search by name", (read) => () => sellersLike(ctx, "owner", `souza ${nth(read)}`, 25)],
    ["search by part of a common name", () => () => sellersLike(ctx, "owner", "padaria", 25)],
    ["search by document", (read) => () => sellersLike(ctx, "owner", String(nth(read)).padStart(11, "0"), 25)],
  ];
  const rows: string[][] = [];
  for (const [name, asking] of cases) {
    const took: number[] = [];
    for (let read = 0; read < READS; read++) {
      const run = asking(read);
      const startedMs = performance.now();
      await run();
      took.push(performance.now() - startedMs);
    }
    took.sort((a, b) => a - b);
    const p95 = percentile(took, 0.95);
    rows.push([
      name,
      percentile(took, 0.5).toFixed(1),
      `${p95.toFixed(1)} ≤ ${LIST_TARGET_MS} ${p95 <= LIST_TARGET_MS ? "reached" : "missed"}`,
    ]);
  }
  process.stdout.write(`Lists and search among ${count.toLocaleString("en")} sellers of one account\n\n`);
  process.stdout.write(table(["what", "p50 ms", "p95 ms"], rows));
}
