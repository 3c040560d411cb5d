import { sql } from "drizzle-orm";

/** A version 7 UUID made where the rows are: there may be very many of them. */
export const timeOrderedId = sql`(
  lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0') || '7' ||
  substr(replace(gen_random_uuid()::text, '-', ''), 14, 3) ||
  substr(replace(gen_random_uuid()::text, '-', ''), 17, 16))::uuid`;
