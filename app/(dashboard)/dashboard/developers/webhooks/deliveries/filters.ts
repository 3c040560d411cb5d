import { type GivenParameters, oneOf, severalOf } from "@/app/(dashboard)/list-url";
import { ATTEMPT_ERRORS, DELIVERY_STATUSES } from "@/db/schema/webhooks";
import { EVENT_NAMES } from "@/lib/event-names";
import { isUuid } from "@/lib/ids";
import { addSeconds, DAY_SECONDS } from "@/lib/time";
import {
  ATTEMPT_COUNTS,
  type AttemptCount,
  type DeliverySearch,
  RESULTS,
  type ResultClass,
} from "@/lib/webhooks/explorer";

// Object.keys of the literal gives exactly its keys.
const CLASSES = Object.keys(RESULTS) as ResultClass[];
export const COUNTS = Object.keys(ATTEMPT_COUNTS) as AttemptCount[];

/** Seconds back from now. */
const PERIOD_SECONDS = { hour: 3_600, day: DAY_SECONDS, week: 7 * DAY_SECONDS, month: 30 * DAY_SECONDS } as const;
export const PERIODS = Object.keys(PERIOD_SECONDS) as (keyof typeof PERIOD_SECONDS)[];
export const periodOf = (given: GivenParameters) => PERIODS.find((each) => each === oneOf(given, "period"));

/** Reads what the address says; what it says wrongly is left out. */
export function deliverySearch(given: GivenParameters, now: Date): DeliverySearch {
  const webhookId = oneOf(given, "webhook");
  const period = periodOf(given);
  const status = DELIVERY_STATUSES.find((each) => each === oneOf(given, "status"));
  const event = oneOf(given, "event");
  const result = oneOf(given, "result");
  return {
    webhookId: webhookId && isUuid(webhookId) ? webhookId : undefined,
    // What is no id is found nowhere, rather than everywhere.
    about: oneOf(given, "q"),
    attempts: COUNTS.find((each) => each === oneOf(given, "attempts")),
    since: period && addSeconds(now, -PERIOD_SECONDS[period]),
    status: status && [status],
    event: EVENT_NAMES.some((name) => name === event) ? event : undefined,
    result: CLASSES.find((each) => each === result) ?? ATTEMPT_ERRORS.find((each) => each === result),
    after: oneOf(given, "after"),
    before: oneOf(given, "before"),
  };
}

/** Those ticked in the list. */
export const chosenIds = (given: GivenParameters): string[] => severalOf(given, "ids").filter(isUuid);
