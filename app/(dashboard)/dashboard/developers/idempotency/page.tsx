import { KeyRound, SearchX } from "lucide-react";
import type { Metadata } from "next";
import { getFormatter, getTranslations } from "next-intl/server";
import { KeyDetail } from "@/app/(dashboard)/dashboard/developers/idempotency/detail";
import { RequestTabs } from "@/app/(dashboard)/dashboard/developers/requests/tabs";
import { type GivenParameters, oneOf, withParameters } from "@/app/(dashboard)/list-url";
import { requireRight } from "@/app/(dashboard)/operator-context";
import { DataList } from "@/components/dashboard/data-list";
import { FilterForm } from "@/components/dashboard/filter-form";
import { ListKeys } from "@/components/dashboard/list-keys";
import { Moment } from "@/components/dashboard/moment";
import { PageHead } from "@/components/dashboard/page-head";
import { PageLinks } from "@/components/dashboard/page-links";
import { HttpStatus } from "@/components/dashboard/request-list";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import type { Context } from "@/lib/context";
import { RequestError } from "@/lib/errors";
import { isUuid } from "@/lib/ids";
import type { OperatorRole } from "@/lib/operators/sessions";
import { KEYS_PER_PAGE, type KeyStory, keyStory, listKeys } from "@/lib/request-logs/keys";

const PATH = "/dashboard/developers/idempotency";
const SEARCH_ID = "key-search";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("requests");
  return { title: t("tabKeys") };
}

export default async function KeysPage({ searchParams }: { searchParams: Promise<GivenParameters> }) {
  const given = await searchParams;
  const { ctx, role } = await requireRight(withParameters(PATH, given, {}), "requests.see");
  const t = await getTranslations("requests");
  const asked = oneOf(given, "q");
  const before = new Date(oneOf(given, "before") ?? Number.NaN);
  const story = asked === undefined ? undefined : await storyOf(ctx, role, asked, oneOf(given, "of"));
  return (
    <>
      <PageHead title={t("tabKeys")} description={t("keysText")} aside={t("zone")} />
      <RequestTabs here="keys" />
      <FilterForm
        path={PATH}
        searchId={SEARCH_ID}
        search={asked ?? ""}
        kept={[]}
        choices={[]}
        texts={{ searchLabel: t("keySearch"), searchPlaceholder: t("keyPlaceholder"), searchAction: t("searchAction") }}
      />
      <div className="mt-4">
        {asked === undefined ? (
          <KeyList ctx={ctx} role={role} before={Number.isNaN(before.getTime()) ? undefined : before} />
        ) : story ? (
          <KeyDetail story={story} />
        ) : (
          <Card>
            <EmptyState
              icon={SearchX}
              title={t("keyUnknownTitle")}
              action={<LinkButton href={PATH}>{t("keyAll")}</LinkButton>}
            >
              {t("keyUnknownText")}
            </EmptyState>
          </Card>
        )}
      </div>
      <ListKeys searchId={SEARCH_ID} />
    </>
  );
}

async function storyOf(
  ctx: Context,
  role: OperatorRole,
  key: string,
  of: string | undefined,
): Promise<KeyStory | undefined> {
  try {
    return await keyStory(ctx, role, key, of !== undefined && isUuid(of) ? of : undefined);
  } catch (thrown) {
    if (thrown instanceof RequestError && thrown.status === 404) return undefined;
    throw thrown;
  }
}

interface KeyListProps {
  ctx: Context;
  role: OperatorRole;
  before: Date | undefined;
}

async function KeyList({ ctx, role, before }: KeyListProps) {
  const [t, format, items] = await Promise.all([
    getTranslations("requests"),
    getFormatter(),
    listKeys(ctx, role, before),
  ]);
  const last = items.at(-1);
  return (
    <Card className="overflow-hidden">
      {items.length === 0 ? (
        <EmptyState icon={KeyRound} title={t("keysEmptyTitle")}>
          {t("keysEmptyText")}
        </EmptyState>
      ) : (
        <DataList
          caption={t("tabKeys")}
          columns={[
            { key: "key", title: t("columnKey") },
            { key: "request", title: t("columnRequest") },
            { key: "status", title: t("columnStatus") },
            { key: "date", title: t("columnDate"), isNumeric: true },
          ]}
          rows={items.map((row) => ({
            id: `${row.namespace} ${row.key}`,
            href: `${PATH}?q=${encodeURIComponent(row.key)}&of=${row.namespace}`,
            cells: [
              <code key="key" className="font-mono text-xs">
                {row.key}
              </code>,
              `${row.method} ${row.path}`,
              row.status === null ? t("keyOpen") : <HttpStatus key="status" status={row.status} />,
              <Moment
                key="date"
                at={row.createdAt}
                text={format.dateTime(row.createdAt, { dateStyle: "medium", timeStyle: "medium" })}
              />,
            ],
          }))}
        />
      )}
      <div className="px-5 py-3 empty:hidden">
        <PageLinks
          label={t("pages")}
          previous={{ href: before ? PATH : undefined, text: t("previous") }}
          next={{
            href: last && items.length === KEYS_PER_PAGE ? `${PATH}?before=${last.createdAt.toISOString()}` : undefined,
            text: t("next"),
          }}
        />
      </div>
    </Card>
  );
}
