import { MessageSquareText } from "lucide-react";
import type { Metadata } from "next";
import { getFormatter, getLocale, getTranslations } from "next-intl/server";
import { cache } from "react";
import { addNoteAction, markDisputeAction } from "@/app/(dashboard)/dashboard/disputes/actions";
import { buyersOf } from "@/app/(dashboard)/dashboard/disputes/buyers";
import { disputeWords } from "@/app/(dashboard)/dashboard/disputes/words";
import { type GivenParameters, oneOf } from "@/app/(dashboard)/list-url";
import { orNotFound, requireRight } from "@/app/(dashboard)/operator-context";
import { taskTexts } from "@/app/(dashboard)/task-texts";
import { ActionDialog } from "@/components/charges/action-dialog";
import { BackLink } from "@/components/dashboard/back-link";
import { DoneNote } from "@/components/dashboard/done-note";
import { Facts } from "@/components/dashboard/facts";
import { Moment } from "@/components/dashboard/moment";
import { PageHead } from "@/components/dashboard/page-head";
import { providerName } from "@/components/merchants/provider-names";
import { TaskButton } from "@/components/tasks/task-button";
import { TaskForm } from "@/components/tasks/task-form";
import { Card, CardHeader } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";
import { formatCents } from "@/components/ui/money-format";
import { LONGEST_NOTE, notesOf } from "@/lib/disputes/notes";
import { type DisputeStage, findDispute } from "@/lib/disputes/queries";
import { may } from "@/lib/operators/permissions";
import { isRegistrable } from "@/lib/providers/kind-fields";

const LIST = "/dashboard/disputes";

const read = cache(async (id: string) => {
  const member = await requireRight(`${LIST}/${id}`, "disputes.see");
  return { ...member, dispute: await orNotFound(findDispute(member.ctx, member.role, id)) };
});

export async function generateMetadata({ params }: DisputePageProps): Promise<Metadata> {
  const [{ dispute }, t, locale] = await Promise.all([
    read((await params).id),
    getTranslations("disputes"),
    getLocale(),
  ]);
  return { title: t("titleOf", { amount: formatCents(dispute.amount, dispute.currency, locale) }) };
}

const NEXT_TEXTS = {
  open: "nextOpen",
  won: "nextWon",
  returned: "nextReturned",
} as const satisfies Record<DisputeStage, string>;

const DONE_TEXTS = new Map<string, "doneNoted" | "doneHandled" | "doneReopened">([
  ["noted", "doneNoted"],
  ["handled", "doneHandled"],
  ["reopened", "doneReopened"],
]);

const MARK_TEXTS = { handled: "markedHandled", reopened: "markedReopened" } as const;

interface DisputePageProps {
  params: Promise<{ id: string }>;
  searchParams: Promise<GivenParameters>;
}

export default async function DisputePage({ params, searchParams }: DisputePageProps) {
  const [{ id }, given] = await Promise.all([params, searchParams]);
  const path = `${LIST}/${id}`;
  const { ctx, role, dispute } = await read(id);
  const [t, words, format, locale, notes] = await Promise.all([
    getTranslations("disputes"),
    disputeWords(),
    getFormatter(),
    getLocale(),
    notesOf(ctx, dispute.id),
  ]);
  const when = (at: Date) => <Moment at={at} text={format.dateTime(at, { dateStyle: "medium", timeStyle: "short" })} />;
  const amount = formatCents(dispute.amount, dispute.currency, locale);
  const [buyer] = [...(await buyersOf(ctx, role, [dispute.chargeId])).values()];
  const provider = isRegistrable(dispute.provider) ? providerName(dispute.provider) : dispute.provider;
  const done = DONE_TEXTS.get(oneOf(given, "done") ?? "");
  const mayNote = may(role, "disputes.note");
  return (
    <>
      <BackLink href={LIST} text={t("title")} />
      <PageHead
        title={t("titleOf", { amount })}
        description={
          dispute.stage === "returned"
            ? t("sentenceReturned", { amount, bearer: words.bearer(dispute) })
            : dispute.wonAt === null
              ? t("sentenceOpen", { amount, bearer: words.bearer(dispute) })
              : t("sentenceWon", { amount, when: format.dateTime(dispute.wonAt, { dateStyle: "long" }) })
        }
        action={
          <>
            <LinkButton href={`/dashboard/payments/${dispute.paymentId}`}>{t("openPayment")}</LinkButton>
            {mayNote ? (
              <>
                <LinkButton href={`${path}?do=note`} scroll={false}>
                  {t("addNote")}
                </LinkButton>
                {dispute.stage === "won" ? null : (
                  <TaskButton
                    text={dispute.isHandled ? t("reopen") : t("markHandled")}
                    hidden={{ id: dispute.id, how: dispute.isHandled ? "reopened" : "handled" }}
                    onAct={markDisputeAction}
                  />
                )}
              </>
            ) : null}
          </>
        }
      />
      {done ? <DoneNote text={t(done)} /> : null}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_21rem]">
        <div className="grid min-w-0 grid-cols-1 gap-6">
          <Card>
            <CardHeader title={t("nextTitle")} />
            <p className="px-5 py-4 text-ink-2 text-sm">{t(NEXT_TEXTS[dispute.stage], { provider })}</p>
          </Card>
          <Card className="overflow-hidden">
            <CardHeader title={t("notes")} description={t("notesText")} />
            {notes.length === 0 ? (
              <p className="flex items-center gap-2.5 px-5 py-6 text-ink-3 text-sm">
                <MessageSquareText aria-hidden className="size-4" />
                {t("noNotes")}
              </p>
            ) : (
              <ol className="divide-y divide-line">
                {notes.map((note) => (
                  <li key={note.id} className="grid gap-1 px-5 py-4 text-sm">
                    <p className="flex flex-wrap items-baseline justify-between gap-x-4">
                      <span className="font-medium text-ink">{note.author ?? t("somebody")}</span>
                      <span className="text-ink-3 text-xs">{when(note.at)}</span>
                    </p>
                    <p className="whitespace-pre-line break-words text-ink-2">
                      {note.mark ? t(MARK_TEXTS[note.mark]) : note.text}
                    </p>
                  </li>
                ))}
              </ol>
            )}
          </Card>
        </div>
        <Card>
          <CardHeader title={t("about")} />
          <Facts
            facts={[
              { name: t("stage"), value: words.badge(dispute.stage) },
              ...(dispute.stage === "won"
                ? []
                : [{ name: t("handling"), value: dispute.isHandled ? t("handled") : t("unhandled") }]),
              { name: t("amount"), value: amount },
              {
                name: t("reason"),
                value: dispute.reason === null ? t("reasonUntold") : words.reason(dispute.reason),
              },
              ...(dispute.stage === "open" ? [{ name: t("deadline"), value: t("deadlineThere") }] : []),
              ...(buyer ? [{ name: t("buyer"), value: buyer }] : []),
              { name: t("method"), value: words.method(dispute) },
              { name: t("bearer"), value: words.bearer(dispute) },
              ...(dispute.merchant ? [{ name: t("merchant"), value: dispute.merchant }] : []),
              { name: t("provider"), value: provider },
              ...(dispute.orderId ? [{ name: t("order"), value: dispute.orderId }] : []),
              { name: t("opened"), value: when(dispute.openedAt) },
              ...(dispute.wonAt ? [{ name: t("won"), value: when(dispute.wonAt) }] : []),
            ]}
          />
        </Card>
      </div>
      {oneOf(given, "do") === "note" && mayNote ? (
        <ActionDialog title={t("addNote")} text={t("addNoteText")} closeHref={path}>
          <TaskForm
            hidden={{ id: dispute.id }}
            onAct={addNoteAction}
            closeHref={path}
            texts={await taskTexts(t("saveNote"))}
            fields={[
              {
                name: "text",
                label: t("note"),
                hint: t("noteHint", { most: LONGEST_NOTE }),
                kind: "long",
                isRequired: true,
              },
            ]}
          />
        </ActionDialog>
      ) : null}
    </>
  );
}
