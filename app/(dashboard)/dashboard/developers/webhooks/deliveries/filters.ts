import { type GivenParameters, oneOf } from "@/app/(dashboard)/list-url";
import { ATTEMPT_ERRORS, DELIVERY_STATUSES } from "@/db/schema/webhooks";
import { EVENT_NAMES } from "@/lib/event-names";
import { isUuid } from "@/lib/ids";
import { type DeliverySearch, RESULTS, type ResultClass } from "@/lib/webhooks/explorer";

// Object.keys of the literal gives exactly its keys.
const CLASSES = Object.keys(RESULTS) as ResultClass[];

/** Reads what the address says; what it says wrongly is left out. */
export function deliverySearch(given: GivenParameters): DeliverySearch {
  const webhookId = oneOf(given, "webhook");
  const objectId = oneOf(given, "q");
  const status = DELIVERY_STATUSES.find((each) => each === oneOf(given, "status"));
  const event = oneOf(given, "event");
  const result = oneOf(given, "result");
  return {
    webhookId: webhookId && isUuid(webhookId) ? webhookId : undefined,
    objectId: objectId && isUuid(objectId) ? objectId : undefined,
    status: status && [status],
    event: EVENT_NAMES.some((name) => name === event) ? event : undefined,
    result: CLASSES.find((each) => each === result) ?? ATTEMPT_ERRORS.find((each) => each === result),
    after: oneOf(given, "after"),
    before: oneOf(given, "before"),
  };
}
