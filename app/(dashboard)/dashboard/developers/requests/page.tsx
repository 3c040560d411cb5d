import { ScrollText, SearchX } from "lucide-react";
import type { Metadata } from "next";
import { getFormatter, getTranslations } from "next-intl/server";
import { CsvButton } from "@/app/(dashboard)/csv-button";
import { RESULTS, requestFilters } from "@/app/(dashboard)/dashboard/developers/requests/filters";
import { RequestTabs } from "@/app/(dashboard)/dashboard/developers/requests/tabs";
import { lastedWords } from "@/app/(dashboard)/lasted";
import { type GivenParameters, oneOf, withParameters } from "@/app/(dashboard)/list-url";
import { requireRight } from "@/app/(dashboard)/operator-context";
import { FilterForm } from "@/components/dashboard/filter-form";
import { ListKeys } from "@/components/dashboard/list-keys";
import { PageHead } from "@/components/dashboard/page-head";
import { PageLinks } from "@/components/dashboard/page-links";
import { listChargesCommand } from "@/components/dashboard/request-commands";
import { RequestList } from "@/components/dashboard/request-list";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { env } from "@/lib/env";
import { listRequests, REQUEST_METHODS, type RequestResult } from "@/lib/request-logs/queries";

const PATH = "/dashboard/developers/requests";
const SEARCH_ID = "request-search";
const RESULT_TEXTS = {
  ok: "result_ok",
  refused: "result_refused",
  failed: "result_failed",
} as const satisfies Record<RequestResult, string>;

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("requests");
  return { title: t("title") };
}

export default async function RequestsPage({ searchParams }: { searchParams: Promise<GivenParameters> }) {
  const given = await searchParams;
  const { ctx, role } = await requireRight(withParameters(PATH, given, {}), "requests.see");
  const filters = { ...requestFilters(given), after: oneOf(given, "after"), before: oneOf(given, "before") };
  const { method, result } = filters;
  const { items, previous, next } = await listRequests(ctx, role, filters);
  const [t, format, lasted] = await Promise.all([getTranslations("requests"), getFormatter(), lastedWords()]);
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <>
      <PageHead
        title={t("title")}
        description={t("description")}
        aside={t("zone")}
        action={items.length > 0 ? <CsvButton path={PATH} given={given} /> : null}
      />
      <RequestTabs here="requests" />
      <FilterForm
        path={PATH}
        searchId={SEARCH_ID}
        search={filters.search ?? ""}
        kept={[]}
        choices={[
          {
            name: "method",
            label: t("methodFilter"),
            chosen: method ?? "",
            options: [
              { value: "", label: t("methodAll") },
              ...REQUEST_METHODS.map((name) => ({ value: name, label: name })),
            ],
          },
          {
            name: "result",
            label: t("resultFilter"),
            chosen: result ?? "",
            options: [
              { value: "", label: t("resultAll") },
              ...RESULTS.map((name) => ({ value: name, label: t(RESULT_TEXTS[name]) })),
            ],
          },
        ]}
        texts={{
          searchLabel: t("searchLabel"),
          searchPlaceholder: t("searchPlaceholder"),
          searchAction: t("searchAction"),
        }}
      />
      <Card className="mt-4 overflow-hidden">
        {items.length > 0 ? (
          <>
            <RequestList
              texts={{
                caption: t("caption"),
                status: t("columnStatus"),
                request: t("columnRequest"),
                duration: t("columnDuration"),
                key: t("columnKey"),
                date: t("columnDate"),
                none: t("none"),
              }}
              rows={items.map((item) => ({
                id: item.id,
                href: `${PATH}/${item.id}`,
                status: item.status,
                method: item.method,
                path: item.path,
                duration: lasted(item.durationMs),
                key: item.idempotencyKey ?? undefined,
                note: item.replayed ? t("replayed") : undefined,
                at: {
                  at: item.createdAt,
                  text: format.dateTime(item.createdAt, { dateStyle: "medium", timeStyle: "medium" }),
                },
              }))}
            />
            <div className="flex flex-wrap items-center justify-between gap-3 border-line border-t px-5 py-3">
              <p className="hidden text-ink-3 text-xs md:block">{t("keys")}</p>
              <PageLinks
                label={t("pages")}
                previous={{
                  href: previous && withParameters(PATH, given, { before: previous, after: undefined }),
                  text: t("previous"),
                }}
                next={{
                  href: next && withParameters(PATH, given, { after: next, before: undefined }),
                  text: t("next"),
                }}
              />
            </div>
          </>
        ) : isFiltered ? (
          <EmptyState
            icon={SearchX}
            title={t("emptyFilteredTitle")}
            action={<LinkButton href={PATH}>{t("clear")}</LinkButton>}
          >
            {t("emptyFilteredText")}
          </EmptyState>
        ) : (
          <EmptyState
            icon={ScrollText}
            title={t("emptyTitle")}
            action={
              <CodeBlock
                className="max-w-[min(38rem,80vw)] text-left"
                title="bash"
                code={listChargesCommand(env().BASE_URL, ctx.account.id)}
                copyLabel={t("emptyCopy")}
              />
            }
          >
            {t("emptyText")}
          </EmptyState>
        )}
      </Card>
      <ListKeys searchId={SEARCH_ID} />
    </>
  );
}
