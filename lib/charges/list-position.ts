import { isUuid } from "@/lib/ids";

/** Where a page of a list begins or ends. */
export const positionOf = (row: { createdAt: Date; id: string }): string => `${row.createdAt.toISOString()}_${row.id}`;

/** A position that was tampered with begins at the first page. */
export function readPosition(text: string | undefined): { at: string; id: string } | undefined {
  const [at = "", id = ""] = text?.split("_") ?? [];
  const moment = new Date(at);
  return Number.isNaN(moment.getTime()) || !isUuid(id) ? undefined : { at: moment.toISOString(), id };
}
