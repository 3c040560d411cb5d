import { getFormatter, getTranslations } from "next-intl/server";

/** Since when a webhook takes nothing, from its first failure: said alike on home, in notices and on its page. */
export async function failingSince(): Promise<(since: Date) => string> {
  const [t, format] = await Promise.all([getTranslations("webhooks"), getFormatter()]);
  return (since) => t("failingSince", { since: format.dateTime(since, { dateStyle: "medium", timeStyle: "short" }) });
}
