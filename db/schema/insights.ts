import { integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { cents, clientId, instant } from "@/db/schema/columns";

/** Absent parts are empty texts, so that they take part in the key. */
const counted = () => ({
  merchantId: uuid().notNull(),
  provider: text().notNull(),
  method: text().notNull(),
  brand: text().notNull().default(""),
  status: text().notNull(),
  declineCode: text().notNull(),
  currency: text().notNull(),
  charges: integer().notNull(),
  amount: cents().notNull(),
  captured: cents().notNull(),
  refunded: cents().notNull(),
});

/**
 * What became of the charges of each hour in which they were created, by everything the home page tells apart, as far as
 * their changes were rolled up (`charge_changes`).
 */
export const paymentStatsHourly = pgTable(
  "payment_stats_hourly",
  { clientId: clientId(), hour: instant().notNull(), ...counted() },
  (t) => [
    primaryKey({
      name: "payment_stats_hourly_key",
      columns: [t.clientId, t.hour, t.merchantId, t.provider, t.method, t.brand, t.status, t.declineCode, t.currency],
    }),
  ],
);

/** The hours of each day of São Paulo together; `day` is the midnight that began it. */
export const paymentStatsDaily = pgTable(
  "payment_stats_daily",
  { clientId: clientId(), day: instant().notNull(), ...counted() },
  (t) => [
    primaryKey({
      name: "payment_stats_daily_key",
      columns: [t.clientId, t.day, t.merchantId, t.provider, t.method, t.brand, t.status, t.declineCode, t.currency],
    }),
  ],
);
