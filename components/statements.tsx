import { Download } from "lucide-react";
import { getFormatter, getTranslations } from "next-intl/server";
import { Button } from "@/components/ui/button";
import { Card, CardHeader } from "@/components/ui/card";
import { classes } from "@/components/ui/classes";
import { inputLook } from "@/components/ui/input";
import { noonOf } from "@/lib/brazil/bank-calendar";

interface StatementsCardProps {
  /** Answers the file to GET, by month. */
  action: string;
  /** `2026-11`, the newest first. */
  months: readonly string[];
  merchants?: readonly { id: string; name: string }[];
  hidden?: Readonly<Record<string, string>>;
}

/** A month to choose, and its PDF. */
export async function StatementsCard({ action, months, merchants, hidden = {} }: StatementsCardProps) {
  const [t, format] = await Promise.all([getTranslations("statements"), getFormatter()]);
  const select = classes(inputLook, "h-10 min-w-0 sm:h-9");
  return (
    <Card>
      <CardHeader title={t("title")} description={t("text")} />
      <form action={action} method="get" className="flex flex-wrap items-end gap-3 px-5 py-4">
        {Object.entries(hidden).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <label className="grid min-w-40 flex-1 gap-1.5 text-ink-2 text-sm">
          {t("month")}
          <select name="month" className={select}>
            {months.map((month) => (
              <option key={month} value={month}>
                {format.dateTime(noonOf(`${month}-01`), { month: "long", year: "numeric" })}
              </option>
            ))}
          </select>
        </label>
        {merchants ? (
          <label className="grid min-w-40 flex-1 gap-1.5 text-ink-2 text-sm">
            {t("merchant")}
            <select name="merchant" className={select}>
              {merchants.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        ) : null}
        <Button type="submit" className="h-11 sm:h-9">
          <Download aria-hidden />
          {t("download")}
        </Button>
      </form>
    </Card>
  );
}
