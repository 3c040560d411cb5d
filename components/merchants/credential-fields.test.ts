import { createTranslator } from "next-intl";
import { expect, test } from "vitest";
import { credentialFields } from "@/components/merchants/credential-fields";
import { messages } from "@/lib/i18n/messages";
import { KINDS_TO_CONNECT, membersOf } from "@/lib/providers/kind-fields";
import { checkCredentials, type RegistrableKind } from "@/lib/providers/kinds";

const LOCALES = ["en", "pt-BR"] as const;
const NEW = { isTest: true, stored: [] } as const;

function fieldsOf(
  kind: RegistrableKind,
  locale: (typeof LOCALES)[number] = "en",
  known: { isTest: boolean; stored: readonly string[] } = NEW,
) {
  const t = createTranslator({ locale, messages: messages[locale], namespace: "credentials" });
  return credentialFields(kind, t, known);
}

const named = (fields: ReturnType<typeof fieldsOf>, member: string) =>
  fields.find(({ name }) => name === `credential.${member}`);

test("of a test account ask for nothing that only live payments need, as the credentials are checked", () => {
  expect(named(fieldsOf("ADYEN"), "liveUrlPrefix")?.isRequired).toBe(false);
  expect(named(fieldsOf("ADYEN", "en", { isTest: false, stored: [] }), "liveUrlPrefix")?.isRequired).toBe(true);
  for (const { kind } of KINDS_TO_CONNECT) {
    for (const isTest of [true, false]) {
      const checked = checkCredentials(kind, isTest ? { environment: "test" } : {});
      const missing = checked.ok ? [] : checked.errors.map(({ field }) => field.replace("credentials.", "credential."));
      const asked = fieldsOf(kind, "en", { isTest, stored: [] }).filter(({ isRequired }) => isRequired);
      expect(asked.map(({ name }) => name).sort(), `${kind} ${isTest}`).toEqual(missing.sort());
    }
  }
});

test("have words for every field and every option of every kind, in both languages", () => {
  const raw: string[] = [];
  for (const locale of LOCALES) {
    for (const { kind } of KINDS_TO_CONNECT) {
      for (const { name, values } of membersOf(kind, "test")) {
        const field = named(fieldsOf(kind, locale), name);
        if (!field || field.label === name || field.label.startsWith("credentials.")) raw.push(`${kind}.${name}`);
        for (const { value, label } of field?.options ?? [])
          if (label === "" || (label === value && value !== "Getnet")) raw.push(`${kind}.${name}=${value}`);
        expect((field?.options ?? []).map(({ value }) => value)).toEqual(values.length > 0 ? ["", ...values] : []);
      }
    }
  }
  expect(raw).toEqual([]);
});

test("hide secrets as they are typed, and nothing else", () => {
  const hidden = (kind: RegistrableKind) =>
    fieldsOf(kind)
      .filter((field) => field.kind === "secret")
      .map(({ name }) => name.replace("credential.", ""));
  expect(hidden("ADYEN")).toEqual(["apiKey", "webhookPassword", "webhookHmacKey"]);
  expect(hidden("BB")).toEqual(["authBasic", "devAppKey", "mtlsPemBase64", "mtlsPassPhrase"]);
  expect(hidden("ITAU")).toEqual([
    "pixSecretKey",
    "pixMtlsCert",
    "pixMtlsCertKey",
    "boletoSecretKey",
    "boletoMtlsCert",
    "boletoMtlsCertKey",
  ]);
  expect(hidden("B2E")).toEqual(["password"]);
  expect(hidden("STRIPE")).toEqual(["secretKey", "webhookSecret"]);
});

test("what is stored is kept when left empty, and an empty choice says so", () => {
  const fields = fieldsOf("BRASPAG", "en", { isTest: true, stored: ["merchantId", "cardProvider"] });
  expect(named(fields, "merchantId")).toMatchObject({ isRequired: false, hint: messages.en.credentials.storedHint });
  expect(named(fields, "cardProvider")?.options?.[0]).toEqual({ value: "", label: messages.en.credentials.keepStored });
  expect(named(fields, "boletoProvider")?.options?.[0]).toEqual({ value: "", label: messages.en.credentials.unset });
});
