import { and, eq, inArray } from "drizzle-orm";
import { systemDb } from "@/db/client";
import { type NoticeKind, noticeChoices } from "@/db/schema/notices";
import { operators } from "@/db/schema/operators";
import { type Context, inTransaction } from "@/lib/context";
import { notFound } from "@/lib/errors";
import { type Locale, mailLocaleOf } from "@/lib/i18n/locales";
import { kindsFor, NOTICES, type NoticeChoice, usualChoice } from "@/lib/notices/kinds";
import type { OperatorRole } from "@/lib/operators/permissions";

export const personIn = ({ principal }: Context): string => {
  if (principal.kind !== "operator") throw notFound("notice");
  return principal.operatorId;
};

/** What a member is told of and how, kind by kind. */
export async function noticeChoicesOf(ctx: Context, role: OperatorRole): Promise<Map<NoticeKind, NoticeChoice>> {
  const rows = await inTransaction(ctx, ({ db, account }) =>
    db
      .select()
      .from(noticeChoices)
      .where(and(eq(noticeChoices.clientId, account.id), eq(noticeChoices.operatorId, personIn(ctx)))),
  );
  return new Map(kindsFor(role).map((kind) => [kind, rows.find((row) => row.kind === kind) ?? usualChoice(kind)]));
}

/** One's own alone; what the role may not know of is left out. */
export async function choose(
  ctx: Context,
  role: OperatorRole,
  wanted: ReadonlyMap<NoticeKind, NoticeChoice>,
): Promise<void> {
  const operatorId = personIn(ctx);
  await inTransaction(ctx, async ({ db, account }) => {
    for (const kind of kindsFor(role)) {
      const choice = wanted.get(kind);
      if (!choice) continue;
      const values = {
        onDashboard: choice.onDashboard,
        byEmail: choice.byEmail || NOTICES[kind].isAlwaysMailed === true,
      };
      await db
        .insert(noticeChoices)
        .values({ clientId: account.id, operatorId, kind, ...values })
        .onConflictDoUpdate({
          target: [noticeChoices.clientId, noticeChoices.operatorId, noticeChoices.kind],
          set: values,
        });
    }
  });
}

/** Those of an account who turned the e-mails of a kind on or off, by person. */
export async function mailChoicesOf(clientId: string, kind: NoticeKind): Promise<Map<string, boolean>> {
  const rows = await systemDb()
    .select({ operatorId: noticeChoices.operatorId, byEmail: noticeChoices.byEmail })
    .from(noticeChoices)
    .where(and(eq(noticeChoices.clientId, clientId), eq(noticeChoices.kind, kind)));
  return new Map(rows.map(({ operatorId, byEmail }) => [operatorId, byEmail]));
}

/** The language of each one's e-mails. */
export async function localesOf(operatorIds: readonly string[]): Promise<Map<string, Locale>> {
  if (operatorIds.length === 0) return new Map();
  const rows = await systemDb()
    .select({ id: operators.id, locale: operators.locale, browserLocale: operators.browserLocale })
    .from(operators)
    .where(inArray(operators.id, [...operatorIds]));
  return new Map(rows.map((person) => [person.id, mailLocaleOf(person)]));
}
