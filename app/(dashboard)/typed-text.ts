import { getTranslations } from "next-intl/server";
import { containsPan } from "@/lib/brazil/card-brand";

/** A card number in a field that would keep it in clear. Names the field and nothing of what stands in it. */
export class CardNumberTyped extends Error {
  constructor(readonly field: string) {
    super(`card number in the field ${field}`);
  }
}

export function refuseCardNumber(field: string, text: string): void {
  if (containsPan(text)) throw new CardNumberTyped(field);
}

/** Every text of every form of the dashboard is read here: what would be kept holds no card number, as in the API. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  const text = typeof value === "string" ? value.replaceAll("\0", "").trim() : "";
  refuseCardNumber(name, text);
  return text;
}

/** Beside the field, and above all of them: a form may not show the one that it is in. */
export async function cardNumberTyped({ field }: CardNumberTyped): Promise<{
  problem: string;
  problems: Readonly<Record<string, string>>;
}> {
  const t = await getTranslations("tasks");
  return { problem: t("cardNumberAbove"), problems: { [field]: t("cardNumber") } };
}

/** What became of a form, or that a card number is in it. */
export async function unlessCardNumber<T>(work: () => Promise<T>): Promise<T | CardNumberTyped> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof CardNumberTyped) return thrown;
    throw thrown;
  }
}
