import { type GivenParameters, oneOf } from "@/app/(dashboard)/list-url";
import { REQUEST_METHODS, REQUEST_RESULTS, type RequestResult } from "@/lib/request-logs/queries";

// Object.keys of the literal gives exactly its keys.
export const RESULTS = Object.keys(REQUEST_RESULTS) as RequestResult[];

/** What narrows the list, as its address says it. */
export const requestFilters = (given: GivenParameters) => ({
  search: oneOf(given, "q"),
  method: REQUEST_METHODS.find((name) => name === oneOf(given, "method")),
  result: RESULTS.find((name) => name === oneOf(given, "result")),
});
