import { describe, expect, it } from "vitest";
import { newMerchant, openClient } from "@/lib/testing/api";
import type { CallOptions } from "@/lib/testing/api-client";

const KB = 1024;
const LIMIT = 256 * KB;

async function post(options: CallOptions) {
  const client = await openClient();
  return client.call("POST", "/v1/merchants", options);
}
const json = (raw: BodyInit, headers: Record<string, string> = {}) =>
  post({ raw, headers: { "content-type": "application/json", ...headers } });

/** A body that arrives in pieces and never says how long it is. */
function streamed(total: number): ReadableStream<Uint8Array> {
  let sent = 0;
  return new ReadableStream({
    pull(controller) {
      if (sent >= total) return controller.close();
      const piece = new Uint8Array(Math.min(16 * KB, total - sent)).fill(32);
      sent += piece.byteLength;
      controller.enqueue(piece);
    },
  });
}

/** A valid merchant in exactly so many bytes. */
function merchantOf(bytes: number): string {
  const empty = JSON.stringify({ ...newMerchant(), filler: "" });
  return JSON.stringify({ ...newMerchant(), filler: "x".repeat(bytes - empty.length) });
}

describe("the size of a body", () => {
  it("201: exactly 256 kB", async () => {
    expect((await json(merchantOf(LIMIT))).status).toBe(201);
  });

  it("413: one byte more", async () => {
    const reply = await json(merchantOf(LIMIT + 1));
    expect(reply.status).toBe(413);
    expect(reply.text).toBe(
      '{"error":{"type":"bad_request","code":413,"message":"request body too large","details":[]}}',
    );
  });

  it("413: streamed, without a length", async () => {
    expect((await json(streamed(LIMIT + 1))).status).toBe(413);
  });

  it("413: streamed, with a length that is a lie", async () => {
    expect((await json(streamed(LIMIT + 1), { "content-length": "10" })).status).toBe(413);
  });

  it("413: declared too long, before it is read", async () => {
    expect((await json("{}", { "content-length": String(10 * LIMIT) })).status).toBe(413);
  });

  it("counts bytes, not characters", async () => {
    expect((await json(JSON.stringify({ name: "ç".repeat(LIMIT / 2) }))).status).toBe(413);
  });
});

describe("JSON", () => {
  it.each([
    ["nothing closed", "{"],
    ["a comma too many", '{"mcc":"5411",}'],
    ["single quotes", "{'mcc':'5411'}"],
    ["a comment", '{"mcc":"5411"/* */}'],
    ["NaN", '{"mcc":NaN}'],
    ["two values", "{}{}"],
    ["a byte order mark", '\ufeff{"mcc":"5411"}'],
    ["only blanks", "   "],
    ["UTF-16", Buffer.from('{"mcc":"5411"}', "utf16le")],
    ["a broken UTF-8 sequence", Buffer.from([0x22, 0xc3, 0x28, 0x22])],
    ["a number no one can read", '{"mcc":01}'],
  ])("400: %s", async (_, raw) => {
    const reply = await json(raw);
    expect(reply.status).toBe(400);
    expect(reply.text).toBe(
      '{"error":{"type":"bad_request","code":400,"message":"invalid request","details":["the body is not valid JSON in UTF-8"]}}',
    );
  });

  it.each(["null", "[]", "1", '"text"', "true"])("400: %s is no object", async (raw) => {
    expect(await json(raw)).toMatchObject({ status: 400, error: { type: "bad_request" } });
  });

  it("400: the NUL character, in a value or a name, spelled or not", async () => {
    for (const raw of ['{"mcc":"5411","name":"a\\u0000b"}', '{"mcc":"5411","a\\u0000":1}', '{"x":[{"y":"\\u0000"}]}']) {
      const reply = await json(raw);
      expect(reply).toMatchObject({ status: 400, error: { details: ["text must not contain the NUL character"] } });
    }
  });

  it("400: half a surrogate pair", async () => {
    const reply = await json('{"mcc":"5411","name":"\\ud83d"}');
    expect(reply).toMatchObject({ status: 400, error: { details: ["text must be well-formed Unicode"] } });
    expect((await json('{"mcc":"5411","name":"\\ud83d\\ude00"}')).body).toMatchObject({ name: "😀" });
  });

  it("400: nested too deeply, at any size", async () => {
    for (const depth of [70, 10_000, 100_000]) {
      const reply = await json(`{"mcc":"5411","x":${"[".repeat(depth)}${"]".repeat(depth)}}`);
      expect(reply).toMatchObject({ status: 400, error: { details: ["the body is nested too deeply"] } });
    }
  });

  it("201: __proto__ and constructor are members like any other: ignored, and they change nothing", async () => {
    const reply = await json(
      '{"mcc":"5411","__proto__":{"status":false,"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
    );
    expect(reply).toMatchObject({ status: 201, body: { status: true } });
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it("201: of a member given twice the last one counts", async () => {
    expect((await json('{"mcc":"5411","mcc":"5812"}')).body).toMatchObject({ mcc: "5812" });
  });

  it("400: a card number where none belongs, and it is not told back", async () => {
    for (const name of ["4111111111111111", "4111 1111 1111 1111", "pay 4111-1111-1111-1111 now"]) {
      const reply = await json(JSON.stringify(newMerchant({ name })));
      expect(reply).toMatchObject({ status: 400, error: { details: ["card numbers are not accepted here"] } });
      expect(reply.text).not.toContain("1111");
    }
  });
});

describe("the content type", () => {
  it.each(["application/json", "application/json; charset=utf-8", "Application/JSON ;charset=UTF-8"])(
    "201: %s",
    async (type) => {
      expect((await json(JSON.stringify(newMerchant()), { "content-type": type })).status).toBe(201);
    },
  );

  it.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/jsonp",
    "application/merge-patch+json",
  ])("415: %s", async (type) => {
    const reply = await json(JSON.stringify(newMerchant()), { "content-type": type });
    expect(reply.status).toBe(415);
    expect(reply.text).toBe(
      '{"error":{"type":"bad_request","code":415,"message":"unsupported content type","details":[]}}',
    );
  });

  it("415: none at all, or compressed", async () => {
    const raw = Buffer.from(JSON.stringify(newMerchant()));
    expect((await post({ raw, headers: { "content-type": "" } })).status).toBe(415);
    expect((await json(raw, { "content-encoding": "gzip" })).status).toBe(415);
  });

  it("an empty body with the JSON type is no body: what is required is missing", async () => {
    expect(await json("")).toMatchObject({ status: 400, error: { type: "bad_request" } });
  });
});
