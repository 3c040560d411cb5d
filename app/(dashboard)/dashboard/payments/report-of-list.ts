import { type GivenParameters, oneOf, severalOf, withParameters } from "@/app/(dashboard)/list-url";
import { saoPauloDay } from "@/lib/brazil/bank-calendar";
import type { ListFilters } from "@/lib/search/payments";

/** What a report of payments cannot be narrowed by. */
const OF_THE_LIST_ALONE = [
  "q",
  "brand",
  "provider",
  "connection",
  "decline",
  "split",
  "buyer",
  "min",
  "max",
  "link",
  "metadata",
] as const;

/** The form of a report with the filters of the list, undefined where it would hold other rows than the list. */
export function reportOfList(given: GivenParameters, { status, from, until }: ListFilters): string | undefined {
  if (OF_THE_LIST_ALONE.some((name) => oneOf(given, name) !== undefined)) return undefined;
  const days = {
    from: from && saoPauloDay(from),
    to: until && saoPauloDay(new Date(until.getTime() - 1)),
  };
  const asked: GivenParameters = {
    type: "transactions",
    status: [...(status ?? [])],
    method: severalOf(given, "method"),
    merchant: oneOf(given, "merchant"),
  };
  return withParameters("/dashboard/reports/new", asked, days);
}
