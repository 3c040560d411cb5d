import type { Metadata } from "next";
import { getLocale, getTranslations } from "next-intl/server";
import { cache } from "react";
import { editLinkAction } from "@/app/(dashboard)/dashboard/links/actions";
import { startLike } from "@/app/(dashboard)/dashboard/links/fields";
import { linkName } from "@/app/(dashboard)/dashboard/links/words";
import { previewChoices, previewTexts } from "@/app/(dashboard)/dashboard/preview/words";
import { splitWords, typedPercentage } from "@/app/(dashboard)/dashboard/split-form";
import { orNotFound, requireRight } from "@/app/(dashboard)/operator-context";
import { tabTitle } from "@/app/(dashboard)/tab-title";
import { taskTexts } from "@/app/(dashboard)/task-texts";
import { BackLink } from "@/components/dashboard/back-link";
import { PageHead } from "@/components/dashboard/page-head";
import { LinkEditor } from "@/components/links/link-editor";
import { SplitEditor } from "@/components/links/split-editor";
import { TaskForm } from "@/components/tasks/task-form";
import { Card } from "@/components/ui/card";
import { saoPauloDay } from "@/lib/brazil/bank-calendar";
import { inSnapshot, now } from "@/lib/context";
import { notFound } from "@/lib/errors";
import { isUuid } from "@/lib/ids";
import { sellersToShare } from "@/lib/sellers/operator-queries";
import { getSession } from "@/lib/sessions/queries";
import { isPastDue, type SessionRow, UNLIMITED } from "@/lib/sessions/state";

const LIST = "/dashboard/links";

interface EditLinkPageProps {
  params: Promise<{ id: string }>;
}

const read = cache(async (id: string) => {
  const member = await requireRight(`${LIST}/${id}/edit`, "links.edit");
  const session = await orNotFound(
    isUuid(id) ? inSnapshot(member.ctx, (inside) => getSession(inside, id)) : Promise.reject(notFound("session")),
  );
  return { ...member, session };
});

export async function generateMetadata({ params }: EditLinkPageProps): Promise<Metadata> {
  const [{ session }, t] = await Promise.all([read((await params).id), getTranslations("links")]);
  return tabTitle(linkName(session), t("editTitle"));
}

const isPayable = (session: SessionRow, at: Date): boolean => session.status === "created" && !isPastDue(session, at);

/** What of a link may change once it is out: whether it is open, until when, how often it is paid, and who shares it. */
export default async function EditLinkPage({ params }: EditLinkPageProps) {
  const { id } = await params;
  const path = `${LIST}/${id}`;
  const { ctx, role, session } = await read(id);
  const t = await getTranslations("links");
  const locale = await getLocale();
  const start = await startLike(session, now(ctx));
  const isCounted = session.maxPayments !== null;
  const sharing = session.splitRules.map(({ sellerId }) => sellerId);
  const sellers = isPayable(session, now(ctx))
    ? await sellersToShare(ctx, role, { merchantId: session.merchantId, also: sharing })
    : [];
  const isInAmounts = session.splitRules.some(({ amount }) => amount !== undefined);
  return (
    <>
      <BackLink href={path} text={start.name || t("title")} />
      <PageHead title={t("editTitle")} description={t("editText")} />
      <LinkEditor
        base={{
          merchant: session.merchantId,
          name: start.name,
          amount: start.amount,
          methods: start.methods,
          installments: start.installments,
          orderId: start.orderId,
          dueDate: start.dueDate,
        }}
        preview={{
          texts: await previewTexts(),
          choices: await previewChoices(),
          initial: { state: "open.card", lang: locale },
        }}
      >
        <Card>
          <TaskForm
            onAct={editLinkAction}
            closeHref={path}
            texts={await taskTexts(t("saveButton"))}
            hidden={{ id: session.id }}
            fields={[
              { name: "isActive", label: t("takesPayments"), kind: "check", initial: session.isActive ? "yes" : "" },
              {
                name: "dueDate",
                label: t("dueLabel"),
                hint: t("dueHint"),
                kind: "day",
                initial: session.dueAt ? saoPauloDay(session.dueAt) : "",
              },
              ...(isCounted
                ? [
                    {
                      name: "maxPayments",
                      label: t("mostPayments"),
                      hint: t("mostPaymentsHint", { count: session.paymentCount }),
                      kind: "number" as const,
                      initial: session.maxPayments === UNLIMITED ? "" : String(session.maxPayments),
                    },
                  ]
                : []),
            ]}
            after={
              sellers.length === 0 ? null : isInAmounts ? (
                <p className="text-ink-2 text-sm">{t("splitKept")}</p>
              ) : (
                <SplitEditor
                  sellers={sellers}
                  locale={locale}
                  texts={await splitWords(t("splitEditHint"))}
                  initial={session.splitRules.map(({ sellerId, percentage = 0 }) => ({
                    seller: sellerId,
                    percentage: typedPercentage(percentage, locale),
                  }))}
                />
              )
            }
          >
            <p className="rounded-md bg-sunken px-3 py-2.5 text-ink-2 text-sm">{t("editRest")}</p>
          </TaskForm>
        </Card>
      </LinkEditor>
    </>
  );
}
