import { objectNames } from "@/app/(dashboard)/dashboard/audit/words";
import type { Context } from "@/lib/context";
import type { JobKind } from "@/lib/due-jobs/kinds";
import type { DueNext } from "@/lib/insights/due-next";

/** What the reference of a due moment names, where that has a page of its own. A payment may be a charge or a purchase. */
const OBJECTS: Partial<Record<JobKind, string>> = {
  "attempt.query": "charge",
  "charge.expire": "charge",
  "charge.hold_ends": "charge",
  "charge.watch": "charge",
  "orphan.watch": "charge",
  "analysis.query": "charge",
  "analysis.feed": "charge",
  "buyer.confirming": "charge",
  "buyer.reminder": "charge",
  "subscription.outcome": "charge",
  "session.expires": "session",
  "session.close": "session",
  "subscription.due": "subscription",
  "subscription.cancel": "subscription",
  "subscription.card_expiry": "subscription",
  "trial.ends": "subscription",
  "trial.reminder": "subscription",
  "merchant.day": "merchant",
  "merchant.sellers": "merchant",
  "webhook.attempt": "webhook_delivery",
  "webhook.failing": "webhook",
  "webhook.pause": "webhook",
  "webhook.probe": "webhook",
  "prepayment.expire": "prepayment",
  "report.expire": "report",
};

interface DueObject {
  row: { action: string; object: string; objectId: string };
  name: string | undefined;
}

/** What each due moment is about, in the same order; undefined where nothing of it can be opened. */
export async function dueObjects(ctx: Context, due: readonly DueNext[]): Promise<(DueObject | undefined)[]> {
  const kinds: Readonly<Record<string, string | undefined>> = OBJECTS;
  const rows = due.map(({ kind, refId }) => ({ object: kinds[kind], objectId: refId }));
  const known = rows.flatMap(({ object, objectId }) => (object ? [{ object, objectId }] : []));
  const purchases = known.filter(({ object }) => object === "charge").map((row) => ({ ...row, object: "purchase" }));
  const names = await objectNames(ctx, [...known, ...purchases]);
  return rows.map(({ object, objectId }) =>
    object === undefined ? undefined : { row: { action: "", object, objectId }, name: names.get(objectId) },
  );
}
