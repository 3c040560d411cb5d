import { getFormatter, getTranslations } from "next-intl/server";

const SECOND_MS = 1_000;

/** How long something took: in milliseconds below a second, then in seconds with one digit. */
export async function lastedWords(): Promise<(ms: number) => string> {
  const [t, format] = await Promise.all([getTranslations("requests"), getFormatter()]);
  return (ms) =>
    ms < SECOND_MS
      ? t("ms", { ms: format.number(ms) })
      : t("seconds", { seconds: format.number(ms / SECOND_MS, { maximumFractionDigits: 1 }) });
}
