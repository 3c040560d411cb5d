import { createFormatter, createTranslator } from "next-intl";
import { renderToReadableStream } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { ProvidersPanel } from "@/app/(dashboard)/dashboard/_home/providers-panel";
import { systemSql } from "@/db/client";
import { messages } from "@/lib/i18n/messages";
import { openClient } from "@/lib/testing/api";
import { payByCard, type Shop, withMerchant } from "@/lib/testing/payments";

vi.mock("next-intl/server", () => ({
  getFormatter: async () => createFormatter({ locale: "en", timeZone: "UTC" }),
  // Guarantee: the pages' own types hold their namespaces against the messages.
  getTranslations: async (namespace: never) => createTranslator({ locale: "en", messages: messages.en, namespace }),
}));

const shown = async ({ client }: Shop) => {
  const panel = await ProvidersPanel({ ctx: await client.context(), role: "owner", merchantId: undefined });
  return (await new Response(await renderToReadableStream(panel)).text()).replaceAll("&amp;", "&");
};

test("a provider is named by its kind, and by its connection and merchant once its kind has several", async () => {
  const works = await withMerchant(await openClient());
  await payByCard(works, { capture: true });
  const alone = await shown(works);
  expect(alone).toContain("/dashboard/payments?provider=SANDBOX&period=today");
  const fails = await withMerchant(works.client);
  for (let made = 0; made < 3; made++) await payByCard(fails, { capture: true });
  await systemSql()`update transaction_requests a set state = 'undetermined' from charges c
     where c.id = a.charge_id and a.kind = 'authorize' and c.merchant_id = ${fails.merchant.id}`;
  await systemSql()`update merchants set name = 'Loja Verde' where id = ${fails.merchant.id}`;
  const [connection] = await systemSql()<{ id: string; name: string }[]>`
    select id, name from providers where merchant_id = ${fails.merchant.id}`;
  const several = await shown(works);
  expect(several).toContain(`${connection?.name} (Loja Verde) is not responding: 3 of the last 3 attempts failed.`);
  expect(several).toContain(`/dashboard/payments?connection=${connection?.id}&period=today`);
  expect(several).not.toContain("provider=SANDBOX");
});
