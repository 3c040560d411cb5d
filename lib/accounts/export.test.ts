import { createHash } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { exportLines } from "@/lib/accounts/export";
import { exportPass, isExportPass } from "@/lib/accounts/export-pass";
import { EXPORTED, LEFT_OUT } from "@/lib/accounts/exported-tables";
import { flushRequestLog } from "@/lib/http/request-log";
import { newId } from "@/lib/ids";
import { openClient, type TestClient } from "@/lib/testing/api";
import { openCustomer, payByCard, payByPix, voidIt, withMerchant } from "@/lib/testing/payments";
import { openSession } from "@/lib/testing/sessions";
import { addSeconds, realNow } from "@/lib/time";

interface Line {
  kind: string;
  row: Record<string, unknown>;
  rows: Record<string, number>;
  charges: Record<string, unknown>[];
  sha256: string;
}

async function exported(client: TestClient): Promise<{ text: string; lines: Line[] }> {
  let text = "";
  for await (const chunk of exportLines(await client.context(), "Loja")) text += chunk;
  // Guarantee: each line is one of the shapes read here, or the test fails.
  return {
    text,
    lines: text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Line),
  };
}

async function used(): Promise<TestClient> {
  const client = await openClient();
  const shop = await withMerchant(client);
  await payByCard(shop, { capture: true });
  await payByPix(shop);
  await openCustomer(client);
  await openSession(shop);
  await flushRequestLog();
  return client;
}

describe("an account's data", () => {
  let client: TestClient;
  let other: TestClient;
  beforeAll(async () => {
    [client, other] = [await used(), await used()];
  });

  test("leaves whole: as many rows of each kind as the account has, and a checksum over every line", async () => {
    const { text, lines } = await exported(client);
    const end = lines.at(-1);
    const body = text.slice(0, text.trimEnd().lastIndexOf("\n") + 1);
    expect([end?.kind, end?.sha256]).toEqual(["end", createHash("sha256").update(body).digest("hex")]);
    expect(lines[0]).toMatchObject({ kind: "export", format: 1, account: client.clientId, mode: "sandbox" });
    for (const table of Object.keys(EXPORTED)) {
      const column = table === "clients" ? "id" : "client_id";
      const [counted] = await systemSql().unsafe(`select count(*)::int as rows from ${table} where ${column} = $1`, [
        client.clientId,
      ]);
      expect([table, end?.rows[table]]).toEqual([table, counted?.rows]);
      expect(lines.filter(({ kind }) => kind === table)).toHaveLength(counted?.rows);
    }
    expect(end?.rows).toMatchObject({ charges: 2, merchants: 1, sessions: 1, clients: 1 });
  });

  test("says how many charges there are of each status, and what they come to in cents", async () => {
    const shop = await withMerchant(await openClient());
    for (const amount of [1_001, 2_002]) await payByCard(shop, { capture: true, amount });
    const { body } = await payByCard(shop, { capture: true, amount: 3_000 });
    await voidIt(shop.client, body.id, { amount: 500 });
    await payByCard(shop, { outcome: "decline:insufficient_funds", amount: 700 });
    const { lines } = await exported(shop.client);
    const none = { captured_amount: 0, refunded_amount: 0, charged_back_amount: 0 };
    const paid = { original_amount: 6_003, amount: 5_503, captured_amount: 6_003, refunded_amount: 500 };
    expect(lines.at(-1)?.charges).toEqual([
      { status: "authorized", currency: "BRL", count: 3, ...none, ...paid },
      { status: "failed", currency: "BRL", count: 1, ...none, original_amount: 700, amount: 700 },
    ]);
  });

  test("holds nothing of another account, no key, no digest and no place in the vault", async () => {
    const { text, lines } = await exported(client);
    expect(text).not.toContain(other.clientId);
    expect(text).not.toContain(client.apiKey);
    const secret = /digest|credentials$|private|secret|password|vault|fingerprint$|cvv_token|^raw$/;
    const names = new Set(lines.flatMap(({ row }) => Object.keys(row ?? {})));
    expect([...names].filter((name) => secret.test(name))).toEqual([]);
    const bytes = lines.flatMap(({ kind, row }) =>
      Object.entries(row ?? {}).flatMap(([name, value]) =>
        typeof value === "string" && value.startsWith("\\x") ? [`${kind}.${name}`] : [],
      ),
    );
    expect(bytes).toEqual([]);
    const event = lines.find(({ kind }) => kind === "events")?.row;
    expect(event?.body).toMatchObject({ event: expect.any(String) });
  });

  test("of more rows than one page holds is all there, each once", async () => {
    const big = await openClient();
    await systemSql()`
      insert into request_logs (id, client_id, request_id, key_kind, method, path, route, status, duration_ms, created_at)
      select gen_random_uuid(), ${big.clientId}, 'r' || n, 'secret', 'GET', '/v1/x', '/v1/x', 200, 1, now()
        from generate_series(1, 1201) n`;
    const { lines } = await exported(big);
    const ids = lines.filter(({ kind }) => kind === "request_logs").map(({ row }) => row.id);
    expect([ids.length, new Set(ids).size]).toEqual([1201, 1201]);
  });
});

test("every table of an account is either exported or left out for a reason", async () => {
  const tables = await systemSql()<{ name: string }[]>`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and n.nspname = 'public' and not c.relispartition
       and (c.relname = 'clients' or exists (
         select from pg_attribute a where a.attrelid = c.oid and a.attname = 'client_id' and not a.attisdropped))
     order by 1`;
  expect([...Object.keys(EXPORTED), ...Object.keys(LEFT_OUT)].sort()).toEqual(tables.map(({ name }) => name).sort());
});

test("a pass opens the export of one account to one person, and for ten minutes", async () => {
  const operator = (id: string) => ({ kind: "operator", operatorId: id }) as const;
  const [ana, bia] = [operator(newId()), operator(newId())];
  const ctx = { ...(await (await openClient()).context()), principal: ana };
  const now = realNow();
  const pass = exportPass(ctx, now);
  expect(isExportPass(ctx, pass, addSeconds(now, 590))).toBe(true);
  expect(isExportPass(ctx, pass, addSeconds(now, 601))).toBe(false);
  expect(isExportPass({ ...ctx, principal: bia }, pass, now)).toBe(false);
  expect(isExportPass({ ...ctx, account: { ...ctx.account, id: newId() } }, pass, now)).toBe(false);
  const [until = "", signature] = pass.split(".");
  for (const forged of ["", "x", `${Number(until) + 60}.${signature}`, `${until}.${"A".repeat(43)}`])
    expect(isExportPass(ctx, forged, now)).toBe(false);
});
