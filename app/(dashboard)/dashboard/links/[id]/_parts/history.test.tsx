import { createFormatter, createTranslator } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { History } from "@/app/(dashboard)/dashboard/links/[id]/_parts/history";
import type { SessionAction } from "@/db/schema/sessions";
import { messages } from "@/lib/i18n/messages";

vi.mock("next-intl/server", () => ({
  getLocale: async () => "en",
  getFormatter: async () => createFormatter({ locale: "en", timeZone: "UTC" }),
  // Guarantee: the component's own types hold its namespace against the messages.
  getTranslations: async (namespace: never) => createTranslator({ locale: "en", messages: messages.en, namespace }),
}));

const AT = new Date("2026-11-29T12:00:00Z");
const later = (seconds: number) => new Date(AT.getTime() + seconds * 1_000);

const record = (
  id: string,
  createdAt: Date,
  actions: SessionAction[],
  changes: Record<string, { from: unknown; to: unknown }>,
) => ({
  ...{ id, clientId: "c", sessionId: "s", merchantId: "m", sequence: 1, status: "created" as const },
  ...{ actions, diff: { changes }, actor: "operator:1", createdAt, updatedAt: createdAt },
});
const OFF = { isActive: { from: true, to: false } };
const off = record("2", later(60), ["isActiveChanged"], OFF);
const canceled = record("4", later(120), ["statusChanged", "isActiveChanged"], {
  status: { from: "created", to: "canceled" },
  ...OFF,
});

const told = async (shown: (typeof canceled)[]) =>
  renderToStaticMarkup(
    await History({ rows: shown, nameOf: () => "Ana Souza", closures: [], isWhole: true, currency: "BRL" }),
  );

test("each record says who did it: a person or key by name, the buyer, or nobody", async () => {
  expect(await told([off])).toContain("by Ana Souza");
  expect(await told([{ ...off, actor: "key:1" }])).toContain("by Ana Souza");
  expect(await told([{ ...off, actor: "session:pk_1" }])).toContain("by the buyer, on the payment page");
  expect(await told([{ ...off, actor: "system" }])).toContain("automatically");
});

test("a canceled link is told as canceled, not as turned off, with who did it", async () => {
  const text = await told([canceled]);
  expect(text).toContain("Link canceled");
  expect(text).toContain("Status: Open → Canceled");
  expect(text).toContain("by Ana Souza");
  expect(text).not.toContain("Turned off");
  expect(await told([off])).toContain("Turned off");
});
