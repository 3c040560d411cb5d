import { FileSpreadsheet } from "lucide-react";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { CsvButton } from "@/app/(dashboard)/csv-button";
import { uploadStatementAction } from "@/app/(dashboard)/dashboard/finance/statements/actions";
import { StatementState } from "@/app/(dashboard)/dashboard/finance/statements/state";
import { FinanceTabs } from "@/app/(dashboard)/dashboard/finance/tabs";
import { financeWords, STATEMENTS } from "@/app/(dashboard)/dashboard/finance/words";
import { type GivenParameters, oneOf, withParameters } from "@/app/(dashboard)/list-url";
import { requireRight } from "@/app/(dashboard)/operator-context";
import { taskTexts } from "@/app/(dashboard)/task-texts";
import { ActionDialog } from "@/components/charges/action-dialog";
import { DataList } from "@/components/dashboard/data-list";
import { PageHead } from "@/components/dashboard/page-head";
import { PageLinks } from "@/components/dashboard/page-links";
import { TaskForm } from "@/components/tasks/task-form";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { brought, providersToBring } from "@/lib/finance/statements";
import { may } from "@/lib/operators/permissions";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("finance");
  return { title: t("statements") };
}

export default async function StatementsPage({ searchParams }: { searchParams: Promise<GivenParameters> }) {
  const given = await searchParams;
  const { ctx, role } = await requireRight(withParameters(STATEMENTS, given, {}), "finance.see");
  const t = await getTranslations("finance");
  const canUpload = may(role, "finance.settle");
  const [{ money, moment }, { items, next }, providers] = await Promise.all([
    financeWords(),
    brought(ctx, role, { after: oneOf(given, "after") }),
    canUpload ? providersToBring(ctx, role) : [],
  ]);
  return (
    <>
      <PageHead
        title={t("statements")}
        aside={t("zone")}
        description={t("statementsText")}
        action={
          <>
            {items.length > 0 ? <CsvButton path={STATEMENTS} given={{}} /> : null}
            {providers.length > 0 ? (
              <LinkButton href={`${STATEMENTS}?do=upload`} scroll={false} tone="primary" className="max-sm:h-11">
                {t("statementUpload")}
              </LinkButton>
            ) : null}
          </>
        }
      />
      <FinanceTabs here="statements" role={role} />
      <Card className="overflow-hidden">
        {items.length === 0 ? (
          <EmptyState icon={FileSpreadsheet} title={t("statementsNone")}>
            {t(canUpload && providers.length === 0 ? "statementNoProvider" : "statementsNoneText")}
          </EmptyState>
        ) : (
          <DataList
            caption={t("statements")}
            columns={[
              { key: "name", title: t("statementFile") },
              { key: "state", title: t("state") },
              { key: "at", title: t("statementUploadedAt") },
              { key: "lines", title: t("statementLines"), isNumeric: true },
              { key: "net", title: t("statementNet"), isNumeric: true },
            ]}
            rows={items.map((file) => ({
              id: file.id,
              href: `${STATEMENTS}/${file.id}`,
              cells: [
                <span key="name" className="grid">
                  <span className="truncate">{file.name}</span>
                  <span className="truncate text-ink-3 text-xs">
                    {[file.provider, file.merchant].filter(Boolean).join(" · ")}
                  </span>
                </span>,
                <StatementState key="state" isTaken={file.isTaken} refused={file.refused} />,
                moment(file.createdAt),
                String(file.lines),
                file.refused > 0 && !file.isTaken ? t("none") : money(file.net),
              ],
            }))}
          />
        )}
        <div className="px-5 py-3 empty:hidden">
          <PageLinks
            label={t("pages")}
            previous={{ href: undefined, text: t("newer") }}
            next={{ href: next && withParameters(STATEMENTS, given, { after: next }), text: t("older") }}
          />
        </div>
      </Card>
      {providers.length > 0 && oneOf(given, "do") === "upload" ? (
        <ActionDialog title={t("statementUpload")} text={t("statementUploadText")} closeHref={STATEMENTS}>
          <TaskForm
            closeHref={STATEMENTS}
            onAct={uploadStatementAction}
            texts={await taskTexts(t("statementLook"))}
            fields={[
              {
                name: "provider",
                label: t("statementProvider"),
                kind: "choice",
                initial: providers[0]?.id,
                options: providers.map(({ id, name, merchant }) => ({
                  value: id,
                  label: [merchant, name].filter(Boolean).join(" · "),
                })),
              },
              {
                name: "file",
                label: t("statementFile"),
                hint: t("statementFileHint"),
                kind: "file",
                accept: ".csv,text/csv,text/plain",
                isRequired: true,
              },
            ]}
          />
        </ActionDialog>
      ) : null}
    </>
  );
}
