import postgres from "postgres";
import { dispatch } from "@/app/api/registry";
import { headersOf, makeTokens, newChargeOf, openShop, type Shop } from "@/bench/charges/shop";
import { table } from "@/bench/table";
import { closeWorld, openWorld } from "@/bench/world";
import { closePools } from "@/db/client";
import { monotonicMs } from "@/lib/time";

const CHARGES = 400;
const WARM_UP = 100;
const ROUNDS = 7;
const TARGET = 0.03;

/** What the record of a decision costs, of a charge that a flow decided: the rows of many, written again in one statement. */
export async function measureRecords(): Promise<string> {
  const server = await openWorld();
  const sql = postgres(server.url, { max: 1, onnotice: () => undefined });
  try {
    const shop = await openShop();
    const { providers } = await call<{ providers: { id: string }[] }>(shop, "GET", `/v1/merchants/${shop.merchantId}`);
    const to = { rule: "provider", id: providers[0]?.id };
    await call(shop, "POST", "/v1/flows", {
      name: "Bench",
      paymentMethod: "credit",
      merchantId: shop.merchantId,
      status: "active",
      flow: {
        root: Array.from({ length: 10 }, (_, place) => ({
          rule: "condition",
          id: `n${place}`,
          if: { field: "amount", operator: "gte", value: 1_000 * (place + 1) },
          then: place === 9 ? [to] : [],
          else: [],
        })),
      },
    });
    const tokens = await makeTokens(shop, CHARGES + WARM_UP);
    const charges: number[] = [];
    for (const token of tokens) {
      const startedMs = monotonicMs();
      await answered(shop, "POST", "/v1/charges", newChargeOf(shop, token));
      charges.push(monotonicMs() - startedMs);
    }
    const charge = median(charges.slice(WARM_UP));
    const records: number[] = [];
    for (let round = 0; round < ROUNDS; round++) records.push(await written(sql));
    const record = median(records);
    const share = record / charge;
    const verdict = `≤ ${TARGET * 100} % ${share <= TARGET ? "reached" : "missed"}`;
    return table(
      ["charges", "median ms of a charge", "ms of its record", "share", "target"],
      [[String(CHARGES), charge.toFixed(2), record.toFixed(3), `${(share * 100).toFixed(2)} %`, verdict]],
    );
  } finally {
    await sql.end();
    await closePools();
    await closeWorld(server);
  }
}

/** Milliseconds of one row with its keys and indexes; nothing of it stays. */
async function written(sql: postgres.Sql): Promise<number> {
  let each = Number.NaN;
  await sql
    .begin(async (tx) => {
      await tx`create temp table kept on commit drop as select * from routing_decisions`;
      await tx`set local session_replication_role = replica`;
      await tx`delete from routing_decisions`;
      await tx`set local session_replication_role = origin`;
      const startedMs = monotonicMs();
      const rows = await tx`insert into routing_decisions select * from kept`;
      each = (monotonicMs() - startedMs) / rows.count;
      throw new RolledBack();
    })
    .catch((thrown: unknown) => {
      if (!(thrown instanceof RolledBack)) throw thrown;
    });
  return each;
}

class RolledBack extends Error {}

async function answered(shop: Shop, method: string, path: string, body?: string): Promise<Response> {
  const headers = headersOf(shop);
  const answer = await dispatch(new Request(`http://127.0.0.1${path}`, { method, headers, ...(body ? { body } : {}) }));
  if (!answer.ok) throw new Error(`${method} ${path} was answered with ${answer.status}: ${await answer.text()}`);
  return answer;
}

// Guarantee: the caller reads what the endpoint answers.
const call = async <T>(shop: Shop, method: string, path: string, body?: object): Promise<T> =>
  (await (await answered(shop, method, path, body && JSON.stringify(body))).json()) as T;

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
