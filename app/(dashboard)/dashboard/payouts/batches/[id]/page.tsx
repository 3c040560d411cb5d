import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { cache } from "react";
import { LinesCard } from "@/app/(dashboard)/dashboard/payouts/batches/[id]/lines-card";
import { MarkButtons, MarkDialog, MarkWaiting } from "@/app/(dashboard)/dashboard/payouts/batches/[id]/marks";
import { SumCard } from "@/app/(dashboard)/dashboard/payouts/batches/[id]/sum-card";
import { TransferCard } from "@/app/(dashboard)/dashboard/payouts/batches/[id]/transfer-card";
import {
  BATCH_LOOKS,
  BATCH_TEXTS,
  BATCHES,
  payoutWords,
  REASON_TEXTS,
} from "@/app/(dashboard)/dashboard/payouts/words";
import { ExplanationSheet } from "@/app/(dashboard)/explanation-sheet";
import { type GivenParameters, oneOf } from "@/app/(dashboard)/list-url";
import { orNotFound, requireRight } from "@/app/(dashboard)/operator-context";
import { BackLink } from "@/components/dashboard/back-link";
import { DoneNote } from "@/components/dashboard/done-note";
import { Facts } from "@/components/dashboard/facts";
import { WhyLink } from "@/components/dashboard/why-link";
import { Badge } from "@/components/ui/badge";
import { Card, CardHeader } from "@/components/ui/card";
import { CopyButton } from "@/components/ui/copy-button";
import { LinkButton } from "@/components/ui/link-button";
import { type BatchOverview, batchOverview } from "@/lib/finance/batch";
import { markView } from "@/lib/finance/marks";
import { may } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";

interface BatchPageProps {
  params: Promise<{ id: string }>;
  searchParams: Promise<GivenParameters>;
}

const DONE = { proposed: "markProposed", done: "markDone", refused: "markRefused" } as const;

const read = cache(
  async (id: string, type: string | undefined, after: string | undefined, before: string | undefined) => {
    const member = await requireRight(`${BATCHES}/${id}`, "payouts.see");
    return {
      ...member,
      overview: await orNotFound(batchOverview(member.ctx, member.role, id, { type, after, before })),
    };
  },
);

const shownBatch = async ({ params, searchParams }: BatchPageProps) => {
  const [{ id }, given] = await Promise.all([params, searchParams]);
  return read(id, oneOf(given, "type"), oneOf(given, "after"), oneOf(given, "before"));
};

export async function generateMetadata(props: BatchPageProps): Promise<Metadata> {
  const [{ overview }, { money, day }, t] = await Promise.all([
    shownBatch(props),
    payoutWords(),
    getTranslations("payouts"),
  ]);
  const { row, seller } = overview;
  return {
    title: t("batchTitle", {
      amount: money(row.finalBalance),
      day: day(row.paymentDate),
      whose: seller ?? t("ownShort"),
    }),
  };
}

export default async function BatchPage(props: BatchPageProps) {
  const [{ id }, given] = await Promise.all([props.params, props.searchParams]);
  const path = `${BATCHES}/${id}`;
  const { ctx, role, overview } = await shownBatch(props);
  const { row } = overview;
  const [{ t, money }, view] = await Promise.all([payoutWords(), markView(ctx, role, id)]);
  const done = oneOf(given, "done") ?? "";
  return (
    <>
      <BackLink href={BATCHES} text={t("batches")} />
      {Object.hasOwn(DONE, done) ? (
        // Guarantee: looked up only where the key exists.
        <DoneNote text={t(DONE[done as keyof typeof DONE])} />
      ) : null}
      <header className="mt-3 mb-6 flex flex-wrap items-start justify-between gap-x-8 gap-y-4">
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
            <h1 className="font-semibold text-3xl text-ink tabular-nums">
              <span className="sr-only">{t("batch")}: </span>
              <WhyLink href={`${path}?why=batch.finalBalance`}>{money(row.finalBalance)}</WhyLink>
            </h1>
            <Badge {...BATCH_LOOKS[row.status]}>{t(BATCH_TEXTS[row.status])}</Badge>
          </div>
          <p className="mt-2 max-w-2xl text-ink-2">
            {await sentenceOf(overview)} {overview.isHeld ? t("saidHeld") : null}
          </p>
        </div>
        <MarkButtons view={view} path={path} />
      </header>
      <MarkWaiting view={view} batchId={id} />
      <div className="grid grid-cols-1 gap-5 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid min-w-0 content-start gap-5">
          <SumCard overview={overview} role={role} path={path} given={given} />
          <LinesCard overview={overview} path={path} given={given} />
        </div>
        <div className="grid min-w-0 content-start gap-5">
          <TransferCard overview={overview} role={role} />
          <AboutCard overview={overview} role={role} />
        </div>
      </div>
      <ExplanationSheet
        ctx={ctx}
        role={role}
        path={path}
        given={given}
        subject={{ batchId: row.id, lineId: oneOf(given, "part") }}
      />
      <MarkDialog view={view} batch={row} path={path} doing={oneOf(given, "do")} />
    </>
  );
}

/** What became of it, and what comes next. */
async function sentenceOf({ row, transfer }: BatchOverview): Promise<string> {
  const { t, day, money } = await payoutWords();
  if (row.status === "offset") return t("saidOffset", { amount: money(-row.finalBalance) });
  if (row.status === "failed")
    return t("saidFailed", { reason: t(REASON_TEXTS[row.errorReason ?? "unknown"]), day: day(row.paymentDate) });
  if (row.status === "paid") {
    const on = day(row.payoutDate ?? row.paymentDate);
    if (transfer?.status === "returned") return t("saidReturned", { day: on });
    return row.sellerId === null ? t("saidPaidOwn", { day: on }) : t("saidPaid", { day: on });
  }
  if (transfer?.status === "unknown") return transfer.rail === "file" ? t("saidUnknownFiled") : t("saidUnknown");
  if (transfer?.rail === "none") return t("saidByHand");
  if (transfer?.rail === "file") {
    return transfer.sentOn ? t("saidFiled", { day: day(transfer.sentOn) }) : t("saidToFile");
  }
  if (row.sellerId === null) return t("saidPendingOwn", { day: day(row.paymentDate) });
  return transfer?.sentOn ? t("saidSent", { day: day(transfer.sentOn) }) : t("saidPending");
}

async function AboutCard({
  overview: { row, paidWith, seller, merchant, carriedInto },
  role,
}: {
  overview: BatchOverview;
  role: OperatorRole;
}) {
  const { t, day, moment, group } = await payoutWords();
  const whose = seller ?? t("ownShort");
  const link = "text-accent-ink underline underline-offset-4";
  return (
    <Card>
      <CardHeader title={t("about")} />
      <Facts
        facts={[
          {
            name: t("whose"),
            value:
              row.sellerId && may(role, "sellers.see") ? (
                <a className={link} href={`/dashboard/sellers/${row.sellerId}`}>
                  {whose}
                </a>
              ) : (
                whose
              ),
          },
          { name: t("merchant"), value: merchant ?? t("none") },
          { name: t("group"), value: group(row, paidWith) },
          { name: t("paymentDate"), value: day(row.paymentDate) },
          ...(row.payoutDate ? [{ name: t("payoutDate"), value: day(row.payoutDate) }] : []),
          { name: t("createdAt"), value: moment(row.createdAt) },
          {
            name: t("id"),
            value: (
              <span className="flex items-center gap-1">
                <span className="break-all font-mono text-xs">{row.id}</span>
                <CopyButton text={row.id} label={t("copyId")} />
              </span>
            ),
          },
        ]}
      />
      {carriedInto ? (
        <div className="border-line border-t px-5 py-4">
          <LinkButton href={`${BATCHES}/${carriedInto}`} size="sm">
            {t("carriedInto")}
          </LinkButton>
        </div>
      ) : null}
    </Card>
  );
}
