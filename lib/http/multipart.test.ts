import { describe, expect, test } from "vitest";
import { type MultipartForm, parseMultipart } from "@/lib/http/multipart";

const BOUNDARY = "----trilho7MA4YWxk";
const part = (head: string, content: string | Buffer) =>
  Buffer.concat([Buffer.from(`--${BOUNDARY}\r\n${head}\r\n\r\n`), Buffer.from(content), Buffer.from("\r\n")]);
const field = (name: string, value: string | Buffer) => part(`Content-Disposition: form-data; name="${name}"`, value);
const file = (name: string, content: string | Buffer) =>
  part(`Content-Disposition: form-data; name="${name}"; filename="a.png"\r\nContent-Type: image/png`, content);
const body = (...parts: Buffer[]) => Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)]);

function parse(bytes: Buffer, type = `multipart/form-data; boundary=${BOUNDARY}`): MultipartForm {
  const request = new Request("http://trilho.test", { method: "POST", headers: { "content-type": type } });
  return parseMultipart(request, bytes, ["logo"]);
}
function detailOf(bytes: Buffer, type?: string): string {
  try {
    parse(bytes, type);
  } catch (thrown) {
    // Guarantee: a refusal of the edge carries its reasons.
    const { status, details } = thrown as { status: number; details: string[] };
    expect(status).toBe(400);
    return details.join();
  }
  return "accepted";
}

test("members and files arrive byte by byte, with line ends and dashes in them", () => {
  const bytes = Buffer.from(Array.from({ length: 512 }, (_, n) => n % 256));
  const tricky = `a\r\n--${BOUNDARY.slice(0, -1)}\r\nb`;
  const { fields, files } = parse(body(field("name", "São Paulo"), field("text", tricky), file("logo", bytes)));
  expect(fields).toEqual({ name: "São Paulo", text: tricky });
  expect(files.logo?.bytes).toEqual(bytes);
});

test("what the platform's own FormData writes is read", async () => {
  const form = new FormData();
  form.set('odd "name"', "value");
  form.set("logo", new Blob(["pixels"], { type: "image/png" }), 'my "logo".png');
  const request = new Request("http://trilho.test", { method: "POST", body: form });
  const { fields, files } = parseMultipart(request, new Uint8Array(await request.clone().arrayBuffer()), ["logo"]);
  expect([fields, files.logo?.bytes.toString()]).toEqual([{ 'odd "name"': "value" }, "pixels"]);
});

test("a preamble, a quoted boundary and other casing are read; an empty form has nothing", () => {
  expect(parse(Buffer.concat([Buffer.from("hello\r\n"), body(field("a", "1"))])).fields).toEqual({ a: "1" });
  expect(parse(body(field("a", "1")), `Multipart/Form-Data; charset=utf-8; boundary="${BOUNDARY}"`).fields.a).toBe("1");
  expect(parse(body())).toEqual({ fields: {}, files: {} });
  expect(parse(body(part("CONTENT-DISPOSITION: form-data; name=a", "1"))).fields).toEqual({ a: "1" });
});

test("a file that was not chosen is no file", () => {
  expect(parse(body(file("logo", ""))).files).toEqual({});
});

test("a member called __proto__ is a member", () => {
  const { fields } = parse(body(field("__proto__", "x")));
  expect(Object.hasOwn(fields, "__proto__")).toBe(true);
  expect(Object.getPrototypeOf(fields)).toBe(Object.prototype);
});

describe("400", () => {
  test.each([
    ["a boundary that is missing", body(), "multipart/form-data", "boundary is missing"],
    ["no part at all", Buffer.from("hello"), undefined, "no part begins"],
    ["an end that is missing", body(field("a", "1")).subarray(0, -8), undefined, "end is missing"],
    ["a broken boundary", Buffer.from(`--${BOUNDARY}x`), undefined, "a boundary is broken"],
    ["a part without headers", Buffer.from(`--${BOUNDARY}\r\nabc\r\n--${BOUNDARY}--`), undefined, "headers of a part"],
    ["headers without an end", body(part(`X: ${"x".repeat(3_000)}`, "")), undefined, "too long"],
    ["a part without a name", body(part("Content-Disposition: form-data; x=1", "")), undefined, "name must have"],
    ["a part that is no form data", body(part("Content-Disposition: attachment", "")), undefined, "no disposition"],
    [
      "an encoded part",
      body(part('Content-Disposition: form-data; name="a"\r\nContent-Transfer-Encoding: base64', "")),
      undefined,
      "sent as they are",
    ],
    ["a long name", body(field("n".repeat(101), "")), undefined, "1 to 100 characters"],
    ["a long text", body(field("a", "x".repeat(65_537))), undefined, "a: at most 65536 bytes"],
    ["text that is no UTF-8", body(field("a", Buffer.from([0xff, 0xfe]))), undefined, "a: must be text in UTF-8"],
    ["a NUL", body(field("a", "\u0000")), undefined, "NUL"],
    ["a member given twice", body(field("a", "1"), field("a", "2")), undefined, "a: given more than once"],
    ["a file given twice", body(file("logo", "1"), file("logo", "2")), undefined, "logo: given more than once"],
    ["a file as text", body(field("logo", "x")), undefined, "logo: must be a file"],
    ["a file nobody asked for", body(file("shell", "x")), undefined, "shell: takes no file"],
    [
      "too many members",
      body(...Array.from({ length: 33 }, (_, n) => field(`a${n}`, ""))),
      undefined,
      "at most 32 members",
    ],
  ])("%s", (_what, bytes, type, why) => {
    expect(detailOf(bytes, type)).toContain(why);
  });
});
