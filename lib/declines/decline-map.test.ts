import { describe, expect, test } from "vitest";
import { BRANDS, type Brand } from "@/lib/brazil/card-brand";
import {
  DECLINED_CODES,
  type DeclinedCode,
  isDeclinedCode,
  PLATFORM_DECLINE_CODES,
  type RetryClass,
} from "@/lib/declines/decline-codes";
import { mapDecline, mapProviderDecline } from "@/lib/declines/decline-map";
import { AMEX_ROWS, ELO_ROWS, MASTERCARD_ROWS, VISA_ROWS } from "@/lib/declines/network-rows";
import { ADYEN_ROWS, MERCADO_PAGO_ROWS, STRIPE_ROWS } from "@/lib/declines/provider-rows";
import { declinedCodeOfOutcome, SANDBOX_OUTCOMES } from "@/lib/reference/sandbox-pans";

const say = (brand: Brand, code: string, extra: { mac?: string; crossBorder?: boolean } = {}) => {
  const { declinedCode, retry } = mapDecline({ brand, code, ...extra });
  return `${declinedCode}/${retry}`;
};

describe("the tables", () => {
  test("hold every published code once", () => {
    const sizes = [ELO_ROWS, VISA_ROWS, MASTERCARD_ROWS, AMEX_ROWS, ADYEN_ROWS, STRIPE_ROWS, MERCADO_PAGO_ROWS].map(
      (rows) => [rows.length, new Set(rows.map(([code]) => code)).size],
    );
    expect(sizes).toEqual([39, 52, 29, 15, 36, 47, 15].map((size) => [size, size]));
  });

  test("answer each of their codes with their own line", () => {
    const networks = [
      ["elo", ELO_ROWS],
      ["visa", VISA_ROWS],
      ["mastercard", MASTERCARD_ROWS],
      ["hipercard", MASTERCARD_ROWS],
      ["amex", AMEX_ROWS],
    ] as const;
    for (const [brand, rows] of networks) {
      for (const [code, declinedCode, retry] of rows) {
        expect(mapDecline({ brand, code })).toEqual({ declinedCode, retry: retry === "by_mac" ? "later" : retry });
      }
    }
    const providers = [
      ["ADYEN", ADYEN_ROWS],
      ["STRIPE", STRIPE_ROWS],
      ["MERCADO_PAGO", MERCADO_PAGO_ROWS],
    ] as const;
    for (const [provider, rows] of providers) {
      for (const [code, declinedCode, retry] of rows) {
        expect(mapProviderDecline(provider, code)).toEqual({ declinedCode, retry });
      }
    }
  });

  test("brands without a table share the codes on which the others agree, and those do agree", () => {
    const agreed = {
      "05": "generic/later",
      "13": "invalid_amount/never",
      "14": "invalid_number/never",
      "41": "lost_card/never",
      "43": "stolen_card/never",
      "51": "insufficient_funds/later",
      "54": "expired_card/never",
      "55": "invalid_pin/changed_data",
      "61": "invalid_amount/later",
      "65": "not_permitted/later",
      "75": "pin_try_exceeded/later",
      "91": "issuer_not_available/later",
      "96": "try_again/later",
    };
    for (const [code, meaning] of Object.entries(agreed)) {
      for (const brand of BRANDS) if (brand !== "amex") expect(say(brand, code)).toBe(meaning);
    }
    for (const brand of ["diners", "discover", "jcb", "aura", "unknown"] as const) {
      for (const code of ["57", "59", "63", "82", "N7", "100"]) expect(say(brand, code)).toBe("generic/never");
    }
  });
});

describe("codes whose meaning changes with the brand", () => {
  test.each([
    ["04", "try_again/now", "pickup_card/never", "pickup_card/never"],
    ["06", "generic/later", "invalid_data/never", "generic/never"],
    ["12", "invalid_data/never", "invalid_data/never", "invalid_installment/never"],
    ["57", "transaction_not_allowed/never", "transaction_not_allowed/never", "transaction_not_allowed/later"],
    ["58", "invalid_merchant/never", "not_permitted/never", "not_permitted/never"],
    ["62", "restricted_card/later", "restricted_card/later", "service_not_allowed/never"],
    ["63", "invalid_cvv/never", "generic/never", "security_violation/changed_data"],
    ["64", "invalid_amount/never", "not_permitted/never", "generic/never"],
    ["76", "invalid_data/never", "generic/never", "generic/never"],
    ["82", "security_violation/never", "security_violation/never", "transaction_not_allowed/later"],
    ["83", "invalid_pin/never", "generic/never", "fraud_suspect/later"],
  ])("%s", (code, elo, visa, mastercard) => {
    expect([say("elo", code), say("visa", code), say("mastercard", code), say("hipercard", code)]).toEqual([
      elo,
      visa,
      mastercard,
      mastercard,
    ]);
  });

  test("62 of Elo and Visa is a card not enabled abroad only when the charge crosses a border", () => {
    expect(say("elo", "62", { crossBorder: true })).toBe("service_not_allowed/later");
    expect(say("visa", "62", { crossBorder: true })).toBe("service_not_allowed/later");
    expect(say("mastercard", "62", { crossBorder: true })).toBe("service_not_allowed/never");
    expect(say("visa", "78", { crossBorder: true })).toBe("restricted_card/later");
  });
});

describe("Mastercard's advice", () => {
  test("03, 21, 40 and 41 forbid every retry", () => {
    for (const mac of ["03", "21", "40", "41"]) {
      for (const code of ["79", "82", "83", "51"]) {
        for (const brand of ["mastercard", "hipercard"] as const) {
          expect(mapDecline({ brand, code, mac }).retry).toBe("never");
        }
      }
      expect(say("visa", "51", { mac })).toBe("insufficient_funds/later");
    }
  });

  test("says how long to wait", () => {
    const hours = { "02": 72, "24": 1, "25": 24, "26": 48, "27": 96, "28": 144, "29": 192, "30": 240 };
    for (const [mac, wait] of Object.entries(hours)) {
      const notBeforeSeconds = wait * 3600;
      expect(mapDecline({ brand: "mastercard", code: "79", mac })).toEqual({
        declinedCode: "restricted_card",
        retry: "later",
        notBeforeSeconds,
      });
      expect(mapDecline({ brand: "mastercard", code: "51", mac }).notBeforeSeconds).toBe(notBeforeSeconds);
    }
  });

  test("never allows what the code forbids, and changes nothing when it is not listed", () => {
    expect(mapDecline({ brand: "mastercard", code: "14", mac: "24" })).toEqual({
      declinedCode: "invalid_number",
      retry: "never",
    });
    expect(mapDecline({ brand: "mastercard", code: "55", mac: "24" })).toEqual({
      declinedCode: "invalid_pin",
      retry: "changed_data",
    });
    for (const mac of ["45", "06", "99", ""]) {
      expect(mapDecline({ brand: "mastercard", code: "83", mac })).toEqual(
        mapDecline({ brand: "mastercard", code: "83" }),
      );
    }
  });

  test("03 and 21 are a stop order when the code itself says nothing", () => {
    expect(say("mastercard", "ZZ", { mac: "03" })).toBe("transaction_not_allowed/never");
    expect(say("mastercard", "ZZ", { mac: "40" })).toBe("generic/never");
  });
});

test("an unknown answer is generic and never tried again", () => {
  for (const brand of BRANDS) {
    for (const code of ["", "ZZ", "00", "constructor", "__proto__"]) expect(say(brand, code)).toBe("generic/never");
  }
  expect(mapProviderDecline("STRIPE", "toString")).toEqual({ declinedCode: "generic", retry: "never" });
  expect(say("visa", " n7 ")).toBe("invalid_cvv/never");
});

describe("the simulator's network codes", () => {
  type Cell = string | null;
  /** Visa, Elo, Mastercard and Hipercard, Amex, Diners; then the class, with the brands that differ. */
  const ROWS: [DeclinedCode, Cell, Cell, Cell, Cell, Cell, RetryClass, Partial<Record<Brand, RetryClass>>?][] = [
    ["card_not_supported", "52", "AB", null, null, null, "changed_data"],
    ["expired_card", "54", "54", "54", "101", "54", "never"],
    ["fraud_confirmed", "07", null, null, null, null, "never"],
    ["fraud_suspect", "59", "59", "83+03", null, null, "later", { mastercard: "never", hipercard: "never" }],
    ["generic", "05", "05", "05", "100", "05", "later"],
    ["insufficient_funds", "51", "51", "51", "116", "51", "later"],
    ["invalid_amount", "13", "13", "13", "110", "13", "never"],
    ["invalid_cvv", "N7", "63", null, null, null, "never"],
    ["invalid_data", "12", "12", "30", "181", null, "never"],
    ["invalid_installment", null, "23", "12", null, null, "never"],
    ["invalid_merchant", "03", "58", "03", "109", null, "never"],
    ["invalid_number", "14", "14", "14", "122", "14", "never"],
    ["invalid_pin", "55", "55", "55", "117", "55", "changed_data"],
    ["issuer_not_available", "91", "91", "91", "912", "91", "later"],
    ["lost_card", "41", "41", "41", null, "41", "never"],
    ["not_permitted", "65", "65", "65", null, "65", "later"],
    ["pickup_card", "04", null, "04", null, null, "never"],
    ["pin_try_exceeded", "75", "75", "75", "106", "75", "later"],
    ["restricted_card", "78", "78", "79+24", null, null, "later"],
    ["security_violation", "1A", "82", "63", null, null, "changed_data", { elo: "never" }],
    ["service_not_allowed", null, null, "62", null, null, "never"],
    ["stolen_card", "43", "43", "43", null, "43", "never"],
    ["transaction_not_allowed", "57", "57", "57", "200", null, "never", { mastercard: "later", hipercard: "later" }],
    ["try_again", "96", "04", "96", "911", "96", "later", { elo: "now" }],
  ];

  test("map back to the decline and class they stand for", () => {
    for (const [declinedCode, visa, elo, mastercard, amex, diners, usual, others = {}] of ROWS) {
      const cells: Partial<Record<Brand, Cell>> = { visa, elo, mastercard, hipercard: mastercard, amex, diners };
      for (const brand of BRANDS) {
        const cell = cells[brand];
        if (!cell) continue;
        const [code = "", mac] = cell.split("+");
        const { declinedCode: mapped, retry } = mapDecline({ brand, code, mac });
        expect({ brand, cell, mapped, retry }).toEqual({
          brand,
          cell,
          mapped: declinedCode,
          retry: others[brand] ?? usual,
        });
      }
    }
    expect(mapDecline({ brand: "mastercard", code: "79", mac: "24" }).notBeforeSeconds).toBe(3600);
  });

  test("cover the 24 declines of the simulator", () => {
    expect(ROWS.map(([code]) => code)).toEqual(DECLINED_CODES);
    expect(SANDBOX_OUTCOMES.flatMap((outcome) => declinedCodeOfOutcome(outcome) ?? [])).toEqual(DECLINED_CODES);
  });
});

test("24 reasons are an issuer's and 19 the platform's", () => {
  expect(DECLINED_CODES).toHaveLength(24);
  expect(PLATFORM_DECLINE_CODES).toHaveLength(19);
  expect(isDeclinedCode("generic")).toBe(true);
  expect(isDeclinedCode("timeout")).toBe(false);
  expect(isDeclinedCode("toString")).toBe(false);
});
