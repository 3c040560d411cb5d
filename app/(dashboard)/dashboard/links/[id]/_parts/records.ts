import type { HistoryRow } from "@/lib/sessions/queries";

export interface Changed {
  field: string;
  from: unknown;
  to: unknown;
}

/** What a record says of its fields, read as the unknown JSON it is. */
export function changesOf({ diff }: Pick<HistoryRow, "diff">): Changed[] {
  const changes: unknown = diff && typeof diff === "object" && "changes" in diff ? diff.changes : undefined;
  if (!changes || typeof changes !== "object") return [];
  return Object.entries(changes).flatMap(([field, change]: [string, unknown]) =>
    change && typeof change === "object" && "from" in change && "to" in change
      ? [{ field, from: change.from, to: change.to }]
      : [],
  );
}

/** The first record: there was no link before it. */
export const isBirth = (row: Pick<HistoryRow, "diff">): boolean => {
  const changes = changesOf(row);
  return changes.length === 1 && changes[0]?.field === "status" && changes[0].from === null;
};

/** A link that was canceled is off too, and unlike one that was turned off it stays so. */
export const isCancellation = (row: Pick<HistoryRow, "diff">): boolean =>
  changesOf(row).some(({ field, to }) => field === "status" && to === "canceled");
