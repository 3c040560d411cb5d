import { getTranslations } from "next-intl/server";
import type { SplitEditorTexts } from "@/components/links/split-editor";

/** Rows of the split with a seller in them; undefined where the form shows none. */
export function splitIn(form: FormData): { sellerId: string; percentage: number }[] | undefined {
  if (!form.has("split.seller")) return undefined;
  const percentages = form.getAll("split.percentage");
  return form.getAll("split.seller").flatMap((seller, row) => {
    const typed = String(percentages[row] ?? "")
      .trim()
      .replace(",", ".");
    return seller === "" ? [] : [{ sellerId: String(seller), percentage: Number(typed) }];
  });
}

/** A percentage as people of this language write it. */
export const typedPercentage = (percentage: number, locale: string): string =>
  locale === "en" ? String(percentage) : String(percentage).replace(".", ",");

/** With the hint of the page that it stands on. */
export async function splitWords(hint: string): Promise<SplitEditorTexts> {
  const t = await getTranslations("links");
  return {
    legend: t("splitLegend"),
    hint,
    seller: t("splitSeller"),
    nobody: t("splitNobody"),
    percentage: t("splitPercentage"),
    add: t("splitAdd"),
    sum: t("splitSum", { sellers: "{sellers}", merchant: "{merchant}" }),
    over: t("splitOver"),
    merchantFirst: t("splitMerchantFirst"),
  };
}
