import { z } from "zod";

export const MAX_PAGE_SIZE = 100;
const DEFAULT_PAGE_SIZE = 10;

const whole = (max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, "must be a whole number")
    .transform(Number)
    .pipe(z.number().min(1).max(max));

/** `order` and `sort` are synonyms, in any letter case; anything else means desc (spec/contract.md 1.4). */
const direction = z
  .string()
  .transform((text) => (text.toLowerCase() === "asc" ? ("asc" as const) : ("desc" as const)))
  .meta({ type: "string", enum: ["asc", "desc"], description: "by createdAt; default desc" });

export const pageQuery = z.object({
  page: whole(100_000_000).default(1).meta({ type: "integer", minimum: 1, default: 1 }),
  limit: whole(MAX_PAGE_SIZE)
    .default(DEFAULT_PAGE_SIZE)
    .meta({ type: "integer", minimum: 1, maximum: MAX_PAGE_SIZE, default: DEFAULT_PAGE_SIZE }),
  order: direction.optional(),
  sort: direction.optional(),
});

export interface Page {
  page: number;
  limit: number;
  order?: "asc" | "desc" | undefined;
  sort?: "asc" | "desc" | undefined;
}

export const directionOf = (page: Page): "asc" | "desc" => page.order ?? page.sort ?? "desc";
export const offsetOf = (page: Page): number => (page.page - 1) * page.limit;

/**
 * How the page is read from the nearer end of its index, so the last page costs what the first one does: rows that are
 * read backward stand in the other order. Undefined where the page is empty.
 */
export function readingOf(
  page: Page,
  total: number,
): { size: number; offset: number; isBackward: boolean; isAscending: boolean } | undefined {
  const offset = offsetOf(page);
  const size = Math.min(page.limit, total - offset);
  if (size <= 0) return undefined;
  const fromEnd = total - offset - size;
  const isBackward = fromEnd < offset;
  const isAscending = (directionOf(page) === "asc") !== isBackward;
  return { size, offset: isBackward ? fromEnd : offset, isBackward, isAscending };
}

export interface Paged<T> {
  items: T[];
  totalItems: number;
}

export function envelope<T>(page: Page, { items, totalItems }: Paged<T>) {
  return {
    items,
    meta: {
      totalItems,
      itemCount: items.length,
      itemsPerPage: page.limit,
      totalPages: Math.ceil(totalItems / page.limit),
      currentPage: page.page,
    },
  };
}

export const listMeta = z
  .object({
    totalItems: z.int().min(0),
    itemCount: z.int().min(0),
    itemsPerPage: z.int().min(1).max(MAX_PAGE_SIZE),
    totalPages: z.int().min(0),
    currentPage: z.int().min(1),
  })
  .meta({ id: "ListMeta", description: "Where the page stands in the whole list; the total is exact." });

export const listOf = <T extends z.ZodType>(item: T) => z.object({ items: z.array(item), meta: listMeta });
