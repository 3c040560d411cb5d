import { getTranslations } from "next-intl/server";
import { behindPayment } from "@/app/(dashboard)/dashboard/links/recipient";
import { splitIn } from "@/app/(dashboard)/dashboard/split-form";
import { textOf } from "@/app/(dashboard)/task";
import { typedAmounts } from "@/app/(dashboard)/typed-amounts";
import type { TaskState } from "@/components/tasks/task-form";
import { saoPauloDay } from "@/lib/brazil/bank-calendar";
import { type Context, inTransaction, now } from "@/lib/context";
import { isUuid } from "@/lib/ids";
import { may } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";
import { findSession } from "@/lib/sessions/queries";
import { type NewSession, newSession } from "@/lib/sessions/schema";
import { type SessionRow, UNLIMITED } from "@/lib/sessions/state";

const PIX_SECONDS = 3_600;
/** Stands for what was not typed while the rest of the form is looked at. */
const SOME_AMOUNT = 1;
const TYPED = [
  "name",
  "description",
  "amount",
  "installments",
  "payments",
  "interval",
  "cycles",
  "trialDays",
  "dueDate",
  "orderId",
  "merchantId",
] as const;

/** Of a request's members, the field that holds each and what is wrong with it. */
const MEMBERS = [
  [/^merchantId$/, "merchantId", "merchantProblem"],
  [/^(name|items\.\d+\.name)$/, "name", "nameProblem"],
  [/^orderId$/, "orderId", "orderProblem"],
  [/^description$/, "description", "noteProblem"],
  [/^(dueDate|paymentMethods\.\d+\.expiresDate)$/, "dueDate", "dueProblem"],
  [/^subscription\.cycles$/, "cycles", "cyclesProblem"],
  [/^subscription\.trial\b/, "trialDays", "trialDaysProblem"],
] as const;

type Given = Readonly<Record<string, string>>;

/** What was typed of a new link as the request that makes it, or all that is wrong with it at once. */
export async function linkIn(
  { ctx, role }: { ctx: Context; role: OperatorRole },
  form: FormData,
): Promise<{ given: Given; link: NewSession } | { unfit: TaskState }> {
  const [t, amounts] = [await getTranslations("links"), await typedAmounts()];
  const typed = Object.fromEntries(TYPED.map((name) => [name, textOf(form, name)]));
  const given: Given = { ...typed, methods: form.getAll("methods").join(",") };
  const { name = "", amount: typedAmount = "", dueDate = "", payments = "" } = typed;
  const amount = amounts.read(typedAmount);
  const subscription = subscriptionOf(form);
  // A subscription is paid by card or by Pix Automático, as the form says.
  const chosen = form.getAll("methods").map(String).filter(Boolean);
  const methods = subscription ? chosen.filter((method) => subscribesBy(method, subscription)) : chosen;
  const splitRules = (may(role, "sellers.see") && splitIn(form)) || [];
  const original = await originalOf(ctx, textOf(form, "like"));
  const of = textOf(form, "for");
  const buyer = isUuid(of) ? (await behindPayment(ctx, role, of)).buyer : undefined;
  const isSame = original?.amount === amount && original?.name === name && !subscription;
  const parsed = newSession.safeParse({
    ...(original ? termsOf(original) : {}),
    ...(buyer ? { customerId: buyer.id } : {}),
    ...(splitRules.length > 0 ? { splitRules } : {}),
    merchantId: textOf(form, "merchantId"),
    name,
    description: textOf(form, "description") || undefined,
    orderId: textOf(form, "orderId") || undefined,
    items: isSame && original ? original.items : [{ name, unitPrice: amount ?? SOME_AMOUNT, quantity: 1 }],
    amount: amount ?? SOME_AMOUNT,
    ...(subscription ? { subscription, capture: true } : {}),
    createLink: true,
    dueDate: dueDate || undefined,
    maxPayments: payments === "once" ? undefined : payments === "many" ? UNLIMITED : Number.parseInt(payments, 10),
    paymentMethods: methods.map((paymentType) =>
      paymentType === "credit"
        ? { paymentType, installments: subscription ? 1 : Number.parseInt(textOf(form, "installments"), 10) }
        : paymentType === "pix"
          ? { paymentType, expiresIn: PIX_SECONDS }
          : { paymentType, expiresDate: dueDate },
    ),
  });
  const wrong = parsed.error?.issues.map(({ path }) => path.map(String).join(".")) ?? [];
  const problems: Record<string, string> = {
    ...(amount ? {} : { amount: amounts.problemOf(typedAmount) }),
    ...(methods.length > 0 ? {} : { methods: t("methodsProblem") }),
    ...(dueDate && dueDate <= saoPauloDay(now(ctx)) ? { dueDate: t("dueProblem") } : {}),
  };
  for (const [member, field, told] of MEMBERS) {
    if (wrong.some((path) => member.test(path))) problems[field] ??= t(told);
  }
  if (parsed.success && Object.keys(problems).length === 0) return { given, link: parsed.data };
  const isOfSplit = wrong.some((path) => path.startsWith("splitRules"));
  return { unfit: { problem: t(isOfSplit ? "splitProblem" : "unfit"), problems, given } };
}

/** Undefined for what is paid once; a number that is none is refused by its own schema. */
function subscriptionOf(form: FormData) {
  const [interval, cycles, days] = ["interval", "cycles", "trialDays"].map((name) => textOf(form, name));
  if (!interval || interval === "once") return undefined;
  return {
    interval,
    ...(cycles ? { cycles: Number(cycles) } : {}),
    ...(days ? { trial: { days: Number(days) } } : {}),
  };
}

/** Every other year is beyond what banks are asked for. */
const subscribesBy = (method: string, { interval }: NonNullable<ReturnType<typeof subscriptionOf>>): boolean =>
  method === "credit" || (method === "pix" && interval !== "biennial" && interval !== "triennial");

const originalOf = (ctx: Context, id: string): Promise<SessionRow | undefined> =>
  isUuid(id) ? inTransaction(ctx, (inside) => findSession(inside, id)) : Promise.resolve(undefined);

/** What the form of a duplicate does not show and its order keeps. */
const termsOf = ({ customerId, captchaEnabled, capture, statementDescriptor, splitRules }: SessionRow) => ({
  customerId,
  captchaEnabled,
  capture,
  statementDescriptor,
  ...(splitRules.length > 0 ? { splitRules } : {}),
});
