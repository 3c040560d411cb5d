import { and, eq, isNull, lt, or, sql } from "drizzle-orm";
import { systemDb, systemSql } from "@/db/client";
import { inBatches } from "@/db/delete-in-batches";
import { equalsLiteral } from "@/db/literals";
import { emailAttachments, emails } from "@/db/schema/mail";
import { loadAccount } from "@/lib/accounts/service";
import { systemContext } from "@/lib/context";
import { isLocale, type Locale } from "@/lib/i18n/locales";
import { log } from "@/lib/log";
import {
  deliver,
  deliveryReason,
  dropKept,
  type InlineFile,
  ownMessageId,
  type RenderedMail,
  Undeliverable,
} from "@/lib/mail/delivery";
import { isOperatorTemplate, isTemplate, MAIL_TEMPLATES, type MailData, type MailTemplate } from "@/lib/mail/templates";
import { KEPT_DAYS } from "@/lib/retention";
import { lookOfShop, OWN_BRAND, type ShopLook } from "@/lib/settings/brand";
import { addSeconds, DAY_SECONDS, realNow } from "@/lib/time";

/** Longer than a mail server is waited for. */
const SENDING_SECONDS = 60;

export interface MailToRender<T extends MailTemplate = MailTemplate> {
  template: T;
  locale: Locale;
  data: MailData<T>;
  brand: ShopLook;
  /** Of a sandbox account: nobody pays or is paid. */
  isTest: boolean;
}

/** Words and looks are the components' work; this module knows rows and servers. */
export type Render = (mail: MailToRender) => Promise<Omit<RenderedMail, "fromName">>;

export type MailOutcome = "sent" | "kept" | "failed" | "done before";

/** Renders and sends one queued e-mail. Throws when it may work later; run again after success it does nothing. */
export async function sendMail(emailId: string, render: Render): Promise<MailOutcome> {
  const db = systemDb();
  const [row] = await db.select().from(emails).where(eq(emails.id, emailId));
  if (row?.status !== "queued") return "done before";
  // Of two at once one tries.
  const [taken] = await db
    .update(emails)
    .set({
      attempts: row.attempts + 1,
      triedAt: realNow(),
      leaseUntil: sql`now() + ${SENDING_SECONDS} * interval '1 second'`,
    })
    .where(
      and(
        eq(emails.id, emailId),
        equalsLiteral(emails.status, "queued"),
        or(isNull(emails.leaseUntil), lt(emails.leaseUntil, sql`now()`)),
      ),
    )
    .returning({ id: emails.id });
  if (!taken) return "done before";
  try {
    const files = await db.select().from(emailAttachments).where(eq(emailAttachments.emailId, emailId));
    const { brand, isTest } = await voiceOf(row);
    const rendered = await render({ ...contentOf(row), brand, isTest });
    const { id, recipient: to, locale } = row;
    const attachments: InlineFile[] = [...rendered.attachments, ...files];
    const mail = { ...rendered, id, to, locale, messageId: ownMessageId(id), fromName: brand.name, attachments };
    // Answers reach the shop, not the installation.
    const replyTo = row.replyTo ?? brand.supportEmail;
    const status = await deliver(replyTo === null ? mail : { ...mail, replyTo });
    await finish(emailId, { status, subject: rendered.subject });
    return status;
  } catch (thrown) {
    if (thrown instanceof Undeliverable) {
      await finish(emailId, { status: "failed", failure: thrown.message });
      return "failed";
    }
    await db
      .update(emails)
      .set({ failure: deliveryReason(thrown), leaseUntil: null })
      .where(eq(emails.id, emailId));
    throw thrown;
  }
}

/** After the last attempt. */
export const giveUpMail = (emailId: string): Promise<void> => finish(emailId, { status: "failed" });

async function finish(
  emailId: string,
  end: { status: "sent" | "kept" | "failed"; subject?: string; failure?: string },
): Promise<void> {
  await systemDb().transaction(async (db) => {
    await db
      .update(emails)
      .set({ ...end, data: null, finishedAt: realNow() })
      .where(and(eq(emails.id, emailId), equalsLiteral(emails.status, "queued")));
    await db.delete(emailAttachments).where(eq(emailAttachments.emailId, emailId));
  });
}

type EmailRow = typeof emails.$inferSelect;

async function voiceOf({ clientId, merchantId, template }: EmailRow): Promise<{ brand: ShopLook; isTest: boolean }> {
  if (clientId === null) return { brand: OWN_BRAND, isTest: false };
  const account = await loadAccount(clientId);
  const isOwn = isTemplate(template) && isOperatorTemplate(template);
  const brand = isOwn ? OWN_BRAND : await lookOfShop(systemContext(account, "mail"), merchantId);
  return { brand, isTest: account.mode === "sandbox" };
}

function contentOf({ id, template, locale, data }: EmailRow): Pick<MailToRender, "template" | "locale" | "data"> {
  if (!isTemplate(template) || !isLocale(locale)) throw new Error(`E-mail ${id} is of no template or language`);
  return { template, locale, data: MAIL_TEMPLATES[template].parse(data) };
}

const SWEPT_AT_ONCE = 200;
/** As many as the engine makes of one e-mail. */
const MOST_ATTEMPTS = 17;

/**
 * Sends what no engine sends any more: nobody heard that it was queued, or its tries were forgotten. An engine that
 * lives tries again well before.
 */
export async function sweepMail(render: Render): Promise<number> {
  const left = await systemSql()<{ id: string; attempts: number }[]>`
    select id, attempts from emails
     where status = 'queued'
       and coalesce(tried_at, created_at) < now() - least(interval '1 minute' * 2 ^ attempts, interval '2 hours')
     order by created_at limit ${SWEPT_AT_ONCE}`;
  for (const { id, attempts } of left) {
    if (attempts >= MOST_ATTEMPTS) await giveUpMail(id);
    else
      await sendMail(id, render).catch((error: unknown) =>
        log.error({ error, job: "mail" }, "an e-mail could not be sent"),
      );
  }
  return left.length;
}

/** Who was written what is kept for a while; the content has gone already, but for the files of those never sent. */
export async function forgetMail(): Promise<void> {
  const before = addSeconds(realNow(), -KEPT_DAYS.emails * DAY_SECONDS);
  await inBatches(async (rows) => {
    const forgotten = await systemSql()<{ id: string; status: string }[]>`
      delete from emails where id = any(array(
        select id from emails where status <> 'queued' and created_at < ${before} limit ${rows} for update skip locked))
      returning id, status`;
    for (const { id, status } of forgotten) if (status === "kept") await dropKept(id);
    return forgotten.length;
  });
}
