import { join } from "node:path";
import { createTranslator } from "next-intl";
import { beforeAll, expect, test, vi } from "vitest";
import { MOST_ROWS, ROWS_AT_A_TIME } from "@/app/(dashboard)/list-csv";
import { systemDb, systemSql } from "@/db/client";
import type { Context } from "@/lib/context";
import { inSnapshot } from "@/lib/context";
import { listHolds } from "@/lib/finance/holds";
import { brought } from "@/lib/finance/statements";
import { flushRequestLog } from "@/lib/http/request-log";
import { messages } from "@/lib/i18n/messages";
import { newId } from "@/lib/ids";
import { listWaiting } from "@/lib/insights/waiting";
import { holdPayouts } from "@/lib/payouts/holds";
import { listRequests } from "@/lib/request-logs/queries";
import { plansWithSellers } from "@/lib/sale-plans/queries";
import { createOperator, signIn } from "@/lib/sign-in/service";
import { openClient, type TestClient } from "@/lib/testing/api";
import { MAKERS } from "@/lib/testing/fuzz/world";
import { realNow } from "@/lib/time";
import { listVendors } from "@/lib/vendors/queries";
import { readInbox } from "@/lib/webhooks/inbox";

const request = vi.hoisted(() => ({ sessionId: undefined as string | undefined, locale: "en" as "en" | "pt-BR" }));

vi.mock("@/app/(auth)/auth", () => ({ auth: async () => ({ sessionId: request.sessionId }) }));
vi.mock("next/headers", () => ({
  headers: async () => new Headers({ host: "elsewhere" }),
  cookies: async () => ({ get: () => undefined, set: () => undefined }),
}));
vi.mock("next-intl/server", () => ({
  getLocale: async () => request.locale,
  getTranslations: async (namespace: never) =>
    createTranslator({ locale: request.locale, messages: messages[request.locale], namespace }),
}));

const BILLED_BACK = -12_345;

let client: TestClient;
let ctx: Context;
let owner: string;
let viewer: string;

async function joined(role: "owner" | "viewer"): Promise<string> {
  const [email, password] = [`${role}-${newId().slice(-8)}@equipe.example`, "correct horse battery staple"];
  await createOperator(systemDb(), { email, name: role, password, clientId: client.clientId, role });
  const outcome = await signIn(systemDb(), { email, password, address: null, userAgent: null }, realNow());
  if (outcome.kind !== "signed_in") throw new Error(outcome.kind);
  return outcome.sessionId;
}

async function fileOf(path: string, query: Record<string, string> = {}, sessionId = owner): Promise<string> {
  request.sessionId = sessionId;
  const file = join(import.meta.dirname, "dashboard", path, "export/route.ts");
  // Guarantee: the file is a route of Next.
  const { GET } = (await import(/* @vite-ignore */ file)) as { GET: (asked: Request) => Promise<Response> };
  const answer = await GET(new Request(`http://localhost/?${new URLSearchParams(query)}`));
  expect(answer.status).toBe(200);
  return answer.text();
}

/** Without the header; no cell of these tests holds a comma. */
const rowsIn = (text: string): string[][] =>
  text
    .trimEnd()
    .split("\r\n")
    .slice(1)
    .map((line) => line.split(","));
const idsIn = (text: string): (string | undefined)[] => rowsIn(text).map(([id]) => id);

beforeAll(async () => {
  client = await openClient();
  ctx = await client.context();
  [owner, viewer] = [await joined("owner"), await joined("viewer")];
  const held = await MAKERS.heldCharge(client);
  await MAKERS.paidPixCharge(client);
  await MAKERS.vendor(client);
  const seller = await MAKERS.seller(client);
  const sql = systemSql();
  await sql`update charges set review_reason = 'amount_mismatch', review_since = now() where id = ${held}`;
  await holdPayouts(ctx, seller, "=1+1");
  await sql`
    insert into statement_files (id, client_id, merchant_id, provider_id, name, digest, content, verdicts, net, uploaded_by, created_at)
    select ${newId()}, client_id, merchant_id, id, '@file.csv', 'one', 'x', '{"new": 3}', ${BILLED_BACK}, ${newId()}, now()
      from providers where client_id = ${client.clientId} limit 1`;
  await flushRequestLog();
}, 60_000);

test("events, all of them and those of one object", async () => {
  const { items } = await readInbox(ctx, "owner", { limit: MOST_ROWS });
  expect(items.length).toBeGreaterThan(2);
  const rows = items.map((event) => [
    event.id,
    event.createdAt.toISOString(),
    event.name,
    event.entityId,
    String(event.entityVersion),
  ]);
  expect(rowsIn(await fileOf("developers/events"))).toEqual(rows);
  const object = items.at(-1)?.entityId ?? "";
  const own = rows.filter((row) => row[3] === object);
  expect(own.length).toBeLessThan(rows.length);
  expect(rowsIn(await fileOf("developers/events", { object, event: newId(), live: "off" }))).toEqual(own);
});

test("requests with the filters of the list, every one of many pages once", async () => {
  await systemSql()`
    insert into request_logs (id, client_id, request_id, key_kind, method, path, route, status, duration_ms, created_at)
    select gen_random_uuid(), ${client.clientId}, n::text, 'secret', 'PUT', '/v1/many', '/v1/many', 418, 1,
           now() - (n % 3) * interval '1 second' from generate_series(1, ${ROWS_AT_A_TIME * 2 + 1}::int) n`;
  for (const asked of [
    {},
    { method: "PUT" },
    { result: "ok" },
    { q: "/v1/vendors" },
    { q: "many", result: "refused" },
  ]) {
    const filters = { ...asked, search: "q" in asked ? asked.q : undefined };
    // Guarantee: the words above are those of the filters.
    const { items } = await listRequests(ctx, "owner", { ...(filters as object), limit: MOST_ROWS });
    expect(items.length, JSON.stringify(asked)).toBeGreaterThan(0);
    expect(idsIn(await fileOf("developers/requests", asked as Record<string, string>))).toEqual(
      items.map(({ id }) => id),
    );
  }
  const [row] = rowsIn(await fileOf("developers/requests", { method: "PUT" }));
  expect(row?.slice(3)).toEqual(["PUT", "/v1/many", "418", "1", "", "no"]);
});

test("reviews, vendors, plans, holds and statements are those of their pages", async () => {
  const reviews = await listWaiting(ctx, "owner");
  const { items: vendors } = await inSnapshot(ctx, (inside) => listVendors(inside, { page: 1, limit: 100 }));
  const plans = await inSnapshot(ctx, (inside) => plansWithSellers(inside));
  const { items: statements } = await brought(ctx, "owner", {});
  for (const [path, items] of [
    ["reviews", reviews],
    ["sellers/vendors", vendors],
    ["sellers/plans", plans],
    ["finance/statements", statements],
  ] as const) {
    expect(items.length, path).toBeGreaterThan(0);
    expect(idsIn(await fileOf(path)), path).toEqual(items.map(({ id }) => id));
  }
  const holds = await listHolds(ctx, "owner", false);
  expect(holds).toHaveLength(1);
  expect(rowsIn(await fileOf("payouts/holds")).map((row) => row.slice(0, 2))).toEqual(
    holds.map(({ seller }) => [seller.id, seller.name]),
  );
  expect(rowsIn(await fileOf("payouts/holds", { lifted: "yes" }))).toEqual([]);
});

test("no text is a formula, and a negative amount stays a number", async () => {
  expect(await fileOf("payouts/holds")).toContain(",'=1+1,");
  const [row] = rowsIn(await fileOf("finance/statements"));
  expect([row?.[2], row?.slice(-4)]).toEqual(["'@file.csv", ["no", "3", "0", "-123.45"]]);
});

test("documents are for those who see them on the page", async () => {
  const documents = async (sessionId: string) =>
    rowsIn(await fileOf("sellers/vendors", {}, sessionId)).map((row) => row[4]);
  expect(await documents(owner)).toEqual([expect.stringMatching(/\d/)]);
  expect(await documents(viewer)).toEqual([""]);
});

test("the first line is in the person's language, with accents that Excel reads", async () => {
  request.locale = "pt-BR";
  const text = await fileOf("sellers/vendors");
  request.locale = "en";
  expect(text.split("\r\n")[0]).toBe("ID do estabelecimento final,Data de criação,Nome,Referência,Documento,MCC");
});

test("the audit log says who took which list with which filters", async () => {
  await fileOf("developers/requests", { method: "DELETE", after: "x" });
  const [row] = await systemSql()<{ after: unknown }[]>`
    select after from audit_log where client_id = ${client.clientId} and action = 'list.export' order by at desc, id desc limit 1`;
  expect(row?.after).toEqual({ list: "requests", filters: { method: "DELETE" } });
});
