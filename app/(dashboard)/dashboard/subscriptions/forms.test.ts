import { createFormatter, createTranslator } from "next-intl";
import { expect, test, vi } from "vitest";
import {
  createSubscriptionAction,
  editSubscriptionAction,
} from "@/app/(dashboard)/dashboard/subscriptions/form-actions";
import { editFields, newFields } from "@/app/(dashboard)/dashboard/subscriptions/form-fields";
import { merchantsToChoose } from "@/lib/charges/to-choose";
import { customerOverview } from "@/lib/customers/operator-queries";
import { env } from "@/lib/env";
import { messages } from "@/lib/i18n/messages";
import { newId } from "@/lib/ids";
import { earlierPlans } from "@/lib/subscriptions/earlier-plans";
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
  const parted = await createSubscriptionAction({}, formOf({ ...plan, method: own, installments: "6", form: newId() }));
  expect(parted.plan?.lines).toContain("Each charge is made in 6 installments.");
  const changed = (installments: string) =>
    editSubscriptionAction({}, formOf({ id: body.id, name: "Plano Ouro", amount0: "49.90", card: own, installments }));
  expect((await changed("3")).plan?.lines).toContain("The next charges are made in 3 installments.");
  expect((await changed("1")).plan?.lines.join(" ")).not.toContain("installments");
}, 30_000);

test("a new one begins as an earlier one of the account: its name, amount and interval, each plan offered once", async () => {
  const club = await openClub("2027-01-31T10:00:00Z");
  const plan = (name: string, amount: number) => ({
    name,
    items: [{ name, amount, quantity: 1 }],
    recurrence: { interval: "yearly", startAt: "2027-02-10" },
  });
  await club.subscribe(plan("Gold", 4_990));
  await club.subscribe(plan("Silver", 1_990));
  await club.subscribe(plan("Gold", 4_990));
  await club.subscribe({
    ...plan("Two", 1),
    items: [
      { name: "a", amount: 1, quantity: 1 },
      { name: "b", amount: 2, quantity: 1 },
    ],
  });
  const ctx = await club.client.context();
  const earlier = await earlierPlans(ctx, "owner");
  expect(earlier.map(({ name, amount, interval }) => [name, amount, interval])).toEqual([
    ["Gold", 4_990, "yearly"],
    ["Silver", 1_990, "yearly"],
  ]);
  const asked = { methods: [], hasMandates: false, merchants: [], today: "2027-02-01" };
  const begun = async (like: (typeof earlier)[number] | undefined) =>
    (await newFields({ ...asked, like })).slice(0, 3).map(({ initial }) => initial);
  expect(await begun(earlier[0])).toEqual(["Gold", "49.90", "yearly"]);
  expect(await begun(undefined)).toEqual([undefined, undefined, "monthly"]);
  expect(await earlierPlans(await (await openClub("2027-01-31T10:00:00Z")).client.context(), "owner")).toEqual([]);
});

test("what a new subscription would do names its merchant where there are several, whose sellers alone share it", async () => {
  const club = await openClub("2027-01-31T10:00:00Z");
  const { client, customerId, merchant } = club;
  const card = await club.card();
  await client.make("POST", `/v1/customers/${customerId}/cards`, { body: { cardId: card } });
  await signInAsOwner(client.clientId);
  const plan = {
    customerId,
    name: "Plano Ouro",
    amount: "49.90",
    interval: "monthly",
    method: card,
    installments: "1",
  };
  const made = (more: Record<string, string>) =>
    createSubscriptionAction({}, formOf({ ...plan, form: newId(), ...more }));
  const linesOf = (state: Awaited<ReturnType<typeof made>>) => state.plan?.lines.join(" ");
  expect(linesOf(await made({ merchantId: merchant.id }))).not.toContain("Merchant:");
  await client.make("POST", "/v1/merchants", { body: { name: "Loja do Sul", mcc: "5411" } });
  const named = (await client.context().then((ctx) => merchantsToChoose(ctx, "owner"))).find(
    ({ id }) => id === merchant.id,
  );
  expect(linesOf(await made({ merchantId: merchant.id }))).toContain(`Merchant: ${named?.name ?? merchant.id}.`);
  expect(await made({ merchantId: "" })).toMatchObject({ problems: { merchantId: "Choose the merchant." } });
  const shared = { "split.seller": newId(), "split.percentage": "10" };
  expect(await made({ merchantId: merchant.id, ...shared })).toMatchObject({
    problem: expect.stringMatching(/belongs to another merchant/),
  });
}, 30_000);
