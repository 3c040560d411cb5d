import { createFormatter, createTranslator } from "next-intl";
import { expect, test, vi } from "vitest";
import { createLinkAction } from "@/app/(dashboard)/dashboard/links/actions";
import { env } from "@/lib/env";
import { messages } from "@/lib/i18n/messages";
import { openClient } from "@/lib/testing/api";
import { withMerchant } from "@/lib/testing/payments";
import { signedIn } from "@/lib/testing/people";

const request = vi.hoisted(() => ({ sessionId: undefined as string | undefined, origin: "" }));
vi.mock("@/app/(auth)/auth", () => ({ auth: async () => ({ sessionId: request.sessionId }) }));
vi.mock("next/headers", () => ({
  headers: async () => new Headers({ origin: request.origin, host: "elsewhere" }),
  cookies: async () => ({ get: () => undefined, set: () => undefined }),
}));
vi.mock("next-intl/server", () => {
  const locale = "en" as const;
  return {
    getLocale: async () => locale,
    getTimeZone: async () => "UTC",
    getFormatter: async () => createFormatter({ locale, timeZone: "UTC" }),
    // Guarantee: the pages' own types hold their namespaces against the messages.
    getTranslations: async (namespace: never) => createTranslator({ locale, messages: messages[locale], namespace }),
  };
});

test.each(["credit", "boleto"])(
  "a day that is over is refused at the due date of a link paid by %s",
  async (method) => {
    const shop = await withMerchant(await openClient());
    request.sessionId = await signedIn(shop.client, "owner");
    request.origin = env().BASE_URL;
    const form = new FormData();
    const typed = {
      name: "Table",
      merchantId: shop.merchant.id,
      amount: "900.00",
      payments: "once",
      installments: "1",
      methods: method,
      dueDate: "2020-01-31",
    };
    for (const [name, value] of Object.entries(typed)) form.set(name, value);
    expect(await createLinkAction({}, form)).toMatchObject({
      problems: { dueDate: expect.stringContaining("Choose tomorrow or a later day") },
    });
  },
);
