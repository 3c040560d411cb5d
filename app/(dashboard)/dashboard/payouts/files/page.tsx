import { FileDown, FileUp } from "lucide-react";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { endFileAction } from "@/app/(dashboard)/dashboard/payouts/files/actions";
import { FileDialogs } from "@/app/(dashboard)/dashboard/payouts/files/dialogs";
import { Waiting } from "@/app/(dashboard)/dashboard/payouts/files/waiting";
import { PayoutsTabs } from "@/app/(dashboard)/dashboard/payouts/tabs";
import { BATCHES, PAYOUT_FILES, PAYOUT_RETURNS, payoutWords } from "@/app/(dashboard)/dashboard/payouts/words";
import { type GivenParameters, oneOf } from "@/app/(dashboard)/list-url";
import { requireRight } from "@/app/(dashboard)/operator-context";
import { DataList } from "@/components/dashboard/data-list";
import { DoneNote } from "@/components/dashboard/done-note";
import { PageHead } from "@/components/dashboard/page-head";
import { Badge } from "@/components/ui/badge";
import { Card, CardHeader } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { type FilePayer, payoutFilesView } from "@/lib/finance/payout-files";
import { may } from "@/lib/operators/permissions";

const DONE = {
  made: "filesDoneMade",
  proposed: "markProposed",
  taken: "filesDoneTaken",
  refused: "markRefused",
} as const;

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("payouts");
  return { title: t("files") };
}

export default async function PayoutFilesPage({ searchParams }: { searchParams: Promise<GivenParameters> }) {
  const given = await searchParams;
  const { ctx, role } = await requireRight(PAYOUT_FILES, "payouts.see");
  const [{ t, money, moment }, view] = await Promise.all([payoutWords(), payoutFilesView(ctx, role)]);
  const canAct = may(role, "payouts.mark");
  const done = oneOf(given, "done") ?? "";
  return (
    <>
      {Object.hasOwn(DONE, done) ? (
        // Guarantee: looked up only where the key exists.
        <DoneNote text={t(DONE[done as keyof typeof DONE])} />
      ) : null}
      <PageHead
        title={t("files")}
        aside={t("zone")}
        description={t("filesText")}
        action={
          canAct && view.files.length > 0 ? (
            <LinkButton href={`${PAYOUT_FILES}?do=return`} scroll={false} className="max-sm:h-11">
              {t("returnUpload")}
            </LinkButton>
          ) : null
        }
      />
      <PayoutsTabs here="files" />
      <div className="grid gap-5">
        {view.payers.map((payer) => (
          <PayerCard key={payer.merchantId} payer={payer} canAct={canAct} />
        ))}
        <Card className="overflow-hidden">
          <CardHeader title={t("filesMade")} description={t("filesMadeText")} />
          {view.files.length === 0 ? (
            <EmptyState icon={FileDown} title={t("filesNone")}>
              {t("filesNoneText")}
            </EmptyState>
          ) : (
            <DataList
              caption={t("filesMade")}
              columns={[
                { key: "file", title: t("filesFile") },
                { key: "at", title: t("createdAt") },
                { key: "transfers", title: t("filesTransfers"), isNumeric: true },
                { key: "amount", title: t("amount"), isNumeric: true },
              ]}
              actions={t("filesActions")}
              rows={view.files.map((file) => ({
                id: file.id,
                href: `${BATCHES}?q=${file.id}`,
                cells: [
                  <span key="file" className="grid">
                    <span>{t("filesNumber", { sequence: file.sequence })}</span>
                    <span className="text-ink-3 text-xs">{file.merchant}</span>
                  </span>,
                  moment(file.createdAt),
                  String(file.transfers),
                  money(file.amount),
                ],
                actions: canAct ? (
                  <LinkButton
                    href={`${PAYOUT_FILES}/${file.id}`}
                    download
                    prefetch={false}
                    size="sm"
                    className="max-sm:h-11"
                  >
                    {t("filesDownload")}
                  </LinkButton>
                ) : undefined,
              }))}
            />
          )}
        </Card>
        <Card className="overflow-hidden">
          <CardHeader title={t("returns")} description={t("returnsText")} />
          {view.returns.length === 0 ? (
            <EmptyState icon={FileUp} title={t("returnsNone")}>
              {t("returnsNoneText")}
            </EmptyState>
          ) : (
            <DataList
              caption={t("returns")}
              columns={[
                { key: "file", title: t("filesFile") },
                { key: "state", title: t("status") },
                { key: "at", title: t("returnUploadedAt") },
                { key: "transfers", title: t("filesTransfers"), isNumeric: true },
              ]}
              rows={view.returns.map((file) => ({
                id: file.id,
                href: `${PAYOUT_RETURNS}/${file.id}`,
                cells: [
                  <span key="file" className="grid">
                    <span className="truncate">{file.name}</span>
                    <span className="text-ink-3 text-xs">{file.merchant}</span>
                  </span>,
                  <Badge key="state" tone={file.isTaken ? "success" : file.isWaiting ? "warning" : "neutral"}>
                    {file.isTaken ? t("returnTaken") : file.isWaiting ? t("returnWaits") : t("returnNotTaken")}
                  </Badge>,
                  moment(file.createdAt),
                  String(file.transfers),
                ],
              }))}
            />
          )}
        </Card>
      </div>
      {canAct ? <FileDialogs view={view} given={given} /> : null}
    </>
  );
}

async function PayerCard({ payer, canAct }: { payer: FilePayer; canAct: boolean }) {
  const { t, money } = await payoutWords();
  const { merchantId, merchant, transfers, amount, unfit, waiting } = payer;
  return (
    <Card className="overflow-hidden">
      <CardHeader
        title={merchant ?? merchantId}
        description={t("filesReady", { count: transfers, amount: money(amount) })}
        actions={
          canAct && transfers > 0 && !waiting ? (
            <LinkButton
              href={`${PAYOUT_FILES}?do=make&merchant=${merchantId}`}
              scroll={false}
              tone="primary"
              className="max-sm:h-11"
            >
              {t("filesMake")}
            </LinkButton>
          ) : null
        }
      />
      {unfit.length === 0 ? null : (
        <div className="border-line border-t px-5 py-4 text-sm">
          <p className="text-danger">{t("filesUnfit", { count: unfit.length })}</p>
          <ul className="mt-2 flex flex-wrap gap-x-4 gap-y-1">
            {unfit.map((id) => (
              <li key={id}>
                <a className="text-accent-ink underline underline-offset-4" href={`${BATCHES}/${id}`}>
                  {t("batch")} <span className="font-mono text-xs">{id.slice(-8)}</span>
                </a>
              </li>
            ))}
          </ul>
        </div>
      )}
      {waiting ? (
        <div className="border-line border-t px-5 py-4">
          <Waiting
            waiting={waiting}
            text={t("filesWaits", {
              who: waiting.who ?? t("markSomebody"),
              count: waiting.transfers,
              amount: money(waiting.amount),
            })}
            onAct={endFileAction}
          />
        </div>
      ) : null}
    </Card>
  );
}
