import { getFormatter, getLocale, getTranslations } from "next-intl/server";
import type { ShownPlan } from "@/components/charges/plan-facts";
import { formatCents } from "@/components/ui/money-format";
import { noonOf } from "@/lib/brazil/bank-calendar";
import type { Context } from "@/lib/context";
import { namesInPlan, purchasePlanFor } from "@/lib/dry-runs/operator";
import type { DryRun } from "@/lib/dry-runs/service";
import { sumOf } from "@/lib/money";
import { may } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";
import type { PlanBody } from "@/lib/plans/schema";
import type { PurchaseAction } from "@/lib/purchases/operator-service";

export async function planTexts() {
  const t = await getTranslations("plans");
  return { title: t("title"), machine: t("machine"), changed: t("changed") };
}

interface Telling {
  /** Amounts are what is left after fees, as those of a prepayment are. */
  isNet?: boolean;
}

/**
 * A plan in words: who is asked, and for whoever may see the books who gets or gives how much and when, at which fees.
 */
export async function shownPlan(
  ctx: Context,
  role: OperatorRole,
  { plan, planHash }: DryRun,
  { isNet = false }: Telling = {},
): Promise<ShownPlan> {
  const [t, format, locale, names] = await Promise.all([
    getTranslations("plans"),
    getFormatter(),
    getLocale(),
    namesInPlan(ctx, role, plan),
  ]);
  const currency = plan.journals[0]?.currency ?? "BRL";
  const money = (cents: number) => formatCents(cents, currency, locale);
  const day = (on: string) => format.dateTime(noonOf(on), { day: "numeric", month: "short", year: "numeric" });
  const days = plan.shares.map(({ date }) => date).sort();
  const [first, last] = [days[0], days.at(-1)];
  const parties = [...new Set(plan.shares.map(({ sellerId }) => sellerId))];
  const asked =
    plan.providers.length > 0
      ? [
          {
            name: t("asked"),
            value: format.list(
              plan.providers.map(({ id, type }) => names.get(id) ?? type),
              { type: "unit" },
            ),
          },
        ]
      : [];
  const problem = await problemOf(plan);
  if (!may(role, "ledger.see")) return { hash: planHash, rows: asked, problem, machine: [] };
  const rows = [
    ...asked,
    ...parties.map((sellerId) => {
      const of = <T extends { sellerId: string | null; amount: number }>(all: readonly T[]) =>
        sumOf(all.filter((one) => one.sellerId === sellerId).map(({ amount }) => amount));
      const [amount, fee] = [of(plan.shares), of(plan.fees)];
      return {
        name: sellerId === null ? t("own") : (names.get(sellerId) ?? sellerId),
        value:
          fee === 0
            ? money(amount)
            : fee > 0
              ? t(isNet ? "afterFee" : "withFee", { amount: money(amount), fee: money(fee) })
              : t("feeBack", { amount: money(amount), fee: money(-fee) }),
      };
    }),
    ...(first && last
      ? [{ name: t("when"), value: first === last ? day(first) : t("between", { first: day(first), last: day(last) }) }]
      : [{ name: t("money"), value: t("none") }]),
  ];
  return { hash: planHash, rows, problem, machine: machineOf(plan) };
}

/** Of all cards of a purchase. */
export async function purchasePlanShown(
  ctx: Context,
  role: OperatorRole,
  purchaseId: string,
  action: PurchaseAction,
): Promise<ShownPlan | undefined> {
  const found = await purchasePlanFor(ctx, role, purchaseId, action);
  return found && shownPlan(ctx, role, found);
}

async function problemOf({ errors }: PlanBody): Promise<string | undefined> {
  const [error] = errors;
  if (!error) return undefined;
  const t = await getTranslations("plans");
  const code = String(error.businessCode ?? error.type ?? "");
  return code === "amount_exceeds_remaining" ? t("tooMuch") : t("refused", { code });
}

const machineOf = ({ journals, events }: PlanBody): string[] => [
  ...journals.flatMap(({ type, transfers }) =>
    transfers.map(({ debit, credit, amount }) => `${type}: ${kind(debit)} ← ${kind(credit)} ${amount}`),
  ),
  ...events,
];

/** Of `seller_pending:<seller>` the account; who it is stands above. */
const kind = (account: string): string => account.replace(/:[0-9a-f-]{36}$/, "");
