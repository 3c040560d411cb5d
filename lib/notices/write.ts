import { and, asc, eq, inArray, isNull } from "drizzle-orm";
import { type Database, systemDb, systemSql } from "@/db/client";
import { clients } from "@/db/schema/accounts";
import { type NoticeKind, noticeMails, notices } from "@/db/schema/notices";
import { operators } from "@/db/schema/operators";
import { loadAccount } from "@/lib/accounts/service";
import { inTransaction, systemContext } from "@/lib/context";
import { env } from "@/lib/env";
import { mailLocaleOf } from "@/lib/i18n/locales";
import { newId } from "@/lib/ids";
import { log } from "@/lib/log";
import { queueMail } from "@/lib/mail/queue";
import { mailChoicesOf } from "@/lib/notices/choices";
import { NOTICES, usualChoice } from "@/lib/notices/kinds";
import { colleaguesWho } from "@/lib/operators/held-role";
import { realNow } from "@/lib/time";

const BATCH = 200;
const MOST_LINES = 20;

type NoticeRow = typeof notices.$inferSelect;

/** Decides who is e-mailed of what is new, then writes to everybody whose hour of quiet is over. */
export async function writeNotices(): Promise<void> {
  while ((await fanOut()) === BATCH);
  await writeDue();
}

/** Each notice once: whoever comes second finds it taken. */
async function fanOut(): Promise<number> {
  return systemDb().transaction(async (db) => {
    const rows = await db
      .select()
      .from(notices)
      .where(isNull(notices.fannedOutAt))
      .orderBy(asc(notices.createdAt))
      .limit(BATCH)
      .for("update", { skipLocked: true });
    const mails: (typeof noticeMails.$inferInsert)[] = [];
    const known = new Map<string, Promise<string[]>>();
    for (const row of rows) {
      if (NOTICES[row.kind].hasOwnLetter) continue;
      const key = [row.clientId, row.kind, row.merchantId, row.operatorId, row.askedBy].join(" ");
      const readers = known.get(key) ?? readersOf(db, row);
      known.set(key, readers);
      for (const operatorId of await readers)
        mails.push({ noticeId: row.id, operatorId, clientId: row.clientId, kind: row.kind, createdAt: row.createdAt });
    }
    if (mails.length > 0) await db.insert(noticeMails).values(mails).onConflictDoNothing();
    const ids = rows.map(({ id }) => id);
    if (ids.length > 0) await db.update(notices).set({ fannedOutAt: realNow() }).where(inArray(notices.id, ids));
    return rows.length;
  });
}

/** Who may know of it, sees its merchant, and wants it by e-mail. */
async function readersOf(
  db: Database,
  { clientId, kind, merchantId, operatorId, askedBy }: NoticeRow,
): Promise<string[]> {
  const [people, choices] = [
    await colleaguesWho(db, clientId, NOTICES[kind].right),
    await mailChoicesOf(clientId, kind),
  ];
  return people
    .filter(({ merchants }) => merchants === null || (merchantId !== null && merchants.includes(merchantId)))
    .map((person) => person.operatorId)
    .filter((id) => (operatorId === null || id === operatorId) && id !== askedBy)
    .filter((id) => choices.get(id) ?? usualChoice(kind).byEmail);
}

const waitingOf = (clientId: string, operatorId: string, kind: NoticeKind, ids?: readonly string[]) =>
  and(
    eq(noticeMails.clientId, clientId),
    eq(noticeMails.operatorId, operatorId),
    eq(noticeMails.kind, kind),
    isNull(noticeMails.queuedAt),
    ids && inArray(noticeMails.noticeId, [...ids]),
  );

interface DueGroup {
  client_id: string;
  operator_id: string;
  kind: NoticeKind;
}

/** The first of a kind goes at once; those of the hour after it wait, and go together. */
async function writeDue(): Promise<void> {
  const groups = await systemSql()<DueGroup[]>`
    select distinct m.client_id, m.operator_id, m.kind from notice_mails m
     where m.queued_at is null and not exists (
       select from notice_mails s where s.client_id = m.client_id and s.operator_id = m.operator_id and s.kind = m.kind
          and s.queued_at > now() - interval '1 hour')
     limit ${BATCH}`;
  for (const group of groups) {
    try {
      await writeOne(group);
    } catch (thrown) {
      log.error({ clientId: group.client_id, job: "notices", error: thrown }, "a notice could not be written");
    }
  }
}

async function writeOne({ client_id: clientId, operator_id: operatorId, kind }: DueGroup): Promise<void> {
  const [person] = await systemDb()
    .select({
      email: operators.email,
      locale: operators.locale,
      browserLocale: operators.browserLocale,
      isDisabled: operators.isDisabled,
    })
    .from(operators)
    .where(eq(operators.id, operatorId));
  const [client] = await systemDb().select({ name: clients.name }).from(clients).where(eq(clients.id, clientId));
  const isStill = (await colleaguesWho(systemDb(), clientId, NOTICES[kind].right)).some(
    (colleague) => colleague.operatorId === operatorId,
  );
  const ctx = systemContext(await loadAccount(clientId), newId());
  await inTransaction(ctx, async (inside) => {
    // Locked, so that of two workers one finds nothing.
    const taken = await inside.db
      .select({
        id: notices.id,
        name: notices.name,
        byName: notices.byName,
        amount: notices.amount,
        currency: notices.currency,
        path: notices.path,
        at: notices.at,
      })
      .from(noticeMails)
      .innerJoin(notices, eq(notices.id, noticeMails.noticeId))
      .where(waitingOf(clientId, operatorId, kind))
      .orderBy(asc(noticeMails.createdAt))
      .for("update", { of: noticeMails, skipLocked: true });
    const [first] = taken;
    if (!first) return;
    await inside.db
      .update(noticeMails)
      .set({ queuedAt: realNow() })
      .where(
        waitingOf(
          clientId,
          operatorId,
          kind,
          taken.map(({ id }) => id),
        ),
      );
    if (!person || person.isDisabled || !client || !isStill) return;
    const url = (path: string) => `${env().BASE_URL}${path}`;
    await queueMail(inside, {
      template: "operator-notice",
      to: person.email,
      locale: mailLocaleOf(person),
      dedupe: `notice:${first.id}:${operatorId}`,
      data: {
        accountName: client.name,
        kind,
        count: taken.length,
        notices: taken
          .slice(0, MOST_LINES)
          .map(({ at, path, ...notice }) => ({ ...notice, at: at.toISOString(), url: url(path) })),
        url: url(taken.length === 1 ? first.path : "/dashboard/notices"),
        choicesUrl: url("/dashboard/notices/choices"),
      },
    });
  });
}
