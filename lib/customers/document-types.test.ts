import { describe, expect, test } from "vitest";
import { COUNTRIES, checkDocument, DOCUMENT_TYPES, documentType, isCountry } from "@/lib/customers/document-types";

const accepted = (type: string, number: string | null, country: string) => ({
  ok: true,
  document: { type, number, country },
});

describe("checkDocument", () => {
  test("every type of every country is accepted in any letter case and answered as sent", () => {
    expect(COUNTRIES).toHaveLength(80);
    for (const country of COUNTRIES) {
      for (const known of DOCUMENT_TYPES[country]) {
        if (country === "BR") continue;
        for (const type of [known, known.toLowerCase(), known.toUpperCase()]) {
          expect(checkDocument({ type, number: "A1.-/9", country })).toEqual(accepted(type, "A1.-/9", country));
        }
      }
      expect(checkDocument({ type: "NODOCUMENT", country })).toEqual(accepted("NODOCUMENT", null, country));
    }
  });

  test("CPF and CNPJ of Brazil lose their mask and have their check digits verified", () => {
    expect(checkDocument({ type: "cpf", number: "529.982.247-25" })).toEqual(accepted("cpf", "52998224725", "BR"));
    expect(checkDocument({ type: "Cnpj", number: "12.abc.345/01de-35", country: "BR" })).toEqual(
      accepted("Cnpj", "12ABC34501DE35", "BR"),
    );
    expect(checkDocument({ type: "CPF", number: "52998224724" })).toEqual({
      ok: false,
      problems: ["document.number is not a valid CPF"],
    });
    expect(checkDocument({ type: "CNPJ", number: "52998224725" }).ok).toBe(false);
    expect(checkDocument({ type: "CPF", number: "11222333000181" }).ok).toBe(false);
  });

  test("a CPF of Costa Rica is another document", () => {
    expect(checkDocument({ type: "CPF", number: "1-0000", country: "CR" })).toEqual(accepted("CPF", "1-0000", "CR"));
  });

  test("unknown countries, types of other countries and wrong numbers are refused", () => {
    const refused = [
      { type: "CPF", number: "52998224725", country: "br" },
      { type: "CPF", number: "52998224725", country: "XX" },
      { type: "CPF", number: "52998224725", country: "toString" },
      { type: "CPF", number: "52998224725", country: "AR" },
      { type: "RG", number: "1", country: "BR" },
      { type: "DNI", number: "", country: "AR" },
      { type: "DNI", number: "1 2", country: "AR" },
      { type: "DNI", number: "é", country: "AR" },
      { type: "DNI", number: "1".repeat(41), country: "AR" },
      { type: "DNI", country: "AR" },
      { type: "CPF", number: null },
      { type: "noDocument", number: "1" },
    ];
    for (const document of refused)
      expect(checkDocument(document)).toEqual({ ok: false, problems: [expect.any(String)] });
    expect(checkDocument({ type: "DNI", number: "1".repeat(40), country: "AR" }).ok).toBe(true);
  });

  test("a type has one spelling to compare by", () => {
    expect(documentType("orgnr", "SE")).toBe("ORGNR");
    expect(documentType("ORGNR", "NO")).toBe("Orgnr");
    expect(documentType("nodocument", "US")).toBe("noDocument");
    expect(documentType("CNPJ", "AR")).toBeUndefined();
    expect(isCountry("BR")).toBe(true);
    expect(isCountry("__proto__")).toBe(false);
  });
});
