import { getFormatter, getTranslations } from "next-intl/server";
import type { LinkFigures } from "@/lib/checkout/visits";

/** How far people came: opened, tried, paid. */
export async function Figures({ figures: { visits, attempts, payments } }: { figures: LinkFigures }) {
  const t = await getTranslations("links");
  const format = await getFormatter();
  const conversion =
    visits > 0
      ? format.number(Math.min(1, payments / visits), { style: "percent", maximumFractionDigits: 0 })
      : t("none");
  const shown = [
    [t("visits"), format.number(visits)],
    [t("attemptsCount"), format.number(attempts)],
    [t("payments"), format.number(payments)],
    [t("conversion"), conversion],
  ] as const;
  return (
    <dl className="grid grid-cols-2 overflow-hidden rounded-lg border border-line bg-line shadow-sm sm:grid-cols-4">
      {shown.map(([name, value]) => (
        <div key={name} className="bg-surface px-5 py-4 ring-1 ring-line">
          <dt className="text-ink-2 text-sm">{name}</dt>
          <dd className="mt-1 font-semibold text-ink text-xl tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
