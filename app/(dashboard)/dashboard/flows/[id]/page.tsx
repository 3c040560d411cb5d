import type { Metadata } from "next";
import { getFormatter, getTranslations } from "next-intl/server";
import { cache } from "react";
import { DescribedCard } from "@/app/(dashboard)/dashboard/flows/[id]/described-card";
import { FlowDialog } from "@/app/(dashboard)/dashboard/flows/[id]/dialogs";
import { HistoryCard, VersionLink, VersionsCard } from "@/app/(dashboard)/dashboard/flows/[id]/history-card";
import { ResultsCard } from "@/app/(dashboard)/dashboard/flows/[id]/results-card";
import { SavedTestsCard } from "@/app/(dashboard)/dashboard/flows/[id]/saved-tests-card";
import { TestCard } from "@/app/(dashboard)/dashboard/flows/[id]/test-card";
import { TrialCards } from "@/app/(dashboard)/dashboard/flows/[id]/trial-card";
import { duplicateFlowAction } from "@/app/(dashboard)/dashboard/flows/actions";
import { flowWords, LIST, namesIn } from "@/app/(dashboard)/dashboard/flows/words";
import { type GivenParameters, oneOf } from "@/app/(dashboard)/list-url";
import { orNotFound, requireRight } from "@/app/(dashboard)/operator-context";
import { tabTitle } from "@/app/(dashboard)/tab-title";
import { BackLink } from "@/components/dashboard/back-link";
import { DoneNote } from "@/components/dashboard/done-note";
import { Facts } from "@/components/dashboard/facts";
import { PageHead } from "@/components/dashboard/page-head";
import { FlowLines } from "@/components/flows/flow-lines";
import { UnroutedNote } from "@/components/flows/unrouted-note";
import { TaskButton } from "@/components/tasks/task-button";
import { Badge } from "@/components/ui/badge";
import { Card, CardHeader } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";
import { inSnapshot } from "@/lib/context";
import { notFound } from "@/lib/errors";
import { listVersions, merchantNames, sourcesOf } from "@/lib/flows/family";
import { getFlow, rootOf, versionOf } from "@/lib/flows/queries";
import { talliesOf, tallyOf } from "@/lib/flows/tally";
import { isUuid } from "@/lib/ids";
import { may } from "@/lib/operators/permissions";

const DONE_TEXTS = {
  created: "doneCreated",
  saved: "doneSaved",
  activated: "doneActivated",
  archived: "doneArchived",
  restored: "doneRestored",
  testSaved: "doneTestSaved",
  testRemoved: "doneTestRemoved",
} as const;

interface FlowPageProps {
  params: Promise<{ id: string }>;
  searchParams: Promise<GivenParameters>;
}

const read = cache(async (id: string) => {
  const member = await requireRight(`${LIST}/${id}`, "flows.see");
  const found = await orNotFound(
    inSnapshot(member.ctx, async (inside) => {
      if (!isUuid(id)) throw notFound("flow");
      const flow = await getFlow(inside, id);
      const family = await listVersions(inside, flow.familyId);
      const decided = family.filter(({ activatedAt }) => activatedAt);
      return {
        row: flow,
        tally: flow.activatedAt ? await tallyOf(inside, id) : undefined,
        versions: family,
        tallies: await talliesOf(
          inside,
          decided.map((version) => version.id),
        ),
        merchants: await merchantNames(inside, flow.merchantIds),
        source: (await sourcesOf(inside, [id])).get(id),
      };
    }),
  );
  return { ...member, found };
});

export async function generateMetadata({ params }: FlowPageProps): Promise<Metadata> {
  const [{ found }, t] = await Promise.all([read((await params).id), getTranslations("flows")]);
  return tabTitle(found.row.name, t("title"));
}

export default async function FlowPage({ params, searchParams }: FlowPageProps) {
  const [{ id }, given] = await Promise.all([params, searchParams]);
  const path = `${LIST}/${id}`;
  const { ctx, role, found } = await read(id);
  const { row, tally, versions, tallies, merchants, source } = found;
  const [words, format] = await Promise.all([flowWords(), getFormatter()]);
  const t = await getTranslations("flows");
  const names = await inSnapshot(ctx, (inside) => namesIn(inside, row));
  const status = words.status(row.status);
  const done = oneOf(given, "done");
  const when = (at: Date) => format.dateTime(at, { dateStyle: "medium", timeStyle: "short" });
  const active = versions.find((one) => one.status === "active");
  const [mayEdit, mayActivate] = [may(role, "flows.edit"), may(role, "flows.activate")];
  const open = (doing: string) => `${path}?do=${doing}`;
  return (
    <>
      <BackLink href={LIST} text={t("title")} />
      <PageHead
        title={row.name}
        aside={
          <Badge tone={status.tone}>
            {status.text} · {t("versionOf", { version: versionOf(row) })}
          </Badge>
        }
        action={
          <>
            {row.status === "archived" ? null : (
              <LinkButton href={`${path}/replay`} tone={row.status === "draft" ? "primary" : "secondary"}>
                {t("replay")}
              </LinkButton>
            )}
            {row.status === "draft" && mayActivate ? (
              <LinkButton href={open("activate")} scroll={false}>
                {t("activate")}
              </LinkButton>
            ) : null}
            {mayEdit && row.status !== "archived" ? (
              <LinkButton href={`${path}/edit`}>{row.status === "draft" ? t("edit") : t("editNext")}</LinkButton>
            ) : null}
            {mayEdit ? (
              <TaskButton text={t("duplicate")} hidden={{ id }} onAct={duplicateFlowAction} tone="quiet" />
            ) : null}
            {(row.status === "draft" && mayEdit) || (row.status === "active" && mayActivate) ? (
              <LinkButton href={open("archive")} scroll={false} tone="quiet">
                {t("archive")}
              </LinkButton>
            ) : null}
            {row.status === "archived" && mayActivate ? (
              <LinkButton href={open("restore")} scroll={false}>
                {t("restore")}
              </LinkButton>
            ) : null}
          </>
        }
      />
      {done && Object.hasOwn(DONE_TEXTS, done) ? (
        // Guarantee: looked up only where the key exists.
        <DoneNote text={t(DONE_TEXTS[done as keyof typeof DONE_TEXTS])} />
      ) : null}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_21rem]">
        <div className="grid min-w-0 grid-cols-1 gap-6">
          <Card className="overflow-hidden">
            <CardHeader title={t("rules")} description={t("rulesText")} />
            {row.status === "archived" ? null : (
              <div className="px-5 pt-4 empty:hidden">
                <UnroutedNote root={rootOf(row)} />
              </div>
            )}
            <FlowLines
              root={rootOf(row)}
              names={names}
              tallies={tally && tally.payments > 0 ? Object.fromEntries(tally.nodes) : undefined}
            />
          </Card>
          {tally ? <ResultsCard tally={tally} names={names.providers} /> : null}
          {row.activatedAt ? <TrialCards ctx={ctx} flow={row} mayEdit={mayEdit} /> : null}
          <TestCard ctx={ctx} flow={row} names={names} chargeId={oneOf(given, "payment")} />
          <DescribedCard
            ctx={ctx}
            flow={row}
            names={names}
            merchants={merchants}
            given={given}
            maySave={mayEdit && row.status !== "archived"}
          />
          <SavedTestsCard ctx={ctx} flow={row} mayEdit={mayEdit} />
          <HistoryCard ctx={ctx} flow={row} />
        </div>
        <div className="grid min-w-0 grid-cols-1 gap-6">
          <Card>
            <CardHeader
              title={t("facts")}
              actions={
                row.status === "draft" && mayEdit ? (
                  <LinkButton href={open("merchants")} scroll={false} size="sm">
                    {t("merchantsChange")}
                  </LinkButton>
                ) : null
              }
            />
            <Facts
              facts={[
                { name: t("method"), value: words.method(row.paymentMethod) },
                { name: t("merchants"), value: row.merchantIds.map((one) => merchants.get(one) ?? one).join(", ") },
                ...(source ? [{ name: t("restoredFrom"), value: <VersionLink version={source} /> }] : []),
                { name: t("createdOn"), value: when(row.createdAt) },
                ...(row.activatedAt ? [{ name: t("activatedOn"), value: when(row.activatedAt) }] : []),
              ]}
            />
          </Card>
          <VersionsCard flow={row} versions={versions} active={active} tallies={tallies} />
        </div>
      </div>
      <FlowDialog
        ctx={ctx}
        role={role}
        flow={row}
        doing={oneOf(given, "do")}
        merchants={merchants}
        providers={names.providers}
      />
    </>
  );
}
