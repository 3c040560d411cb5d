import { createHash, randomBytes } from "node:crypto";
import { and, eq, isNull, lt } from "drizzle-orm";
import { systemDb } from "@/db/client";
import { reportAddresses, reports } from "@/db/schema/reports";
import { loadAccount } from "@/lib/accounts/service";
import { accountSettings } from "@/lib/accounts/settings";
import { audit } from "@/lib/audit";
import { type Context, inTransaction, systemContext } from "@/lib/context";
import { env } from "@/lib/env";
import { notFound } from "@/lib/errors";
import type { Locale } from "@/lib/i18n/locales";
import { newId } from "@/lib/ids";
import { queueMail } from "@/lib/mail/queue";
import { listMembers } from "@/lib/operators/team";
import { sendReport } from "@/lib/reports/send";
import { addSeconds, DAY_SECONDS, realNow } from "@/lib/time";

const LINK_SECONDS = DAY_SECONDS;
const TOKEN_BYTES = 32;
const TOKEN = /^[\w-]{43}$/;

const digestOf = (token: string): Buffer => createHash("sha256").update(token).digest();

/** One spelling: an address is the same in any letter case. */
const spelled = (email: string): string => email.toLowerCase();

/** Of somebody who works in the account, or confirmed by its link. */
export async function isKnownAddress(ctx: Context, email: string): Promise<boolean> {
  const members = await listMembers(ctx);
  if (members.some((member) => spelled(member.email) === spelled(email))) return true;
  const [kept] = await ctx.db
    .select({ at: reportAddresses.confirmedAt })
    .from(reportAddresses)
    .where(and(eq(reportAddresses.clientId, ctx.account.id), eq(reportAddresses.email, spelled(email))))
    // One order with a confirmation of this moment: it finds the report that waits, or is found by it.
    .for("update");
  return kept?.at != null;
}

/** Whether it was ever asked to be confirmed: one that was known without is of somebody who worked in the account. */
export const wasAsked = async (ctx: Context, email: string): Promise<boolean> =>
  (await ctx.db.$count(
    reportAddresses,
    and(eq(reportAddresses.clientId, ctx.account.id), eq(reportAddresses.email, spelled(email))),
  )) > 0;

/** Sends the link, once while it works. The life of links runs on real time. */
export async function askConfirmation(ctx: Context, email: string, locale: Locale): Promise<void> {
  const [token, at] = [randomBytes(TOKEN_BYTES).toString("base64url"), realNow()];
  const asked = { digest: digestOf(token), expiresAt: addSeconds(at, LINK_SECONDS), createdAt: at };
  const [written] = await ctx.db
    .insert(reportAddresses)
    .values({ id: newId(), clientId: ctx.account.id, email: spelled(email), ...asked })
    .onConflictDoUpdate({
      target: [reportAddresses.clientId, reportAddresses.email],
      set: asked,
      setWhere: and(isNull(reportAddresses.confirmedAt), lt(reportAddresses.expiresAt, at)),
    })
    .returning({ expiresAt: reportAddresses.expiresAt });
  if (!written) return;
  await queueMail(ctx, {
    template: "report-address",
    to: email,
    locale,
    data: {
      accountName: (await accountSettings(ctx)).name,
      url: `${env().BASE_URL}/confirm-address/${token}`,
      expiresAt: asked.expiresAt.toISOString(),
    },
  });
}

export interface AskedAddress {
  email: string;
  accountName: string;
  isConfirmed: boolean;
}

/** What the page of a link shows; undefined for a link that never was, or is over. */
export async function askedAddress(token: string): Promise<AskedAddress | undefined> {
  const found = await addressOf(token);
  if (!found) return undefined;
  const ctx = systemContext(await loadAccount(found.clientId), newId());
  const { name } = await accountSettings(ctx);
  return { email: found.email, accountName: name, isConfirmed: found.confirmedAt !== null };
}

/** By the button of that page: a scanner that follows links confirms nothing. What waited for it is sent. */
export async function confirmAddress(token: string): Promise<void> {
  const found = await addressOf(token);
  if (!found) throw notFound("link");
  const ctx = systemContext(await loadAccount(found.clientId), newId());
  await inTransaction(ctx, async (inside) => {
    const [confirmed] = await inside.db
      .update(reportAddresses)
      .set({ confirmedAt: realNow() })
      .where(and(eq(reportAddresses.id, found.id), isNull(reportAddresses.confirmedAt)))
      .returning({ id: reportAddresses.id });
    if (!confirmed) return;
    await audit(inside, { action: "report.address_confirm", object: "report_address", objectId: found.id });
    const waiting = await inside.db
      .update(reports)
      .set({ awaitsConfirmation: false })
      .where(
        and(
          eq(reports.clientId, inside.account.id),
          eq(reports.awaitsConfirmation, true),
          isNull(reports.emailedAt),
          eq(reports.email, found.email),
        ),
      )
      .returning({ id: reports.id });
    for (const { id } of waiting) await sendReport(inside, id);
  });
}

async function addressOf(token: string) {
  if (!TOKEN.test(token)) return undefined;
  const [found] = await systemDb()
    .select()
    .from(reportAddresses)
    .where(eq(reportAddresses.digest, digestOf(token)));
  return found && (found.confirmedAt !== null || found.expiresAt > realNow()) ? found : undefined;
}
