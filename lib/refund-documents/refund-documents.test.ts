import { expect, test } from "vitest";
import { GET } from "@/app/files/refund-documents/[id]/route";
import { systemSql } from "@/db/client";
import { setAccount } from "@/lib/accounts/service";
import { readPdf } from "@/lib/payment-documents/testing";
import { issueForOperator, refundDocumentsView } from "@/lib/refund-documents/operators";
import { openClient } from "@/lib/testing/api";
import type { List } from "@/lib/testing/api-client";
import { payByCard, payByPix, voidIt, withMerchant } from "@/lib/testing/payments";
import { person } from "@/lib/testing/people";

interface Issued {
  id: string;
  format: "pdf" | "zip";
  url: string;
  urlExpiresAt: string;
  refundCount: number;
}

const opened = (url: string, change = (changed: URL) => changed) => {
  const changed = change(new URL(url));
  const id = changed.pathname.split("/").at(-1) ?? "";
  return GET(new Request(changed), { params: Promise.resolve({ id }) });
};
const pdfAt = async (url: string) => readPdf(new Uint8Array(await (await opened(url)).arrayBuffer()));

test("refunds have letters, one each, and one receipt of all; a Pix has the receipt alone; links last a day", {
  timeout: 60_000,
}, async () => {
  const shop = await withMerchant(await openClient());
  const { client } = shop;
  const { body: sale } = await payByCard(shop, { amount: 10_000, capture: true });
  const path = `/v1/charges/${sale.id}/refund-documents`;
  const issue = (type: string, at = path) => client.call<Issued>("POST", at, { body: { type } });
  expect((await issue("receipt")).error).toMatchObject({ businessCode: "refund_not_confirmed" });
  expect((await issue("invoice")).status).toBe(400);
  expect((await issue("receipt", "/v1/charges/00000000-0000-7000-8000-000000000000/refund-documents")).status).toBe(
    404,
  );
  await voidIt(client, sale.id, { amount: 2_500 });
  const letter = await issue("cancellation_letter");
  expect([letter.status, letter.body.format, letter.body.refundCount]).toEqual([201, "pdf", 1]);
  const first = await pdfAt(letter.body.url);
  expect(first.pages).toBe(1);
  expect(first.lines).toContain("Carta de cancelamento");
  expect(first.lines.replace(/\u00a0/g, " ")).toContain("R$ 25,00");

  await voidIt(client, sale.id, { amount: 1_000 });
  await setAccount(client.clientId, { locale: "en" });
  const letters = await issue("cancellation_letter");
  expect([letters.body.format, letters.body.refundCount]).toEqual(["zip", 2]);
  const zip = await opened(letters.body.url);
  expect(zip.headers.get("content-type")).toBe("application/zip");
  const bytes = Buffer.from(await zip.arrayBuffer());
  // Two entries in its directory.
  expect([bytes.readUInt32LE(0), bytes.readUInt16LE(bytes.length - 14)]).toEqual([0x04034b50, 2]);
  const receipt = await issue("receipt");
  const all = (await pdfAt(receipt.body.url)).lines.replace(/\u00a0/g, " ");
  for (const text of ["Refund receipt", "R$25.00", "R$10.00", "R$35.00", "R$65.00"]) expect(all).toContain(text);
  // What was issued in Portuguese stays so, and shows what it showed.
  expect((await pdfAt(letter.body.url)).lines).toBe(first.lines);

  const { items } = await client.make<List<Issued>>("GET", `${path}?order=asc`);
  expect(items.map(({ id }) => id)).toEqual([letter.body.id, letters.body.id, receipt.body.id]);
  const url = letter.body.url;
  expect((await opened(url, (changed) => new URL(`${changed}x`))).status).toBe(404);
  const longer = (changed: URL) => {
    changed.searchParams.set("until", String(Number(changed.searchParams.get("until")) + 1));
    return changed;
  };
  expect((await opened(url, longer)).status).toBe(404);
  await client.make("POST", "/v1/sandbox/clock", { body: { advance: "P1DT1S" } });
  expect((await opened(url)).status).toBe(404);
  const fresh = await client.make<Issued>("GET", `${path}/${letter.body.id}`);
  expect((await opened(fresh.url)).status).toBe(200);

  // From the dashboard, by who may refund, and written down.
  const support = await person(client, "support");
  await issueForOperator(support, "support", sale.id, "receipt");
  const shown = await refundDocumentsView(support, "support", sale.id);
  expect(shown).toMatchObject({ refundCount: 2, types: ["receipt", "cancellation_letter"] });
  expect(shown?.items.map(({ type, format }) => [type, format])).toEqual([
    ["receipt", "pdf"],
    ["receipt", "pdf"],
    ["cancellation_letter", "zip"],
    ["cancellation_letter", "pdf"],
  ]);
  expect((await opened(shown?.items[0]?.url ?? "")).status).toBe(200);
  expect(await refundDocumentsView(support, "viewer", sale.id)).toBeUndefined();
  await expect(issueForOperator(support, "viewer", sale.id, "receipt")).rejects.toMatchObject({ status: 404 });
  const log = await systemSql()`
    select object_id as id from audit_log where client_id = ${client.clientId} and action = 'refund_document.issue'`;
  expect(log.map(({ id }) => id)).toEqual([sale.id]);

  const pix = await payByPix(shop, { amount: 5_000 });
  await client.make("POST", `/v1/sandbox/pix/${pix.body.id}/pay`, { body: {} });
  await voidIt(client, pix.body.id);
  const pixPath = `/v1/charges/${pix.body.id}/refund-documents`;
  expect((await issue("cancellation_letter", pixPath)).error).toMatchObject({
    businessCode: "cancellation_letter_not_available_for_pix",
  });
  expect((await issue("receipt", pixPath)).status).toBe(201);
  expect((await client.call("GET", `${pixPath}/${letter.body.id}`)).status).toBe(404);
});
