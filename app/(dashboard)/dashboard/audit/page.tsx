import { Download, Link2, ScrollText, SearchX, ShieldAlert, ShieldCheck } from "lucide-react";
import type { Metadata } from "next";
import { getFormatter, getTranslations } from "next-intl/server";
import { Fragment } from "react";
import { auditFilter, PERIOD_NAMES, type Period, periodIn } from "@/app/(dashboard)/dashboard/audit/filters";
import { AuditObject } from "@/app/(dashboard)/dashboard/audit/object";
import { auditWords, objectNames, UNKNOWN_ADDRESS } from "@/app/(dashboard)/dashboard/audit/words";
import { type GivenParameters, oneOf, withParameters } from "@/app/(dashboard)/list-url";
import { requireRight } from "@/app/(dashboard)/operator-context";
import { realTime } from "@/app/(dashboard)/real-time";
import { DataList } from "@/components/dashboard/data-list";
import { FilterForm } from "@/components/dashboard/filter-form";
import { ListKeys } from "@/components/dashboard/list-keys";
import { PageHead } from "@/components/dashboard/page-head";
import { PageLinks } from "@/components/dashboard/page-links";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { systemDb } from "@/db/client";
import { headOf, linkAudit, type VerifiedChain, verifyChain } from "@/lib/audit-trail/chain";
import { AUDIT_KIND_NAMES, type AuditKind } from "@/lib/audit-trail/kinds";
import { listAudit } from "@/lib/audit-trail/queries";
import { peopleOf } from "@/lib/operators/names";
import { may } from "@/lib/operators/permissions";

const PATH = "/dashboard/audit";
const SEARCH_ID = "audit-search";
const SHORT_HASH = 16;
const KIND_TEXTS = {
  payments: "kindPayments",
  links: "kindLinks",
  customers: "kindCustomers",
  subscriptions: "kindSubscriptions",
  merchants: "kindMerchants",
  flows: "kindFlows",
  sellers: "kindSellers",
  payouts: "kindPayouts",
  finance: "kindFinance",
  reports: "kindReports",
  keys: "kindKeys",
  webhooks: "kindWebhooks",
  people: "kindPeople",
  account: "kindAccount",
} as const satisfies Record<AuditKind, string>;
const PERIOD_TEXTS = {
  day: "periodDay",
  week: "periodWeek",
  month: "periodMonth",
} as const satisfies Record<Period, string>;

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("audit");
  return { title: t("title") };
}

export default async function AuditPage({ searchParams }: { searchParams: Promise<GivenParameters> }) {
  const given = await searchParams;
  const member = await requireRight(withParameters(PATH, given, {}), "audit.see");
  const { ctx, role } = member;
  const real = await realTime(ctx.account.clock);
  const filter = auditFilter(member, given);
  const seesAll = may(role, "audit.all");
  const isChecked = seesAll && oneOf(given, "check") === "1";
  if (isChecked) await linkAudit();
  const [t, format, { items, next }, people, head, verified] = await Promise.all([
    getTranslations("audit"),
    getFormatter(),
    listAudit(ctx, filter),
    seesAll ? peopleOf(systemDb(), ctx.account.id) : [],
    headOf(ctx.account.id),
    isChecked ? verifyChain(ctx.account.id) : undefined,
  ]);
  const words = await auditWords(
    ctx,
    items.map(({ actor }) => actor),
  );
  const objects = await objectNames(ctx, items);
  const period = periodIn(given);
  const isFiltered = ["q", "who", "kind", "period", "before"].some((name) => oneOf(given, name) !== undefined);
  const address = (changes: Record<string, string | undefined>) => withParameters(PATH, given, changes);
  return (
    <>
      <PageHead
        title={t("title")}
        description={
          <>
            {seesAll ? t("description") : t("descriptionOwn")} <span className="text-ink-3">{t("zone")}</span>
          </>
        }
        action={
          seesAll ? (
            <>
              <LinkButton href={address({ check: "1" })} scroll={false}>
                <ShieldCheck aria-hidden />
                {t("verify")}
              </LinkButton>
              <Button asChild>
                <a
                  href={withParameters(`${PATH}/export`, given, { before: undefined, check: undefined })}
                  download
                  data-export
                >
                  <Download aria-hidden />
                  {t("export")}
                </a>
              </Button>
            </>
          ) : null
        }
      />
      {verified ? <ChainNote verified={verified} /> : null}
      <FilterForm
        path={PATH}
        searchId={SEARCH_ID}
        search={filter.search ?? ""}
        kept={[]}
        choices={[
          ...(seesAll
            ? [
                {
                  name: "who",
                  label: t("who"),
                  chosen: oneOf(given, "who") ?? "",
                  options: [
                    { value: "", label: t("whoAll") },
                    ...people.map(({ id, name }) => ({ value: id, label: name })),
                    { value: "key", label: t("whoKeys") },
                    { value: "system", label: t("whoSystem") },
                  ],
                },
              ]
            : []),
          {
            name: "kind",
            label: t("kind"),
            chosen: filter.kind ?? "",
            options: [
              { value: "", label: t("kindAll") },
              ...AUDIT_KIND_NAMES.map((name) => ({ value: name, label: t(KIND_TEXTS[name]) })),
            ],
          },
          {
            name: "period",
            label: t("period"),
            chosen: period ?? "",
            options: [
              { value: "", label: t("periodAll") },
              ...PERIOD_NAMES.map((name) => ({ value: name, label: t(PERIOD_TEXTS[name]) })),
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
            <DataList
              caption={t("caption")}
              columns={[
                { key: "action", title: t("columnAction"), isFlexible: true },
                { key: "who", title: t("columnWho"), isFlexible: true },
                { key: "object", title: t("columnObject"), isMinor: true, isFlexible: true },
                { key: "place", title: t("columnPlace"), isMinor: true },
                { key: "at", title: t("columnDate"), isNumeric: true, isFolded: true },
              ]}
              rows={items.map((row) => ({
                id: row.id,
                href: `${PATH}/${row.id}`,
                cells: [
                  words.action(row),
                  words.actor(row.actor),
                  <AuditObject key="object" row={row} role={role} name={objects.get(row.objectId)} />,
                  <span key="place" className="font-mono text-xs">
                    {row.ip === UNKNOWN_ADDRESS ? t("ipUnknown") : (row.ip ?? t("none"))}
                  </span>,
                  <Fragment key="at">{real.moment(row.at, "medium")}</Fragment>,
                ],
              }))}
            />
            <div className="flex flex-wrap items-center justify-between gap-3 border-line border-t px-5 py-3">
              <p className="flex min-w-0 items-center gap-2 text-ink-3 text-xs">
                <Link2 aria-hidden className="size-3.5 shrink-0" />
                <span className="min-w-0 break-all" title={head?.hash}>
                  {head
                    ? t("head", { position: format.number(head.position), hash: head.hash.slice(0, SHORT_HASH) })
                    : t("headNone")}
                </span>
              </p>
              <PageLinks
                label={t("pages")}
                previous={{ href: filter.before ? address({ before: undefined }) : undefined, text: t("newest") }}
                next={{ href: next && address({ before: next, check: undefined }), text: t("older") }}
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
          <EmptyState icon={ScrollText} title={t("emptyTitle")}>
            {t("emptyText")}
          </EmptyState>
        )}
      </Card>
      <ListKeys searchId={SEARCH_ID} />
    </>
  );
}

async function ChainNote({ verified: { links, from, to, broken } }: { verified: VerifiedChain }) {
  const [t, format] = await Promise.all([getTranslations("audit"), getFormatter()]);
  const isWhole = broken.length === 0;
  const Icon = isWhole ? ShieldCheck : ShieldAlert;
  return (
    <p
      role={isWhole ? "status" : "alert"}
      className={`mb-5 flex items-start gap-2.5 rounded-md px-4 py-2.5 font-medium text-sm ${
        isWhole ? "bg-success-soft text-success" : "bg-danger-soft text-danger"
      }`}
    >
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      {isWhole
        ? t("whole", { count: links, from: format.number(from), to: format.number(to) })
        : t("brokenChain", { positions: format.list(broken.map((position) => format.number(position))) })}
    </p>
  );
}
