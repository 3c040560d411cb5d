import type { Metadata } from "next";
import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { cache } from "react";
import { CyclesCard } from "@/app/(dashboard)/dashboard/subscriptions/[id]/cycles-card";
import { SubscriptionDialogs } from "@/app/(dashboard)/dashboard/subscriptions/[id]/dialogs";
import { HistoryCard } from "@/app/(dashboard)/dashboard/subscriptions/[id]/history-card";
import { SplitShares } from "@/app/(dashboard)/dashboard/subscriptions/[id]/split-shares";
import {
  LIST,
  MANDATE_LOOKS,
  MANDATE_RETRY_TEXTS,
  MANDATE_TEXTS,
  STATUS_LOOKS,
  STATUS_TEXTS,
  subscriptionSubject,
  subscriptionWords,
} from "@/app/(dashboard)/dashboard/subscriptions/words";
import { type GivenParameters, oneOf, withParameters } from "@/app/(dashboard)/list-url";
import { orNotFound, requireRight } from "@/app/(dashboard)/operator-context";
import { tabTitle } from "@/app/(dashboard)/tab-title";
import { BackLink } from "@/components/dashboard/back-link";
import { DoneNote } from "@/components/dashboard/done-note";
import { Facts } from "@/components/dashboard/facts";
import { PageHead } from "@/components/dashboard/page-head";
import { PageLinks } from "@/components/dashboard/page-links";
import { Badge } from "@/components/ui/badge";
import { Card, CardHeader } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";
import { may } from "@/lib/operators/permissions";
import { utcDayOf } from "@/lib/subscriptions/calendar";
import { isOver } from "@/lib/subscriptions/machine";
import { type NumberedPage, type Place, subscriptionPages } from "@/lib/subscriptions/operator-pages";
import { overviewOf } from "@/lib/subscriptions/operator-queries";

const DONE_TEXTS = {
  pause: "donePause",
  resume: "doneResume",
  cancel: "doneCancel",
  end: "doneEnd",
  keep: "doneKeep",
  retry: "doneRetry",
  link: "doneLink",
  create: "doneCreate",
  edit: "doneEdit",
} as const;

const read = cache(async (id: string) => {
  const member = await requireRight(`${LIST}/${id}`, "subscriptions.see");
  return { ...member, overview: await orNotFound(overviewOf(member.ctx, member.role, id)) };
});

export async function generateMetadata({ params }: SubscriptionPageProps): Promise<Metadata> {
  const [{ overview }, t] = await Promise.all([read((await params).id), getTranslations("subscriptions")]);
  return tabTitle(subscriptionSubject(overview), t("title"));
}

interface SubscriptionPageProps {
  params: Promise<{ id: string }>;
  searchParams: Promise<GivenParameters>;
}

export default async function SubscriptionPage({ params, searchParams }: SubscriptionPageProps) {
  const [{ id }, given] = await Promise.all([params, searchParams]);
  const path = `${LIST}/${id}`;
  const { ctx, role, overview } = await read(id);
  const listed = await subscriptionPages(ctx, role, id, {
    cycles: placeIn(given, "cycles"),
    history: placeIn(given, "history"),
  });
  const { row, buyer, merchant, card, counts, mandate } = overview;
  const { t, plan, next, day } = await subscriptionWords();
  const mayEdit = may(role, "subscriptions.edit");
  const done = oneOf(given, "done");
  const isDeclinedAtFirst = done === "create" && overview.cycles.some(({ cycle }) => cycle.status === "retrying");
  const open = (doing: string) => `${path}?do=${doing}`;
  const pages = (list: List, label: string, { newer, older }: NumberedPage<unknown>) => {
    const at = (changes: Partial<Record<string, number>>) => placeOf(path, given, list, changes);
    const isOne = newer === undefined && older === undefined;
    return isOne ? null : (
      <div className="border-line border-t px-5 py-3">
        <PageLinks
          label={label}
          previous={{ href: newer === undefined ? undefined : at({ before: newer }), text: t("newer") }}
          next={{ href: older === undefined ? undefined : at({ after: older }), text: t("older") }}
        />
      </div>
    );
  };
  return (
    <>
      <BackLink href={LIST} text={t("title")} />
      <PageHead
        title={
          <span className="inline-flex flex-wrap items-center gap-3">
            {row.name}
            <Badge {...STATUS_LOOKS[row.status]}>{t(STATUS_TEXTS[row.status])}</Badge>
          </span>
        }
        description={plan(row)}
        action={
          mayEdit && !isOver(row.status) ? (
            <>
              {row.status === "active" ? (
                <LinkButton href={open("pause")} scroll={false}>
                  {t("pause")}
                </LinkButton>
              ) : null}
              {row.status === "paused" || row.status === "unpaid" ? (
                <LinkButton href={open("resume")} scroll={false} tone="primary">
                  {t("resume")}
                </LinkButton>
              ) : null}
              <LinkButton href={`${path}/edit`}>{t("edit")}</LinkButton>
              {mandate ? null : (
                <LinkButton href={open("link")} scroll={false}>
                  {t("linkButton")}
                </LinkButton>
              )}
              {row.cancelOn ? (
                <LinkButton href={open("keep")} scroll={false}>
                  {t("keep")}
                </LinkButton>
              ) : row.nextDueOn ? (
                <LinkButton href={open("end")} scroll={false}>
                  {t("end")}
                </LinkButton>
              ) : null}
              <LinkButton href={open("cancel")} scroll={false} tone="quiet">
                {t("cancel")}
              </LinkButton>
            </>
          ) : null
        }
      />
      {done && Object.hasOwn(DONE_TEXTS, done) ? (
        // Guarantee: looked up only where the key exists.
        <DoneNote
          text={t(isDeclinedAtFirst ? "doneCreateDeclined" : DONE_TEXTS[done as keyof typeof DONE_TEXTS])}
          isUnsure={isDeclinedAtFirst}
        />
      ) : null}
      <Card className="mb-6 px-5 py-4">
        <h2 className="font-medium text-ink-2 text-sm">{t("whatNext")}</h2>
        <p className="mt-1 text-ink">{next(overview)}</p>
      </Card>
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_21rem]">
        <div className="grid min-w-0 grid-cols-1 gap-6">
          <CyclesCard
            overview={overview}
            page={listed.cycles}
            pages={pages("cycles", t("pagesCycles"), listed.cycles)}
            mayEdit={mayEdit}
            path={path}
          />
          <HistoryCard
            ctx={ctx}
            overview={overview}
            page={listed.history}
            pages={pages("history", t("pagesHistory"), listed.history)}
          />
        </div>
        <Card>
          <CardHeader title={t("about")} />
          <Facts
            facts={[
              {
                name: t("buyer"),
                value: buyer ? (
                  <Link
                    href={`/dashboard/customers/${buyer.id}`}
                    className="text-accent-ink underline underline-offset-2"
                  >
                    {buyer.name}
                  </Link>
                ) : (
                  t("nobody")
                ),
              },
              ...(mandate
                ? [
                    { name: t("method"), value: t("methodPixAutomatic") },
                    {
                      name: t("mandate"),
                      value: <Badge {...MANDATE_LOOKS[mandate.status]}>{t(MANDATE_TEXTS[mandate.status])}</Badge>,
                    },
                    ...(mandate.status === "created"
                      ? [{ name: t("mandateUntil"), value: day(utcDayOf(mandate.expiresAt)) }]
                      : []),
                    ...(mandate.approvedAt
                      ? [{ name: t("mandateSince"), value: day(utcDayOf(mandate.approvedAt)) }]
                      : []),
                    ...(mandate.status === "created" && mandate.qrCodeData
                      ? [
                          {
                            name: t("mandateCode"),
                            value: <span className="break-all font-mono text-xs">{mandate.qrCodeData}</span>,
                          },
                        ]
                      : []),
                    { name: t("mandateRetry"), value: t(MANDATE_RETRY_TEXTS[mandate.retry]) },
                  ]
                : [
                    {
                      name: t("card"),
                      value: card
                        ? t("cardName", {
                            brand: card.brand,
                            lastFour: card.last4digits,
                            month: card.expirationMonth,
                            year: card.expirationYear,
                          })
                        : t("none"),
                    },
                    { name: t("formInstallments"), value: t("installmentsIn", { count: row.installments }) },
                  ]),
              { name: t("merchant"), value: merchant ?? row.merchantId },
              {
                name: t("cycles"),
                value:
                  row.cycles === null
                    ? t("cyclesEndless", { count: counts.ended })
                    : t("cyclesOf", { count: counts.ended, total: row.cycles }),
              },
              { name: t("start"), value: day(row.startAt) },
              ...(row.trialEndAt ? [{ name: t("trialEnd"), value: day(row.trialEndAt) }] : []),
              ...(row.referenceKey ? [{ name: t("reference"), value: row.referenceKey }] : []),
              {
                name: t("items"),
                value: row.items
                  .map(({ quantity, name }) => t("item", { quantity: Number(quantity), name: String(name) }))
                  .join(" · "),
              },
              ...(row.splitRules.length > 0
                ? [{ name: t("split"), value: <SplitShares ctx={ctx} role={role} row={row} /> }]
                : []),
              { name: t("id"), value: <span className="break-all font-mono text-xs">{row.id}</span> },
            ]}
          />
        </Card>
      </div>
      {mayEdit ? <SubscriptionDialogs overview={overview} path={path} given={given} /> : null}
    </>
  );
}

/** The lists of the page, each with a place of its own in the address: `historyAfter`. */
type List = "cycles" | "history";
const PLACE = /^\d{1,9}$/;

function placeIn(given: GivenParameters, list: List): Place {
  const number = (name: string): number | undefined => {
    const text = oneOf(given, list + name);
    return text && PLACE.test(text) ? Number(text) : undefined;
  };
  return { after: number("After"), before: number("Before") };
}

const placeOf = (
  path: string,
  given: GivenParameters,
  list: List,
  { after, before }: Partial<Record<string, number>>,
): string =>
  `${withParameters(path, given, {
    [`${list}After`]: after?.toString(),
    [`${list}Before`]: before?.toString(),
    do: undefined,
    done: undefined,
  })}#${list}`;
