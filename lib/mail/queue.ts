import { and, eq, isNull, sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "@/db/client";
import { emailAttachments, emails } from "@/db/schema/mail";
import { insertion, writeTogether } from "@/db/writes";
import { type Context, inTransaction } from "@/lib/context";
import type { Locale } from "@/lib/i18n/locales";
import { newId } from "@/lib/ids";
import { type BuyerTemplate, MAIL_TEMPLATES, type MailData, type MailTemplate } from "@/lib/mail/templates";
import { enqueueing } from "@/lib/outbox";
import { realNow } from "@/lib/time";

/** The workflow `send-email` hears it. */
export const MAIL_QUEUED = "mail/email.queued";

const MAX_ATTACHMENT_BYTES = 2 * 1024 * 1024;
/** What no account stands behind goes through the outbox under this name. */
const INSTALLATION = "00000000-0000-0000-0000-000000000000";

export interface MailAttachment {
  fileName: string;
  contentType: string;
  content: Buffer;
}

interface Letter<T extends MailTemplate> {
  template: T;
  to: string;
  locale: Locale;
  data: MailData<T>;
  replyTo?: string;
  attachments?: readonly MailAttachment[];
  /** The same name queues one e-mail only, ever, within the account. */
  dedupe?: string;
}

/** A template and the data it takes go together. */
export type NewMail = { [T in MailTemplate]: Letter<T> & { merchantId?: string | null } }[MailTemplate];
export type NewOperatorMail = { [T in Exclude<MailTemplate, BuyerTemplate>]: Letter<T> }[Exclude<
  MailTemplate,
  BuyerTemplate
>];

const address = z.email().max(254);

/** Queues an e-mail in the caller's transaction: it is sent if, and only if, that commits. Answers its id. */
export async function queueMail(ctx: Context, mail: NewMail): Promise<string> {
  return inTransaction(ctx, ({ db, account }) => queue(db, account.id, mail));
}

/** To a person of the dashboard, whatever the accounts; `db` is a transaction of the system's. */
export const queueOperatorMail = (db: Database, mail: NewOperatorMail): Promise<string> => queue(db, null, mail);

async function queue(db: Database, clientId: string | null, mail: NewMail): Promise<string> {
  const id = newId();
  const dedupe = mail.dedupe ?? id;
  const files = mail.attachments ?? [];
  if (files.reduce((sum, { content }) => sum + content.length, 0) > MAX_ATTACHMENT_BYTES)
    throw new Error(`The attachments of ${mail.template} are too large`);
  const letter = {
    id,
    clientId,
    merchantId: mail.merchantId ?? null,
    template: mail.template,
    recipient: address.parse(mail.to),
    locale: mail.locale,
    replyTo: mail.replyTo === undefined ? null : address.parse(mail.replyTo),
    data: MAIL_TEMPLATES[mail.template].parse(mail.data),
    dedupe,
    createdAt: realNow(),
  };
  const [written] = await writeTogether(db, [
    insertion(emails, letter, { upsert: UNLESS_QUEUED, as: "letter" }),
    { ...enqueueing(clientId ?? INSTALLATION, MAIL_QUEUED, { emailId: id }), needs: "letter" },
  ]);
  if (written !== 1) return idOf(db, clientId, dedupe);
  if (files.length > 0)
    await db.insert(emailAttachments).values(files.map((file) => ({ ...file, id: newId(), clientId, emailId: id })));
  return id;
}

/** Whether an e-mail of the account was queued under this name before. */
export async function isQueued({ db, account }: Context, dedupe: string): Promise<boolean> {
  const found = await db
    .select({ id: emails.id })
    .from(emails)
    .where(and(eq(emails.clientId, account.id), eq(emails.dedupe, dedupe)));
  return found.length > 0;
}

const UNLESS_QUEUED = sql`on conflict (client_id, dedupe) do nothing`;

async function idOf(db: Database, clientId: string | null, dedupe: string): Promise<string> {
  const ofAccount = clientId === null ? isNull(emails.clientId) : eq(emails.clientId, clientId);
  const [known] = await db
    .select({ id: emails.id })
    .from(emails)
    .where(and(ofAccount, eq(emails.dedupe, dedupe)));
  if (!known) throw new Error("An e-mail under this name was forgotten while it was queued");
  return known.id;
}
