import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { BATCHES, PAYOUTS, payoutWords } from "@/app/(dashboard)/dashboard/payouts/words";
import { Card, CardHeader } from "@/components/ui/card";
import type { ComingDay, Figures } from "@/lib/finance/overview";

interface FiguresCardProps {
  title: string;
  text: string;
  figures: Figures;
  next: ComingDay | undefined;
  whose: "own" | "sellers";
  seller?: { id: string; name: string } | undefined;
}

/** What is there, what comes, what is on its way and what is owed; each leads to what it is made of. */
export async function FiguresCard({ title, text, figures, next, whose, seller }: FiguresCardProps) {
  const [t, { money, day }] = await Promise.all([getTranslations("payouts"), payoutWords()]);
  const of = seller ? `seller=${seller.id}` : `whose=${whose}`;
  const shown = [
    {
      name: t("available"),
      value: figures.available,
      hint: whose === "own" ? t("availableOwn") : t("availableSellers"),
      href: undefined,
    },
    {
      name: t("receivable"),
      value: figures.receivable,
      hint: next ? t("receivableNext", { day: day(next.day), amount: money(next.net) }) : t("receivableHint"),
      href: `${PAYOUTS}?${of}`,
    },
    {
      name: t("inTransit"),
      value: figures.inTransit,
      hint: t("inTransitHint"),
      href: `${BATCHES}?status=pending&${of}`,
    },
    {
      name: t("debt"),
      value: figures.debt,
      hint: t("debtHint"),
      href: figures.debt > 0 ? `${BATCHES}?status=offset&${of}` : undefined,
    },
  ];
  return (
    <Card className="overflow-hidden">
      <CardHeader title={title} description={text} />
      <dl className="grid grid-cols-1 gap-px bg-line min-[26rem]:grid-cols-2 xl:grid-cols-4">
        {shown.map(({ name, value, hint, href }) => (
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
                value < 0 || (value > 0 && name === t("debt")) ? "text-danger" : "text-ink"
              }`}
            >
              {money(value)}
            </dd>
            <dd className="mt-0.5 text-ink-2 text-xs">{hint}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
