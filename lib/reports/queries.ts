import { and, asc, desc, eq, inArray, type SQL } from "drizzle-orm";
import { auditLog, publicKeys } from "@/db/schema/accounts";
import { reports } from "@/db/schema/reports";
import { type Context, inTransaction, publicKeyOf } from "@/lib/context";
import { notFound } from "@/lib/errors";
import { directionOf, offsetOf, type Paged } from "@/lib/http/pagination";
import type { ReportFilters } from "@/lib/reports/schema";
import { columnOf, sourceOf } from "@/lib/reports/types/registry";

export type ReportRow = typeof reports.$inferSelect;

/** A public key knows the reports that it made, and no others: their files hold more than it may read. */
const ownedBy = (ctx: Context): SQL | undefined => {
  const key = publicKeyOf(ctx);
  return and(eq(reports.clientId, ctx.account.id), key === undefined ? undefined : eq(reports.createdByKey, key));
};

export async function getReport(ctx: Context, id: string): Promise<ReportRow> {
  const [row] = await ctx.db
    .select()
    .from(reports)
    .where(and(ownedBy(ctx), eq(reports.id, id)));
  if (!row) throw notFound("report");
  return row;
}

export async function listReports(ctx: Context, filters: ReportFilters): Promise<Paged<ReportRow>> {
  const order = directionOf(filters) === "asc" ? asc : desc;
  const wanted = and(
    ownedBy(ctx),
    filters.status && inArray(reports.status, filters.status),
    filters.type && inArray(reports.type, filters.type),
  );
  const items = await ctx.db
    .select()
    .from(reports)
    .where(wanted)
    .orderBy(order(reports.createdAt), order(reports.id))
    .limit(filters.limit)
    .offset(offsetOf(filters));
  return { items, totalItems: await ctx.db.$count(reports, wanted) };
}

const MOST_DOWNLOADS = 50;

/** Who took its files, the newest first. */
export const downloadsOf = ({ db, account }: Context, id: string): Promise<{ actor: string; at: Date }[]> =>
  db
    .select({ actor: auditLog.actor, at: auditLog.at })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.clientId, account.id),
        eq(auditLog.object, "report"),
        eq(auditLog.objectId, id),
        eq(auditLog.action, "report.download"),
      ),
    )
    .orderBy(desc(auditLog.at))
    .limit(MOST_DOWNLOADS);

/** Whether a secret key allowed it to this public key. */
export const opensPersonal = (ctx: Context, publicKey: string): Promise<boolean> =>
  inTransaction(ctx, async ({ db, account }) => {
    const [row] = await db
      .select({ isOpen: publicKeys.reportsPersonal })
      .from(publicKeys)
      .where(and(eq(publicKeys.clientId, account.id), eq(publicKeys.publicKey, publicKey)));
    return row?.isOpen ?? false;
  });

/** Whether a column of it tells of buyers or other people. */
export const holdsPersonal = ({ type, fields }: Pick<ReportRow, "type" | "fields">): boolean =>
  fields.some((id) => columnOf(sourceOf(type), id)?.isPersonal);
