import { realNow } from "@/lib/time";

/** When things are due. Leases do not use it: only the database's clock decides those. */
export interface Clock {
  now(): Date;
}

export const REAL_TIME: Clock = { now: realNow };
