import { createFormatter, createTranslator } from "next-intl";
import { expect, test, vi } from "vitest";
import { sampleAddress, sampleOpenedAt } from "@/app/(dashboard)/dashboard/developers/webhooks/sample";
import { webhookWords } from "@/app/(dashboard)/dashboard/developers/webhooks/words";
import { messages } from "@/lib/i18n/messages";
import type { WebhookRow } from "@/lib/webhooks/queries";

vi.mock("next-intl/server", () => ({
  getTranslations: async (namespace: never) => createTranslator({ locale: "en", messages: messages.en, namespace }),
  getFormatter: async () => createFormatter({ locale: "en", timeZone: "UTC" }),
}));

const FAILED = {
  endpoint: "https://shop.example/hook",
  failures: 395,
  firstFailureAt: new Date("2026-11-27T18:25:00Z"),
} as WebhookRow;
const NOW = new Date("2026-12-03T12:00:00Z");
const backlog = { scheduled: 0, sending: 0, held: 99, exhausted: 15, oldestOpenAt: null, nextTryAt: null };

test("a webhook that failures stopped is stopped since then, not since its first failure", async () => {
  const { sentence } = await webhookWords();
  const stopped: WebhookRow = {
    ...FAILED,
    status: false,
    disabledReason: "delivery_failures",
    disabledAt: new Date("2026-12-02T18:25:00Z"),
  };
  expect(sentence(stopped, backlog, true, NOW)).toMatch(/^Stopped by failures since Dec 2, 2026/);
  const failing: WebhookRow = { ...FAILED, status: true, disabledReason: null, disabledAt: null };
  expect(sentence(failing, backlog, true, NOW)).toMatch(/^Failing since Nov 27, 2026/);
});

test("one that fails since a moment is not called healthy beside its queue", async () => {
  const { health } = await webhookWords();
  const young: WebhookRow = { ...FAILED, status: true, disabledReason: null, health: "healthy" };
  expect(health(young, true, NOW)).toEqual({ text: "Failing", tone: "warning" });
  expect(health({ ...young, failures: 0 }, true, NOW)).toEqual({ text: "Healthy", tone: "success" });
});

test("one that was sent nothing is not said to have had everything delivered", async () => {
  const { sentence } = await webhookWords();
  const well: WebhookRow = { ...FAILED, status: true, disabledReason: null, failures: 0, createdAt: NOW };
  expect(sentence(well, undefined, true, NOW)).toBe("All events delivered.");
  expect(sentence(well, undefined, false, NOW)).toBe("Nothing has been sent yet.");
  const old = { ...well, createdAt: new Date("2026-01-01T00:00:00Z") };
  expect(sentence(old, undefined, false, NOW)).toBe("No events to send in the last 90 days.");
});

test("one that was sent nothing is not called healthy", async () => {
  const { health } = await webhookWords();
  const untried: WebhookRow = {
    ...FAILED,
    status: true,
    disabledReason: null,
    health: "healthy",
    failures: 0,
    createdAt: NOW,
  };
  expect(health(untried, false, NOW)).toEqual({ text: "Nothing sent yet", tone: "neutral" });
  expect(health({ ...untried, status: false, disabledReason: "client" }, false, NOW).text).toBe("Off");
  const old = { ...untried, createdAt: new Date("2026-01-01T00:00:00Z") };
  expect(health(old, false, NOW)).toEqual({ text: "Nothing sent recently", tone: "neutral" });
});

test("a delivery that was never sent waits behind others only where its webhook fails", async () => {
  const { notSent } = await webhookWords();
  const behind = "Not sent yet: the endpoint is failing, and this delivery waits behind earlier ones.";
  expect(notSent({ status: "scheduled" }, { failures: 15 }, false)).toBe(behind);
  expect(notSent({ status: "held" }, { failures: 15 }, false)).toBe(behind);
  expect(notSent({ status: "scheduled" }, { failures: 0 }, false)).toBe("Not sent yet.");
  expect(notSent({ status: "dropped" }, { failures: 15 }, false)).toBe("Not sent yet.");
});

test("a delivery behind earlier events of its object says so, and no moment that passed is called the next", async () => {
  const { next, notSent } = await webhookWords();
  expect(notSent({ status: "scheduled" }, { failures: 0 }, true)).toBe(
    "Not sent yet: it waits for earlier events of the same object.",
  );
  const past = { nextAttemptAt: new Date(NOW.getTime() - 60_000) };
  expect(next(past, true, NOW)).toBe("After the earlier events of the same object");
  expect(next(past, false, NOW)).toBe("As soon as possible");
  expect(next({ nextAttemptAt: null }, false, NOW)).toBeUndefined();
  expect(next({ nextAttemptAt: new Date(NOW.getTime() + 60_000) }, false, NOW)).toContain("12:01:00");
});

test("the form for an example goes back to where it was opened", () => {
  const id = "01920000-0000-7000-8000-000000000001";
  const { pathname, searchParams } = new URL(sampleAddress("transaction.authorized", id), "https://x.example");
  expect(pathname).toBe("/dashboard/developers/webhooks/events");
  expect(sampleOpenedAt(searchParams.get("webhook") ?? undefined)).toBe(`/dashboard/developers/webhooks/${id}`);
  expect(sampleOpenedAt(undefined)).toBe("/dashboard/developers/webhooks/events");
  expect(sampleOpenedAt("../x")).toBe("/dashboard/developers/webhooks/events");
});
