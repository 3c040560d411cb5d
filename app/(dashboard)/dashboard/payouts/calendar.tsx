import { ChevronLeft, ChevronRight } from "lucide-react";
import Link from "next/link";
import { getLocale, getTranslations } from "next-intl/server";
import { monthAfter, weeksOf } from "@/app/(dashboard)/dashboard/payouts/months";
import { payoutWords } from "@/app/(dashboard)/dashboard/payouts/words";
import { classes } from "@/components/ui/classes";
import { LinkButton } from "@/components/ui/link-button";
import { type CivilDate, isBankDay, noonOf } from "@/lib/brazil/bank-calendar";
import type { ComingDay } from "@/lib/finance/overview";

interface MonthCalendarProps {
  month: string;
  today: CivilDate;
  days: readonly ComingDay[];
  open: CivilDate | undefined;
  hrefOfDay: (day: CivilDate) => string;
  hrefOfMonth: (month: string) => string;
}

/** A month of days, each with what comes on it; on a phone the days with something, one below the other. */
export async function MonthCalendar({ month, today, days, open, hrefOfDay, hrefOfMonth }: MonthCalendarProps) {
  const [t, { format, money, day, monthName }, locale] = await Promise.all([
    getTranslations("payouts"),
    payoutWords(),
    getLocale(),
  ]);
  const of = new Map(days.map((each) => [each.day, each]));
  const weeks = weeksOf(month);
  const named = monthName(month);
  const compact = new Intl.NumberFormat(locale, { style: "currency", currency: "BRL" });
  const link =
    "rounded-sm font-semibold text-ink outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:outline-focus focus-visible:after:-outline-offset-2";
  return (
    <div>
      <div className="flex items-center justify-between gap-2 px-5 py-3">
        <p aria-live="polite" className="font-medium text-ink first-letter:uppercase">
          {named}
        </p>
        <nav aria-label={t("months")} className="flex gap-2">
          <LinkButton href={hrefOfMonth(monthAfter(month, -1))} scroll={false} size="sm" className="max-sm:h-11">
            <ChevronLeft aria-hidden />
            {t("monthBefore")}
          </LinkButton>
          <LinkButton href={hrefOfMonth(monthAfter(month, 1))} scroll={false} size="sm" className="max-sm:h-11">
            {t("monthAfter")}
            <ChevronRight aria-hidden />
          </LinkButton>
        </nav>
      </div>
      <table className="hidden w-full table-fixed border-collapse border-line border-t text-sm md:table">
        <caption className="sr-only">{t("calendarOf", { month: named })}</caption>
        <thead>
          <tr className="bg-sunken">
            {(weeks[0] ?? []).map((each) => (
              <th key={each} scope="col" className="px-3 py-2 text-left font-medium text-ink-2 text-xs">
                <span aria-hidden className="first-letter:uppercase">
                  {format.dateTime(noonOf(each), { weekday: "short" })}
                </span>
                <span className="sr-only">{format.dateTime(noonOf(each), { weekday: "long" })}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((each) => {
                const coming = of.get(each);
                const isOfMonth = each.startsWith(month);
                return (
                  <td
                    key={each}
                    className={classes(
                      "relative h-20 border-line border-t border-l px-3 py-2 align-top first:border-l-0",
                      (!isOfMonth || !isBankDay(each)) && "bg-sunken/60",
                      coming && "hover:bg-sunken",
                      each === open && "bg-accent-soft",
                    )}
                  >
                    {isOfMonth ? (
                      <span
                        className={classes(
                          "text-xs tabular-nums",
                          each === today
                            ? "rounded-full bg-accent px-1.5 py-0.5 font-medium text-on-accent"
                            : "text-ink-2",
                        )}
                      >
                        {Number(each.slice(-2))}
                        {each === today ? <span className="sr-only"> ({t("today")})</span> : null}
                      </span>
                    ) : null}
                    {coming ? (
                      <p className="mt-1.5 leading-tight">
                        <Link
                          href={hrefOfDay(each)}
                          scroll={false}
                          prefetch={false}
                          aria-current={each === open ? "date" : undefined}
                          className={classes(link, "text-[0.8125rem] tabular-nums")}
                        >
                          {compact.format(coming.net / 100)}
                        </Link>
                        <span className="mt-0.5 block text-ink-2 text-xs">{t("parts", { count: coming.count })}</span>
                      </p>
                    ) : null}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      <ul
        aria-label={t("calendarOf", { month: named })}
        className="divide-y divide-line border-line border-t md:hidden"
      >
        {days.map((each) => (
          <li
            key={each.day}
            className={classes(
              "relative flex justify-between gap-4 px-5 py-3.5",
              each.day === open && "bg-accent-soft",
            )}
          >
            <span className="text-ink">
              {day(each.day)}
              <span className="block text-ink-2 text-xs">{t("parts", { count: each.count })}</span>
            </span>
            <Link
              href={hrefOfDay(each.day)}
              scroll={false}
              prefetch={false}
              aria-current={each.day === open ? "date" : undefined}
              className={classes(link, "tabular-nums")}
            >
              {money(each.net)}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
