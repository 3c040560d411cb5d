import { z } from "zod";
import { DOCUMENT_STATUSES, DOCUMENT_TYPES } from "@/db/schema/sellers";
import { commaList, instantIn, isCalendarDay, uuid } from "@/lib/http/fields";
import { pageQuery } from "@/lib/http/pagination";

export const newDocument = z.object({ type: z.enum(DOCUMENT_TYPES) }).meta({ id: "NewSellerDocument" });

/** An instant, or a day in UTC. */
const from = z
  .string()
  .transform((given) => (isCalendarDay(given) ? `${given}T00:00:00Z` : given))
  .pipe(instantIn)
  .meta({ type: "string", description: "from this instant, or day in UTC, on" });

export const documentFilters = pageQuery.extend({
  status: commaList(DOCUMENT_STATUSES).optional(),
  type: commaList(DOCUMENT_TYPES).optional(),
  createdAt: from.optional(),
});
export type DocumentFilters = z.output<typeof documentFilters>;
export const documentParams = z.object({ documentId: uuid });
