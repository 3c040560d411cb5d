import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import { reports } from "@/db/schema/reports";
import { accountSettings } from "@/lib/accounts/settings";
import { type Context, inTransaction, now } from "@/lib/context";
import { env } from "@/lib/env";
import type { Locale } from "@/lib/i18n/locales";
import { queueMail } from "@/lib/mail/queue";
import { linkToReport } from "@/lib/reports/links";
import { nameOfFile } from "@/lib/reports/manifest";
import type { ReportRow } from "@/lib/reports/queries";

/** More are one archive. */
const MOST_LINKS = 20;

export const localeOfReport = ({ language }: Pick<ReportRow, "language">): Locale =>
  language === "pt" ? "pt-BR" : "en";

/** One e-mail for a report that is whole, unless its address waits for a confirmation; called again it does nothing. */
export async function sendReport(ctx: Context, id: string): Promise<void> {
  await inTransaction(ctx, async (inside) => {
    const [row] = await inside.db
      .update(reports)
      .set({
        emailedAt: now(inside),
        updatedAt: now(inside),
        status: sql`case when ${reports.status} = 'uploaded' then 'sent' else ${reports.status} end`,
      })
      .where(
        and(
          eq(reports.clientId, inside.account.id),
          eq(reports.id, id),
          isNull(reports.emailedAt),
          eq(reports.awaitsConfirmation, false),
          inArray(reports.status, ["uploaded", "opened", "empty"]),
        ),
      )
      .returning();
    if (!row) return;
    const files = row.files ?? [];
    await queueMail(inside, {
      template: "report-ready",
      to: row.email,
      locale: localeOfReport(row),
      dedupe: `report:${row.id}`,
      data: {
        accountName: (await accountSettings(inside)).name,
        type: row.type,
        rows: row.done,
        since: row.since.toISOString(),
        until: row.until.toISOString(),
        timezone: row.timezone,
        files: files.slice(0, MOST_LINKS).map((_, at) => ({
          name: nameOfFile(row, at + 1),
          url: linkToReport(row, String(at + 1)),
        })),
        ...(files.length > 1 ? { allUrl: linkToReport(row, "files.zip") } : {}),
        url: `${env().BASE_URL}/dashboard/reports/${row.id}`,
        expiresAt: row.expiredAt.toISOString(),
      },
    });
  });
}
