import type { z } from "zod";
import type { linkSettings } from "@/db/schema/settings";
import { OWN_COLOURS } from "@/lib/branding/palette";
import { logoUrl } from "@/lib/settings/logo-address";
import type { settingsBody } from "@/lib/settings/schema";

export type SettingsRow = typeof linkSettings.$inferSelect;

export const serializeSettings = (row: SettingsRow): z.input<typeof settingsBody> => ({
  id: row.id,
  clientId: row.clientId,
  mainColor: row.mainColor ?? OWN_COLOURS.mainColor,
  SecondaryColor: row.secondaryColor ?? OWN_COLOURS.secondaryColor,
  attentionColor: row.attentionColor ?? OWN_COLOURS.attentionColor,
  errorColor: row.errorColor ?? OWN_COLOURS.errorColor,
  successColor: row.successColor ?? OWN_COLOURS.successColor,
  backgroundColor: row.backgroundColor ?? OWN_COLOURS.backgroundColor,
  logo: row.logoFile === null ? null : logoUrl(row.logoFile),
  companyUrl: row.companyUrl,
  mastercardClickToPayDpaid: row.mastercardClickToPayDpaid,
  merchantId: row.merchantId ?? "",
});
