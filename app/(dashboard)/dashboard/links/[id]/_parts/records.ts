import type { SessionDoing } from "@/lib/audit-trail/queries";
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

/** Both are written in one transaction. */
const APART_MS = 10_000;

/**
 * Whoever did what each record tells of, by the record's id. The log of who did what is written beside the record of a
 * link, and neither names the other: they are told to be of one deed by when they were written and what they say.
 */
export function doersOf(
  rows: readonly Pick<HistoryRow, "id" | "diff" | "actions" | "createdAt">[],
  doings: readonly SessionDoing[],
): Map<string, string> {
  const left = doings.toReversed();
  const doers = new Map<string, string>();
  for (const row of rows.toReversed()) {
    const at = left.findIndex((doing) => isOneDeed(row, doing));
    if (at < 0) continue;
    for (const { actor } of left.splice(at, 1)) doers.set(row.id, actor);
  }
  return doers;
}

function isOneDeed(
  row: Pick<HistoryRow, "diff" | "actions" | "createdAt">,
  { action, before, after, accountAt }: SessionDoing,
): boolean {
  if (Math.abs(accountAt.getTime() - row.createdAt.getTime()) > APART_MS) return false;
  const changes = changesOf(row);
  if (action === "session.create") return isBirth(row);
  if (action === "session.cancel") return isCancellation(row);
  if (action === "session.split") return row.actions.includes("splitRulesChanged");
  return (
    changes.length > 0 &&
    changes.every(
      ({ field, from, to }) => saidIn(before, field) === String(from) && saidIn(after, field) === String(to),
    )
  );
}

/** What the log says of a field, read as the unknown JSON it is. */
const saidIn = (values: unknown, field: string): string =>
  String(
    Object.entries(values && typeof values === "object" ? values : {}).find(([name]) => name === field)?.[1] ?? null,
  );
