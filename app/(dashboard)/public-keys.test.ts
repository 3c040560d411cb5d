import { createFormatter, createTranslator } from "next-intl";
import { expect, test, vi } from "vitest";
import { auditWords, objectNames } from "@/app/(dashboard)/dashboard/audit/words";
import { publicKeyWords } from "@/app/(dashboard)/dashboard/developers/keys/words";
import { whoActed } from "@/app/(dashboard)/dashboard/payments/[id]/panels";
import { messages } from "@/lib/i18n/messages";
import { openClient } from "@/lib/testing/api";

vi.mock("next-intl/server", () => ({
  getLocale: async () => "en",
  getTranslations: async (namespace: never) => createTranslator({ locale: "en", messages: messages.en, namespace }),
  getFormatter: async () => createFormatter({ locale: "en", timeZone: "UTC" }),
}));

const KEY = "0b8e5f0c-3d1c-4d8e-9a43-6f2d7c55a1b2";

test("a public key, which has no name, is called by its end wherever it is met", async () => {
  const ctx = await (await openClient()).context();
  const named = await publicKeyWords(undefined);
  expect(named({ publicKey: KEY, createdAt: new Date("2026-11-03T12:00:00Z") })).toBe(
    "Public key …a1b2, created Nov 3, 2026",
  );
  const actor = `public:${KEY}`;
  expect((await auditWords(ctx, [actor])).actor(actor)).toBe("Public key …a1b2");
  expect((await objectNames(ctx, [{ object: "public_key", objectId: KEY }])).get(KEY)).toBe("…a1b2");
  const act = {
    id: "",
    actor,
    secondActor: null,
    action: "charge.create",
    amount: undefined,
    reason: null,
    at: new Date(),
  };
  const who = await whoActed(ctx, [act]);
  expect(who(act)).toBe("Through the API, with the public key …a1b2");
});
