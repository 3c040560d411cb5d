import { createFormatter, createTranslator } from "next-intl";
import { beforeAll, expect, test, vi } from "vitest";
import { changeSellerAction } from "@/app/(dashboard)/dashboard/sellers/actions";
import { systemSql } from "@/db/client";
import { env } from "@/lib/env";
import { messages } from "@/lib/i18n/messages";
import { openClient, type TestClient } from "@/lib/testing/api";
import { withMerchant } from "@/lib/testing/payments";
import { signedIn } from "@/lib/testing/people";
import { newSeller } from "@/lib/testing/sellers";

const request = vi.hoisted(() => ({ sessionId: "" }));
vi.mock("@/app/(auth)/auth", () => ({ auth: async () => ({ sessionId: request.sessionId }) }));
vi.mock("next/headers", () => ({
  headers: async () => new Headers({ origin: env().BASE_URL }),
  cookies: async () => ({ get: () => undefined }),
}));
vi.mock("next-intl/server", () => {
  const locale = "en" as const;
  return {
    getLocale: async () => locale,
    getFormatter: async () => createFormatter({ locale, timeZone: "UTC" }),
    // Guarantee: the pages' own types hold their namespaces against the messages.
    getTranslations: async (namespace: never) => createTranslator({ locale, messages: messages[locale], namespace }),
  };
});

let client: TestClient;
let taken: string;
let known: string;
let other: string;

beforeAll(async () => {
  client = await openClient();
  const shop = await withMerchant(client);
  const body = newSeller(shop.merchant.id);
  taken = body.owner.document.number;
  known = (await client.make("POST", "/v1/sellers", { body })).id;
  other = (await client.make("POST", "/v1/sellers", { body: newSeller(shop.merchant.id) })).id;
  // An account has to be of the document that is typed.
  await systemSql()`
    update sellers set bank_account = jsonb_set(bank_account, '{holderDocument}', to_jsonb(${taken}::text))
     where id = ${other}`;
  request.sessionId = await signedIn(client, "owner");
});

test("a document that another seller has is said beside its field, with the way there", async () => {
  const form = new FormData();
  const written = taken.replace(/(\d{3})(\d{3})(\d{3})(\d{2})/, "$1.$2.$3-$4");
  const fields = { id: other, part: "owner", "owner.document.number": written };
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  expect(await changeSellerAction({}, form)).toMatchObject({
    problem: "Check the marked fields.",
    problems: { "owner.document.number": "The merchant already has a seller with this document." },
    links: { "owner.document.number": { href: `/dashboard/sellers/${known}` } },
    given: { "owner.document.number": written },
  });
});
