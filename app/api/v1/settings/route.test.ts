import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { newId } from "@/lib/ids";
import { fileStore } from "@/lib/storage/storage";
import { openClient, openMerchant, type TestClient } from "@/lib/testing/api";
import type { Body } from "@/lib/testing/api-client";

const COLOURS = {
  mainColor: "#1B4DFF",
  SecondaryColor: "#0B1F66",
  attentionColor: "#F5A623",
  errorColor: "#D0021B",
  successColor: "#1E9E5A",
  backgroundColor: "#FFF",
};
const PATH = "/v1/settings";

const picture = (width = 300, height = 100) =>
  sharp({ create: { width, height, channels: 4, background: { r: 20, g: 80, b: 255, alpha: 0.5 } } });
const png = (width?: number, height?: number) => picture(width, height).png().toBuffer();

function formOf(fields: Record<string, string>, logo?: Buffer): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  if (logo) form.set("logo", new Blob([new Uint8Array(logo)]), "../../logo.svg");
  return form;
}
const of = (merchantId: string) => ({ headers: { "x-merchant-id": merchantId } });

async function storedLogo(body: Body): Promise<Buffer> {
  const [, name] = /^http:\/\/trilho\.test\/files\/logo\/([0-9a-f]{32}\.(?:png|jpg))$/.exec(String(body.logo)) ?? [];
  const bytes = await fileStore().get(`logo/${name}`);
  if (!bytes) throw new Error("no logo is stored there");
  return bytes;
}

describe("POST /v1/settings", () => {
  test("201: as JSON, the whole object", async () => {
    const client = await openClient();
    const { status, body } = await client.call("POST", PATH, {
      body: { ...COLOURS, companyUrl: "https://example.com" },
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      clientId: client.clientId,
      ...COLOURS,
      logo: null,
      companyUrl: "https://example.com",
      mastercardClickToPayDpaid: null,
      merchantId: "",
    });
  });

  test("201: as multipart, with a logo that is written anew under a name of ours", async () => {
    const client = await openClient();
    const { id: merchantId } = await openMerchant(client);
    const sent = await png();
    const raw = formOf({ ...COLOURS, mastercardClickToPayDpaid: "dpa-1" }, sent);
    const { status, body } = await client.call("POST", PATH, { raw, ...of(merchantId) });
    expect(status).toBe(201);
    expect(body).toMatchObject({ ...COLOURS, merchantId, mastercardClickToPayDpaid: "dpa-1" });
    const stored = await storedLogo(body);
    expect(stored.equals(sent)).toBe(false);
    expect(await sharp(stored).metadata()).toMatchObject({ format: "png", width: 300, height: 100 });
  });

  test("201: a second one in the same scope replaces all of the first, and keeps its id", async () => {
    const client = await openClient();
    const first = await client.make("POST", PATH, {
      raw: formOf({ ...COLOURS, companyUrl: "https://a.example" }, await png()),
    });
    const second = await client.make("POST", PATH, { body: { mainColor: "#000" } });
    expect(second).toMatchObject({ id: first.id, mainColor: "#000", logo: null, companyUrl: null });
    expect(second.SecondaryColor).not.toBe(COLOURS.SecondaryColor);
    expect(await systemSql()`select from link_settings where client_id = ${client.clientId}`).toHaveLength(1);
    const [left] = await systemSql()`select expires_at > now() + interval '80 days' as is_kept from stored_files
                                     where client_id = ${client.clientId}`;
    expect(left?.is_kept).toBe(true);
  });

  test("201: secondaryColor is read too, SecondaryColor wins, empty texts are as if not sent", async () => {
    const client = await openClient();
    expect((await client.make("POST", PATH, { body: { secondaryColor: "#123456" } })).SecondaryColor).toBe("#123456");
    const both = { secondaryColor: "#123456", SecondaryColor: "#abcdef", companyUrl: "", mainColor: "" };
    expect(await client.make("POST", PATH, { body: both })).toMatchObject({
      SecondaryColor: "#abcdef",
      companyUrl: null,
    });
  });

  test("201: a repeat with its key is answered the same bytes, another logo under it is refused", async () => {
    const client = await openClient();
    const [logo, other] = [await png(), await png(50, 50)];
    const call = (bytes: Buffer) => client.call("POST", PATH, { raw: formOf(COLOURS, bytes), idempotencyKey: "look" });
    const first = await call(logo);
    const again = await call(logo);
    expect([again.status, again.text, again.headers.get("idempotent-replayed")]).toEqual([201, first.text, "true"]);
    expect((await call(other)).error).toMatchObject({ code: 409, businessCode: "idempotency_key_payload_mismatch" });
  });

  test("201: twenty at once leave one setting and one logo in use", async () => {
    const client = await openClient();
    const logos = await Promise.all(Array.from({ length: 10 }, (_, n) => png(20 + n, 20)));
    const replies = await Promise.all(logos.map((logo) => client.call("POST", PATH, { raw: formOf({}, logo) })));
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 201));
    expect(await systemSql()`select from link_settings where client_id = ${client.clientId}`).toHaveLength(1);
    expect(
      await systemSql()`select from stored_files where client_id = ${client.clientId} and expires_at is null`,
    ).toHaveLength(1);
  });

  test.each([
    [{ mainColor: "red" }, "mainColor"],
    [{ errorColor: "#12345" }, "errorColor"],
    [{ backgroundColor: "#fff;}body{display:none" }, "backgroundColor"],
    [{ mainColor: "url(javascript:alert(1))" }, "mainColor"],
    [{ companyUrl: "http://example.com" }, "companyUrl"],
    [{ companyUrl: "javascript:alert(1)" }, "companyUrl"],
    [{ companyUrl: "//evil.example" }, "companyUrl"],
    [{ companyUrl: "https://user:pass@example.com" }, "companyUrl"],
    [{ companyUrl: "https:/\\evil.example" }, "companyUrl"],
    [{ mainColor: 7 }, "mainColor"],
  ])("400: %j", async (body, member) => {
    const { error } = await (await openClient()).call("POST", PATH, { body });
    expect(error).toMatchObject({ code: 400, type: "bad_request", details: [expect.stringContaining(member)] });
  });

  test("400: a merchant that is not one's own, and what is no id", async () => {
    const client = await openClient();
    const { id: foreign } = await openMerchant(await openClient());
    for (const id of [foreign, newId()]) {
      const { error } = await client.call("POST", PATH, { body: COLOURS, ...of(id) });
      expect(error).toMatchObject({ code: 400, businessCode: "merchant_not_found" });
    }
    expect((await client.call("POST", PATH, { body: COLOURS, ...of("x") })).error).toMatchObject({
      code: 400,
      details: ["X-Merchant-Id: must be a uuid"],
    });
  });

  test("413 and 415: four megabytes as a form, 256 kB as JSON, and nothing else", async () => {
    const client = await openClient();
    const send = (raw: BodyInit, type?: string) =>
      client.call("POST", PATH, { raw, ...(type ? { headers: { "content-type": type } } : {}) });
    const large = new Blob([new Uint8Array(4 * 1024 * 1024)]);
    const form = new FormData();
    form.set("logo", large, "a.png");
    expect((await send(form)).status).toBe(413);
    expect((await send(JSON.stringify({ mainColor: "x".repeat(300_000) }), "application/json")).status).toBe(413);
    expect((await send("mainColor=%23fff", "application/x-www-form-urlencoded")).status).toBe(415);
  });

  test("a card number in a form is refused before it is kept anywhere", async () => {
    const raw = formOf({ mastercardClickToPayDpaid: "4111 1111 1111 1111" });
    expect((await (await openClient()).call("POST", PATH, { raw })).status).toBe(400);
  });
});

describe("GET /v1/settings", () => {
  test("200: a merchant's own, else the account's default; without a merchant the default alone", async () => {
    const client = await openClient();
    const [one, other] = [await openMerchant(client), await openMerchant(client)];
    await client.make("POST", PATH, { body: { mainColor: "#111111" } });
    await client.make("POST", PATH, { body: { mainColor: "#222222" }, ...of(one.id) });
    const seen = async (headers?: { headers: Record<string, string> }) => {
      const { mainColor, merchantId } = await client.make("GET", PATH, headers);
      return [mainColor, merchantId];
    };
    expect(await seen()).toEqual(["#111111", ""]);
    expect(await seen(of(one.id))).toEqual(["#222222", one.id]);
    expect(await seen(of(other.id))).toEqual(["#111111", ""]);
  });

  test("404: nothing was ever set, and a merchant's own is no default", async () => {
    const client = await openClient();
    const { id } = await openMerchant(client);
    await client.make("POST", PATH, { body: COLOURS, ...of(id) });
    expect((await client.call("GET", PATH)).error).toMatchObject({
      code: 404,
      type: "entity_not_found",
      businessCode: "settings_not_found",
    });
    expect((await (await openClient()).call("GET", PATH)).status).toBe(404);
  });

  test("400: another's merchant", async () => {
    const { id } = await openMerchant(await openClient());
    expect((await (await openClient()).call("GET", PATH, of(id))).error?.businessCode).toBe("merchant_not_found");
  });
});

describe("PATCH /v1/settings", () => {
  const withDefault = async (): Promise<TestClient> => {
    const client = await openClient();
    await client.make("POST", PATH, { body: { ...COLOURS, companyUrl: "https://a.example" } });
    return client;
  };

  test("200: what is sent changes, empty texts and the rest stay; as JSON and as a form", async () => {
    const client = await withDefault();
    const json = await client.make("PATCH", PATH, { body: { mainColor: "#abcdef", companyUrl: "", errorColor: null } });
    expect(json).toMatchObject({ ...COLOURS, mainColor: "#abcdef", companyUrl: "https://a.example" });
    const form = await client.make("PATCH", PATH, { raw: formOf({ successColor: "#0a0", mainColor: "" }) });
    expect(form).toMatchObject({ ...COLOURS, mainColor: "#abcdef", successColor: "#0a0" });
  });

  test("200: a logo alone is something to change, and stays when colours change", async () => {
    const client = await withDefault();
    const jpeg = await picture(1000, 1000).flatten().jpeg().toBuffer();
    const { logo } = await client.make("PATCH", PATH, { raw: formOf({}, jpeg) });
    expect(String(logo)).toMatch(/\.jpg$/);
    expect((await client.make("PATCH", PATH, { body: { mainColor: "#fff" } })).logo).toBe(logo);
  });

  test.each([{}, { mainColor: "" }, { mainColor: null }, { unknown: "x" }])("422: %j changes nothing", async (body) => {
    const { error } = await (await withDefault()).call("PATCH", PATH, { body });
    expect(error).toMatchObject({ code: 422, type: "bad_request", businessCode: "settings_no_effective_field" });
  });

  test("404: the scope is exact, nothing falls back", async () => {
    const client = await withDefault();
    const { id } = await openMerchant(client);
    const { error } = await client.call("PATCH", PATH, { body: { mainColor: "#fff" }, ...of(id) });
    expect(error).toMatchObject({ code: 404, businessCode: "settings_not_found" });
    expect((await client.make("GET", PATH)).mainColor).toBe(COLOURS.mainColor);
  });
});
