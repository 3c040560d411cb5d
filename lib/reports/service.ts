import { and, eq, inArray } from "drizzle-orm";
import { merchants, providers } from "@/db/schema/merchants";
import { type ReportLanguage, reports } from "@/db/schema/reports";
import { actorOf, audit } from "@/lib/audit";
import { type Context, inTransaction, now, publicKeyOf } from "@/lib/context";
import { schedule } from "@/lib/due-jobs/schedule";
import { DomainError, invalid, RequestError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { enqueue } from "@/lib/outbox";
import { askConfirmation, isKnownAddress } from "@/lib/reports/addresses";
import { type Narrowing, narrowingOf } from "@/lib/reports/conditions";
import { statesBefore } from "@/lib/reports/machine";
import { getReport, opensPersonal, type ReportRow } from "@/lib/reports/queries";
import { REPORT_REQUESTED } from "@/lib/reports/run";
import type { NewReport } from "@/lib/reports/schema";
import { localeOfReport } from "@/lib/reports/send";
import { type Moment, spanOf } from "@/lib/reports/span";
import { columnOf, sourceOf } from "@/lib/reports/types/registry";
import type { Column } from "@/lib/reports/types/type";
import { isTimeZone } from "@/lib/reports/zones";
import { addSeconds, DAY_SECONDS } from "@/lib/time";

const KEPT_SECONDS = 30 * DAY_SECONDS;
/** Waiting and running, of one account. */
const MOST_OPEN = 100;

export interface ReportVoice {
  language: ReportLanguage;
  timezone: string;
}

const DEFAULT_ZONE = "America/Sao_Paulo";

/** accept-language by its prefix, X-User-Timezone by the tz database (spec/contract.md 1.2). */
export function voiceOf(headers: Headers): ReportVoice {
  const timezone = headers.get("x-user-timezone") ?? DEFAULT_ZONE;
  if (!isTimeZone(timezone)) throw invalid("X-User-Timezone: must be a name of the tz database");
  return { language: /^\s*pt\b/i.test(headers.get("accept-language") ?? "") ? "pt" : "en", timezone };
}

export async function requestReport(
  ctx: Context,
  asked: NewReport,
  voice: ReportVoice,
  more: { definitionId?: string; isPersonalBarred?: boolean } = {},
): Promise<ReportRow> {
  const key = publicKeyOf(ctx);
  const isPersonalBarred = (more.isPersonalBarred ?? false) || (key !== undefined && !(await opensPersonal(ctx, key)));
  const columns = reportColumnsOf(asked, isPersonalBarred);
  const { span, member, ...named } = narrowingOf(asked);
  const { since, until } = spanOf(span, { zone: voice.timezone, now: now(ctx), member });
  if (key !== undefined && sourceOf(asked.type).createdByKey === undefined)
    throw new RequestError(403, "invalid_request_error", "forbidden", { details: ["type: needs a secret key"] });
  return inTransaction(ctx, async (inside) => {
    await refuseUnknown(inside, named);
    const isKnown = await isKnownAddress(inside, asked.sendTo);
    if (!isKnown && key !== undefined)
      throw new RequestError(403, "invalid_request_error", "forbidden", {
        details: ["sendTo: must be a confirmed address of the account"],
      });
    const open = await inside.db.$count(
      reports,
      and(eq(reports.clientId, inside.account.id), inArray(reports.status, ["created", "pending", "processing"])),
    );
    if (open >= MOST_OPEN) throw new DomainError("report_limit_reached", `at most ${MOST_OPEN} reports wait or run`);
    const at = now(inside);
    const { format, delimiter, amounts, bom } = asked;
    const [row] = await inside.db
      .insert(reports)
      .values({
        id: newId(),
        clientId: inside.account.id,
        type: asked.type,
        status: "created",
        email: isKnown ? asked.sendTo : asked.sendTo.toLowerCase(),
        ...voice,
        fields: columns.map(({ id }) => id),
        filters: said(asked.filters),
        since,
        until,
        options: { format, delimiter, amounts, bom },
        createdByKey: key ?? null,
        actor: actorOf(inside),
        definitionId: more.definitionId ?? null,
        awaitsConfirmation: !isKnown,
        expiredAt: addSeconds(at, KEPT_SECONDS),
        createdAt: at,
        updatedAt: at,
      })
      .returning();
    if (!row) throw new Error("an insert answers its row");
    if (!isKnown) await askConfirmation(inside, asked.sendTo, localeOfReport(row));
    await audit(inside, {
      action: "report.create",
      object: "report",
      objectId: row.id,
      after: { type: row.type, fields: row.fields, filters: row.filters },
    });
    await schedule(inside, "report.expire", row.id, row.expiredAt);
    await enqueue(inside.db, row.clientId, REPORT_REQUESTED, { clientId: row.clientId, reportId: row.id });
    return row;
  });
}

/** Whoever writes it sees it at its next rows and stops. */
export async function cancelReport(ctx: Context, id: string): Promise<void> {
  await inTransaction(ctx, async (inside) => {
    await getReport(inside, id);
    const [canceled] = await inside.db
      .update(reports)
      .set({ status: "canceled", leaseUntil: null, updatedAt: now(inside) })
      .where(
        and(
          eq(reports.clientId, inside.account.id),
          eq(reports.id, id),
          inArray(reports.status, statesBefore("canceled")),
        ),
      )
      .returning({ id: reports.id });
    if (canceled) await audit(inside, { action: "report.cancel", object: "report", objectId: id });
  });
}

/** In the order sent; `all` leaves out what the caller may not see, and a name of that is refused. */
export function reportColumnsOf(
  { type, fields }: Pick<NewReport, "type" | "fields">,
  isPersonalBarred: boolean,
): Column[] {
  const source = sourceOf(type);
  if (fields === "all") return source.columns.filter(({ isPersonal }) => !(isPersonal && isPersonalBarred));
  const columns: Column[] = [];
  const wrong: string[] = [];
  for (const [at, id] of fields.entries()) {
    const column = columnOf(source, id);
    if (!column) wrong.push(`fields.${at}: is not a field of this type`);
    else if (columns.includes(column)) wrong.push(`fields.${at}: given more than once`);
    else columns.push(column);
  }
  if (wrong.length > 0) throw invalid(...wrong);
  const barred = isPersonalBarred ? columns.filter(({ isPersonal }) => isPersonal) : [];
  if (barred.length > 0) throw invalid(...barred.map(({ id }) => `fields: ${id} is personal: the key may not read it`));
  return columns;
}

/** What was deleted since may still be asked for: its payments are there. */
async function refuseUnknown(
  ctx: Context,
  { merchantId, providerId }: Pick<Narrowing, "merchantId" | "providerId">,
): Promise<void> {
  const ofAccount = (table: typeof merchants | typeof providers, id: string) =>
    ctx.db.$count(table, and(eq(table.clientId, ctx.account.id), eq(table.id, id)));
  if (merchantId !== undefined && (await ofAccount(merchants, merchantId)) === 0)
    throw new DomainError("merchant_not_found", "merchant not found");
  if (providerId !== undefined && (await ofAccount(providers, providerId)) === 0)
    throw new DomainError("provider_not_found", "provider not found");
}

/** The filters as JSON: without what narrows nothing, moments as they were written. */
export function said(filters: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(filters).flatMap(([name, value]): [string, unknown][] => {
      if (value === undefined) return [];
      const isSpan = typeof value === "object" && value !== null && !Array.isArray(value);
      return [[name, isSpan ? saidSpan(value) : value]];
    }),
  );
}

const saidSpan = (span: Record<string, Moment | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(span).flatMap(([bound, moment]): [string, string][] =>
      moment === undefined ? [] : [[bound, "at" in moment ? moment.at.toISOString() : moment.day]],
    ),
  );
