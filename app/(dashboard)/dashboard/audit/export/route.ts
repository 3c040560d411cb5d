import { getTranslations } from "next-intl/server";
import { auditFilter } from "@/app/(dashboard)/dashboard/audit/filters";
import { wordsIn } from "@/app/(dashboard)/dashboard/audit/words";
import { type CsvColumn, csvTable, ROWS_AT_A_TIME } from "@/app/(dashboard)/list-csv";
import { memberOf, notMember } from "@/app/(dashboard)/operator-context";
import { type AuditRow, listAudit } from "@/lib/audit-trail/queries";
import { now } from "@/lib/context";
import { may } from "@/lib/operators/permissions";

/** What the page shows with these filters, newest first. */
export async function GET(request: Request): Promise<Response> {
  const member = await memberOf();
  if (!member) return notMember();
  if (!may(member.role, "audit.all")) return new Response(null, { status: 404 });
  const given = Object.fromEntries(new URL(request.url).searchParams);
  const filter = auditFilter(member, given);
  const texts = await getTranslations("audit");
  return csvTable<NamedRow>({
    name: "audit",
    now: now(member.ctx),
    columns: await columnsOf(),
    async page(before) {
      const { items, next } = await listAudit(member.ctx, { ...filter, before }, ROWS_AT_A_TIME);
      const words = await wordsIn(
        texts,
        member.ctx,
        items.map(({ actor }) => actor),
      );
      return { items: items.map((row) => ({ ...row, actorName: words.actor(row.actor) })), next };
    },
  });
}

type NamedRow = AuditRow & { actorName: string };

const json = (value: unknown): string => (value === null || value === undefined ? "" : JSON.stringify(value));

async function columnsOf(): Promise<CsvColumn<NamedRow>[]> {
  const t = await getTranslations("exports");
  return [
    { label: t("at"), moment: ({ at }) => at },
    { label: t("actorId"), cell: ({ actor }) => actor },
    { label: t("actor"), cell: ({ actorName }) => actorName },
    { label: t("action"), cell: ({ action }) => action },
    { label: t("object"), cell: ({ object }) => object },
    { label: t("objectId"), cell: ({ objectId }) => objectId },
    { label: t("before"), cell: ({ before }) => json(before) },
    { label: t("after"), cell: ({ after }) => json(after) },
    { label: t("reason"), cell: ({ reason }) => reason ?? "" },
    { label: t("secondPersonId"), cell: ({ secondActor }) => secondActor ?? "" },
    { label: t("ipAddress"), cell: ({ ip }) => ip ?? "" },
    { label: t("requestId"), cell: ({ requestId }) => requestId ?? "" },
    { label: t("rowId"), cell: ({ id }) => id },
  ];
}
