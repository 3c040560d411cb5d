import { and, desc, eq, gt, inArray, isNull, ne, notInArray, or, sql } from "drizzle-orm";
import { type NoticeKind, noticeReads, notices } from "@/db/schema/notices";
import { webhooks } from "@/db/schema/webhooks";
import { type Context, inTransaction } from "@/lib/context";
import { isUuid } from "@/lib/ids";
import { noticeChoicesOf, personIn } from "@/lib/notices/choices";
import type { OperatorRole } from "@/lib/operators/permissions";
import { PROPOSAL_SECONDS } from "@/lib/operators/second-person";
import { KEPT_DAYS } from "@/lib/retention";
import { addSeconds, DAY_SECONDS, realNow } from "@/lib/time";

export interface Notice {
  id: string;
  kind: NoticeKind;
  name: string | null;
  byName: string | null;
  amount: number | null;
  currency: string | null;
  path: string;
  at: Date;
  createdAt: Date;
}

/** Notices of one kind within an hour are one line: the newest, and how many. */
export interface NoticeLine extends Notice {
  count: number;
  isUnread: boolean;
  /** Of a webhook that fails to this day: its first failure, which is before anybody was told. */
  failingSince: Date | undefined;
}

const FOR_A_DAY: NoticeKind[] = ["refund_waiting", "review_waiting", "limits_waiting"];
const MOST_READ = 400;
const HOUR_MS = 3_600_000;

/** Newest first: what the member may know of and did not turn off. */
export async function noticesOf(ctx: Context, role: OperatorRole): Promise<NoticeLine[]> {
  const person = personIn(ctx);
  const choices = await noticeChoicesOf(ctx, role);
  const shown = [...choices].filter(([, { onDashboard }]) => onDashboard).map(([kind]) => kind);
  if (shown.length === 0) return [];
  const { rows, until } = await inTransaction(ctx, async ({ db, account }) => {
    const [read] = await db
      .select({ until: noticeReads.until })
      .from(noticeReads)
      .where(and(eq(noticeReads.clientId, account.id), eq(noticeReads.operatorId, person)));
    const { id, kind, name, byName, amount, currency, path, at, createdAt } = notices;
    const found = await db
      .select({ id, kind, name, byName, amount, currency, path, at, createdAt })
      .from(notices)
      .where(
        and(
          eq(notices.clientId, account.id),
          inArray(kind, shown),
          or(isNull(notices.operatorId), eq(notices.operatorId, person)),
          or(isNull(notices.askedBy), ne(notices.askedBy, person)),
          gt(createdAt, addSeconds(realNow(), -KEPT_DAYS.notices * DAY_SECONDS)),
          // What nobody approved within the day waits no longer.
          or(notInArray(kind, FOR_A_DAY), gt(createdAt, addSeconds(realNow(), -PROPOSAL_SECONDS))),
        ),
      )
      .orderBy(desc(createdAt), desc(id))
      .limit(MOST_READ);
    return { rows: found, until: read?.until };
  });
  const lines = bundled(rows);
  const outages = await outagesOf(ctx, lines);
  return lines.map((line) => {
    const since = line.kind === "webhook_failing" ? outages.get(webhookOf(line)) : undefined;
    const failingSince = since && since <= line.at ? since : undefined;
    return { ...line, isUnread: !until || line.createdAt > until, failingSince };
  });
}

/** Of notices of a webhook, whose page their path is. */
const webhookOf = ({ path }: Notice): string => path.split("/").at(-1) ?? "";

/** The first failures of the outages that go on. */
async function outagesOf(ctx: Context, lines: readonly Notice[]): Promise<Map<string, Date>> {
  const ids = lines
    .filter(({ kind }) => kind === "webhook_failing")
    .map(webhookOf)
    .filter(isUuid);
  if (ids.length === 0) return new Map();
  const rows = await inTransaction(ctx, ({ db, account }) =>
    db
      .select({ id: webhooks.id, since: webhooks.firstFailureAt })
      .from(webhooks)
      .where(and(eq(webhooks.clientId, account.id), inArray(webhooks.id, ids))),
  );
  return new Map(rows.flatMap(({ id, since }): [string, Date][] => (since ? [[id, since]] : [])));
}

type Bundle = Omit<NoticeLine, "isUnread" | "failingSince">;

/** What follows a notice of its kind within the hour joins it. */
export function bundled(rows: readonly Notice[]): Bundle[] {
  const lines: Bundle[] = [];
  const open = new Map<NoticeKind, (typeof lines)[number]>();
  for (const row of rows) {
    const line = open.get(row.kind);
    if (line && line.createdAt.getTime() - row.createdAt.getTime() < HOUR_MS) {
      line.count++;
      continue;
    }
    const next = { ...row, count: 1 };
    open.set(row.kind, next);
    lines.push(next);
  }
  return lines;
}

/** Everything up to this moment; never back. */
export async function markRead(ctx: Context, until: Date): Promise<void> {
  const operatorId = personIn(ctx);
  await inTransaction(ctx, ({ db, account }) =>
    db
      .insert(noticeReads)
      .values({ clientId: account.id, operatorId, until })
      .onConflictDoUpdate({
        target: [noticeReads.clientId, noticeReads.operatorId],
        set: { until: sql`greatest(${noticeReads.until}, excluded.until)` },
      }),
  );
}
