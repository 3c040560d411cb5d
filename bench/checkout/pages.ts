import { request } from "node:http";
import postgres from "postgres";
import { dispatch } from "@/app/api/registry";
import { headersOf, openShop } from "@/bench/charges/shop";
import { inParallel, percentile } from "@/bench/latencies";
import { launch } from "@/bench/processes";
import { buildIslands } from "@/scripts/start/islands";

const CHUNK = 100_000;

export interface PageTimes {
  name: string;
  sessions: number;
  p50: number;
  p95: number;
}

/** Server time of the link's page, each time of another link of a table that grows; one connection. */
export async function measurePages(
  url: string,
  { sizes, requests }: { sizes: readonly number[]; requests: number },
  say: (line: string) => void,
): Promise<PageTimes[]> {
  await buildIslands();
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  const server = launch("checkout/product.ts");
  try {
    const { port } = await server.ask<{ port: number }>({});
    const model = await modelSession();
    const results: PageTimes[] = [];
    let there = 1;
    for (const size of sizes) {
      say(`filling in ${size.toLocaleString("en")} sessions`);
      await fillSessions(sql, model, size - there);
      there = size;
      await sql`vacuum analyze sessions`;
      const rows = await sql<{ id: string }[]>`
        select id from sessions where client_id = (select client_id from sessions where id = ${model})
         order by md5(id::text) limit ${requests}`;
      for (const [name, query] of [
        ["open, Pix", ""],
        ["open, card", "?method=card"],
      ] as const) {
        const ask = ({ id }: { id: string }) => get(port, `/pay/${id}${query}`);
        await inParallel(rows.slice(0, Math.ceil(requests / 4)), 1, ask);
        const { latencies } = await inParallel(rows, 1, ask);
        results.push({ name, sessions: size, p50: percentile(latencies, 0.5), p95: percentile(latencies, 0.95) });
      }
    }
    return results;
  } finally {
    await Promise.all([server.stop(), sql.end({ timeout: 5 })]);
  }
}

/** Until the last byte is there. */
const get = (port: number, path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    request({ host: "127.0.0.1", port, path, headers: { "accept-language": "pt-BR" } }, (answer) => {
      let bytes = 0;
      answer.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
      });
      answer.on("end", () =>
        answer.statusCode === 200 && bytes > 1_000 ? resolve() : reject(new Error(`${path}: ${answer.statusCode}`)),
      );
    })
      .on("error", reject)
      .end();
  });

/** A session that the product itself made, to be copied. */
async function modelSession(): Promise<string> {
  const shop = await openShop();
  const answer = await dispatch(
    new Request("http://127.0.0.1/v1/sessions", {
      method: "POST",
      headers: headersOf(shop),
      body: JSON.stringify({
        merchantId: shop.merchantId,
        createLink: true,
        paymentMethods: [
          { paymentType: "pix", expiresIn: 3_600 },
          { paymentType: "credit", installments: 12 },
        ],
        items: [{ name: "Tênis de corrida", unitPrice: 10_001, quantity: 1 }],
      }),
    }),
  );
  if (answer.status !== 200) throw new Error(`the model was refused: ${await answer.text()}`);
  // Guarantee: a created session is answered with its id.
  return ((await answer.json()) as { id: string }).id;
}

/** Copies one session over and over; bulk rows skip the triggers. */
async function fillSessions(sql: postgres.Sql, model: string, count: number): Promise<void> {
  const columns = await sql<{ name: string }[]>`
    select attname as name from pg_attribute
     where attrelid = 'sessions'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`;
  const own: Record<string, string> = {
    id: "gen_random_uuid()",
    public_key: "gen_random_uuid()",
    created_at: "timestamptz '2026-01-01' + make_interval(secs => n)",
  };
  const names = columns.map(({ name }) => `"${name}"`).join(", ");
  const values = columns.map(({ name }) => own[name] ?? `model."${name}"`).join(", ");
  for (let from = 0; from < count; from += CHUNK) {
    await sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await tx.unsafe(
        `insert into sessions (${names}) select ${values}
           from generate_series($2::int, $3::int) n, (select * from sessions where id = $1) model`,
        [model, from, Math.min(from + CHUNK, count) - 1],
      );
    });
  }
}
