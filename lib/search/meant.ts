import type { Meant } from "@/lib/charges/meant";
import { type Context, now } from "@/lib/context";
import type { OperatorRole } from "@/lib/operators/sessions";
import { withCommonAmounts } from "@/lib/search/amounts";
import { customersLike } from "@/lib/search/buyers";
import { type Clues, readClues } from "@/lib/search/clues";
import { heldBy } from "@/lib/search/holders";
import { linksLike } from "@/lib/search/links";
import { ordersBegunWith } from "@/lib/search/order-beginnings";
import { withOrderNumbers } from "@/lib/search/order-numbers";
import { paidByNamed, withPayers } from "@/lib/search/payers";
import type { ListFilters } from "@/lib/search/payments";

const MOST_BUYERS = 500;
const MOST_LINKS = 500;

/** The text of a search as filters: its clues narrow what the others, and what was chosen beside it, leave. */
export async function withClues(
  ctx: Context,
  role: OperatorRole,
  { search, ...asked }: ListFilters,
  patienceMs?: number,
): Promise<ListFilters> {
  const filters = await withBuyer(ctx, role, asked);
  const clues = readClues(search ?? "", now(ctx));
  if (!clues) return filters;
  const { rest } = clues;
  const isOther = (chosen: readonly string[] | undefined, meant: string | undefined) =>
    meant !== undefined && (chosen?.length ?? 0) > 0 && !chosen?.includes(meant);
  const isExcluded =
    isOther(filters.method, clues.method) ||
    isOther(filters.brand && [filters.brand], clues.brand) ||
    isOther(filters.declineCode ? [filters.declineCode] : undefined, clues.declineCode);
  if (isExcluded) return { ...filters, ids: [] };
  return {
    ...filters,
    said: clues.status,
    method: clues.method ? [clues.method] : filters.method,
    brand: filters.brand ?? clues.brand,
    declineCode: filters.declineCode ?? clues.declineCode,
    from: latest(filters.from, clues.from),
    until: earliest(filters.until, clues.until),
    cards: clues.cards,
    meant: rest && (await meantBy(ctx, role, rest, patienceMs)),
  };
}

/** Whoever is named as the buyer may have paid without being a customer. */
export const withBuyer = async (ctx: Context, role: OperatorRole, filters: ListFilters): Promise<ListFilters> =>
  filters.buyer ? { ...filters, paidByBuyer: await paidByNamed(ctx, role, filters.buyer) } : filters;

async function meantBy(
  ctx: Context,
  role: OperatorRole,
  rest: NonNullable<Clues["rest"]>,
  patienceMs: number | undefined,
): Promise<Meant> {
  const { words, terms, ...others } = rest;
  return {
    ...others,
    begun: await ordersBegunWith(ctx, rest.orders, patienceMs),
    terms: await withCommonAmounts(
      ctx,
      await withPayers(ctx, role, await withOrderNumbers(ctx, terms), patienceMs),
      patienceMs,
    ),
    buyers: words ? await customersLike(ctx, role, words, MOST_BUYERS, patienceMs) : undefined,
    links: words ? await linksLike(ctx, words, MOST_LINKS, patienceMs) : [],
    held: words ? await heldBy(ctx, role, words, patienceMs) : undefined,
  };
}

const latest = (one: Date | undefined, other: Date | undefined) =>
  one && other ? (one > other ? one : other) : (one ?? other);
const earliest = (one: Date | undefined, other: Date | undefined) =>
  one && other ? (one < other ? one : other) : (one ?? other);
