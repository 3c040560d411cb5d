import { getLocale, getTranslations } from "next-intl/server";
import { isNothing, typedAmount } from "@/lib/charges/typed-amount";

interface TypedAmounts {
  /** Cents; undefined for what is no amount above zero, or can be read as two. */
  read: (typed: string) => number | undefined;
  /** Beside the field of such a one, wherever it stands. */
  problemOf: (typed: string) => string;
}

/** Amounts as the person who looks at the page writes them. */
export async function typedAmounts(): Promise<TypedAmounts> {
  const [locale, t] = await Promise.all([getLocale(), getTranslations("tasks")]);
  return {
    read: (typed) => typedAmount(typed, locale),
    problemOf: (typed) => t(isNothing(typed) ? "amountZero" : "amountProblem"),
  };
}
