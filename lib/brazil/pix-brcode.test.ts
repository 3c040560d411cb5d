import { generatePixPayload, getPixPayloadInfo } from "@brazilian-utils/brazilian-utils";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import VECTORS from "@/lib/brazil/br-vectors.json";
import { crc16, dynamicPixCode, PixCodeError, parsePixCode, staticPixCode } from "@/lib/brazil/pix-brcode";
import { endToEndId, isEndToEndId, isPixTxid, pixKeyKind, pixTxidOf } from "@/lib/brazil/pix-ids";

const problemOf = (run: () => unknown): string => {
  try {
    run();
  } catch (thrown) {
    if (thrown instanceof PixCodeError) return thrown.problem;
    throw thrown;
  }
  return "none";
};
const sealed = (body: string): string => `${body}6304${crc16(`${body}6304`)}`;
const [MANUAL, CIELO, CPF_KEY, PUBLIC] = VECTORS.pix.valid.map(({ payload }) => payload);

describe("published codes", () => {
  test("have the CRC we compute", () => {
    expect(crc16(VECTORS.pix.crc_check.in)).toBe(VECTORS.pix.crc_check.out);
    for (const { payload } of VECTORS.pix.valid) expect(payload.slice(-4)).toBe(crc16(payload.slice(0, -4)));
  });

  test("are read", () => {
    expect(parsePixCode(MANUAL ?? "")).toEqual({
      kind: "static",
      singleUse: false,
      key: "123e4567-e12b-12d1-a456-426655440000",
      mcc: "0000",
      merchantName: "Fulano de Tal",
      merchantCity: "BRASILIA",
    });
    expect(parsePixCode(CIELO ?? "")).toEqual({
      kind: "dynamic",
      singleUse: true,
      url: "qrcodes-h.cielo.com.br/pix-qr/d05b1a34-ec52-4201-ba1e-d3cc2a431625",
      mcc: "0000",
      amount: 100,
      merchantName: "Merchant Teste HML",
      merchantCity: "Sao Paulo",
      txid: "00010129",
    });
    expect(parsePixCode(CPF_KEY ?? "")).toMatchObject({ kind: "static", key: "73190462887", amount: 100 });
    expect(parsePixCode(PUBLIC ?? "")).toMatchObject({ kind: "dynamic", merchantCity: "SAO PAULO" });
  });

  test("are rebuilt byte for byte", () => {
    const manual = {
      key: "123e4567-e12b-12d1-a456-426655440000",
      merchantName: "Fulano de Tal",
      merchantCity: "BRASILIA",
    };
    expect(staticPixCode(manual)).toBe(MANUAL);
    expect(
      dynamicPixCode({
        url: "qrcodes-h.cielo.com.br/pix-qr/d05b1a34-ec52-4201-ba1e-d3cc2a431625",
        merchantName: "Merchant Teste HML",
        merchantCity: "Sao Paulo",
        amount: 100,
        txid: "00010129",
      }),
    ).toBe(CIELO);
  });

  test.each(VECTORS.pix.invalid)("$why: refused", ({ payload }) => {
    expect(problemOf(() => parsePixCode(payload))).not.toBe("none");
  });

  test("a right CRC does not save a broken structure", () => {
    const [broken] = VECTORS.pix.invalid.map(({ payload }) => payload);
    expect(broken?.slice(-4)).toBe(crc16(broken?.slice(0, -4) ?? ""));
    expect(problemOf(() => parsePixCode(broken ?? ""))).toBe("structure");
  });
});

describe("reading names what is wrong", () => {
  const account = "26360014br.gov.bcb.pix0114+5511943214321";
  const tail = "5204000053039865802BR5901A6001B62070503***";
  const good = `000201${account}${tail}`;

  test.each([
    ["none", sealed(good)],
    ["crc_wrong", `${good}63040000`],
    ["crc_wrong", sealed(good).slice(0, -4) + sealed(good).slice(-4).toLowerCase()],
    ["crc_missing", good],
    ["crc_missing", `${sealed(good)}8001A`],
    ["crc_missing", `${good}630412`.replace("630412", "630212")],
    ["structure", ""],
    ["structure", sealed(`00020${account}${tail}`)],
    ["structure", sealed(`${account}000201${tail}`)],
    ["structure", sealed(`${good}80`)],
    ["structure", sealed(`${good}8099x`)],
    ["structure", sealed(good.replace("0114+55", "0115+55"))],
    ["structure", sealed(good.replace("0503***", "0504***"))],
    ["characters", sealed(good.replace("5901A", "5902é"))],
    ["characters", `${sealed(good)}\n`],
    ["repeated_field", sealed(`${good}5802BR`)],
    [
      "repeated_field",
      sealed(good.replace("26360014", "26360014").replace(account, account + account.replace("2636", "2736"))),
    ],
    ["field_missing", sealed(good.replace("52040000", ""))],
    ["field_missing", sealed(good.replace("5303986", ""))],
    ["field_missing", sealed(good.replace("5802BR", ""))],
    ["field_missing", sealed(good.replace("5901A", ""))],
    ["field_missing", sealed(good.replace("6001B", ""))],
    ["field_missing", sealed(good.replace(account, ""))],
    ["field_missing", sealed(good.replace("br.gov.bcb.pix", "br.gov.bcb.pox"))],
    ["field_invalid", sealed(good.replace(account, "26180014br.gov.bcb.pix"))],
    ["field_invalid", sealed(good.replace("5303986", "5303840"))],
    ["field_invalid", sealed(good.replace("5204", "54011" + "5204"))],
    ["field_invalid", sealed(good.replace("5204", "54041,00" + "5204"))],
    ["field_invalid", sealed(good.replace("000201", "000202"))],
    ["too_long", "0".repeat(2000)],
  ])("%s: %s", (problem, code) => {
    expect(problemOf(() => parsePixCode(code))).toBe(problem);
  });

  test("any single changed character is refused", () => {
    const code = sealed(good);
    for (let at = 0; at < code.length; at++) {
      const changed = `${code.slice(0, at)}${code[at] === "7" ? "8" : "7"}${code.slice(at + 1)}`;
      expect(problemOf(() => parsePixCode(changed))).not.toBe("none");
    }
  });
});

describe("writing", () => {
  const receiver = { merchantName: "Loja", merchantCity: "Recife" };

  test("folds accents, keeps the case and cuts to the limits", () => {
    const code = dynamicPixCode({
      url: "pix.example.com/qr/1",
      merchantName: "Padaria São José dos Ausentes 🥖 Ltda",
      merchantCity: "São José do Rio Preto",
      amount: 1,
    });
    expect(parsePixCode(code)).toMatchObject({
      merchantName: "Padaria Sao Jose dos Ause",
      merchantCity: "Sao Jose do Rio",
      amount: 1,
      singleUse: true,
    });
  });

  test("refuses what does not fit", () => {
    const url = "pix.example.com/qr/1";
    expect(problemOf(() => dynamicPixCode({ ...receiver, url: "https://x.com/1" }))).toBe("field_invalid");
    expect(problemOf(() => dynamicPixCode({ ...receiver, url: "a b" }))).toBe("field_invalid");
    expect(problemOf(() => dynamicPixCode({ ...receiver, url: "x".repeat(77) }))).toBe("none");
    expect(problemOf(() => dynamicPixCode({ ...receiver, url: "x".repeat(78) }))).toBe("too_long");
    expect(problemOf(() => dynamicPixCode({ ...receiver, url, amount: 1.5 }))).toBe("field_invalid");
    expect(problemOf(() => dynamicPixCode({ ...receiver, url, amount: -1 }))).toBe("field_invalid");
    expect(problemOf(() => dynamicPixCode({ ...receiver, url, amount: 999_999_999_999 }))).toBe("none");
    expect(problemOf(() => dynamicPixCode({ ...receiver, url, amount: 1_000_000_000_000 }))).toBe("too_long");
    expect(problemOf(() => dynamicPixCode({ ...receiver, url, merchantName: "日本" }))).toBe("field_missing");
    expect(problemOf(() => dynamicPixCode({ ...receiver, url, mcc: "57" }))).toBe("field_invalid");
    expect(problemOf(() => staticPixCode({ ...receiver, key: "a".repeat(78) }))).toBe("too_long");
    expect(problemOf(() => staticPixCode({ ...receiver, key: "12345678909", txid: "a-b" }))).toBe("field_invalid");
    expect(problemOf(() => staticPixCode({ ...receiver, key: "x".repeat(60), description: "y".repeat(60) }))).toBe(
      "too_long",
    );
  });

  test("agrees with an independent implementation, both ways", () => {
    const word = fc.stringMatching(/^[A-Za-z]{1,12}$/);
    fc.assert(
      fc.property(
        word,
        word,
        fc.integer({ min: 1, max: 99_999_999 }),
        fc.stringMatching(/^[A-Za-z0-9]{1,25}$/),
        (name, city, amount, txid) => {
          const input = { key: "12345678909", merchantName: name, merchantCity: city, txid };
          const ours = staticPixCode({ ...input, amount });
          expect(generatePixPayload({ ...input, amount: amount / 100 })).toBe(ours);
          expect(parsePixCode(ours)).toEqual({ ...input, kind: "static", singleUse: false, mcc: "0000", amount });
          const url = `pix.example.com/qr/${txid}`;
          const dynamic = dynamicPixCode({ url, merchantName: name, merchantCity: city });
          expect(generatePixPayload({ url, merchantName: name, merchantCity: city })).toBe(dynamic);
          expect(getPixPayloadInfo(dynamic)).toMatchObject({ url, merchantName: name, pointOfInitiation: "dynamic" });
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe("identifiers", () => {
  test("a charge's txid is its UUID without hyphens", () => {
    const txid = pixTxidOf("0192f1c4-8b02-7d10-8a00-aa01bb02cc02");
    expect(txid).toBe("0192f1c48b027d108a00aa01bb02cc02");
    expect(isPixTxid(txid)).toBe(true);
    for (const bad of ["***", "a".repeat(25), "a".repeat(36), `${"a".repeat(26)}-`]) expect(isPixTxid(bad)).toBe(false);
  });

  test("an endToEndId carries the bank and the minute in UTC", () => {
    const id = endToEndId("00000000", new Date("2026-11-20T14:03:59Z"), "abcdefghijk");
    expect(id).toBe("E00000000202611201403abcdefghijk");
    expect(id).toHaveLength(32);
    expect(isEndToEndId(endToEndId("12ABC345", new Date("2026-11-20T14:03:59Z")))).toBe(true);
    expect(isEndToEndId(`D${id.slice(1)}`)).toBe(false);
    expect(() => endToEndId("1", new Date(0))).toThrow(RangeError);
  });

  test.each([
    ["12345678909", "cpf"],
    ["12ABC34501DE35", "cnpj"],
    ["+5511987654321", "phone"],
    ["123e4567-e12b-12d1-a456-426655440000", "evp"],
    ["fulano@example.com", "email"],
    ["Fulano@example.com", undefined],
    ["+551187654321", undefined],
    ["12345678900", undefined],
    [`${"a".repeat(70)}@example.com`, undefined],
    ["", undefined],
  ])("the key %s is a %s", (key, kind) => expect(pixKeyKind(key)).toBe(kind));
});
