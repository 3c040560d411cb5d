import { sql } from "drizzle-orm";
import { check, index, integer, jsonb, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { bytes, createdAt, id, instant } from "@/db/schema/columns";

/** What people are written: queued in the transaction of its cause, rendered and sent by the worker. */
export const emails = pgTable(
  "emails",
  {
    id: id(),
    /** Null for what concerns an operator and no account. */
    clientId: uuid(),
    /** Whose shop the e-mail speaks for. */
    merchantId: uuid(),
    template: text().notNull(),
    recipient: text().notNull(),
    locale: text().notNull(),
    replyTo: text(),
    /** Wiped when the e-mail has gone: links that let somebody in are not kept. */
    data: jsonb().$type<Record<string, unknown>>(),
    /** What is queued under one name twice is one e-mail. */
    dedupe: text().notNull(),
    status: text({ enum: ["queued", "sent", "kept", "failed"] })
      .notNull()
      .default("queued"),
    subject: text(),
    attempts: integer().notNull().default(0),
    /** When the last of them began. */
    triedAt: instant(),
    /** While somebody sends it. */
    leaseUntil: instant(),
    failure: text(),
    createdAt: createdAt(),
    finishedAt: instant(),
  },
  (t) => [
    index("emails_queued").on(t.createdAt).where(sql`${t.status} = 'queued'`),
    unique("emails_once").on(t.clientId, t.dedupe).nullsNotDistinct(),
    index("emails_of_account").on(t.clientId, t.createdAt),
    index("emails_kept").on(t.id).where(sql`${t.status} = 'kept'`),
    check("emails_data", sql`(${t.status} = 'queued') = (${t.data} is not null)`),
  ],
);

/** Files of an e-mail until it has gone. */
export const emailAttachments = pgTable(
  "email_attachments",
  {
    id: id(),
    clientId: uuid(),
    emailId: uuid()
      .notNull()
      .references(() => emails.id, { onDelete: "cascade" }),
    fileName: text().notNull(),
    contentType: text().notNull(),
    content: bytes().notNull(),
  },
  (t) => [index().on(t.emailId)],
);
