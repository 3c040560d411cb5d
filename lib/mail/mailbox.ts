import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { and, desc, eq } from "drizzle-orm";
import { systemDb } from "@/db/client";
import { equalsLiteral } from "@/db/literals";
import { emails } from "@/db/schema/mail";
import { type Env, env, isOnLoopback } from "@/lib/env";
import { isUuid } from "@/lib/ids";
import { mailFolder } from "@/lib/mail/delivery";

const MOST_LISTED = 200;
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** E-mails hold links that let people in: they are read here only where nobody but this machine can ask. */
export function isMailboxShown(settings: Pick<Env, "SMTP_URL" | "HOST" | "BASE_URL" | "TRUST_PROXY"> = env()): boolean {
  return settings.SMTP_URL === undefined && isOnLoopback(settings);
}

/** A name of a stranger that leads to this machine would let their page read along: only our own names are answered. */
export function isAskedLocally(host: string | null): boolean {
  const url = `http://${host ?? ""}`;
  return host !== null && URL.canParse(url) && LOOPBACK.has(new URL(url).hostname);
}

export interface KeptMail {
  id: string;
  to: string;
  subject: string;
  template: string;
  keptAt: Date;
}

const summary = {
  id: emails.id,
  to: emails.recipient,
  subject: emails.subject,
  template: emails.template,
  keptAt: emails.finishedAt,
};

type Summary = Omit<KeptMail, "subject" | "keptAt"> & { subject: string | null; keptAt: Date | null };

const asKept = ({ subject, keptAt, ...row }: Summary): KeptMail[] =>
  subject === null || keptAt === null ? [] : [{ ...row, subject, keptAt }];

/** The newest of all accounts. */
export async function listKept(): Promise<KeptMail[]> {
  const rows = await systemDb()
    .select(summary)
    .from(emails)
    .where(equalsLiteral(emails.status, "kept"))
    .orderBy(desc(emails.id))
    .limit(MOST_LISTED);
  return rows.flatMap(asKept);
}

export async function readKeptMail(id: string): Promise<(KeptMail & { html: string; text: string }) | undefined> {
  if (!isUuid(id)) return undefined;
  const rows = await systemDb()
    .select(summary)
    .from(emails)
    .where(and(eq(emails.id, id), equalsLiteral(emails.status, "kept")));
  const [mail] = rows.flatMap(asKept);
  if (!mail) return undefined;
  try {
    const [html, text] = await Promise.all(
      ["html", "txt"].map((kind) => readFile(join(mailFolder(), `${mail.id}.${kind}`), "utf8")),
    );
    return html === undefined || text === undefined ? undefined : { ...mail, html, text };
  } catch (thrown) {
    if (thrown instanceof Error && "code" in thrown && thrown.code === "ENOENT") return undefined;
    throw thrown;
  }
}
