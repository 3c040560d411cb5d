import { Split } from "lucide-react";
import type { Metadata } from "next";
import { getFormatter, getTranslations } from "next-intl/server";
import { CreateDialog, PauseDialog } from "@/app/(dashboard)/dashboard/flows/dialogs";
import { ProvidersCard } from "@/app/(dashboard)/dashboard/flows/providers-card";
import { flowWords, LIST } from "@/app/(dashboard)/dashboard/flows/words";
import { type GivenParameters, oneOf } from "@/app/(dashboard)/list-url";
import { requireRight } from "@/app/(dashboard)/operator-context";
import { StatusTabs } from "@/components/charges/status-tabs";
import { DataList } from "@/components/dashboard/data-list";
import { DoneNote } from "@/components/dashboard/done-note";
import { PageHead } from "@/components/dashboard/page-head";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { inSnapshot } from "@/lib/context";
import { healthOfProviders } from "@/lib/flows/provider-health";
import { type FlowRow, listFlows, versionOf } from "@/lib/flows/queries";
import { TALLIED_DAYS, talliesOf } from "@/lib/flows/tally";
import { listMerchants } from "@/lib/merchants/queries";
import { may } from "@/lib/operators/permissions";

const MOST_SHOWN = 100;
const MOST_MERCHANTS = 1_000;
const DONE_TEXTS = { archived: "doneArchived", paused: "donePaused", resumed: "doneResumed" } as const;

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("flows");
  return { title: t("title") };
}

export default async function FlowsPage({ searchParams }: { searchParams: Promise<GivenParameters> }) {
  const given = await searchParams;
  const { ctx, role } = await requireRight(LIST, "flows.see");
  const [t, words, format] = await Promise.all([getTranslations("flows"), flowWords(), getFormatter()]);
  const isArchive = oneOf(given, "status") === "archived";
  const { rows, tallies, merchants, health } = await inSnapshot(ctx, async (inside) => {
    const listed = async (status: FlowRow["status"]) =>
      (await listFlows(inside, { page: 1, limit: MOST_SHOWN, order: "desc", status })).items;
    const found = isArchive ? await listed("archived") : [...(await listed("active")), ...(await listed("draft"))];
    return {
      rows: found,
      tallies: await talliesOf(
        inside,
        found.filter(({ activatedAt }) => activatedAt).map(({ id }) => id),
      ),
      merchants: (await listMerchants(inside, { page: 1, limit: MOST_MERCHANTS, order: "asc" })).items,
      health: await healthOfProviders(inside),
    };
  });
  const nameOf = (id: string): string => merchants.find(({ merchant }) => merchant.id === id)?.merchant.name ?? id;
  const mayEdit = may(role, "flows.edit");
  const done = oneOf(given, "done");
  const doing = oneOf(given, "do");
  const create = mayEdit ? (
    <LinkButton href={`${LIST}?do=create`} scroll={false} tone="primary" data-new>
      {t("create")}
    </LinkButton>
  ) : null;
  return (
    <>
      <PageHead title={t("title")} description={t("description")} action={rows.length > 0 ? create : null} />
      {done && Object.hasOwn(DONE_TEXTS, done) ? (
        // Guarantee: looked up only where the key exists.
        <DoneNote text={t(DONE_TEXTS[done as keyof typeof DONE_TEXTS])} />
      ) : null}
      <div className="grid grid-cols-1 gap-6">
        <Card className="overflow-hidden">
          <StatusTabs
            label={t("tabs")}
            tabs={[
              { href: LIST, text: t("tabCurrent"), isHere: !isArchive },
              { href: `${LIST}?status=archived`, text: t("tabArchived"), isHere: isArchive },
            ]}
          />
          {rows.length === 0 && isArchive ? <p className="px-5 py-8 text-ink-2 text-sm">{t("emptyArchived")}</p> : null}
          {rows.length === 0 && !isArchive ? (
            <EmptyState icon={Split} title={t("emptyTitle")} action={create}>
              {t("emptyText")}
            </EmptyState>
          ) : null}
          {rows.length > 0 ? (
            <>
              <DataList
                caption={t("title")}
                columns={[
                  { key: "name", title: t("name"), isFlexible: true },
                  { key: "status", title: t("status") },
                  { key: "method", title: t("method") },
                  { key: "merchants", title: t("merchants"), isFlexible: true },
                  { key: "version", title: t("version") },
                  { key: "payments", title: t("payments"), isNumeric: true },
                  { key: "approval", title: t("approval"), isNumeric: true },
                ]}
                rows={rows.map((row) => {
                  const tally = tallies.get(row.id) ?? { payments: 0, approved: 0 };
                  const status = words.status(row.status);
                  return {
                    id: row.id,
                    href: `${LIST}/${row.id}`,
                    cells: [
                      row.name,
                      <Badge key="status" tone={status.tone}>
                        {status.text}
                      </Badge>,
                      words.method(row.paymentMethod),
                      row.merchantIds.map(nameOf).join(", "),
                      versionOf(row),
                      format.number(tally.payments),
                      tally.payments === 0
                        ? "–"
                        : format.number(tally.approved / tally.payments, {
                            style: "percent",
                            maximumFractionDigits: 1,
                          }),
                    ],
                  };
                })}
              />
              <p className="border-line border-t px-5 py-3 text-ink-3 text-xs">
                {t("talliedText", { days: TALLIED_DAYS })}
              </p>
            </>
          ) : null}
        </Card>
        <ProvidersCard merchants={merchants} health={health} mayPause={may(role, "providers.pause")} />
      </div>
      {mayEdit && doing === "create" ? <CreateDialog merchants={merchants} /> : null}
      {may(role, "providers.pause") && doing === "pause" ? (
        <PauseDialog ctx={ctx} providerId={oneOf(given, "provider") ?? ""} />
      ) : null}
    </>
  );
}
