import { getTranslations } from "next-intl/server";
import { PASSWORD_MAX_CHARS, PASSWORD_MIN_CHARS, type PasswordProblem } from "@/lib/sign-in/password";

const TEXTS = {
  too_short: "tooShort",
  too_long: "tooLong",
  too_simple: "tooSimple",
  leaked: "leaked",
  personal: "personal",
} as const satisfies Record<PasswordProblem, string>;

/** Why a password is not taken, and what one must be. */
export async function passwordWords() {
  const t = await getTranslations("access");
  return {
    hint: t("passwordHint", { least: PASSWORD_MIN_CHARS }),
    problem: (problem: PasswordProblem) => t(TEXTS[problem], { least: PASSWORD_MIN_CHARS, most: PASSWORD_MAX_CHARS }),
  };
}
