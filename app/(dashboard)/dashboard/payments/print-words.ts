import { getFormatter, getTranslations } from "next-intl/server";

interface Printed {
  shown: number;
  counted: number;
  /** More than this is not counted. */
  most: number;
  /** The list begins with its first row. */
  isFirst: boolean;
}

/** What stands above the list on paper. */
export async function printWords() {
  const [t, format] = await Promise.all([getTranslations("payments"), getFormatter()]);
  return {
    when: (at: Date): string =>
      t("printedAt", { when: format.dateTime(at, { dateStyle: "long", timeStyle: "short" }) }),
    filters: (said: readonly string[]): string =>
      said.length > 0 ? t("printedFilters", { filters: said.join("; ") }) : t("printedAll"),
    rows({ shown, counted, most, isFirst }: Printed): string {
      const total = counted > most ? t("printedMore", { count: format.number(most) }) : format.number(counted);
      const rows = isFirst ? t("printedFrom", { last: format.number(shown) }) : format.number(shown);
      return t("printedRows", { rows, total });
    },
  };
}
