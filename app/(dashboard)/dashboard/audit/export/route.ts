import { getTranslations } from "next-intl/server";
import { auditFilter } from "@/app/(dashboard)/dashboard/audit/filters";
import { wordsIn } from "@/app/(dashboard)/dashboard/audit/words";
import { csvFile } from "@/app/(dashboard)/list-csv";
import { memberOf, notMember } from "@/app/(dashboard)/operator-context";
import { type AuditRow, listAudit } from "@/lib/audit-trail/queries";
import { csvLine } from "@/lib/csv";
import { may } from "@/lib/operators/permissions";

const ROWS_AT_A_TIME = 1_000;
const COLUMNS = [
  "at",
  "actor",
  "actor_name",
  "action",
  "object",
  "object_id",
  "before",
  "after",
  "reason",
  "second_person",
  "ip",
  "request_id",
  "id",
];

/** What the page shows with these filters, newest first, in UTC. */
export async function GET(request: Request): Promise<Response> {
  const member = await memberOf();
  if (!member) return notMember();
  if (!may(member.role, "audit.all")) return new Response(null, { status: 404 });
  const given = Object.fromEntries(new URL(request.url).searchParams);
  const filter = auditFilter(member, given);
  const texts = await getTranslations("audit");
  return csvFile<string>({
    name: "audit",
    head: csvLine(COLUMNS),
    async page(before) {
      const { items, next } = await listAudit(member.ctx, { ...filter, before }, ROWS_AT_A_TIME);
      const words = await wordsIn(
        texts,
        member.ctx,
        items.map(({ actor }) => actor),
      );
      return { text: items.map((row) => csvLine(cellsOf(row, words.actor(row.actor)))).join(""), next };
    },
  });
}

const json = (value: unknown): string => (value === null || value === undefined ? "" : JSON.stringify(value));

const cellsOf = (row: AuditRow, actorName: string): string[] => [
  row.at.toISOString(),
  row.actor,
  actorName,
  row.action,
  row.object,
  row.objectId,
  json(row.before),
  json(row.after),
  row.reason ?? "",
  row.secondActor ?? "",
  row.ip ?? "",
  row.requestId ?? "",
  row.id,
];
