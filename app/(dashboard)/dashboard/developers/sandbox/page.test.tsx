import { createFormatter, createTranslator } from "next-intl";
import { renderToReadableStream } from "react-dom/server";
import { expect, test, vi } from "vitest";
import SandboxPage from "@/app/(dashboard)/dashboard/developers/sandbox/page";
import { WordsProvider } from "@/components/ui/words";
import { messages } from "@/lib/i18n/messages";
import { openClient } from "@/lib/testing/api";
import { openCustomer, withMerchant } from "@/lib/testing/payments";
import { signedIn } from "@/lib/testing/people";

const request = vi.hoisted(() => ({ sessionId: "" }));

vi.mock("@/app/(auth)/auth", () => ({ auth: async () => ({ sessionId: request.sessionId }) }));
vi.mock("next/headers", () => ({
  headers: async () => new Headers(),
  cookies: async () => ({ get: () => undefined, set: () => undefined }),
}));
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

async function shown(search: Record<string, string> = {}): Promise<string> {
  const stream = await renderToReadableStream(
    <WordsProvider words={messages.en.ui}>
      <SandboxPage searchParams={Promise.resolve(search)} />
    </WordsProvider>,
  );
  await stream.allReady;
  const html = await new Response(stream).text();
  return html.replaceAll("<!-- -->", "");
}

test("a stored fault is said in words, for whom people know by name, and what it does not act on", async () => {
  const { client, merchant } = await withMerchant(await openClient());
  request.sessionId = await signedIn(client, "owner");
  await client.make("PATCH", `/v1/merchants/${merchant.id}`, { body: { name: "Loja Azul" } });
  const customerId = await openCustomer(client);
  const store = (target: object, scenario: string) =>
    client.make("POST", "/v1/sandbox/scenarios", { body: { target, scenario } });
  await store({ merchantId: merchant.id }, "outcome=pending_forever;times=2");
  await store({ customerId }, "outcome=320;fault=drop_response;latency=50");
  await store({ customerId }, "step=capture;slot=1");
  const page = await shown();
  const table = page.slice(page.indexOf("<tbody"), page.indexOf("</tbody>"));
  expect(table).toContain(`${messages.en.sandbox.outcomePendingForever}<code`);
  expect(table).toMatch(/>Merchant <span[^>]*>Loja Azul</);
  expect(table).not.toMatch(new RegExp(`>${merchant.id}<`));
  expect(table).toContain(
    "Approved; the refund is declined for lack of balance · The provider acts, and the connection drops before it answers · Answer after 50 ms",
  );
  expect(table).toContain("step=capture;slot=1");
  expect(page).toContain("For a one-off payment, pay with a test card below or send the X-Sandbox-Scenario header.");
  expect(await shown({ do: "scenario" })).toContain("One-off payments, by API or by link, don’t use it");
});
