import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { cache } from "react";
import { BreakDialogs } from "@/app/(dashboard)/dashboard/finance/breaks/[id]/dialogs";
import { endClosingAction } from "@/app/(dashboard)/dashboard/finance/breaks/actions";
import { BREAKS, financeWords } from "@/app/(dashboard)/dashboard/finance/words";
import { BATCHES } from "@/app/(dashboard)/dashboard/payouts/words";
import { type GivenParameters, oneOf } from "@/app/(dashboard)/list-url";
import { orNotFound, requireRight } from "@/app/(dashboard)/operator-context";
import { tabTitle } from "@/app/(dashboard)/tab-title";
import { BackLink } from "@/components/dashboard/back-link";
import { DoneNote } from "@/components/dashboard/done-note";
import { Facts } from "@/components/dashboard/facts";
import { TaskButton } from "@/components/tasks/task-button";
import { Badge } from "@/components/ui/badge";
import { Card, CardHeader } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";
import { type BreakView, breakView } from "@/lib/finance/breaks";
import { may } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";

interface BreakPageProps {
  params: Promise<{ id: string }>;
  searchParams: Promise<GivenParameters>;
}

const DONE = {
  assigned: "doneAssigned",
  noted: "doneNoted",
  proposed: "doneProposed",
  done: "doneClosed",
  refused: "doneRefused",
} as const;

const read = cache(async (id: string) => {
  const member = await requireRight(`${BREAKS}/${id}`, "finance.see");
  return { ...member, view: await orNotFound(breakView(member.ctx, member.role, id)) };
});

export async function generateMetadata({ params }: BreakPageProps): Promise<Metadata> {
  const [{ view }, t, { money }] = await Promise.all([
    read((await params).id),
    getTranslations("finance"),
    financeWords(),
  ]);
  return tabTitle(money(view.row.found - view.row.expected), t("breaks"));
}

export default async function BreakPage({ params, searchParams }: BreakPageProps) {
  const [{ id }, given] = await Promise.all([params, searchParams]);
  const path = `${BREAKS}/${id}`;
  const t = await getTranslations("finance");
  const [{ money, day, moment, ...words }, { role, view }] = await Promise.all([financeWords(), read(id)]);
  const { row, waiting } = view;
  const canAct = may(role, "finance.settle") && row.closedAt === null;
  const done = oneOf(given, "done") ?? "";
  return (
    <>
      <BackLink href={BREAKS} text={t("breaks")} />
      {Object.hasOwn(DONE, done) ? (
        // Guarantee: looked up only where the key exists.
        <DoneNote text={t(DONE[done as keyof typeof DONE])} />
      ) : null}
      <header className="mt-3 mb-6 flex flex-wrap items-start justify-between gap-x-8 gap-y-4">
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
            <h1 className="font-semibold text-3xl text-ink tabular-nums">{money(row.found - row.expected)}</h1>
            <Badge tone={row.closedAt ? "neutral" : "danger"}>{row.closedAt ? t("closed") : t("open")}</Badge>
          </div>
          <p className="mt-2 max-w-2xl text-ink-2">{words.break(row)}</p>
        </div>
        {canAct ? (
          <div className="flex flex-wrap gap-2">
            {(["owner", "note", "close"] as const).map((what) => (
              <LinkButton
                key={what}
                href={`${path}?do=${what}`}
                scroll={false}
                tone={what === "close" ? "primary" : undefined}
                className="max-sm:h-11"
              >
                {what === "owner" ? t("doOwner") : what === "note" ? t("doNote") : t("doClose")}
              </LinkButton>
            ))}
          </div>
        ) : null}
      </header>
      {waiting ? (
        <div className="mb-5 grid gap-3 rounded-md bg-warning-soft px-4 py-3 text-sm text-warning">
          <p>{t("waits", { who: waiting.who ?? t("somebody"), reason: waiting.reason })}</p>
          {canAct ? (
            <div className="flex flex-wrap gap-2">
              {waiting.isOwn ? null : (
                <TaskButton
                  text={t("approve")}
                  hidden={{ id: row.id, proposal: waiting.id, how: "approved" }}
                  onAct={endClosingAction}
                  size="sm"
                />
              )}
              <TaskButton
                text={waiting.isOwn ? t("withdraw") : t("refuse")}
                hidden={{ id: row.id, proposal: waiting.id, how: "refused" }}
                onAct={endClosingAction}
                size="sm"
              />
            </div>
          ) : null}
        </div>
      ) : null}
      <Card className="max-w-2xl">
        <CardHeader title={t("about")} />
        <Facts
          facts={[
            { name: t("expected"), value: money(row.expected) },
            { name: t("found"), value: money(row.found) },
            { name: t("difference"), value: money(row.found - row.expected) },
            { name: t("day"), value: day(row.day) },
            { name: t("merchant"), value: view.merchant ?? t("none") },
            { name: t("subject"), value: <Subject view={view} role={role} /> },
            { name: t("owner"), value: view.owner ?? t("nobody") },
            { name: t("note"), value: row.note ?? t("none") },
            { name: t("openedAt"), value: moment(row.openedAt) },
            { name: t("age"), value: t("days", { days: view.ageDays }) },
            ...(row.closedAt
              ? [
                  { name: t("closedAt"), value: moment(row.closedAt) },
                  { name: t("closedBy"), value: row.closedBy === "people" ? t("byPeople") : t("byAgreement") },
                ]
              : []),
            ...(view.closing
              ? [
                  { name: t("reason"), value: view.closing.reason },
                  { name: t("closingAsked"), value: view.closing.asked ?? t("somebody") },
                  { name: t("closingApproved"), value: view.closing.approved ?? t("somebody") },
                ]
              : []),
          ]}
        />
      </Card>
      {canAct ? <BreakDialogs view={view} path={path} given={given} /> : null}
    </>
  );
}

/** The page of what it is about; of a statement's line that belongs to nothing its name, to be looked up at the acquirer. */
async function Subject({ view: { row, subject }, role }: { view: BreakView; role: OperatorRole }) {
  const [t, words] = await Promise.all([getTranslations("finance"), financeWords()]);
  const link = (href: string, text: string) => (
    <a className="text-accent-ink underline underline-offset-4" href={href}>
      {text}
    </a>
  );
  if (!subject) return row.subject;
  if (subject.kind === "payment") {
    const { id, installment } = subject;
    const text = installment === undefined ? t("payment") : t("paymentInstallment", { number: installment });
    return link(`/dashboard/payments/${id}`, text);
  }
  if (subject.kind === "batch") return link(`${BATCHES}/${subject.id}`, t("subjectBatch", { seller: subject.seller }));
  if (subject.kind === "line") {
    return (
      <span className="grid">
        <span className="break-all font-mono text-xs">{subject.name}</span>
        <span className="text-ink-3 text-xs">{t("evidenceStatement", { provider: subject.provider })}</span>
      </span>
    );
  }
  const { name, seller } = subject;
  return (
    <span className="grid">
      <span>{words.identity(name)}</span>
      {seller && may(role, "sellers.see") ? link(`/dashboard/sellers/${seller.id}`, seller.name) : seller?.name}
    </span>
  );
}
