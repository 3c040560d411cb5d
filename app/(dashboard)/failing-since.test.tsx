import { createFormatter, createTranslator } from "next-intl";
import { renderToReadableStream } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { AttentionPanel } from "@/app/(dashboard)/dashboard/_home/attention-panel";
import { webhookWords } from "@/app/(dashboard)/dashboard/developers/webhooks/words";
import { NoticeBell } from "@/app/(dashboard)/notice-bell";
import { messages } from "@/lib/i18n/messages";
import { openClient } from "@/lib/testing/api";
import type { WebhookRow } from "@/lib/webhooks/queries";

const SINCE = new Date("2026-11-27T18:25:00Z");
const TOLD = new Date("2026-11-27T18:40:00Z");
const SAID = "Failing since Nov 27, 2026, 6:25 PM";

vi.mock("next-intl/server", () => ({
  getLocale: async () => "en",
  getTranslations: async (namespace: never) => createTranslator({ locale: "en", messages: messages.en, namespace }),
  getFormatter: async () => createFormatter({ locale: "en", timeZone: "UTC" }),
}));
vi.mock("@/app/(dashboard)/waiting", () => ({
  attentionNow: async () => [{ kind: "webhooks_failing", count: 1, amount: 0, since: SINCE }],
}));
vi.mock("@/app/(dashboard)/operator-context", () => ({ memberOf: async () => ({ ctx: {}, role: "owner" }) }));
vi.mock("@/lib/notices/queries", () => ({
  noticesOf: async () => [
    {
      id: "1",
      kind: "webhook_failing",
      name: "https://loja.example/avisos",
      amount: null,
      currency: null,
      path: "/dashboard/developers/webhooks/1",
      at: TOLD,
      createdAt: TOLD,
      failingSince: SINCE,
      count: 1,
      isUnread: true,
    },
  ],
}));

test("home, the notice and the webhook's page say alike since when it fails", async () => {
  const home = await AttentionPanel({ ctx: await (await openClient()).context() });
  expect(await new Response(await renderToReadableStream(home)).text()).toContain(SAID);
  const bell = await NoticeBell();
  expect(bell?.props.items).toMatchObject([{ when: SAID }]);
  const { sentence } = await webhookWords();
  // Guarantee: what else a row holds the sentence of a failing one does not read.
  const webhook = { status: true, disabledReason: null, failures: 4, firstFailureAt: SINCE } as WebhookRow;
  expect(sentence(webhook, undefined, true, TOLD)).toBe(`${SAID}. No events in the queue.`);
});
