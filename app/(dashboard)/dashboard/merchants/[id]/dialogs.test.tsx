import { createFormatter, createTranslator } from "next-intl";
import { renderToReadableStream } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { MerchantDialog } from "@/app/(dashboard)/dashboard/merchants/[id]/dialogs";
import { WordsProvider } from "@/components/ui/words";
import { messages } from "@/lib/i18n/messages";
import { getMerchant } from "@/lib/merchants/service";
import { openClient } from "@/lib/testing/api";
import { withMerchant } from "@/lib/testing/payments";

vi.mock("@/app/(auth)/auth", () => ({ auth: async () => null }));
vi.mock("next/navigation", async (load) => ({
  ...(await load<typeof import("next/navigation")>()),
  useRouter: () => ({}),
  usePathname: () => "/dashboard",
  useSearchParams: () => new URLSearchParams(),
}));
vi.mock("next-intl/server", () => ({
  getLocale: async () => "en",
  getTranslations: async (namespace: never) => createTranslator({ locale: "en", messages: messages.en, namespace }),
  getFormatter: async () => createFormatter({ locale: "en", timeZone: "UTC" }),
}));

test("a provider that the merchant cannot connect now is named, and nothing is asked of it", async () => {
  const { client, merchant } = await withMerchant(await openClient());
  const opened = async ({ kind, isSandbox = true }: { kind?: string; isSandbox?: boolean } = {}) => {
    const view = await getMerchant(await client.context(), merchant.id);
    const dialog = await MerchantDialog({
      doing: "add",
      kind,
      provider: undefined,
      view,
      isSandbox,
      path: "/dashboard/merchants/1",
    });
    const stream = await renderToReadableStream(<WordsProvider words={messages.en.ui}>{dialog}</WordsProvider>);
    await stream.allReady;
    return new Response(stream).text();
  };
  const active = await opened();
  expect(active).toContain("kind=ADYEN");
  expect(active).toContain("Rede");
  expect(active).not.toContain("kind=REDE");
  expect(active).toContain("A merchant that takes payments can’t connect these providers.");
  expect(await opened({ kind: "REDE" })).not.toContain("credential.");
  expect(await opened({ kind: "ADYEN" })).toContain("credential.");
  await client.make("PATCH", `/v1/merchants/${merchant.id}`, { body: { status: false } });
  const idle = await opened();
  expect(idle).toContain("kind=REDE");
  expect(idle).toContain("You can save their credentials now");
  expect(await opened({ kind: "REDE" })).toContain("credential.");
  expect([idle.includes("kind=SANDBOX"), (await opened({ isSandbox: false })).includes("kind=SANDBOX")]).toEqual([
    true,
    false,
  ]);
});
