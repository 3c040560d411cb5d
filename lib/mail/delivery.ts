import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { env } from "@/lib/env";
import type { MailAttachment } from "@/lib/mail/queue";

export interface InlineFile extends MailAttachment {
  /** How the HTML names it: `cid:<contentId>`. */
  contentId?: string;
}

export interface RenderedMail {
  subject: string;
  html: string;
  text: string;
  /** In front of the installation's own address: the shop in whose name it writes. */
  fromName: string;
  replyTo?: string;
  unsubscribeUrl?: string;
  attachments: readonly InlineFile[];
}

export interface AddressedMail extends RenderedMail {
  /** Fixed for each row, so that a message that was sent twice is one message in most mailboxes. */
  messageId: string;
  id: string;
  to: string;
  locale: string;
}

/** Where e-mails go without SMTP: who sends nothing keeps everything. */
const UNSENT_FROM = "no-reply@trilho.localhost";
const CONNECT_TIMEOUT_MS = 10_000;
const SILENCE_TIMEOUT_MS = 30_000;

export const mailFolder = (): string => join(env().TRILHO_DATA_DIR, "mail");

/** "Shop <pay@host>" and "pay@host" are both ways to say MAIL_FROM. */
export function mailboxIn(from: string): string {
  return /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from.trim();
}

export const messageIdOf = (id: string, from: string): string => `<${id}@${mailboxIn(from).split("@").at(-1)}>`;

const sender = (): string => env().MAIL_FROM ?? UNSENT_FROM;
export const ownMessageId = (id: string): string => messageIdOf(id, sender());

/** The server will not take it, now or later: the address does not exist, or the message is refused. */
export class Undeliverable extends Error {
  override readonly name = "Undeliverable";
}

/** Hands it to the mail server, or keeps it as files when there is none. */
export async function deliver(mail: AddressedMail): Promise<"sent" | "kept"> {
  const { SMTP_URL: url } = env();
  if (url === undefined) {
    await keep(mail);
    return "kept";
  }
  const { createTransport } = await import("nodemailer");
  const transport = createTransport({
    url,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SILENCE_TIMEOUT_MS,
    // What a template says is text, never a file or an address to read.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    await transport.sendMail(composed(mail));
  } catch (thrown) {
    throw isFinal(thrown) ? new Undeliverable(deliveryReason(thrown)) : thrown;
  } finally {
    transport.close();
  }
  return "sent";
}

const composed = ({
  id: _,
  to,
  messageId,
  locale,
  fromName,
  subject,
  html,
  text,
  replyTo,
  unsubscribeUrl,
  attachments,
}: AddressedMail) => ({
  from: { name: fromName, address: mailboxIn(sender()) },
  to,
  ...(replyTo === undefined ? {} : { replyTo }),
  subject,
  html,
  text,
  messageId,
  headers: {
    "Content-Language": locale,
    "Auto-Submitted": "auto-generated",
    ...(unsubscribeUrl === undefined ? {} : { "List-Unsubscribe": `<${unsubscribeUrl}>` }),
  },
  attachments: attachments.map(({ fileName, contentType, content, contentId }) => ({
    filename: fileName,
    contentType,
    content,
    ...(contentId === undefined ? {} : { cid: contentId, contentDisposition: "inline" as const }),
  })),
});

/** Answers 5xx to the recipient or to the message itself; 5xx to the log-in is our configuration and may be mended. */
function isFinal(thrown: unknown): boolean {
  if (!(thrown instanceof Error) || !("code" in thrown) || !("responseCode" in thrown)) return false;
  const isOfMessage = thrown.code === "EENVELOPE" || thrown.code === "EMESSAGE";
  return isOfMessage && typeof thrown.responseCode === "number" && thrown.responseCode >= 500;
}

/** The server's words may quote the address: only its number is kept. */
export function deliveryReason(thrown: unknown): string {
  if (!(thrown instanceof Error)) return "unknown";
  if ("responseCode" in thrown && typeof thrown.responseCode === "number") return `SMTP ${thrown.responseCode}`;
  return "code" in thrown && typeof thrown.code === "string" ? thrown.code : thrown.name;
}

async function keep(mail: AddressedMail): Promise<void> {
  const folder = mailFolder();
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { createTransport } = await import("nodemailer");
  const { message } = await createTransport({ streamTransport: true, buffer: true }).sendMail(composed(mail));
  const files = { eml: message, html: selfContained(mail), txt: mail.text };
  for (const [extension, content] of Object.entries(files)) {
    const file = join(folder, `${mail.id}.${extension}`);
    // A reader never meets half a file.
    await writeFile(`${file}.part`, content, { mode: 0o600 });
    await rename(`${file}.part`, file);
  }
}

export async function dropKept(id: string): Promise<void> {
  for (const extension of ["eml", "html", "txt"]) await rm(join(mailFolder(), `${id}.${extension}`), { force: true });
}

/** As the mail client shows it: pictures that travel with the message stand in the page. */
const selfContained = ({ html, attachments }: AddressedMail): string =>
  attachments.reduce(
    (page, { contentId, contentType, content }) =>
      contentId === undefined
        ? page
        : page.replaceAll(`cid:${contentId}`, `data:${contentType};base64,${content.toString("base64")}`),
    html,
  );
