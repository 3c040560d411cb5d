import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createFormatter, createTranslator } from "next-intl";
import { beforeAll, expect, test, vi } from "vitest";
import { createLinkAction } from "@/app/(dashboard)/dashboard/links/actions";
import { actOnPaymentAction, planOfAmountAction } from "@/app/(dashboard)/dashboard/payments/[id]/actions";
import { actOnPurchaseAction } from "@/app/(dashboard)/dashboard/payments/[id]/purchase-actions";
import { saveViewAction } from "@/app/(dashboard)/dashboard/payments/view-actions";
import { systemSql } from "@/db/client";
import { env } from "@/lib/env";
import { messages } from "@/lib/i18n/messages";
import { newId } from "@/lib/ids";
import { openClient } from "@/lib/testing/api";
import { payByCard, type Shop, withMerchant } from "@/lib/testing/payments";
import { signedIn } from "@/lib/testing/people";

/** No form of the dashboard keeps a card number in clear, as the API and the checkout keep none. */

const request = vi.hoisted(() => ({ sessionId: undefined as string | undefined, origin: "" }));
vi.mock("@/app/(auth)/auth", () => ({
  auth: async () => ({ sessionId: request.sessionId }),
  SignInRefused: class extends Error {},
}));
vi.mock("next/headers", () => ({
  headers: async () => new Headers({ origin: request.origin, host: "elsewhere" }),
  cookies: async () => ({ get: () => undefined, set: () => undefined, delete: () => undefined }),
}));
vi.mock("next/cache", () => ({ revalidatePath: () => undefined }));
vi.mock("next-intl/server", () => ({
  getLocale: async () => "en",
  getTimeZone: async () => "UTC",
  getFormatter: async () => createFormatter({ locale: "en", timeZone: "UTC" }),
  // Guarantee: the pages' own types hold their namespaces against the messages.
  getTranslations: async (namespace: never) => createTranslator({ locale: "en", messages: messages.en, namespace }),
}));

const CARD = "4111 1111 1111 1111";
const SAID = messages.en.tasks.cardNumber;
const refusedAt = (field: string) => ({ problem: messages.en.tasks.cardNumberAbove, problems: { [field]: SAID } });
const formOf = (fields: Record<string, string>): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
};

let shop: Shop;
beforeAll(async () => {
  shop = await withMerchant(await openClient());
  request.origin = env().BASE_URL;
  request.sessionId = await signedIn(shop.client, "owner");
});

test("a link's name and description hold none", async () => {
  const link = {
    name: "Bolo",
    amount: "10.00",
    methods: "pix",
    payments: "once",
    merchantId: shop.merchant.id,
    description: "de aniversário",
  };
  for (const field of ["name", "description", "orderId"])
    expect(await createLinkAction({}, formOf({ ...link, [field]: `pago com ${CARD}` }))).toEqual(refusedAt(field));
  const [row] = await systemSql()`select count(*)::int as made from sessions where client_id = ${shop.client.clientId}`;
  expect(row?.made).toBe(0);
});

test("the reason of a refund holds none, and the amount is no card either", async () => {
  const { id } = (await payByCard(shop, { capture: true })).body;
  const refund = { id, action: "refund", key: newId(), amount: "1.00", reason: "arrependimento" };
  expect(await actOnPaymentAction({}, formOf({ ...refund, reason: `cartão ${CARD}` }))).toEqual(refusedAt("reason"));
  expect(await actOnPaymentAction({}, formOf({ ...refund, amount: CARD }))).toEqual(refusedAt("amount"));
  expect(await planOfAmountAction(formOf({ ...refund, amount: CARD }))).toBeUndefined();
  expect(await actOnPurchaseAction({}, formOf({ ...refund, reason: CARD }))).toEqual(refusedAt("reason"));
  const [row] = await systemSql()`select refunded_amount::int as refunded from charges where id = ${id}`;
  expect(row?.refunded).toBe(0);
});

test("nor does a saved search, however its address is written", async () => {
  const query = `q=${encodeURIComponent(CARD)}`;
  expect(await saveViewAction({}, formOf({ name: "Dele", query }))).toEqual(refusedAt("query"));
});

/** Of these nothing is text that is kept: files, choices that are held against what there is, and passwords. */
const READ_THEMSELVES = new Set([
  "typed-text.ts",
  "dashboard/developers/keys/actions.ts",
  "dashboard/finance/statements/actions.ts",
  "dashboard/flows/actions.ts",
  "dashboard/links/new-link.ts",
  "dashboard/payments/[id]/actions.ts",
  "dashboard/payouts/files/actions.ts",
  "dashboard/reports/actions.ts",
  "dashboard/reports/fields.ts",
  "dashboard/sellers/chosen-files.ts",
  "dashboard/sellers/file-sizes.ts",
  "dashboard/sellers/fitting-photos.ts",
  "dashboard/sellers/unfit.ts",
  "dashboard/settings/brand/actions.ts",
  "dashboard/settings/security/typed.ts",
  "dashboard/settings/team/actions.ts",
  "dashboard/settings/team/roles/actions.ts",
  "dashboard/split-form.ts",
  "dashboard/subscriptions/form-actions.ts",
]);

test("every other file reads what was typed by the one function that refuses them", () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && !file.endsWith(".test.ts"),
  );
  const own = files.filter((file) =>
    /\bform\.(get|getAll|entries|values)\(|\[\.\.\.form\]|fromEntries\(form\b/.test(
      readFileSync(join(import.meta.dirname, file), "utf8"),
    ),
  );
  expect(new Set(own)).toEqual(READ_THEMSELVES);
});
