import { describe, expect, test } from "vitest";
import { checkAcquirer } from "@/lib/providers/acquirer";
import {
  ANTIFRAUD_KINDS,
  checkCredentials,
  isRoutable,
  isSimulatedKind,
  optionsRuleOf,
  PAYMENT_KINDS,
  registrableKind,
  secretsIn,
} from "@/lib/providers/kinds";
import { checkOptions } from "@/lib/providers/options";

const fieldsOf = (result: { ok: boolean; errors?: { field: string }[] }) =>
  result.ok ? [] : (result.errors ?? []).map(({ field }) => field);

describe("the kinds", () => {
  test("are 29 for payments and 4 for anti-fraud, and those that an adapter serves are routable here", () => {
    expect(Object.keys(PAYMENT_KINDS)).toHaveLength(29);
    expect(Object.keys(ANTIFRAUD_KINDS)).toHaveLength(4);
    const all = [...Object.keys(PAYMENT_KINDS), ...Object.keys(ANTIFRAUD_KINDS)];
    const routable = all.filter((type) => isRoutable(registrableKind(type) ?? "NUPAY"));
    expect(routable).toEqual([
      "SANDBOX",
      "PAGARME_V5",
      "ADYEN",
      "BB",
      "ITAU",
      "STRIPE",
      "CIELO",
      "BRASPAG",
      "MERCADO_PAGO",
      "SANDBOX_ANTIFRAUD",
      "KONDUTO",
    ]);
    expect(routable.filter((type) => isSimulatedKind(type))).toEqual(["SANDBOX", "SANDBOX_ANTIFRAUD"]);
  });

  test("carry the published matrix", () => {
    expect(PAYMENT_KINDS.ADYEN).toMatchObject({ card: true, boleto: true, pix: true, split: false, threeDS2: "full" });
    expect(PAYMENT_KINDS.NUPAY).toMatchObject({ card: false, boleto: false, pix: false });
    expect(PAYMENT_KINDS.DRIP.instalmentPix).toBe(true);
  });

  test("are found under their other spellings, and inherited names are none", () => {
    expect(registrableKind("picpay")).toBe("PICPAY");
    expect(registrableKind("GETNETSEP")).toBe("GETNET_SEP");
    for (const type of ["toString", "__proto__", "sandbox", 7, undefined])
      expect(registrableKind(type)).toBeUndefined();
  });
});

describe("credentials", () => {
  test("of every kind are complete with their required members, and lack each of them alone", () => {
    for (const [type, row] of Object.entries(PAYMENT_KINDS)) {
      const shape: Record<string, { required?: boolean }> = row.credentials;
      const required = Object.entries(shape)
        .filter(([, field]) => field.required)
        .map(([name]) => name);
      const whole = Object.fromEntries(required.map((name) => [name, name === "secretKey" ? "sk_live_abcd" : "abcd"]));
      expect(checkCredentials(type, { type, ...whole }).ok, type).toBe(true);
      for (const name of required) {
        const { [name]: _left, ...rest } = whole;
        expect(fieldsOf(checkCredentials(type, rest)), type).toEqual([`credentials.${name}`]);
      }
      expect(fieldsOf(checkCredentials(type, { ...whole, host: "evil.example" }))).toEqual(["credentials.host"]);
    }
  });

  test("of BB need the certificate with version 2 only", () => {
    const base = { authBasic: "a", devAppKey: "b", pixKey: "c" };
    expect(checkCredentials("BB", base).ok).toBe(true);
    expect(checkCredentials("BB", { ...base, version: 1 }).ok).toBe(true);
    expect(fieldsOf(checkCredentials("BB", { ...base, version: 2 }))).toEqual([
      "credentials.mtlsPemBase64",
      "credentials.mtlsPassPhrase",
    ]);
    expect(fieldsOf(checkCredentials("BB", { ...base, version: "3" }))).toEqual(["credentials.version"]);
  });

  test("of Adyen name a part of a host, never a host", () => {
    const base = { apiKey: "a", merchantAccount: "b" };
    expect(checkCredentials("ADYEN", { ...base, liveUrlPrefix: "1797a841-shop" }).ok).toBe(true);
    for (const liveUrlPrefix of ["evil.example", "a/b", "a@b", "A", "x".repeat(61)]) {
      expect(fieldsOf(checkCredentials("ADYEN", { ...base, liveUrlPrefix }))).toEqual(["credentials.liveUrlPrefix"]);
    }
  });

  test("of Adyen name it where live money is alone, and the keys of its notifications in hex", () => {
    const base = { apiKey: "a", merchantAccount: "b", environment: "test" };
    expect(checkCredentials("ADYEN", base).ok).toBe(true);
    const [old, next] = ["0".repeat(64), "A".repeat(64)];
    for (const webhookHmacKey of [old, [old, next]])
      expect(checkCredentials("ADYEN", { ...base, webhookHmacKey }).ok).toBe(true);
    for (const webhookHmacKey of ["key", [old, "key"], [old, next, old]]) {
      expect(fieldsOf(checkCredentials("ADYEN", { ...base, webhookHmacKey }))).toEqual(["credentials.webhookHmacKey"]);
    }
  });

  test("of Mercado Pago are no test tokens where live money is", () => {
    expect(fieldsOf(checkCredentials("MERCADO_PAGO", { accessToken: "TEST-1-a" }))).toEqual([
      "credentials.accessToken",
    ]);
    expect(checkCredentials("MERCADO_PAGO", { accessToken: "APP_USR-1-a" }).ok).toBe(true);
    for (const accessToken of ["TEST-1-a", "APP_USR-1-a"]) {
      expect(checkCredentials("MERCADO_PAGO", { accessToken, environment: "test" }).ok).toBe(true);
    }
  });

  test("may be marked as test credentials, and as nothing else", () => {
    const given = { secretKey: "sk_test_a", environment: "test" };
    expect(checkCredentials("STRIPE", given)).toMatchObject({
      ok: true,
      value: { environment: "test", fields: { secretKey: "sk_test_a" } },
    });
    expect(checkCredentials("STRIPE", { secretKey: "sk_live_a", environment: "live" })).toMatchObject({
      ok: true,
      value: { fields: { secretKey: "sk_live_a" } },
    });
    expect(fieldsOf(checkCredentials("STRIPE", { ...given, environment: "production" }))).toEqual([
      "credentials.environment",
    ]);
  });

  test("of the other environment are refused where their form tells", () => {
    for (const given of [
      { secretKey: "sk_live_a", environment: "test" },
      { secretKey: "sk_test_a" },
      { secretKey: "pk_live_a" },
    ]) {
      expect(fieldsOf(checkCredentials("STRIPE", given)), JSON.stringify(given)).toEqual(["credentials.secretKey"]);
    }
  });

  test("carry one secret of notifications, or the two of a rotation", () => {
    const secretsOf = (webhookSecret: unknown) => {
      const checked = checkCredentials("STRIPE", { secretKey: "sk_live_a", webhookSecret });
      return checked.ok ? secretsIn(checked.value.fields.webhookSecret) : fieldsOf(checked);
    };
    expect(secretsOf("whsec_a")).toEqual(["whsec_a"]);
    expect(secretsOf(["whsec_a", "whsec_b"])).toEqual(["whsec_a", "whsec_b"]);
    for (const wrong of [["a", "b", "c"], ["a", 1], [], 7]) {
      expect(secretsOf(wrong), JSON.stringify(wrong)).toEqual(["credentials.webhookSecret"]);
    }
  });
});

describe("options", () => {
  const antifraud = optionsRuleOf("SANDBOX_ANTIFRAUD");

  test("are complete with their defaults", () => {
    expect(checkOptions(optionsRuleOf("SANDBOX"), undefined)).toEqual({
      ok: true,
      value: { type: "SANDBOX", delaySeconds: 5 },
    });
    expect(checkOptions(antifraud, {})).toEqual({
      ok: true,
      value: {
        type: "ANTIFRAUD",
        productType: "SYNC",
        captureOnApproved: true,
        refundOnReproved: true,
        captureOnError: false,
        refundOnError: false,
        runBeforeCharge: false,
      },
    });
  });

  test("read two synonyms", () => {
    expect(checkOptions(antifraud, { captureOnApprove: false, refundOnReprove: false })).toMatchObject({
      value: { captureOnApproved: false, refundOnReproved: false },
    });
  });

  test("refuse what cannot be", () => {
    expect(checkOptions(antifraud, { productType: "ASYNC", runBeforeCharge: true }).ok).toBe(false);
    expect(checkOptions(optionsRuleOf("B2E"), { productType: "SYNC" }).ok).toBe(false);
    expect(checkOptions(optionsRuleOf("B2E"), undefined)).toMatchObject({ value: { productType: "ASYNC" } });
    expect(checkOptions(optionsRuleOf("SANDBOX"), { delaySeconds: 61 }).ok).toBe(false);
    expect(checkOptions(optionsRuleOf("BARTE"), undefined).ok).toBe(false);
    expect(checkOptions(optionsRuleOf("CIELO"), { type: "SANDBOX" }).ok).toBe(false);
    expect(checkOptions(optionsRuleOf("SANDBOX"), { type: "NUPAY" }).ok).toBe(false);
  });
});

describe("an acquirer", () => {
  test("has one merchant number, or one per BIN", () => {
    expect(checkAcquirer({ merchantId: "m", bin: [{ brand: "visa", value: "411111" }] }).ok).toBe(true);
    expect(checkAcquirer({ bin: [{ merchantId: "m", brand: "visa", value: "411111" }] }).ok).toBe(true);
    expect(checkAcquirer(undefined)).toEqual({ ok: true, value: undefined });
  });

  test("is refused half-way", () => {
    for (const bad of [
      {},
      { bin: [{ brand: "visa", value: "4" }] },
      { merchantId: 7 },
      { merchantId: "m", host: "x" },
      [],
    ]) {
      expect(checkAcquirer(bad).ok, JSON.stringify(bad)).toBe(false);
    }
  });
});
