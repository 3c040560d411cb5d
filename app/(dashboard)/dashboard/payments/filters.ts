import { daysOf, isPeriod } from "@/app/(dashboard)/dashboard/payments/periods";
import { type GivenParameters, oneOf, severalOf } from "@/app/(dashboard)/list-url";
import { BRAND_NAMES, type BrandName } from "@/lib/brazil/card-brand";
import { readStates } from "@/lib/charges/list-states";
import { LONGEST_SEARCH } from "@/lib/charges/search-terms";
import { typedAmount } from "@/lib/charges/typed-amount";
import { isUuid } from "@/lib/ids";
import { PAYMENT_TYPES } from "@/lib/payments/methods";
import { type ListFilters, PAGE_SIZES, SORTS } from "@/lib/search/payments";
import { addSeconds, DAY_SECONDS } from "@/lib/time";

/** Each name once: two of the brands have none of their own. */
export const BRAND_CHOICES: readonly BrandName[] = [...new Set(Object.values(BRAND_NAMES))];

const DAY_CHARS = "2026-11-22".length;
const CODE = /^[a-z_]{1,60}$/;
const KIND = /^[A-Z0-9_]{1,40}$/;
const LABEL = /^([^=:]{1,64})[=:](.{1,256})$/;

/** Reads what the address says; what it says wrongly is left out. `today` is the account's day in its zone, `locale` of who reads. */
export function paymentFilters(given: GivenParameters, today: string, locale: string): ListFilters {
  const period = oneOf(given, "period");
  const days = isPeriod(period) ? daysOf(period, today) : undefined;
  const typedFrom = momentOf(oneOf(given, "from"));
  const label = LABEL.exec(oneOf(given, "metadata") ?? "");
  const limit = Number(oneOf(given, "limit"));
  return {
    search: oneOf(given, "q")?.slice(0, LONGEST_SEARCH),
    status: readStates(severalOf(given, "status")),
    method: severalOf(given, "method").filter((text) => PAYMENT_TYPES.some((type) => type === text)),
    merchantId: idOf(given, "merchant"),
    provider: severalOf(given, "provider").filter((text) => KIND.test(text)),
    connectionId: idOf(given, "connection"),
    declineCode: CODE.test(oneOf(given, "decline") ?? "") ? oneOf(given, "decline") : undefined,
    sessionId: idOf(given, "link"),
    brand: BRAND_CHOICES.find((name) => name === oneOf(given, "brand")),
    hasSplit: oneOf(given, "split") === "yes" || undefined,
    buyer: oneOf(given, "buyer")?.slice(0, LONGEST_SEARCH),
    minAmount: typedAmount(oneOf(given, "min") ?? "", locale),
    maxAmount: typedAmount(oneOf(given, "max") ?? "", locale),
    metadata: label?.[1] && label[2] ? { key: label[1].trim(), value: label[2].trim() } : undefined,
    from: typedFrom ?? momentOf(days?.from),
    until: endOf(oneOf(given, "to")) ?? (typedFrom ? undefined : momentOf(days?.until)),
    sort: SORTS.find((sort) => sort === oneOf(given, "sort") && sort !== "newest"),
    limit: PAGE_SIZES.find((size) => size === limit),
    after: oneOf(given, "after"),
    before: oneOf(given, "before"),
  };
}

export type FilterProblem = "amount" | "belowLeast" | "beforeStart" | "link" | "metadata";

/** What was typed into a field and narrows nothing, or everything away, by the name of the field. */
export function filterProblems(given: GivenParameters, locale: string): Readonly<Record<string, FilterProblem>> {
  const typed = (name: string) => oneOf(given, name)?.trim() ?? "";
  const [least, most] = [typedAmount(typed("min"), locale), typedAmount(typed("max"), locale)];
  const [from, until] = [momentOf(oneOf(given, "from")), endOf(oneOf(given, "to"))];
  return {
    ...(typed("min") && least === undefined ? { min: "amount" as const } : {}),
    ...(typed("max") && most === undefined ? { max: "amount" as const } : {}),
    ...(least !== undefined && most !== undefined && most < least ? { max: "belowLeast" as const } : {}),
    ...(from && until && until <= from ? { to: "beforeStart" as const } : {}),
    ...(typed("link") && !idOf(given, "link") ? { link: "link" as const } : {}),
    ...(typed("metadata") && !LABEL.test(typed("metadata")) ? { metadata: "metadata" as const } : {}),
  };
}

const MOMENT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2})?$/;

/** A day, or a minute of one, in São Paulo. */
function momentOf(text: string | undefined): Date | undefined {
  const [, time = "T00:00"] = MOMENT.exec(text ?? "") ?? [];
  const at = new Date(`${text?.slice(0, DAY_CHARS)}${time}:00-03:00`);
  return text && MOMENT.test(text) && !Number.isNaN(at.getTime()) ? at : undefined;
}

/** A day is meant whole. */
function endOf(text: string | undefined): Date | undefined {
  const at = momentOf(text);
  return at && text?.length === DAY_CHARS ? addSeconds(at, DAY_SECONDS) : at;
}

/** A link is pasted whole or as its id. */
function idOf(given: GivenParameters, name: string): string | undefined {
  const id = oneOf(given, name)?.split("/").findLast(isUuid);
  return id;
}

/** What makes a list another one, without the place in it. */
export const isNarrowed = ({
  limit: _limit,
  sort: _sort,
  after: _after,
  before: _before,
  ...filters
}: ListFilters): boolean =>
  Object.values(filters).some((value) => (Array.isArray(value) ? value.length > 0 : value !== undefined));
