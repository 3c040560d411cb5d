import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { debtOrigin } from "@/app/(dashboard)/dashboard/payouts/debt-origin";
import { BATCHES, PAYOUTS, payoutWords } from "@/app/(dashboard)/dashboard/payouts/words";
import { WhyLink } from "@/components/dashboard/why-link";
import { Card, CardHeader } from "@/components/ui/card";
import { classes } from "@/components/ui/classes";
import type { CivilDate } from "@/lib/brazil/bank-calendar";
import type { FigureName } from "@/lib/explanations/names";
import type { ComingDay, ShownFigures } from "@/lib/finance/overview";
import type { CarriedBatch } from "@/lib/sellers/carried";

interface FiguresCardProps {
  title: string;
  text: string;
  figures: ShownFigures;
  next: ComingDay | undefined;
  /** Of a debt: where it stands, and when the next deduction is expected. */
  carried?: readonly CarriedBatch[];
  deduction?: CivilDate | undefined;
  whose: "own" | "sellers";
  seller?: { id: string; name: string } | undefined;
  /** Opens what a figure is made of. */
  whyHref: (figure: FigureName) => string;
}

/** What is there, what comes, what is on its way and what is owed; each leads to what it is made of. */
export async function FiguresCard({
  title,
  text,
  figures,
  next,
  carried = [],
  deduction,
  whose,
  seller,
  whyHref,
}: FiguresCardProps) {
  const [t, { money, day }] = await Promise.all([getTranslations("payouts"), payoutWords()]);
  const of = seller ? `seller=${seller.id}` : `whose=${whose}`;
  const area = whose === "own" || seller ? "balance" : "sellers";
  const debt = {
    name: t(seller ? "debtSeller" : whose === "own" ? "debt" : "debtSellers"),
    figure: "debt" as const,
    value: figures.debt,
    hint:
      figures.debt > 0 ? (
        <>
          {t("debtHint")}
          {await debtOrigin({ carried, next: deduction, of })}
        </>
      ) : (
        t("debtHint")
      ),
    href: figures.debt > 0 ? `${BATCHES}?status=offset&${of}` : undefined,
  };
  const available = {
    name: t("available"),
    figure: "available" as const,
    value: figures.available,
    hint: whose === "own" ? t("availableOwn") : t("availableSellers"),
    href: undefined,
  };
  // Below zero it is the debt, which would stand there twice.
  const isDebt = figures.available < 0;
  const shown = [
    isDebt ? debt : available,
    {
      name: t("receivable"),
      figure: "receivable" as const,
      value: figures.receivable,
      hint: next
        ? t.rich("receivableNext", {
            day: day(next.day),
            amount: money(next.net),
            why: (amount) => <WhyLink href={whyHref("balance.next")}>{amount}</WhyLink>,
          })
        : t("receivableHint"),
      besides: figures.earlyCost > 0 ? t("receivableCost", { amount: money(figures.earlyCost) }) : undefined,
      href: `${PAYOUTS}?${of}`,
    },
    {
      name: t("inTransit"),
      figure: "inTransit" as const,
      value: figures.inTransit,
      hint: t("inTransitHint"),
      href: `${BATCHES}?status=pending&${of}`,
    },
    ...(isDebt ? [] : [debt]),
  ];
  return (
    <Card className="overflow-hidden">
      <CardHeader title={title} description={text} />
      <dl
        className={classes(
          "grid grid-cols-1 gap-px bg-line min-[26rem]:grid-cols-2",
          isDebt ? "min-[26rem]:max-xl:[&>:last-child]:col-span-2 xl:grid-cols-3" : "xl:grid-cols-4",
        )}
      >
        {shown.map(({ name, figure, value, hint, href, ...more }) => (
          <div key={name} className="relative bg-surface px-5 py-4 has-[a]:hover:bg-sunken/60">
            <dt className="text-ink-2 text-sm">
              {href ? (
                <Link href={href} className="rounded-sm after:absolute after:inset-0 focus-visible:after:outline-2">
                  {name}
                </Link>
              ) : (
                name
              )}
            </dt>
            <dd
              className={`mt-1 font-semibold text-xl tabular-nums ${
                value < 0 || (value > 0 && figure === "debt") ? "text-danger" : "text-ink"
              }`}
            >
              <WhyLink href={whyHref(`${area}.${figure}`)}>{money(value)}</WhyLink>
            </dd>
            <dd className="mt-0.5 text-ink-2 text-xs">{hint}</dd>
            {"besides" in more && more.besides ? <dd className="mt-0.5 text-ink-2 text-xs">{more.besides}</dd> : null}
          </div>
        ))}
      </dl>
    </Card>
  );
}
