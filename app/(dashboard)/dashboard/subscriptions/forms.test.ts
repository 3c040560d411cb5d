import { createFormatter, createTranslator } from "next-intl";
import { expect, test, vi } from "vitest";
import {
  createSubscriptionAction,
  editSubscriptionAction,
} from "@/app/(dashboard)/dashboard/subscriptions/form-actions";
import { editFields } from "@/app/(dashboard)/dashboard/subscriptions/form-fields";
import { customerOverview } from "@/lib/customers/operator-queries";
import { env } from "@/lib/env";
import { messages } from "@/lib/i18n/messages";
import { newId } from "@/lib/ids";
import { overviewOf } from "@/lib/subscriptions/operator-queries";
import { signedIn } from "@/lib/testing/people";
import { openClub } from "@/lib/testing/subscriptions";

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

async function signInAsOwner(clientId: string): Promise<void> {
  request.sessionId = await signedIn({ clientId }, "owner");
  request.origin = env().BASE_URL;
}

const formOf = (fields: Record<string, string>): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
};

test("a form keeps what it does not offer, and charges no card but those that it offers", async () => {
  const club = await openClub("2027-01-31T10:00:00Z");
  const { customerId, merchant } = club;
  const [own, stray] = [await club.card(), await club.card()];
  await club.client.make("POST", `/v1/customers/${customerId}/cards`, { body: { cardId: own } });
  // Its card is linked to nobody, and its merchant is beyond those that are offered.
  const { body } = await club.subscribe({ recurrence: { interval: "monthly", startAt: "2027-02-10" } });
  const ctx = await club.client.context();
  const { cards } = await customerOverview(ctx, "owner", customerId);
  const others = ["Sul", "Norte"].map((name) => ({ id: newId(), name }));
  const fields = await editFields(await overviewOf(ctx, "owner", body.id), cards, others);
  for (const name of ["card", "merchantId"]) {
    const { options = [], initial } = fields.find((field) => field.name === name) ?? {};
    expect([name, options.map(({ value }) => value)]).toEqual([name, expect.arrayContaining([initial])]);
    expect(options.length).toBeGreaterThan(1);
  }

  await signInAsOwner(club.client.clientId);
  const edited = (card: string) =>
    editSubscriptionAction({}, formOf({ id: body.id, name: "Plano Ouro", amount0: "49.90", card }));
  expect(await edited(stray)).toMatchObject({ problems: { card: expect.any(String) } });
  expect(await edited(own)).toMatchObject({ plan: { lines: expect.arrayContaining([expect.any(String)]) } });
  const plan = { customerId, merchantId: merchant.id, name: "Plano Ouro", amount: "49.90", interval: "monthly" };
  const made = (method: string) =>
    createSubscriptionAction({}, formOf({ ...plan, method, installments: "1", form: newId() }));
  expect(await made(stray)).toMatchObject({ problems: { method: expect.any(String) } });
  expect(await made(own)).toMatchObject({ plan: { lines: expect.arrayContaining([expect.stringContaining("now")]) } });
}, 30_000);
