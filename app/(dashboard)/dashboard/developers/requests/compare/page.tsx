import { Equal } from "lucide-react";
import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { getFormatter, getTranslations } from "next-intl/server";
import { type GivenParameters, oneOf, withParameters } from "@/app/(dashboard)/list-url";
import { orNotFound, requireRight } from "@/app/(dashboard)/operator-context";
import { BackLink } from "@/components/dashboard/back-link";
import { DataList } from "@/components/dashboard/data-list";
import { PageHead } from "@/components/dashboard/page-head";
import { HttpStatus } from "@/components/dashboard/request-list";
import { Card, CardHeader } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { documentDifferencesOf } from "@/lib/request-logs/differences";
import { getRequest, type LoggedRequest, listRequests } from "@/lib/request-logs/queries";

const LIST = "/dashboard/developers/requests";
const PATH = `${LIST}/compare`;

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("requests");
  return { title: t("compareTitle") };
}

/** Two calls member by member; with one of them, the calls it can be compared with. */
export default async function ComparePage({ searchParams }: { searchParams: Promise<GivenParameters> }) {
  const given = await searchParams;
  const { ctx, role } = await requireRight(withParameters(PATH, given, {}), "requests.see");
  const [oneId, otherId] = [oneOf(given, "one"), oneOf(given, "other")];
  if (oneId === undefined) redirect(LIST);
  const one = await orNotFound(getRequest(ctx, role, oneId));
  const other = otherId === undefined ? undefined : await orNotFound(getRequest(ctx, role, otherId));
  const [t, format] = await Promise.all([getTranslations("requests"), getFormatter()]);
  const date = (at: Date) => format.dateTime(at, { dateStyle: "medium", timeStyle: "medium" });
  const near = other
    ? []
    : (await listRequests(ctx, role, { search: one.path })).items.filter(({ id }) => id !== oneId);
  return (
    <>
      <BackLink href={`${LIST}/${oneId}`} text={`${one.method} ${one.path}`} />
      <PageHead
        title={t("compareTitle")}
        description={
          other ? t("compareBoth", { one: date(one.createdAt), other: date(other.createdAt) }) : t("compareText")
        }
      />
      {other ? (
        <div className="grid grid-cols-1 gap-6">
          <Differences title={t("compareCall")} one={callOf(one)} other={callOf(other)} />
          <Differences title={t("requestBody")} one={one.requestBody} other={other.requestBody} />
          <Differences title={t("responseBody")} one={one.responseBody} other={other.responseBody} />
        </div>
      ) : (
        <Card className="overflow-hidden">
          {near.length === 0 ? (
            <EmptyState icon={Equal} title={t("compareNoneTitle")}>
              {t("compareNoneText")}
            </EmptyState>
          ) : (
            <DataList
              caption={t("compareText")}
              columns={[
                { key: "request", title: t("columnRequest") },
                { key: "status", title: t("columnStatus") },
                { key: "date", title: t("columnDate"), isNumeric: true },
              ]}
              rows={near.map((row) => ({
                id: row.id,
                href: `${PATH}?one=${oneId}&other=${row.id}`,
                cells: [
                  `${row.method} ${row.path}`,
                  <HttpStatus key="status" status={row.status} />,
                  date(row.createdAt),
                ],
              }))}
            />
          )}
        </Card>
      )}
    </>
  );
}

const callOf = ({ method, path, query, status, idempotencyKey, keyKind, replayed }: LoggedRequest) => ({
  method,
  path,
  query: query ?? {},
  status,
  idempotencyKey,
  keyKind,
  replayed,
});

async function Differences({ title, one, other }: { title: string; one: unknown; other: unknown }) {
  const t = await getTranslations("requests");
  const found = documentDifferencesOf(one, other);
  return (
    <Card className="overflow-hidden">
      <CardHeader title={title} description={t("compareCount", { count: found.length })} />
      {found.length > 0 ? (
        <DataList
          caption={title}
          columns={[
            { key: "member", title: t("compareMember") },
            { key: "one", title: t("compareOne") },
            { key: "other", title: t("compareOther") },
          ]}
          rows={found.map((each) => ({
            id: each.path,
            cells: [
              <code key="member" className="font-mono text-xs">
                {each.path}
              </code>,
              <code key="one" className="break-all font-mono text-xs">
                {each.one ?? t("none")}
              </code>,
              <code key="other" className="break-all font-mono text-xs">
                {each.other ?? t("none")}
              </code>,
            ],
          }))}
        />
      ) : null}
    </Card>
  );
}
