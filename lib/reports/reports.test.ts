import { createHash, verify } from "node:crypto";
import { crc32, inflateRawSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { GET as linked } from "@/app/files/reports/[id]/[what]/route";
import { systemSql } from "@/db/client";
import { loadAccount } from "@/lib/accounts/service";
import { canonicalJson } from "@/lib/canonical-json";
import { systemContext } from "@/lib/context";
import { newId } from "@/lib/ids";
import { confirmAddress } from "@/lib/reports/addresses";
import { openReports, runReport } from "@/lib/reports/run";
import { madeReport, newReport, type ReportReply, textOf } from "@/lib/reports/testing";
import { drainDueJobs } from "@/lib/scheduler/drain";
import { openClient } from "@/lib/testing/api";
import type { List } from "@/lib/testing/api-client";
import { sendQueued } from "@/lib/testing/mail";
import { openCustomer, payByCard, payByPix, type Shop, withMerchant } from "@/lib/testing/payments";
import { pause } from "@/lib/wait";

let shop: Shop;
let charges: { id: string; amount: number; status: string; createdAt: string }[];

beforeAll(async () => {
  shop = await withMerchant(await openClient());
  await payByCard(shop, { capture: true, changes: { orderId: "=1+1", description: 'say "no", twice' } });
  await payByCard(shop, { outcome: "decline:insufficient_funds", amount: 777 });
  await payByPix(shop);
  const list = await shop.client.make<List<(typeof charges)[number]>>("GET", "/v1/charges", {
    query: { order: "asc" },
  });
  charges = list.items;
});

const run = async (id: string) => runReport(systemContext(await loadAccount(shop.client.clientId), newId()), id);
const linkIn = (text: string, path: string): URL => {
  const [link] = new RegExp(`https?://[^\\s)]*${path}[^\\s)]*`).exec(text) ?? [];
  return new URL(link ?? "");
};
const follow = async (url: URL) => {
  const [, , , id = "", what = ""] = url.pathname.split("/");
  return linked(new Request(url), { params: Promise.resolve({ id, what }) });
};
const tokenIn = (mails: { template: string; text: string }[]): string =>
  linkIn(mails.find(({ template }) => template === "report-address")?.text ?? "", "/confirm-address/")
    .pathname.split("/")
    .at(-1) ?? "";

describe("a report of payments", () => {
  test("holds the rows of the list, in its columns' order, and says what they come to", async () => {
    const report = await madeReport(shop.client);
    expect(report).toMatchObject({ status: "uploaded", progress: { rows: 3, total: 3 }, awaitingConfirmation: true });
    expect(report.files).toEqual([`${report.id}-1.csv`]);
    const text = await textOf(shop.client, report);
    expect(text).toBe(
      `\uFEFFtransaction id,transaction amount,transaction status\r\n${charges
        .map(({ id, amount, status }) => `${id},${amount},${status}\r\n`)
        .join("")}`,
    );
    const signed = await shop.client.make<Signed>("GET", `/v1/reports/${report.id}/manifest`);
    expect(signed.manifest).toMatchObject({
      rows: 3,
      sums: { transaction__amount: { BRL: charges.reduce((sum, { amount }) => sum + amount, 0) } },
      files: [
        {
          name: `${report.id}-1.csv`,
          rows: 3,
          bytes: Buffer.byteLength(text),
          sha256: createHash("sha256").update(text).digest("hex"),
        },
      ],
      timezone: "America/Sao_Paulo",
      language: "en",
    });
    const key = await shop.client.make<Signed>("GET", "/v1/reports/manifest-key");
    const bytes = Buffer.from(canonicalJson(signed.manifest));
    expect(verify(null, bytes, key.publicKey, Buffer.from(signed.signature, "base64"))).toBe(true);
    expect((await shop.client.make<ReportReply>("GET", `/v1/reports/${report.id}`)).status).toBe("opened");
  });

  test("speaks the caller's language, zone and spreadsheet", async () => {
    const headers = { "accept-language": "pt-BR", "x-user-timezone": "Asia/Tokyo" };
    const report = await madeReport(
      shop.client,
      {
        fields: ["transaction__created_at", "transaction__original_amount", "transaction__order_id", "card__number"],
        filters: { transactionStatus: ["authorized"] },
        delimiter: "semicolon",
        amounts: "decimal",
        bom: false,
      },
      { headers },
    );
    const at = new Date(Date.parse(charges[0]?.createdAt ?? "") + 9 * 3_600_000).toISOString().slice(0, 19);
    expect(await textOf(shop.client, report)).toBe(
      `Data de criação;Valor original;ID do pedido;Cartão\r\n${at}+09:00;105,00;'=1+1;411122******0002\r\n`,
    );
  });

  test("`all` is every column; attempts are rows of their own type", async () => {
    const report = await madeReport(shop.client, { fields: "all" });
    expect(report.fields).toHaveLength(48);
    const attempts = await madeReport(shop.client, {
      type: "transactionsHistory",
      fields: ["transaction__id", "transaction_request__id", "transaction_request__request_type"],
    });
    const rows = (await textOf(shop.client, attempts)).trim().split("\r\n").slice(1);
    const [{ n } = { n: 0 }] = await systemSql()<{ n: number }[]>`
      select count(*)::int as n from transaction_requests where client_id = ${shop.client.clientId}`;
    expect(rows).toHaveLength(n);
  });

  test.each(["receivables", "ledger", "sellers", "customers", "deliveries"])("%s have rows too", async (type) => {
    const report = await madeReport(shop.client, { type, fields: "all" });
    expect(["uploaded", "empty"]).toContain(report.status);
    if (type === "ledger" || type === "customers") expect(report.progress.rows).toBeGreaterThan(0);
  });

  test("an archive and a workbook hold the same", async () => {
    const fields = ["transaction__id", "transaction__amount", "transaction__order_id"];
    const report = await madeReport(shop.client, { fields });
    const text = await textOf(shop.client, report);
    const zip = await shop.client.call("GET", `/v1/reports/${report.id}/files.zip`);
    expect(unzipped(zip.bytes)).toEqual(new Map([[`${report.id}-1.csv`, text]]));
    const book = await madeReport(shop.client, { fields, format: "xlsx", amounts: "decimal" });
    const file = await shop.client.call("GET", `/v1/reports/${book.id}/files/1`);
    const parts = unzipped(file.bytes);
    const sheet = parts.get("xl/worksheets/sheet1.xml") ?? "";
    expect(sheet).toMatch(/<c r="B\d"><v>105<\/v><\/c><c r="C\d" t="inlineStr"><is><t>=1\+1<\/t><\/is><\/c>/);
    expect(sheet).not.toContain("<f>");
    expect(sheet.match(/<row /g)).toHaveLength(4);
    const { manifest } = await shop.client.make<Signed>("GET", `/v1/reports/${book.id}/manifest`);
    const sha256 = createHash("sha256").update(file.bytes).digest("hex");
    expect(manifest.files).toMatchObject([{ name: `${book.id}-1.xlsx`, rows: 3, bytes: file.bytes.length, sha256 }]);
  });

  test("without a matching row it is empty, and its e-mail says so", async () => {
    const client = await openClient();
    const report = await madeReport(client, { filters: { transactionStatus: ["charged_back"] } });
    expect(report).toMatchObject({ status: "empty", files: [], progress: { rows: 0 } });
    const mails = await sendQueued(client.clientId);
    await confirmAddress(tokenIn(mails));
    const [ready] = await sendQueued(client.clientId);
    expect(ready?.subject).toBe("Report without rows: Payments");
    expect((await client.call("GET", `/v1/reports/${report.id}/files/1`)).status).toBe(404);
  });
});

/** By the directory at its end, as readers of archives do. */
function unzipped(bytes: Uint8Array): Map<string, string> {
  const zip = Buffer.from(bytes);
  const end = zip.lastIndexOf(Buffer.from("PK\x05\x06"));
  const found = new Map<string, string>();
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const [crc, packed, size] = [16, 20, 24].map((place) => zip.readUInt32LE(at + place)) as [number, number, number];
    const [name, extra, comment] = [28, 30, 32].map((place) => zip.readUInt16LE(at + place)) as [
      number,
      number,
      number,
    ];
    const local = zip.readUInt32LE(at + 42);
    const begins = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const content = inflateRawSync(zip.subarray(begins, begins + packed));
    expect([content.length, crc32(content)]).toEqual([size, crc]);
    found.set(zip.subarray(at + 46, at + 46 + name).toString(), content.toString());
    at += 46 + name + extra + comment;
  }
  return found;
}

interface Signed {
  manifest: Record<string, unknown>;
  signature: string;
  publicKey: string;
}

test("the e-mail waits for its address, comes once, and its link needs no key", async () => {
  const client = shop.client;
  await sendQueued(client.clientId);
  const report = await madeReport(client, { sendTo: "Other@Example.com" }, { headers: { "accept-language": "pt" } });
  const asked = await sendQueued(client.clientId);
  expect(asked.map(({ template }) => template)).toEqual(["report-address"]);
  await madeReport(client, { sendTo: "other@example.com" });
  expect(await sendQueued(client.clientId)).toEqual([]);
  await confirmAddress(tokenIn(asked));
  await confirmAddress(tokenIn(asked));
  await run(report.id);
  const mails = await sendQueued(client.clientId);
  expect(mails.map(({ to }) => to)).toEqual(["other@example.com", "other@example.com"]);
  expect(mails.map(({ subject }) => subject).sort()).toEqual([
    "Relatório pronto: Pagamentos",
    "Report ready: Payments",
  ]);
  expect(await client.make("GET", `/v1/reports/${report.id}`)).toMatchObject({
    status: "sent",
    awaitingConfirmation: false,
  });
  const link = linkIn(mails.find(({ text }) => text.includes(report.id))?.text ?? "", "/files/reports/");
  expect(await (await follow(link)).text()).toContain("ID da cobrança");
  expect((await client.make<ReportReply>("GET", `/v1/reports/${report.id}`)).status).toBe("opened");
  const wrong = new URL(link);
  wrong.searchParams.set("token", "A".repeat(43));
  expect((await follow(wrong)).status).toBe(404);
  await expect(confirmAddress("A".repeat(43))).rejects.toThrow("link not found");
  // A later one needs no confirmation any more.
  expect((await madeReport(client, { sendTo: "other@example.com" })).status).toBe("sent");
});

test("a report that is asked for while its address is confirmed waits for no other link", async () => {
  const { client } = shop;
  const body = newReport({ sendTo: "late@example.com" });
  await client.make("POST", "/v1/reports", { body });
  let asked: Promise<ReportReply> | undefined;
  await systemSql().begin(async (sql) => {
    await sql`update report_addresses set confirmed_at = now()
               where client_id = ${client.clientId} and email = 'late@example.com'`;
    asked = client.make<ReportReply>("POST", "/v1/reports", { body });
    const isHeldUp = async () =>
      (
        await sql`select 1 from pg_locks l join pg_stat_activity a on a.pid = l.pid
                   where a.datname = current_database() and not l.granted`
      ).length;
    while (!(await isHeldUp())) await pause(10);
  });
  expect((await asked)?.awaitingConfirmation).toBe(false);
});

describe("bad input", () => {
  const refused = async (changes: Record<string, unknown>, headers: Record<string, string> = {}) => {
    const { status, error } = await shop.client.call("POST", "/v1/reports", { body: newReport(changes), headers });
    return [status, error?.businessCode ?? error?.details.join()];
  };
  test.each<[string, Record<string, unknown>, string]>([
    ["an unknown field", { fields: ["transaction__id", "nope"] }, "fields.1: is not a field of this type"],
    ["a field twice", { fields: ["transaction__id", "transaction__id"] }, "fields.1: given more than once"],
    ["no field", { fields: [] }, "fields: must be all or a list of fields"],
    ["an unknown type", { type: "orders" }, expect.stringContaining("type: must be one of transactions")],
    ["a header in the address", { sendTo: "a@b.example\r\nBcc: x@y.example" }, "sendTo: must be an e-mail address"],
    ["two addresses", { sendTo: "a@b.example,c@d.example" }, "sendTo: must be an e-mail address"],
    [
      "more than 366 days",
      { filters: { transactionCreatedAt: { gte: "2025-01-01", lte: "2026-01-02" } } },
      "filters.transactionCreatedAt: must span at most 366 days",
    ],
    [
      "a span that ends before it begins",
      { filters: { transactionCreatedAt: { gte: "2026-02-01", lte: "2026-01-01" } } },
      "filters.transactionCreatedAt.lte: must not be before gte",
    ],
    [
      "a span that begins before all years",
      { filters: { transactionCreatedAt: { lte: "0001-01-01" } } },
      "filters.transactionCreatedAt: must lie between the years 1 and 9999",
    ],
    ["an unknown status", { filters: { transactionStatus: ["gone"] } }, expect.stringContaining("transactionStatus")],
    ["a foreign merchant", { filters: { transactionMerchantId: newId() } }, "merchant_not_found"],
    ["a foreign provider", { filters: { transactionProviderId: newId() } }, "provider_not_found"],
  ])("%s is told, and nothing is sent", async (_, changes, why) => {
    expect(await refused(changes)).toEqual([400, why]);
  });

  test.each(["Mars/Phobos", "+03:00", "America/Sao_Paulo'"])("%s is no zone", async (zone) => {
    expect(await refused({}, { "x-user-timezone": zone })).toEqual([
      400,
      "X-User-Timezone: must be a name of the tz database",
    ]);
  });
});

test("a public key exports what it made, without personal data, to a confirmed address", async () => {
  const client = shop.client;
  const key = await client.publicKey(["reports", "charges"]);
  const asked = (changes: Record<string, unknown>) =>
    client.call<ReportReply>("POST", "/v1/reports", { key, body: newReport(changes) });
  expect((await asked({ sendTo: "stranger@example.com" })).status).toBe(403);
  expect((await asked({ type: "ledger", fields: "all", sendTo: "other@example.com" })).status).toBe(403);
  const personal = await asked({ sendTo: "other@example.com", fields: ["customer__email"] });
  expect(personal.error?.details).toEqual(["fields: customer__email is personal: the key may not read it"]);
  await systemSql()`
    insert into report_addresses (id, client_id, email, digest, expires_at, confirmed_at, created_at)
    values (${newId()}, ${client.clientId}, 'key@example.com', ${Buffer.from(newId())}, now(), now(), now())`;
  const { body } = await asked({ sendTo: "key@example.com", fields: "all" });
  expect(body.fields.filter((field) => /^(customer|card__holder)/.test(field))).toEqual([]);
  await run(body.id);
  expect(await client.make("GET", `/v1/reports/${body.id}`, { key })).toMatchObject({ status: "empty" });
  const opened = await client.make("POST", "/v1/auth", { body: { scope: "reports", reportsPersonal: true } });
  const mayRead = { key: String(opened.publicKey), body: newReport({ sendTo: "key@example.com", fields: "all" }) };
  expect((await client.make<ReportReply>("POST", "/v1/reports", mayRead)).fields).toContain("customer__email");
  const others = await client.call("GET", "/v1/reports", { key });
  expect((others.body as unknown as List).items.map(({ id }) => id)).toEqual([body.id]);
  const foreign = await madeReport(client);
  expect((await client.call("GET", `/v1/reports/${foreign.id}/files/1`, { key })).status).toBe(404);
});

describe("the work", () => {
  test("two of an account run at once, the third waits and is woken", async () => {
    shop = await withMerchant(await openClient());
    const { client } = shop;
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) ids.push((await client.make("POST", "/v1/reports", { body: newReport() })).id);
    const leased = (status: string) => systemSql()`
      update reports set status = ${status}, lease_until = now() + interval '1 minute', attempts = 1
       where id = any(${ids.slice(0, 2)}::uuid[])`;
    await systemSql()`update reports set status = 'pending' where id = any(${ids.slice(0, 2)}::uuid[])`;
    await leased("processing");
    await run(ids[2] ?? "");
    expect((await client.make<ReportReply>("GET", `/v1/reports/${ids[2]}`)).status).toBe("pending");
    expect((await client.call("GET", `/v1/reports/${ids[2]}/files/1`)).error?.businessCode).toBe("report_not_ready");
    await systemSql()`update reports set lease_until = now() - interval '1 second' where id = ${ids[0] ?? ""}`;
    expect((await openReports()).map(({ id }) => id)).toEqual(expect.arrayContaining([ids[0], ids[2]]));
    await run(ids[0] ?? "");
    const [told] = await systemSql()`
      select from outbox where name = 'reports/report.requested' and data ->> 'reportId' = ${ids[2] ?? ""} and id > ${ids[2] ?? ""}
      offset 1`;
    expect(told).toBeDefined();
    await run(ids[2] ?? "");
    expect((await client.make<ReportReply>("GET", `/v1/reports/${ids[2]}`)).status).toBe("empty");
  });

  test("a canceled one stays so, whoever was writing it", async () => {
    const client = shop.client;
    const { id } = await client.make("POST", "/v1/reports", { body: newReport() });
    expect((await client.call("DELETE", `/v1/reports/${id}`)).status).toBe(204);
    await run(id);
    expect((await client.make<ReportReply>("GET", `/v1/reports/${id}`)).status).toBe("canceled");
  });

  test("one that is written when its time is over is erased too", async () => {
    const client = (await withMerchant(await openClient())).client;
    await openCustomer(client);
    const body = newReport({ type: "customers", fields: ["customer__id"] });
    const { id } = await client.make("POST", "/v1/reports", { body });
    await client.make("POST", "/v1/sandbox/clock", { body: { advance: "P31D" } });
    await drainDueJobs();
    await runReport(await client.context(), id);
    await drainDueJobs();
    expect((await client.make<ReportReply>("GET", `/v1/reports/${id}`)).status).toBe("expired");
  });

  test("after thirty days its files are gone, and that is said", async () => {
    const client = (await withMerchant(await openClient())).client;
    await openCustomer(client);
    const report = await madeReport(client, { type: "customers", fields: ["customer__name"] });
    await client.make("POST", "/v1/sandbox/clock", { body: { advance: "P31D" } });
    await drainDueJobs();
    expect((await client.make<ReportReply>("GET", `/v1/reports/${report.id}`)).status).toBe("expired");
    const { status, error } = await client.call("GET", `/v1/reports/${report.id}/files/1`);
    expect([status, error?.businessCode]).toEqual([410, "report_expired"]);
    const [{ n } = { n: 0 }] = await systemSql()<{ n: number }[]>`
      select count(*)::int as n from stored_files where client_id = ${client.clientId} and expires_at is null`;
    expect(n).toBe(0);
  });
});
