import { addSeconds } from "@/lib/time";

const HOUR_SECONDS = 3_600;
/** What is still held is voided this long before the hold ends (spec/purchases.md). */
export const SAFETY_SECONDS = 6 * HOUR_SECONDS;

/** The last moment at which a hold that ends then can be captured here. */
export const holdReleasedAt = (endsAt: Date): Date => addSeconds(endsAt, -SAFETY_SECONDS);
