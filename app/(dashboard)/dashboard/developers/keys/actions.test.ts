import { createFormatter, createTranslator } from "next-intl";
import { beforeAll, expect, test, vi } from "vitest";
import { createSecretKeyAction } from "@/app/(dashboard)/dashboard/developers/keys/actions";
import { listSecretKeys } from "@/lib/accounts/secret-keys";
import { env } from "@/lib/env";
import { messages } from "@/lib/i18n/messages";
import { openClient, type TestClient } from "@/lib/testing/api";
import { signedIn } from "@/lib/testing/people";

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
beforeAll(async () => {
  client = await openClient();
  request.sessionId = await signedIn(client, "owner");
});

const create = (fields: Record<string, string>) => {
  const form = new FormData();
  for (const [name, value] of Object.entries({ name: "ERP", ...fields })) form.set(name, value);
  return createSecretKeyAction({}, form);
};
const keysNamed = async () =>
  (await listSecretKeys(await client.context())).filter(({ name }) => name === "ERP").map(({ rights }) => rights);

test("a key with full access is made only for whoever asks for full access by its name", async () => {
  expect(await create({})).toMatchObject({ problems: { access: "Choose restricted or full access." } });
  expect(await create({ access: "everything" })).toMatchObject({ problems: { access: expect.any(String) } });
  expect(await create({ access: "chosen" })).toMatchObject({ problems: { rights: "Choose at least one area." } });
  expect(await keysNamed()).toEqual([]);
  expect(await create({ access: "chosen", "rights.charges": "read" })).toMatchObject({ secret: expect.anything() });
  expect(await create({ access: "all", "rights.charges": "read" })).toMatchObject({ secret: expect.anything() });
  expect(await keysNamed()).toEqual(expect.arrayContaining([{ charges: "read" }, null]));
});
