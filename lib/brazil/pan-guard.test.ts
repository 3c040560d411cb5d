import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { containsPan, findPan, luhnOk } from "@/lib/brazil/card-brand";
import { cnpjOk, cpfOk, maskTaxId } from "@/lib/brazil/cpf-cnpj";
import { SANDBOX_BRANDS, SANDBOX_OUTCOMES, sandboxPan } from "@/lib/reference/sandbox-pans";

/** Without those few of 14 digits that are a company's number too. */
const PANS = SANDBOX_OUTCOMES.flatMap((outcome) => SANDBOX_BRANDS.map((brand) => sandboxPan(outcome, brand))).filter(
  (pan) => !cnpjOk(pan),
);

/** One sign each: punctuation, blanks of every width, invisible ones, a mark that combines, an emoji. */
const SIGNS = [..." -._/|,;:*#~+=\u00a0\u2003\u2011\u2013\u2014\u00b7\u200b\u2060\ufeff\u3000\u0301\ufe0f\u{1f4b3}"];
const STYLES = ["0", "\uff10", "\u{1d7ce}", "\u{1d7d8}", "\u{1d7ec}"].map((zero) => zero.codePointAt(0) ?? 0);

/** A number with at most one sign between two digits, in digits of any style. */
const disguised = fc
  .record({
    pan: fc.constantFrom(...PANS),
    signs: fc.array(fc.option(fc.constantFrom(...SIGNS), { nil: "" }), { minLength: 19, maxLength: 19 }),
    styles: fc.array(fc.constantFrom(...STYLES), { minLength: 19, maxLength: 19 }),
  })
  .map(({ pan, signs, styles }) =>
    [...pan]
      .map((digit, at) => (at > 0 ? signs[at] : "") + String.fromCodePoint((styles[at] ?? 48) + Number(digit)))
      .join(""),
  );

describe("a card number in a text", () => {
  test("is found with any one sign between its digits, in digits of every width", () => {
    fc.assert(
      fc.property(
        disguised,
        fc.constantFrom("", "cartão: ", "nº ("),
        fc.constantFrom("", ", val. 12/28", ")"),
        (pan, before, after) =>
          containsPan(before + pan + after) &&
          findPan({ metadata: { note: [before + pan + after] } }) &&
          findPan({ [pan]: 1 }),
      ),
      { numRuns: 3_000 },
    );
  });

  test.each([
    "4111.1111.1111.1111",
    "4111/1111/1111/1111",
    "4111_1111_1111_1111",
    "4.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1",
    "４１１１１１１１１１１１１１１１",
    "４１１１　１１１１　１１１１　１１１１",
    "4111\u200b1111\u200b1111\u200b1111",
    "4111💳1111💳1111💳1111",
    "pedido-4111111111111111",
    "30/12/2026 4111.1111.1111.1111 10:00",
    "0192f1c0-1111-7aaa-8bbb-000000000001 4111.1111.1111.1111",
    "11.222.333/0001-81 4111 1111 1111 1111",
  ])("such as %s", (text) => expect(findPan({ text })).toBe(true));

  test("is none with two signs between digits, nor beside a letter", () => {
    for (const text of ["4111  1111  1111  1111", "4111, 1111, 1111, 1111", "a4111111111111111", "4111111111111111b"])
      expect(containsPan(text), text).toBe(false);
  });
});

const digits = (length: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length }).map((all) => all.join(""));
/** Completed with the two check digits that make it true. */
const completed = (is: (text: string) => boolean) => (base: string) =>
  Array.from({ length: 100 }, (_, n) => base + String(n).padStart(2, "0")).find(is) ?? "";

describe("what is no card number", () => {
  const around = fc.constantFrom("", "loja ", "fornecedor 4, ", "CNPJ:");

  test("every CNPJ and CPF in its mask, alone and in a text, and every UUID", () => {
    const masked = fc
      .oneof(digits(12).map(completed(cnpjOk)), digits(9).map(completed(cpfOk)))
      .filter((text) => text !== "")
      .map(maskTaxId);
    fc.assert(
      fc.property(masked, around, (text, before) => !findPan({ description: `${before}${text} - 4 10` })),
      { numRuns: 3_000 },
    );
    // One that is a Diners number too, but for its mask.
    expect(findPan("36.000.009/0001-40")).toBe(false);
    expect(luhnOk("36000009000140")).toBe(true);
    fc.assert(
      fc.property(fc.uuid(), around, (id, before) => !findPan(`${before}${id}`)),
      { numRuns: 2_000 },
    );
  });

  test("the days of a month where days are asked for, and nothing else there", () => {
    const all = `[${Array.from({ length: 31 }, (_, at) => at + 1).join(",")}]`;
    expect(findPan({ note: all })).toBe(true);
    expect(findPan({ transferPolicy: { automaticAnticipationDays: all } })).toBe(false);
    for (const other of ["[4111111111111111]", "[4,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]", "41,11,11,11,11,11,11,11"])
      expect(findPan({ automaticAnticipationDays: other }), other).toBe(true);
  });

  test("a wrong CNPJ in the mask of one is what its digits are", () => {
    expect(cnpjOk("30569309025904")).toBe(false);
    expect(findPan("30.569.309/0259-04")).toBe(true);
  });

  test("lines of boletos, dates and times", () => {
    const bank = fc.tuple(digits(5), digits(5), digits(5), digits(6), digits(5), digits(6), digits(1), digits(14));
    fc.assert(
      fc.property(
        bank,
        ([a, b, c, d, e, f, g, h]) => !findPan(`linha 34${a.slice(2)}.${b} ${c}.${d} ${e}.${f} ${g} 1${h.slice(1)}`),
      ),
      { numRuns: 2_000 },
    );
    const block = fc.tuple(digits(11), digits(1));
    fc.assert(
      fc.property(
        block,
        block,
        block,
        block,
        ([a, b], [c, d], [e, f], [g, h]) => !findPan(`8${a.slice(1)}-${b} ${c}-${d} ${e}-${f} ${g}-${h}`),
      ),
      { numRuns: 2_000 },
    );
    const instant = fc.date({ min: new Date("1990-01-01"), max: new Date("2099-12-31"), noInvalidDate: true });
    fc.assert(
      fc.property(instant, (at) => {
        const iso = at.toISOString();
        const [year, month, day] = iso.slice(0, 10).split("-");
        return !findPan(`${day}/${month}/${year} ${iso.slice(11, 19)}`) && !findPan(iso.replace("T", " ").slice(0, 19));
      }),
      { numRuns: 2_000 },
    );
  });
});

/**
 * Every pattern has a bounded length but the one for words, which meets each sign once; a window of digits ends after 19.
 * What took the square of these lengths would not end within the test's own time.
 */
test("a hostile text is read in a number of steps that grows with its length alone", () => {
  const most = 400_000;
  const fill = (text: string) => text.repeat(Math.ceil(most / text.length));
  for (const text of [
    "\u0300\u0323",
    "4\u0300",
    "\ufdfa",
    "４．",
    "4.",
    "41111111.",
    "11.111.111/1111-1",
    "111.111.111-",
    "aaaaaaaa-aaaa-aaaa-aaaa-",
    "11111.11111 11111.111111 ",
    "81111111111-1 ",
    "2026-11-20T",
    "30/12/2026 10:00:0",
    "\u{1d7ce}",
    "4\u{1f4b3}",
    "_",
    "a1",
  ])
    expect(typeof findPan({ [fill(text)]: fill(text) })).toBe("boolean");
});
