import { and, asc, eq, isNull } from "drizzle-orm";
import { renderMail } from "@/components/emails/render";
import { systemDb } from "@/db/client";
import { emails } from "@/db/schema/mail";
import { sendMail } from "@/lib/mail/send";

export type EmailRow = typeof emails.$inferSelect;

const ofAccount = (clientId: string | null) =>
  clientId === null ? isNull(emails.clientId) : eq(emails.clientId, clientId);

/** What an account has queued and nobody has sent yet, oldest first; null is what no account stands behind. */
export const queuedMails = (clientId: string | null): Promise<EmailRow[]> =>
  systemDb()
    .select()
    .from(emails)
    .where(and(ofAccount(clientId), eq(emails.status, "queued")))
    .orderBy(asc(emails.id));

export interface WrittenMail {
  template: string;
  to: string;
  subject: string;
  html: string;
  text: string;
}

/** Does the worker's work for all of them, and answers what was written. */
export async function sendQueued(clientId: string | null): Promise<WrittenMail[]> {
  const written: WrittenMail[] = [];
  for (const { id, recipient } of await queuedMails(clientId)) {
    await sendMail(id, async (mail) => {
      const rendered = await renderMail(mail);
      written.push({ template: mail.template, to: recipient, ...rendered });
      return rendered;
    });
  }
  return written;
}
