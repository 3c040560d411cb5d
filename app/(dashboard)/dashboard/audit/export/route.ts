import { getTranslations } from "next-intl/server";
import { auditFilter } from "@/app/(dashboard)/dashboard/audit/filters";
import { wordsIn } from "@/app/(dashboard)/dashboard/audit/words";
import { memberOf, notMember } from "@/app/(dashboard)/operator-context";
import { type AuditRow, listAudit } from "@/lib/audit-trail/queries";
import { csvLine } from "@/lib/csv";
import { may } from "@/lib/operators/permissions";

const ROWS_AT_A_TIME = 1_000;
const MOST_ROWS = 100_000;
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
  const encoder = new TextEncoder();
  let before: string | undefined;
  let written = 0;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(csvLine(COLUMNS)));
    },
    async pull(controller) {
      const { items, next } = await listAudit(member.ctx, { ...filter, before }, ROWS_AT_A_TIME);
      const words = await wordsIn(
        texts,
        member.ctx,
        items.map(({ actor }) => actor),
      );
      const lines = items.map((row) => csvLine(cellsOf(row, words.actor(row.actor))));
      controller.enqueue(encoder.encode(lines.join("")));
      written += items.length;
      before = next;
      if (!next || written >= MOST_ROWS) controller.close();
    },
  });
  return new Response(body, {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": 'attachment; filename="audit-utc.csv"',
      "cache-control": "no-store",
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
