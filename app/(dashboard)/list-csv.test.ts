import { join } from "node:path";
import { createFormatter, createTranslator } from "next-intl";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { csvFile, csvTable, ROWS_AT_A_TIME } from "@/app/(dashboard)/list-csv";
import { systemSql } from "@/db/client";
import type { Context } from "@/lib/context";
import { inSnapshot } from "@/lib/context";
import { type HoldPosition, listHolds } from "@/lib/finance/holds";
import { brought } from "@/lib/finance/statements";
import { runReplay } from "@/lib/flows/replays/service";
import { flushRequestLog } from "@/lib/http/request-log";
import { messages } from "@/lib/i18n/messages";
import { newId } from "@/lib/ids";
import { listWaiting, type WaitingPosition, waitingAfter } from "@/lib/insights/waiting";
import { holdPayouts } from "@/lib/payouts/holds";
import { zonedInstant } from "@/lib/reports/cells";
import { listRequests } from "@/lib/request-logs/queries";
import { type PlanPosition, plansWithSellers } from "@/lib/sale-plans/queries";
import { openReviews } from "@/lib/sellers/operator-queries";
import { openClient, type TestClient } from "@/lib/testing/api";
import { MAKERS, reviewPlace } from "@/lib/testing/fuzz/world";
import { addProvider, payByCard, voidIt, withMerchant } from "@/lib/testing/payments";
import { signedIn } from "@/lib/testing/people";
import { DAY_SECONDS } from "@/lib/time";
import { listVendors, type VendorRow, vendorsAfter } from "@/lib/vendors/queries";
import { readInbox } from "@/lib/webhooks/inbox";

const request = vi.hoisted(() => ({ sessionId: undefined as string | undefined, locale: "en" as "en" | "pt-BR" }));

vi.mock("@/app/(auth)/auth", () => ({ auth: async () => ({ sessionId: request.sessionId }) }));
vi.mock("next/headers", () => ({
  headers: async () => new Headers({ host: "elsewhere" }),
  cookies: async () => ({ get: () => undefined, set: () => undefined }),
}));
vi.mock("next-intl/server", () => ({
  getLocale: async () => request.locale,
  getTimeZone: async () => "America/Sao_Paulo",
  getFormatter: async () => createFormatter({ locale: request.locale, timeZone: "America/Sao_Paulo" }),
  getTranslations: async (namespace: never) =>
    createTranslator({ locale: request.locale, messages: messages[request.locale], namespace }),
}));

const BILLED_BACK = -12_345;
/** More than any list holds. */
const ALL = 10_000;

let client: TestClient;
let ctx: Context;
let owner: string;
let viewer: string;
let stranger: string;

async function fileOf(path: string, query: Record<string, string> = {}, sessionId = owner): Promise<string> {
  request.sessionId = sessionId;
  const file = join(import.meta.dirname, "dashboard", path, "export/route.ts");
  // Guarantee: the file is a route of Next.
  const { GET } = (await import(/* @vite-ignore */ file)) as { GET: (asked: Request) => Promise<Response> };
  const answer = await GET(new Request(`http://localhost/?${new URLSearchParams(query)}`));
  expect(answer.status).toBe(200);
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(await answer.arrayBuffer());
}

/** Without the header; no cell of these tests holds a comma. */
const rowsIn = (text: string): string[][] =>
  text
    .trimEnd()
    .split("\r\n")
    .slice(1)
    .map((line) => line.split(","));
const idsIn = (text: string): (string | undefined)[] => rowsIn(text).map(([id]) => id);

/** One row of every list. */
async function fill(of: TestClient): Promise<void> {
  const held = await MAKERS.heldCharge(of);
  await MAKERS.paidPixCharge(of);
  await MAKERS.vendor(of);
  const seller = await MAKERS.seller(of);
  await reviewPlace(of);
  const sql = systemSql();
  await sql`update charges set review_reason = 'amount_mismatch', review_since = now() where id = ${held}`;
  await holdPayouts(await of.context(), seller, "=1+1");
  await sql`
    insert into statement_files (id, client_id, merchant_id, provider_id, name, digest, content, verdicts, net, uploaded_by, created_at)
    select ${newId()}, client_id, merchant_id, id, '@file.csv', ${newId()}, 'x', '{"new": 3}', ${BILLED_BACK}, ${newId()}, now()
      from providers where client_id = ${of.clientId} limit 1`;
}

beforeAll(async () => {
  const other = await openClient();
  client = await openClient();
  ctx = await client.context();
  [owner, viewer, stranger] = [
    await signedIn(client, "owner"),
    await signedIn(client, "viewer"),
    await signedIn(other, "owner"),
  ];
  await fill(client);
  await fill(other);
  await flushRequestLog();
}, 60_000);

test("events, all of them and those of one object", async () => {
  const { items } = await readInbox(ctx, "owner", { limit: ALL });
  expect(items.length).toBeGreaterThan(2);
  const rows = items.map((event) => [
    event.id,
    zonedInstant("America/Sao_Paulo")(event.createdAt.getTime()),
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
    const { items } = await listRequests(ctx, "owner", { ...(filters as object), limit: ALL });
    expect(items.length, JSON.stringify(asked)).toBeGreaterThan(0);
    expect(idsIn(await fileOf("developers/requests", asked as Record<string, string>))).toEqual(
      items.map(({ id }) => id),
    );
  }
  const [row] = rowsIn(await fileOf("developers/requests", { method: "PUT" }));
  expect(row?.slice(3)).toEqual(["PUT", "/v1/many", "418", "1", "", "no"]);
});

test("reviews, vendors, plans, holds, statements and registration reviews are those of their pages", async () => {
  const { items: reviews } = await listWaiting(ctx, "owner");
  const { items: vendors } = await inSnapshot(ctx, (inside) => listVendors(inside, { page: 1, limit: 100 }));
  const { items: plans } = await inSnapshot(ctx, (inside) => plansWithSellers(inside));
  const { items: statements } = await brought(ctx, "owner", {});
  const { items: asked } = await openReviews(ctx, "owner");
  for (const [path, items] of [
    ["reviews", reviews],
    ["sellers/vendors", vendors],
    ["sellers/plans", plans],
    ["sellers/reviews", asked],
    ["finance/statements", statements],
  ] as const) {
    expect(items.length, path).toBeGreaterThan(0);
    expect(idsIn(await fileOf(path)), path).toEqual(items.map(({ id }) => id));
  }
  const { items: holds } = await listHolds(ctx, "owner", false);
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
  expect(text.split("\r\n")[0]).toBe("\uFEFFID do estabelecimento final;Data de criação;Nome;Referência;Documento;MCC");
});

test("a file is named in the person's language", async () => {
  const named = async (locale: "en" | "pt-BR") => {
    request.locale = locale;
    const file = {
      name: "payments",
      now: new Date("2026-11-30T12:00:00Z"),
      columns: [],
      page: async () => ({ items: [] }),
    };
    const { headers } = await csvTable(file);
    request.locale = "en";
    return headers.get("content-disposition");
  };
  expect(await named("pt-BR")).toBe('attachment; filename="pagamentos-2026-11-30.csv"');
  expect(await named("en")).toBe('attachment; filename="payments-2026-11-30.csv"');
});

describe("a file has the form of the person's reports:", () => {
  const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}-03:00$/;
  const BRAZILIAN = /^\d{2}\/\d{2}\/\d{4} \d{2}:\d{2}:\d{2}$/;
  let sessionId: string;
  const inWords = async (locale: "en" | "pt-BR", path: string, of = sessionId): Promise<string[]> => {
    request.locale = locale;
    const text = await fileOf(path, {}, of);
    request.locale = "en";
    return text.trimEnd().split("\r\n");
  };

  beforeAll(async () => {
    const shop = await withMerchant(await openClient());
    sessionId = await signedIn(shop.client, "owner");
    const { id } = (await payByCard(shop, { amount: 123_456, capture: true, changes: { orderId: "=1;2" } })).body;
    await voidIt(shop.client, id, { amount: 1_005 });
  });

  test("in Portuguese semicolons and decimal commas, in English commas and points", async () => {
    const [head, row = ""] = await inWords("pt-BR", "payments");
    expect(head).toBe(
      "\uFEFFID do pagamento;Data de criação;Situação;Data da captura;Valor;Valor capturado;Valor reembolsado;" +
        "Valor contestado;Moeda;Meio;Cartão;Parcelas;Nome do comprador;E-mail do comprador;Documento;Pedido;" +
        "Estabelecimento;Provedor;Nome do provedor;NSU;Código de recusa;Motivo da recusa;ID do link",
    );
    const cells = row.split(";");
    const moment = expect.stringMatching(MOMENT);
    const brazilian = expect.stringMatching(BRAZILIAN);
    expect(cells.slice(1, 9)).toEqual([brazilian, "Pago", brazilian, "1234,56", "1234,56", "10,05", "0,00", "BRL"]);
    expect(cells.at(-4)).toMatch(/^\d+$/);
    expect(row).toContain(`;"'=1;2";`);
    const [english, inEnglish = ""] = await inWords("en", "payments");
    expect(english).toMatch(
      /^\uFEFFpayment id,created at,status,captured at,amount,captured amount,refunded amount,charged back amount,currency,/,
    );
    expect(inEnglish.split(",").slice(1, 7)).toEqual([moment, "Paid", moment, "1234.56", "1234.56", "10.05"]);
    expect(inEnglish).toContain(",'=1;2,");
  });

  test("also below nothing, and in other lists", async () => {
    const [, statement = ""] = await inWords("pt-BR", "finance/statements", owner);
    expect(statement.split(";").at(-1)).toBe("-123,45");
    const [head, entry = ""] = await inWords("pt-BR", "audit");
    expect(head).toMatch(/^\uFEFFData;ID do autor;Autor;Ação;/);
    expect(entry.split(";")[0]).toMatch(BRAZILIAN);
  });
});

test("what a replay decides otherwise, in the words of who takes it", async () => {
  const shop = await withMerchant(await openClient());
  const { client, merchant } = shop;
  const first = merchant.providerId;
  const second = await addProvider(shop, { name: "Second", priority: 2 });
  const flow = (root: { rule: string; id: string }[], status: string) =>
    client.make<{ id: string }>("POST", "/v1/flows", {
      body: { name: "Cards", paymentMethod: "credit", merchantId: merchant.id, status, flow: { root } },
    });
  await flow([{ rule: "provider", id: first }], "active");
  const { id } = (await payByCard(shop, { amount: 123_456 })).body;
  const draft = await flow([{ rule: "provider", id: second }], "draft");
  const [since, until] = [-1, 1].map((days) => new Date(Date.now() + days * DAY_SECONDS * 1_000).toISOString());
  const replay = await client.make<{ id: string }>("POST", `/v1/flows/${draft.id}/replays`, { body: { since, until } });
  await runReplay(await client.context(), replay.id);
  const sessionId = await signedIn(client, "owner");
  request.locale = "pt-BR";
  const text = await fileOf("flows", { flow: draft.id, replay: replay.id }, sessionId);
  request.locale = "en";
  const [head = "", row = ""] = text.trimEnd().split("\r\n");
  expect(head).toMatch(/^\uFEFFID do pagamento;Data de criação;.*;Maior aprovação esperada$/);
  const cells = row.split(";");
  expect([cells[0], cells[3], cells[4], cells[7]]).toEqual([id, "1234,56", "BRL", "sim"]);
  expect(cells.slice(9)).toEqual(["Second", "Second", "Pagamentos insuficientes para estimar", "", ""]);
});

test("the audit log says who took which list with which filters", async () => {
  await fileOf("developers/requests", { method: "DELETE", after: "x" });
  const [row] = await systemSql()<{ after: unknown }[]>`
    select after from audit_log where client_id = ${client.clientId} and action = 'list.export' order by at desc, id desc limit 1`;
  expect(row?.after).toEqual({ list: "requests", filters: { method: "DELETE" } });
});

const LISTS = [
  "developers/events",
  "developers/requests",
  "finance/statements",
  "payouts/holds",
  "reviews",
  "sellers/plans",
  "sellers/reviews",
  "sellers/vendors",
] as const;

test.each(LISTS)("another account's rows are in no file: %s", async (path) => {
  const [own, others] = [idsIn(await fileOf(path)), idsIn(await fileOf(path, {}, stranger))];
  expect(own.length).toBeGreaterThan(0);
  expect(others.length).toBeGreaterThan(0);
  expect(own.filter((id) => others.includes(id))).toEqual([]);
});

/** Read a row at a time, each page from where the one before it ended. */
async function walked<Item, Position>(
  page: (after: Position | undefined) => Promise<{ items: Item[]; next: Position | undefined }>,
): Promise<Item[]> {
  const found: Item[] = [];
  let after: Position | undefined;
  do {
    const { items, next } = await page(after);
    found.push(...items);
    after = next;
  } while (after !== undefined);
  return found;
}

test("a list read a row at a time is the list, also where rows tell nothing apart but their ids", async () => {
  const sql = systemSql();
  const { clientId } = client;
  await sql`
    insert into vendors
    select (jsonb_populate_record(null::vendors, to_jsonb(t) || jsonb_build_object('id', gen_random_uuid(), 'reference_id', n))).*
      from (select * from vendors where client_id = ${clientId} limit 1) t, generate_series(1, 4) n`;
  await sql`
    insert into sale_plans
    select (jsonb_populate_record(null::sale_plans, to_jsonb(t) || jsonb_build_object('id', gen_random_uuid(),
             'is_default', false, 'name', case when n < 3 then 'Ágio' else 'zero' end))).*
      from (select * from sale_plans where client_id = ${clientId} limit 1) t, generate_series(1, 4) n`;
  const [sellers, since] = [[await MAKERS.seller(client), await MAKERS.seller(client)], "2026-01-02T03:04:05Z"];
  for (const id of sellers) await holdPayouts(ctx, id, "a reason");
  await sql`update payout_holds set created_at = ${since} where client_id = ${clientId}`;
  await sql`update sellers set transfers_held_until = '2999-01-01' where client_id = ${clientId}`;
  await reviewPlace(client);
  await sql`update seller_reviews set deadline = '2999-01-01' where client_id = ${clientId}`;
  const more = [await MAKERS.heldCharge(client), await MAKERS.heldCharge(client)];
  await sql`update charges set review_reason = 'no_answer', review_since = ${since} where id in ${sql(more)}`;

  const limit = 1;
  const inside = <T>(read: (inside: Context) => Promise<T>) => inSnapshot(ctx, read);
  for (const [name, whole, apart] of [
    [
      "vendors",
      (await inside((tx) => listVendors(tx, { page: 1, limit: 100, order: "desc" }))).items,
      await walked<VendorRow, VendorRow>((after) => inside((tx) => vendorsAfter(tx, { after, limit }))),
    ],
    [
      "plans",
      (await inside((tx) => plansWithSellers(tx))).items,
      await walked((after: PlanPosition | undefined) => inside((tx) => plansWithSellers(tx, { after, limit }))),
    ],
    [
      "holds",
      (await listHolds(ctx, "owner", false)).items,
      await walked((after: HoldPosition | undefined) => listHolds(ctx, "owner", false, { after, limit })),
    ],
    [
      "registration reviews",
      (await openReviews(ctx, "owner")).items,
      await walked((after: string | undefined) => openReviews(ctx, "owner", { after, limit })),
    ],
    [
      "reviews",
      (await listWaiting(ctx, "owner")).items,
      await walked((after: WaitingPosition | undefined) => waitingAfter(ctx, "owner", { after, limit })),
    ],
  ] as const) {
    expect(whole.length, name).toBeGreaterThan(1);
    expect(apart, name).toEqual(whole);
  }
  expect((await listWaiting(ctx, "owner", 1)).isCut).toBe(true);
});

test("a long list is in the file to its last row", async () => {
  const rows = 100_500;
  await systemSql()`
    insert into request_logs (id, client_id, request_id, key_kind, method, path, route, status, duration_ms, created_at)
    select gen_random_uuid(), ${client.clientId}, n::text, 'secret', 'PATCH', '/v1/long', '/v1/long', 200, 1,
           now() - n * interval '1 ms' from generate_series(1, ${rows}::int) n`;
  const text = await fileOf("developers/requests", { q: "/v1/long" });
  expect(new Set(idsIn(text)).size).toBe(rows);
}, 60_000);

test("a page is read when the one before it was taken", async () => {
  let read = 0;
  const file = csvFile<number>({
    name: "endless",
    head: "n\r\n",
    async page() {
      read += 1;
      return { text: `${read}\r\n`, next: read };
    },
  });
  const reader = file.body?.getReader();
  for (let taken = 0; taken < 3; taken++) await reader?.read();
  expect(read).toBeLessThanOrEqual(4);
  await reader?.cancel();
});
