import { sql } from "drizzle-orm";
import { boolean, check, integer, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { clients } from "@/db/schema/accounts";
import { cents, clientId, createdAt, id, updatedAt } from "@/db/schema/columns";
import { merchants } from "@/db/schema/merchants";

/** The look of payment links and of buyers' e-mails: one row for each merchant, one without merchant for all others. */
export const linkSettings = pgTable(
  "link_settings",
  {
    id: id(),
    clientId: clientId().references(() => clients.id),
    merchantId: uuid().references(() => merchants.id),
    mainColor: text(),
    secondaryColor: text(),
    attentionColor: text(),
    errorColor: text(),
    successColor: text(),
    backgroundColor: text(),
    /** Name of the stored file, which is the last part of its address too. */
    logoFile: text(),
    logoWidth: integer(),
    logoHeight: integer(),
    companyUrl: text(),
    /** Where answers to buyers' e-mails go. */
    supportEmail: text(),
    mastercardClickToPayDpaid: text(),
    /** Of the hosted page alone; null takes the account's, and there the product's: yes, no minimum, no. */
    severalCards: boolean(),
    leastPart: cents(),
    captcha: boolean(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    unique("link_settings_scope").on(t.clientId, t.merchantId).nullsNotDistinct(),
    check("link_settings_least_part", sql`${t.leastPart} >= 0`),
  ],
);
