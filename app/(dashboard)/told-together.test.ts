import { createFormatter, createTranslator } from "next-intl";
import { beforeAll, expect, test, vi } from "vitest";
import { uploadStatementAction } from "@/app/(dashboard)/dashboard/finance/statements/actions";
import { checkLinkAction, createLinkAction } from "@/app/(dashboard)/dashboard/links/actions";
import { bringReturnAction } from "@/app/(dashboard)/dashboard/payouts/files/actions";
import { checkSellerAction, createSellerAction } from "@/app/(dashboard)/dashboard/sellers/actions";
import {
  changeMemberAction,
  checkInvitationAction,
  inviteAction,
} from "@/app/(dashboard)/dashboard/settings/team/actions";
import { changeLimitsAction } from "@/app/(dashboard)/dashboard/settings/team/limit-actions";
import {
  checkNewSubscriptionAction,
  checkSubscriptionAction,
  createSubscriptionAction,
  editSubscriptionAction,
} from "@/app/(dashboard)/dashboard/subscriptions/form-actions";
import type { TaskAction } from "@/components/tasks/task-form";
import { systemSql } from "@/db/client";
import { env } from "@/lib/env";
import { messages } from "@/lib/i18n/messages";
import { newId } from "@/lib/ids";
import { signedIn } from "@/lib/testing/people";
import { type Club, openClub } from "@/lib/testing/subscriptions";

/** Whoever fills in a form hears of everything that is wrong with it at once. */

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

let club: Club;
let subscription: string;
beforeAll(async () => {
  club = await openClub("2027-01-31T10:00:00Z");
  subscription = (await club.subscribe()).body.id;
  request.sessionId = await signedIn(club.client, "owner");
  request.origin = env().BASE_URL;
}, 60_000);

async function sent(act: TaskAction, fields: Record<string, string>) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return act({}, form);
}
const wrongIn = async (act: TaskAction, fields: Record<string, string>) =>
  Object.keys((await sent(act, fields)).problems ?? {}).toSorted();

const LINK = { name: "Table", amount: "900.00", payments: "once", installments: "1", methods: "credit" };
const past = "2020-01-31";
const plan = () => ({ customerId: club.customerId, interval: "monthly", method: newId(), form: newId() });

test.each([
  ["create", createLinkAction],
  ["check", checkLinkAction],
] as const)("of a new link, all that is wrong: %s", async (_how, act) => {
  const bad = { ...LINK, name: "", amount: "x", methods: "", merchantId: "", dueDate: past };
  expect(await wrongIn(act, bad)).toEqual(["amount", "dueDate", "merchantId", "methods", "name"]);
  const long = { ...LINK, orderId: "x".repeat(65), description: "x".repeat(256), merchantId: "" };
  expect(await wrongIn(act, long)).toEqual(["description", "merchantId", "orderId"]);
  const repeated = { ...LINK, interval: "monthly", cycles: "0", trialDays: "366", amount: "0,00" };
  expect(await wrongIn(act, { ...repeated, merchantId: club.merchant.id })).toEqual(["amount", "cycles", "trialDays"]);
  const dayless = { ...LINK, methods: "boleto", merchantId: "" };
  expect(await wrongIn(act, dayless)).toEqual(["dueDate", "merchantId"]);
  // A day is asked for where the boleto lacks one, not beside another field's fault.
  expect(await wrongIn(act, { ...dayless, dueDate: "2099-01-31" })).toEqual(["merchantId"]);
  const shared = {
    ...LINK,
    amount: "x",
    merchantId: club.merchant.id,
    "split.seller": newId(),
    "split.percentage": "120",
  };
  expect(await sent(act, shared)).toMatchObject({
    problem: expect.stringMatching(/^Check the split/),
    problems: { amount: expect.any(String) },
  });
});

test.each([
  ["create", createSubscriptionAction],
  ["check", checkNewSubscriptionAction],
] as const)("of a new subscription, all that is wrong: %s", async (_how, act) => {
  const bad = { ...plan(), merchantId: "", name: "", amount: "x", startAt: past, trialEndAt: past, cycles: "0" };
  expect(await wrongIn(act, bad)).toEqual(["amount", "cycles", "merchantId", "name", "startAt", "trialEndAt"]);
  const shared = { ...bad, "split.seller": newId(), "split.percentage": "120" };
  expect(await wrongIn(act, shared)).toEqual(["amount", "cycles", "merchantId", "name", "startAt", "trialEndAt"]);
});

test("of an existing subscription, all that is wrong", async () => {
  const bad = { id: subscription, name: "", amount0: "x", cycles: "0" };
  for (const act of [editSubscriptionAction, checkSubscriptionAction])
    expect(await wrongIn(act, bad)).toEqual(["amount0", "cycles", "name"]);
});

test("of a member, all that is wrong", async () => {
  const typed = { role: "support", reach: "chosen", each: "x", daily: "0,00" };
  for (const act of [inviteAction, checkInvitationAction])
    expect(await wrongIn(act, { ...typed, email: "nobody" })).toEqual(["daily", "each", "email", "merchants"]);
  expect(await wrongIn(changeMemberAction, { ...typed, id: newId() })).toEqual(["daily", "each", "merchants"]);
});

test("of limits and of files, all that is wrong", async () => {
  expect(await wrongIn(changeLimitsAction, { reviews: "x", refunds: "x" })).toEqual(["refunds", "reviews"]);
  expect(await wrongIn(uploadStatementAction, { provider: "" })).toEqual(["file", "provider"]);
  expect(await wrongIn(bringReturnAction, { merchant: "" })).toEqual(["file", "merchant"]);
});

test("of a new seller, a bad e-mail and what else is missing", async () => {
  const wrong = await wrongIn(checkSellerAction, { kind: "person", "owner.email": "nobody", merchantId: "" });
  expect(wrong).toEqual(await wrongIn(createSellerAction, { kind: "person", "owner.email": "nobody", merchantId: "" }));
  expect(wrong).toEqual(expect.arrayContaining(["owner.email", "owner.name", "owner.document.number", "mcc"]));
});

test("a check of what nothing is wrong with does nothing", async () => {
  const sql = systemSql();
  const counted = async () => [
    ...(await sql`select (select count(*) from sessions) as links, (select count(*) from subscriptions) as subscriptions,
      (select count(*) from invitations) as invitations`),
  ];
  const before = await counted();
  expect(await sent(checkLinkAction, { ...LINK, merchantId: club.merchant.id })).toEqual({});
  const right = { ...plan(), merchantId: club.merchant.id, name: "Ouro", amount: "10.00" };
  expect(await sent(checkNewSubscriptionAction, right)).toEqual({});
  const change = { id: subscription, name: "Prata", amount0: "10.00" };
  expect(await sent(checkSubscriptionAction, change)).toEqual({});
  expect((await club.read(subscription)).name).toBe("Plano Ouro");
  expect(await sent(checkInvitationAction, { email: "ana@equipe.example", role: "support" })).toEqual({});
  expect(await counted()).toEqual(before);
});
