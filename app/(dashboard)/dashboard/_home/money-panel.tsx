import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { BATCHES, PAYOUTS, payoutWords } from "@/app/(dashboard)/dashboard/payouts/words";
import { ExplanationSheet } from "@/app/(dashboard)/explanation-sheet";
import { type GivenParameters, withParameters } from "@/app/(dashboard)/list-url";
import { WhyLink } from "@/components/dashboard/why-link";
import { Card } from "@/components/ui/card";
import type { Context } from "@/lib/context";
import { nextMoney } from "@/lib/finance/overview";
import type { OperatorRole } from "@/lib/operators/sessions";

interface MoneyPanelProps {
  ctx: Context;
  role: OperatorRole;
  given: GivenParameters;
}

/** What the account has, what comes next and what is on its way to sellers. */
export async function MoneyPanel({ ctx, role, given }: MoneyPanelProps) {
  const [t, { money, day }, { available, next, pending }] = await Promise.all([
    getTranslations("home"),
    payoutWords(),
    nextMoney(ctx, role),
  ]);
  const figures = [
    {
      figure: next ? "balance.next" : undefined,
      name: t("moneyNext"),
      value: next ? money(next.net) : t("noRate"),
      hint: next ? t("moneyNextOn", { day: day(next.day) }) : t("moneyNextNone"),
      href: next ? `${PAYOUTS}?whose=own&day=${next.day}` : PAYOUTS,
    },
    available < 0
      ? {
          figure: "balance.debt",
          name: t("moneyDebt"),
          value: money(-available),
          hint: t("moneyDebtText"),
          href: PAYOUTS,
        }
      : {
          figure: "balance.available",
          name: t("moneyAvailable"),
          value: money(available),
          hint: t("moneyAvailableText"),
          href: PAYOUTS,
        },
    {
      figure: "sellers.pendingBatches",
      name: t("moneyPending"),
      value: money(pending.amount),
      hint: t("moneyPendingText", { count: pending.count }),
      href: `${BATCHES}?status=pending&whose=sellers`,
    },
  ];
  return (
    <Card className="overflow-hidden">
      <h2 className="sr-only">{t("moneyTitle")}</h2>
      <dl className="grid grid-cols-1 gap-px bg-line sm:grid-cols-3">
        {figures.map(({ figure, name, value, hint, href }) => (
          <div key={name} className="relative bg-surface px-5 py-4 hover:bg-sunken/60">
            <dt className="text-ink-2 text-sm">
              <Link href={href} className="rounded-sm after:absolute after:inset-0 focus-visible:after:outline-2">
                {name}
              </Link>
            </dt>
            <dd className="mt-1 font-semibold text-ink text-xl tabular-nums">
              {figure ? <WhyLink href={withParameters("/dashboard", given, { why: figure })}>{value}</WhyLink> : value}
            </dd>
            <dd className="mt-0.5 text-ink-2 text-xs">{hint}</dd>
          </div>
        ))}
      </dl>
      <ExplanationSheet ctx={ctx} role={role} path="/dashboard" given={given} subject={{}} />
    </Card>
  );
}
