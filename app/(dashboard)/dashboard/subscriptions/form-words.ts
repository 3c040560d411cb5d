import { getTranslations } from "next-intl/server";
import { subscriptionWords } from "@/app/(dashboard)/dashboard/subscriptions/words";
import type { TaskState } from "@/components/tasks/task-form";
import { DomainError, RequestError } from "@/lib/errors";
import type { SubscriptionPlan } from "@/lib/subscriptions/plan";
import type { SubscriptionRow } from "@/lib/subscriptions/queries";
import type { NewSubscription } from "@/lib/subscriptions/schema";

/** Of a request's members, the field that holds each and what is wrong with it; the first that fits. */
const MEMBERS = [
  ["trial", "trialEndAt", "formTrialProblem"],
  ["recurrence.startAt", "startAt", "formStartProblem"],
  ["recurrence.cycles", "cycles", "formCyclesProblem"],
  ["recurrence.interval", "interval", "formIntervalProblem"],
  ["scheduledCancellationAt", "endsOn", "formEndsProblem"],
  ["paymentMethod.journey", "method", "formPixNowProblem"],
  ["customerId", "method", "formDocumentProblem"],
  ["paymentMethod", "method", "formMethodProblem"],
  ["items", "amount", "formAmountProblem"],
  ["name", "name", "formNameProblem"],
  ["referenceKey", "referenceKey", "formReferenceProblem"],
  ["merchantId", "merchantId", "merchantProblem"],
] as const;

const CODES = {
  card_not_found: ["method", "formMethodProblem"],
  card_not_usable: ["method", "formMethodProblem"],
  payment_method_not_supported: ["method", "formNoProvider"],
  provider_not_available: ["method", "formNoProvider"],
  installments_not_allowed: ["installments", "formInstallmentsProblem"],
} as const;

const OF_SPLIT = new Set(["split_total_exceeded", "split_rules_mixed", "split_not_supported"]);

type Names = Readonly<Record<string, string>>;

/** Members that were refused, as `recurrence.cycles`; `names` are of fields that a form calls otherwise. */
export async function refused(members: readonly string[], names: Names = {}): Promise<TaskState | undefined> {
  const t = await getTranslations("subscriptions");
  const isOfSplit = members.some((member) => member.startsWith("splitRules"));
  const problems: Record<string, string> = {};
  for (const given of members) {
    const [, field, told] = MEMBERS.find(([member]) => given === member || given.startsWith(`${member}.`)) ?? [];
    if (field) problems[names[field] ?? field] ??= t(told);
  }
  if (!isOfSplit && Object.keys(problems).length === 0) return undefined;
  return { problem: t(isOfSplit ? "formSplitProblem" : "formUnfit"), problems };
}

/** What the service refused, beside its field; undefined for what no field is about. */
export async function refusalOf(thrown: unknown, names: Names = {}): Promise<TaskState | undefined> {
  if (thrown instanceof RequestError && thrown.status === 400) {
    return refused(
      thrown.details.map((detail) => detail.split(":")[0] ?? ""),
      names,
    );
  }
  if (!(thrown instanceof DomainError)) return undefined;
  const t = await getTranslations("subscriptions");
  const { businessCode: code } = thrown;
  if (code === "seller_not_found") return { problem: t("formSplitSellerProblem") };
  if (OF_SPLIT.has(code)) return { problem: t("formSplitProblem") };
  if (!Object.hasOwn(CODES, code)) return undefined;
  // Guarantee: looked up only where the key exists.
  const [field, told] = CODES[code as keyof typeof CODES];
  return { problem: t("formUnfit"), problems: { [names[field] ?? field]: t(told) } };
}

const MOST_DAYS = 3;

/** What the request would do, line by line. */
export async function newLines(
  { row, chargedNow, items }: SubscriptionPlan,
  input: NewSubscription,
  /** Where there is more than one. */
  merchant: string | undefined,
) {
  const { t, money, day } = await subscriptionWords();
  const [first] = items;
  const lines: string[] = [];
  if (merchant !== undefined) lines.push(t("wouldMerchantNew", { merchant }));
  if (row.trialEndAt !== null) lines.push(t("wouldTrial", { date: day(row.trialEndAt) }));
  if (input.paymentMethod.type === "pix_automatic") {
    const isPaidFirst = input.paymentMethod.journey === "qr_with_first_payment";
    lines.push(t(isPaidFirst ? "wouldPixNow" : "wouldPix", { amount: money(row.amount) }));
    if (!isPaidFirst && first) lines.push(t("wouldPixFirst", { amount: money(row.amount), date: day(first.dueDate) }));
  } else if (chargedNow !== null) lines.push(t("wouldNow", { amount: money(chargedNow) }));
  else if (first) lines.push(t("wouldFirst", { amount: money(row.amount), date: day(first.dueDate) }));
  if (row.installments > 1) lines.push(t("wouldInstallments", { count: row.installments }));
  const next = items.slice(1, MOST_DAYS + 1).map(({ dueDate }) => day(dueDate));
  if (next.length > 0) lines.push(t("wouldNext", { dates: next.join(" · ") }));
  lines.push(row.cycles === null ? t("wouldEndless") : t("wouldCount", { count: row.cycles }));
  if (row.splitRules.length > 0) lines.push(t("wouldSplit", { count: row.splitRules.length }));
  return lines;
}

export async function changeLines({ row, chargedNow, openAmount, items }: SubscriptionPlan, before: SubscriptionRow) {
  const { t, money, day } = await subscriptionWords();
  if (row.status === "canceled") return [t("wouldEndNow")];
  if (row.status === "expired") return [t("wouldComplete")];
  const lines: string[] = [];
  if (row.cardId !== before.cardId) lines.push(t("wouldCard"));
  if (chargedNow !== null) lines.push(t("wouldRetry", { amount: money(chargedNow) }));
  if (row.amount !== before.amount) {
    const amounts = { before: money(before.amount), after: money(row.amount) };
    lines.push(
      items[0] ? t("wouldAmount", { ...amounts, date: day(items[0].dueDate) }) : t("wouldAmountNever", amounts),
    );
    if (openAmount !== null) lines.push(t("wouldOpen", { amount: money(openAmount) }));
  }
  if (row.installments !== before.installments) lines.push(t("wouldInstallmentsNow", { count: row.installments }));
  if (row.merchantId !== before.merchantId) lines.push(t("wouldMerchant"));
  if (row.cancelOn !== before.cancelOn)
    lines.push(row.cancelOn === null ? t("wouldKeep") : t("wouldEnd", { date: day(row.cancelOn) }));
  const next = items.slice(0, MOST_DAYS).map(({ dueDate }) => day(dueDate));
  lines.push(next.length > 0 ? t("wouldCharges", { dates: next.join(" · ") }) : t("wouldNoCharges"));
  if (row.cycles !== before.cycles && row.cycles !== null) lines.push(t("wouldCount", { count: row.cycles }));
  if (JSON.stringify(row.splitRules) !== JSON.stringify(before.splitRules))
    lines.push(row.splitRules.length === 0 ? t("wouldNoSplit") : t("wouldSplit", { count: row.splitRules.length }));
  return lines;
}
