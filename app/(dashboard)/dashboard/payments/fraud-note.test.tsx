import { createTranslator } from "next-intl";
import { renderToReadableStream } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { APPROVED } from "@/app/(dashboard)/dashboard/_home/why-figure";
import { FraudNote } from "@/app/(dashboard)/dashboard/payments/fraud-note";
import { messages } from "@/lib/i18n/messages";
import { paymentFiguresOf } from "@/lib/insights/figures";
import { openShop, withAnalyst } from "@/lib/providers/sandbox/api/testing";
import { sandboxPan } from "@/lib/reference/sandbox-pans";
import { type ListFilters, listPayments } from "@/lib/search/payments";
import { addSeconds, DAY_SECONDS, realNow } from "@/lib/time";

vi.mock("next-intl/server", () => ({
  getTranslations: async (namespace: never) => createTranslator({ locale: "en", messages: messages.en, namespace }),
}));

const REFUSED = { fraudAnalysis: { customer: { identity: "52998224725" } } };
const HOUR_MS = 3_600_000;

test("a refusal of the fraud analysis counts as the bank answered, in figures and lists alike", async () => {
  const shop = await openShop(withAnalyst());
  const { body } = await shop.pay(sandboxPan("approve"), REFUSED);
  const ctx = await shop.context();
  const found = async (status: ListFilters["status"]) =>
    (await listPayments(ctx, "owner", { status })).items.map(({ id }) => id);
  expect([await found(["failed"]), await found(["canceled", "released"])]).toEqual([[], [body.id]]);
  const until = new Date((Math.floor(realNow().getTime() / HOUR_MS) + 1) * HOUR_MS);
  const from = addSeconds(until, -DAY_SECONDS);
  const span = { from, until, before: addSeconds(from, -DAY_SECONDS), beforeUntil: from, merchantId: undefined };
  const { now } = await paymentFiguresOf(ctx, "owner", { ...span, step: "hour" });
  expect([now.approved, now.declined]).toEqual([(await found(APPROVED.status)).length, 0]);
  expect(now.approved).toBe(1);
});

test("the list of declined payments says where those are, to accounts that have the analysis", async () => {
  const html = async (kinds: string[], states: ListFilters["status"]) => {
    const note = await FraudNote({ kinds, states, canceledHref: "/canceled" });
    return note && (await new Response(await renderToReadableStream(note)).text());
  };
  const said = await html(["SANDBOX", "SANDBOX_ANTIFRAUD"], ["failed"]);
  expect(said?.replaceAll(/<[^>]+>/g, "")).toBe(
    "Payments that the bank approved and the fraud analysis then declined were voided: they are under Canceled, and count as approved by the bank.",
  );
  expect(said).toContain('href="/canceled"');
  expect(await html(["SANDBOX"], ["failed"])).toBeNull();
  expect(await html(["SANDBOX_ANTIFRAUD"], ["canceled", "released"])).toBeNull();
});
