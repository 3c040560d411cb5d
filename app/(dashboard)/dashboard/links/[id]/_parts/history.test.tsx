import { createFormatter, createTranslator } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { History } from "@/app/(dashboard)/dashboard/links/[id]/_parts/history";
import { doersOf } from "@/app/(dashboard)/dashboard/links/[id]/_parts/records";
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
  ...{ actions, diff: { changes }, createdAt, updatedAt: createdAt },
});
const OFF = { isActive: { from: true, to: false } };
const created = record("1", AT, ["statusChanged"], { status: { from: null, to: "created" } });
const off = record("2", later(60), ["isActiveChanged"], OFF);
const on = record("3", later(60), ["isActiveChanged"], { isActive: { from: false, to: true } });
const canceled = record("4", later(120), ["statusChanged", "isActiveChanged"], {
  status: { from: "created", to: "canceled" },
  ...OFF,
});
const rows = [canceled, on, off, created];

const doing = (action: string, actor: string, accountAt: Date, before: object | null, after: object | null) => ({
  ...{ id: actor, action, actor, accountAt },
  ...{ before: before && { ...before }, after: after && { ...after } },
});
const STATE = { status: "created", dueDate: null, maxPayments: null };
const [IS_ON, IS_OFF] = [
  { ...STATE, isActive: true },
  { ...STATE, isActive: false },
];

test("each record of a link is told to be of whoever did it, and of nobody else", () => {
  const doings = [
    doing("session.cancel", "ana", later(120), { status: "created" }, null),
    doing("session.update", "bia", later(60), IS_OFF, IS_ON),
    // Nothing changed: there is no record of it.
    doing("session.update", "caio", later(60), IS_OFF, IS_OFF),
    doing("session.update", "davi", later(60), IS_ON, IS_OFF),
    doing("session.create", "eva", later(-1), null, { amount: 1 }),
  ];
  expect([...doersOf(rows, doings)]).toEqual([
    ["1", "eva"],
    ["2", "davi"],
    ["3", "bia"],
    ["4", "ana"],
  ]);
  const old = doings.map((each) => ({ ...each, accountAt: later(-3_600) }));
  expect([...doersOf(rows, old)]).toEqual([]);
});

test("a canceled link is told as canceled, not as turned off, with who did it", async () => {
  const told = async (shown: typeof rows, doers = new Map<string, string>()) =>
    renderToStaticMarkup(await History({ rows: shown, doers, closures: [], isWhole: true, currency: "BRL" }));
  const text = await told([canceled], new Map([["4", "Ana Souza"]]));
  expect(text).toContain("Link canceled");
  expect(text).toContain("Status: Open → Canceled");
  expect(text).toContain("by Ana Souza");
  expect(text).not.toContain("Turned off");
  const turned = await told([off]);
  expect(turned).toContain("Turned off");
  expect(turned).not.toContain("by ");
});
