"use server";

import { createHash } from "node:crypto";
import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import type { z } from "zod";
import { splitIn } from "@/app/(dashboard)/dashboard/split-form";
import { JOURNEYS } from "@/app/(dashboard)/dashboard/subscriptions/form-fields";
import { changeLines, newLines, refusalOf, refused } from "@/app/(dashboard)/dashboard/subscriptions/form-words";
import { LIST } from "@/app/(dashboard)/dashboard/subscriptions/words";
import { runTask, textOf } from "@/app/(dashboard)/task";
import { typedAmounts } from "@/app/(dashboard)/typed-amounts";
import type { TaskState } from "@/components/tasks/task-form";
import { canonicalJson } from "@/lib/canonical-json";
import { merchantsToChoose } from "@/lib/charges/to-choose";
import { type Context, inTransaction, now, sqlState } from "@/lib/context";
import { customerOverview } from "@/lib/customers/operator-queries";
import { notFound } from "@/lib/errors";
import { derivedId, isUuid } from "@/lib/ids";
import { may } from "@/lib/operators/permissions";
import { reaching } from "@/lib/operators/reach";
import type { OperatorRole } from "@/lib/operators/sessions";
import { utcDayOf } from "@/lib/subscriptions/calendar";
import { createSubscription } from "@/lib/subscriptions/create";
import { planOfChange, planOfNew } from "@/lib/subscriptions/plan";
import { getSubscription, type SubscriptionRow } from "@/lib/subscriptions/queries";
import {
  type NewSubscription,
  newSubscription,
  type SubscriptionChanges,
  subscriptionChanges,
} from "@/lib/subscriptions/schema";
import { updateSubscription } from "@/lib/subscriptions/update";

/** Of the page alone, so that what is pressed twice is one subscription. */
const NOT_TYPED = new Set(["plan", "form"]);

/** What was typed, so that a plan is of exactly this form. */
const typedIn = (form: FormData): Record<string, string> =>
  Object.fromEntries(
    [...form.keys()]
      .filter((name) => !NOT_TYPED.has(name) && !name.startsWith("$"))
      .map((name) => [name, form.getAll(name).map(String).join("\n")]),
  );

const keyOf = (form: FormData, lines: readonly string[]): string =>
  createHash("sha256")
    .update(canonicalJson({ typed: typedIn(form), lines }))
    .digest("hex");

type Issues = readonly z.core.$ZodIssue[];
const membersOf = (issues: Issues): string[] => issues.map(({ path }) => path.map(String).join("."));

const countOf = (typed: string): number | undefined => (typed === "" ? undefined : Number(typed));

function methodOf(form: FormData): object {
  const chosen = textOf(form, "method");
  if (Object.hasOwn(JOURNEYS, chosen)) {
    // Guarantee: looked up only where the key exists.
    const journey = JOURNEYS[chosen as keyof typeof JOURNEYS];
    return { type: "pix_automatic", journey, retry: textOf(form, "retry") || undefined };
  }
  return { type: "credit", card: { cardId: chosen }, installments: countOf(textOf(form, "installments")) };
}

/** What was typed of a new one as the request that makes it, or all that is wrong with it at once. */
async function newIn(
  { ctx, role }: { ctx: Context; role: OperatorRole },
  form: FormData,
): Promise<{ input: NewSubscription } | { unfit: TaskState }> {
  const [t, amounts] = [await getTranslations("subscriptions"), await typedAmounts()];
  const typedAmount = textOf(form, "amount");
  const amount = amounts.read(typedAmount);
  const [trialEndAt, startAt] = [textOf(form, "trialEndAt"), textOf(form, "startAt")];
  const read = newSubscription.safeParse({
    name: textOf(form, "name"),
    merchantId: textOf(form, "merchantId"),
    customerId: textOf(form, "customerId"),
    items: [{ name: textOf(form, "name"), amount: amount ?? 0, quantity: 1 }],
    recurrence: {
      interval: textOf(form, "interval"),
      cycles: countOf(textOf(form, "cycles")),
      startAt: startAt || undefined,
    },
    paymentMethod: methodOf(form),
    referenceKey: textOf(form, "referenceKey") || undefined,
    trial: trialEndAt ? { endAt: trialEndAt } : undefined,
    splitRules: may(role, "sellers.see") ? splitIn(form) : undefined,
  });
  const today = utcDayOf(now(ctx));
  // What the service would refuse only once everything else is right.
  const past = [
    ...(trialEndAt && trialEndAt <= today ? ["trial.endAt"] : []),
    ...(startAt && startAt < today ? ["recurrence.startAt"] : []),
  ];
  if (read.success && past.length === 0) return { input: read.data };
  const issues = read.error?.issues ?? [];
  // The item is called as the subscription is, and its amount has words of its own.
  const members = membersOf(issues).filter((member) => !member.startsWith("items"));
  const told = (await refused([...members, ...past])) ?? { problem: t("formUnfit") };
  const problems = { ...told.problems, ...(amount ? {} : { amount: amounts.problemOf(typedAmount) }) };
  return { unfit: { ...told, problems, given: typedIn(form) } };
}

/** What is wrong with a new one, and nothing else: none is made, and nothing is charged. */
export async function checkNewSubscriptionAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("subscriptions.edit", async (sender): Promise<TaskState> => {
    const read = await newIn(sender, form);
    return "unfit" in read ? read.unfit : {};
  });
}

/** Tells what it would do first, and does it when the same is sent once more. */
export async function createSubscriptionAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("subscriptions.edit", async ({ ctx, role }): Promise<TaskState> => {
    const t = await getTranslations("subscriptions");
    const given = typedIn(form);
    const read = await newIn({ ctx, role }, form);
    if ("unfit" in read) return read.unfit;
    const { input } = read;
    const offered = await offeredTo(ctx, role, input.customerId);
    const reached = await reaching(ctx, "merchant", input.merchantId);
    if (input.paymentMethod.type === "credit" && !offered.has(input.paymentMethod.card.cardId)) {
      return { ...(await refused(["paymentMethod"])), given };
    }
    try {
      const lines = await newLines(
        await planOfNew(reached, input),
        input,
        await chosenMerchant(ctx, role, input.merchantId),
      );
      const key = keyOf(form, lines);
      if (textOf(form, "plan") !== key) {
        return { plan: { key, heading: t("wouldHeading"), lines, button: t("createButton") }, given };
      }
      const id = derivedId("subscription form", ctx.account.id, key, textOf(form, "form"));
      return redirect(`${LIST}/${await made(reached, id, input)}?done=create`);
    } catch (thrown) {
      const told = await refusalOf(thrown);
      if (!told) throw thrown;
      return { ...told, given };
    }
  });
}

/** By name; undefined where it is the only one. */
async function chosenMerchant(ctx: Context, role: OperatorRole, id: string): Promise<string | undefined> {
  const merchants = await merchantsToChoose(ctx, role);
  if (merchants.length < 2) return undefined;
  return merchants.find((merchant) => merchant.id === id)?.name ?? id;
}

/** The cards of the customer that the person may choose: no other one is charged by a form. */
const offeredTo = async (ctx: Context, role: OperatorRole, customerId: string): Promise<ReadonlySet<string>> =>
  new Set((await customerOverview(ctx, role, customerId)).cards.map(({ id }) => id));

const TAKEN = "23505";

/** Pressed twice it is the same subscription, charged once. */
async function made(ctx: Context, id: string, input: NewSubscription): Promise<string> {
  try {
    await createSubscription(ctx, input, null, id);
  } catch (thrown) {
    if (sqlState(thrown) !== TAKEN) throw thrown;
    await inTransaction(ctx, (inside) => getSubscription(inside, id));
  }
  return id;
}

interface Edited {
  reached: Context;
  row: SubscriptionRow;
  input: SubscriptionChanges;
}

/** What was changed of an existing one as the request that changes it, or all that is wrong with it at once. */
async function changedIn(
  { ctx, role }: { ctx: Context; role: OperatorRole },
  form: FormData,
): Promise<Edited | { unfit: TaskState }> {
  const t = await getTranslations("subscriptions");
  const id = textOf(form, "id");
  if (!isUuid(id)) throw notFound("subscription");
  const reached = await reaching(ctx, "subscription", id);
  const merchantId = textOf(form, "merchantId");
  if (merchantId) await reaching(ctx, "merchant", merchantId);
  const row = await inTransaction(reached, (inside) => getSubscription(inside, id));
  const amounts = await amountsOf(form, row);
  const changes = changesOf(form, row, may(role, "sellers.see"));
  const read = subscriptionChanges.safeParse({ ...changes, ...(amounts.items ? { items: amounts.items } : {}) });
  if (read.success && !amounts.problems) return { reached, row, input: read.data };
  const told = (await refused(membersOf(read.error?.issues ?? []), EDIT_NAMES)) ?? { problem: t("formUnfit") };
  return { unfit: { ...told, problems: { ...told.problems, ...amounts.problems }, given: typedIn(form) } };
}

/** What is wrong with a change of one, which stays as it is. */
export async function checkSubscriptionAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("subscriptions.edit", async (sender): Promise<TaskState> => {
    const read = await changedIn(sender, form);
    return "unfit" in read ? read.unfit : {};
  });
}

export async function editSubscriptionAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("subscriptions.edit", async ({ ctx, role }): Promise<TaskState> => {
    const t = await getTranslations("subscriptions");
    const read = await changedIn({ ctx, role }, form);
    if ("unfit" in read) return read.unfit;
    const { reached, row, input } = read;
    const [given, id] = [typedIn(form), row.id];
    const cardId = input.paymentMethod?.card?.cardId;
    if (cardId && !(await offeredTo(ctx, role, row.customerId)).has(cardId)) {
      return { ...(await refused(["paymentMethod"], EDIT_NAMES)), given };
    }
    if (Object.values(input).every((member) => member === undefined)) return { problem: t("formNothing"), given };
    try {
      const lines = await changeLines(await planOfChange(reached, id, input), row);
      const key = keyOf(form, lines);
      if (textOf(form, "plan") !== key) {
        return { plan: { key, heading: t("wouldHeading"), lines, button: t("editButton") }, given };
      }
      await updateSubscription(reached, id, input);
    } catch (thrown) {
      const told = await refusalOf(thrown, EDIT_NAMES);
      if (!told) throw thrown;
      return { ...told, given };
    }
    return redirect(`${LIST}/${id}?done=edit`);
  });
}

/** Fields that the form of an existing one calls otherwise. */
const EDIT_NAMES = { method: "card", amount: "amount0" } as const;

/** The items with what each costs now; undefined where none changed. */
async function amountsOf(
  form: FormData,
  { items, method }: SubscriptionRow,
): Promise<{ items?: object[]; problems?: Record<string, string> }> {
  if (method !== "credit") return {};
  const { read, problemOf } = await typedAmounts();
  const typed = items.map((item, index) => {
    const field = `amount${index}`;
    const text = textOf(form, field);
    return { item, field, text, amount: read(text) };
  });
  const unread = typed.filter(({ amount }) => amount === undefined);
  if (unread.length > 0)
    return { problems: Object.fromEntries(unread.map(({ field, text }) => [field, problemOf(text)])) };
  if (typed.every(({ item, amount }) => item.amount === amount)) return {};
  return { items: typed.map(({ item, amount = 0 }) => ({ ...item, amount })) };
}

/** Of the form, what is not as the subscription has it. */
function changesOf(form: FormData, row: SubscriptionRow, maySplit: boolean): object {
  const text = (name: string) => textOf(form, name);
  const differs = (name: string, now: string | number | null) => form.has(name) && text(name) !== String(now ?? "");
  const splitRules = maySplit ? splitIn(form) : undefined;
  const recurrence = {
    ...(differs("interval", row.interval) ? { interval: text("interval") } : {}),
    ...(differs("cycles", row.cycles) ? { cycles: Number(text("cycles")) } : {}),
    ...(differs("startAt", row.startAt) ? { startAt: text("startAt") } : {}),
  };
  const paymentMethod = {
    ...(differs("card", row.cardId) ? { card: { cardId: text("card") } } : {}),
    ...(differs("installments", row.installments) ? { installments: Number(text("installments")) } : {}),
  };
  return {
    ...(differs("name", row.name) ? { name: text("name") } : {}),
    ...(differs("merchantId", row.merchantId) ? { merchantId: text("merchantId") } : {}),
    ...(differs("referenceKey", row.referenceKey) && text("referenceKey")
      ? { referenceKey: text("referenceKey") }
      : {}),
    ...(differs("endsOn", row.scheduledCancellationAt) ? { scheduledCancellationAt: text("endsOn") || null } : {}),
    ...(Object.keys(recurrence).length > 0 ? { recurrence } : {}),
    ...(Object.keys(paymentMethod).length > 0 ? { paymentMethod } : {}),
    ...(splitRules && !isSameSplit(splitRules, row) ? { splitRules } : {}),
  };
}

const isSameSplit = (rules: readonly { sellerId: string; percentage: number }[], { splitRules }: SubscriptionRow) =>
  JSON.stringify(rules.map(({ sellerId, percentage }) => [sellerId, percentage])) ===
  JSON.stringify(splitRules.map(({ sellerId, percentage }) => [sellerId, percentage]));
