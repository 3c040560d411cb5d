import type { Metadata } from "next";
import Link from "next/link";
import { getFormatter, getTranslations } from "next-intl/server";
import { cache } from "react";
import { WebhookDialog } from "@/app/(dashboard)/dashboard/developers/webhooks/[id]/dialogs";
import { RecentDeliveries } from "@/app/(dashboard)/dashboard/developers/webhooks/[id]/recent-deliveries";
import { sampleAddress } from "@/app/(dashboard)/dashboard/developers/webhooks/sample";
import { waitingOf, webhookWords } from "@/app/(dashboard)/dashboard/developers/webhooks/words";
import { type GivenParameters, oneOf } from "@/app/(dashboard)/list-url";
import { orNotFound, requireRight } from "@/app/(dashboard)/operator-context";
import { tabTitle } from "@/app/(dashboard)/tab-title";
import { BackLink } from "@/components/dashboard/back-link";
import { DoneNote } from "@/components/dashboard/done-note";
import { type Fact, Facts } from "@/components/dashboard/facts";
import { PageHead } from "@/components/dashboard/page-head";
import { Badge } from "@/components/ui/badge";
import { Card, CardHeader } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { LinkButton } from "@/components/ui/link-button";
import { inSnapshot, now } from "@/lib/context";
import { notFound } from "@/lib/errors";
import { EVENT_CATALOGUE } from "@/lib/event-catalogue/catalogue";
import { isUuid } from "@/lib/ids";
import { may } from "@/lib/operators/permissions";
import { everSent } from "@/lib/webhooks/ever-sent";
import { backlogOf, searchDeliveries } from "@/lib/webhooks/explorer";
import { lastFailedAnswer } from "@/lib/webhooks/last-failed-answer";
import { webhookAt } from "@/lib/webhooks/service";

const LIST = "/dashboard/developers/webhooks";
const RECENT = 5;
const DONE_TEXTS = {
  created: "doneCreated",
  saved: "doneSaved",
  rotated: "doneRotated",
  replayed: "doneReplayed",
  discarded: "doneDiscarded",
} as const;

const read = cache(async (id: string) => {
  const member = await requireRight(`${LIST}/${id}`, "webhooks.see");
  return {
    ...member,
    found: await orNotFound(
      inSnapshot(member.ctx, async (inside) => {
        if (!isUuid(id)) throw notFound("webhook");
        const webhook = await webhookAt(inside, id);
        const recent = (await searchDeliveries(inside, { webhookId: id })).items.slice(0, RECENT);
        const answer = webhook.failures > 0 ? await lastFailedAnswer(inside, id) : undefined;
        const isTried = (await everSent(inside, [id])).has(id);
        return { webhook, backlog: (await backlogOf(inside, [id])).get(id), recent, answer, isTried };
      }),
    ),
  };
});

export async function generateMetadata({ params }: WebhookPageProps): Promise<Metadata> {
  const [{ found }, t] = await Promise.all([read((await params).id), getTranslations("webhooks")]);
  return tabTitle(found.webhook.endpoint, t("title"));
}

interface WebhookPageProps {
  params: Promise<{ id: string }>;
  searchParams: Promise<GivenParameters>;
}

export default async function WebhookPage({ params, searchParams }: WebhookPageProps) {
  const [{ id }, given] = await Promise.all([params, searchParams]);
  const path = `${LIST}/${id}`;
  const { ctx, role, found } = await read(id);
  const { webhook, backlog, recent, answer, isTried } = found;
  const [t, words, format] = await Promise.all([getTranslations("webhooks"), webhookWords(), getFormatter()]);
  const health = words.health(webhook, isTried, now(ctx));
  const exhausted = backlog?.exhausted ?? 0;
  const mayEdit = may(role, "webhooks.edit");
  const mayResend = may(role, "webhooks.resend");
  const done = oneOf(given, "done");
  const date = (at: Date) => format.dateTime(at, { dateStyle: "medium", timeStyle: "short" });
  const when = (name: string, at: Date | null): Fact[] => (at ? [{ name, value: date(at) }] : []);
  const open = (doing: string) => `${path}?do=${doing}`;
  return (
    <>
      <BackLink href={LIST} text={t("title")} />
      <PageHead
        title={<span className="break-all font-mono text-lg">{webhook.endpoint}</span>}
        action={
          <>
            <LinkButton href={`${LIST}/deliveries?webhook=${webhook.id}`}>{t("tabDeliveries")}</LinkButton>
            {mayEdit && webhook.status && ctx.account.mode === "sandbox" ? (
              <LinkButton href={sampleAddress(sampleOf(webhook.event), webhook.id)}>{t("sample")}</LinkButton>
            ) : null}
            {mayEdit ? (
              <>
                <LinkButton href={open("edit")} scroll={false}>
                  {t("edit")}
                </LinkButton>
                <LinkButton href={open(webhook.status ? "off" : "on")} scroll={false}>
                  {webhook.status ? t("turnOff") : t("turnOn")}
                </LinkButton>
                <LinkButton href={open("replay")} scroll={false}>
                  {t("replay")}
                </LinkButton>
                <LinkButton href={open("delete")} scroll={false} tone="quiet">
                  {t("delete")}
                </LinkButton>
              </>
            ) : null}
          </>
        }
      />
      {done && Object.hasOwn(DONE_TEXTS, done) ? (
        // Guarantee: looked up only where the key exists.
        <DoneNote
          text={t(DONE_TEXTS[done as keyof typeof DONE_TEXTS], {
            count: Number.parseInt(oneOf(given, "count") ?? "0", 10),
          })}
        />
      ) : null}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_21rem]">
        <div className="grid grid-cols-1 gap-6">
          <Card>
            <CardHeader
              title={t("backlogTitle")}
              description={words.sentence(webhook, backlog, isTried, now(ctx))}
              actions={
                (mayEdit && waitingOf(backlog) > 0) || (mayResend && webhook.status && exhausted > 0) ? (
                  <>
                    {mayEdit && webhook.disabledReason === "delivery_failures" && waitingOf(backlog) > 0 ? (
                      <LinkButton href={open("on")} scroll={false} size="sm" tone="primary">
                        {t("sendBacklog", { count: waitingOf(backlog) })}
                      </LinkButton>
                    ) : null}
                    {mayResend && webhook.status && exhausted > 0 ? (
                      <LinkButton
                        href={`${LIST}/deliveries?webhook=${webhook.id}&status=exhausted&do=resend`}
                        size="sm"
                        tone="primary"
                      >
                        {t("resendFailed", { count: exhausted })}
                      </LinkButton>
                    ) : null}
                    {mayEdit && waitingOf(backlog) > 0 ? (
                      <LinkButton href={open("discard")} scroll={false} size="sm" tone="quiet">
                        {t("discard")}
                      </LinkButton>
                    ) : null}
                  </>
                ) : null
              }
            />
            <dl className="grid grid-cols-2 gap-4 px-5 py-4 sm:grid-cols-4">
              {(
                [
                  [t("countScheduled"), backlog?.scheduled],
                  [t("countSending"), backlog?.sending],
                  [t("countHeld"), backlog?.held],
                  [t("countExhausted"), backlog?.exhausted],
                ] as const
              ).map(([name, count]) => (
                <div key={name}>
                  <dt className="text-ink-2 text-sm">{name}</dt>
                  <dd className="font-semibold text-ink text-xl tabular-nums">{format.number(count ?? 0)}</dd>
                </div>
              ))}
            </dl>
            {backlog?.oldestOpenAt ? (
              <p className="px-5 pb-4 text-ink-2 text-sm">{t("oldest", { when: date(backlog.oldestOpenAt) })}</p>
            ) : null}
          </Card>
          {recent.length > 0 ? <RecentDeliveries webhookId={id} deliveries={recent} /> : null}
          <div>
            <div className="mb-3 flex flex-wrap items-end justify-between gap-3">
              <div>
                <h2 className="font-semibold text-base text-ink">{t("keyTitle")}</h2>
                <p className="mt-0.5 text-ink-2 text-sm">{t("keyText")}</p>
              </div>
              {mayEdit ? (
                <LinkButton href={open("rotate")} scroll={false} size="sm">
                  {t("rotate")}
                </LinkButton>
              ) : null}
            </div>
            <CodeBlock title={t("keyName")} code={webhook.publicKey} copyLabel={t("keyCopy")} />
            <CodeBlock
              className="mt-3"
              title={t("keyShort")}
              code={shortKeyOf(webhook.publicKey)}
              copyLabel={t("keyCopy")}
            />
            {webhook.previousPublicKey && webhook.previousKeyExpiresAt ? (
              <p className="mt-2 text-ink-2 text-sm">
                {t("previousKey", { when: date(webhook.previousKeyExpiresAt) })}
              </p>
            ) : null}
          </div>
        </div>
        <Card>
          <CardHeader title={t("health")} />
          <Facts
            facts={[
              { name: t("now"), value: <Badge tone={health.tone}>{health.text}</Badge> },
              { name: t("event"), value: webhook.event === "*" ? t("allEvents") : webhook.event },
              { name: t("version"), value: String(webhook.version) },
              ...(webhook.failures > 0 ? [{ name: t("failures"), value: format.number(webhook.failures) }] : []),
              ...when(t("firstFailure"), webhook.firstFailureAt),
              ...when(t("lastFailure"), webhook.lastFailureAt),
              ...(answer
                ? [
                    {
                      name: t("lastAnswer"),
                      value: (
                        <Link
                          href={`${LIST}/deliveries/${answer.deliveryId}`}
                          className="rounded-sm text-accent-ink underline underline-offset-4"
                        >
                          {words.answer(answer.statusCode, answer.error)}
                        </Link>
                      ),
                    },
                  ]
                : []),
              ...when(t("disabledAt"), webhook.disabledAt),
              ...when(t("createdAt"), webhook.createdAt),
              { name: t("id"), value: <span className="break-all font-mono text-xs">{webhook.id}</span> },
            ]}
          />
        </Card>
      </div>
      {mayEdit ? (
        <WebhookDialog
          account={ctx.account}
          doing={oneOf(given, "do")}
          webhook={webhook}
          waiting={waitingOf(backlog)}
          now={now(ctx)}
          path={path}
        />
      ) : null}
    </>
  );
}

/** One that the webhook takes: of several, the first of the catalog. */
const sampleOf = (listened: string): string =>
  EVENT_CATALOGUE.find(({ name, object }) => listened === "*" || name === listened || `${object}.*` === listened)
    ?.name ?? listened;

/** The 32 bytes alone, as libraries of Standard Webhooks take them: the end of what stands in the PEM. */
const shortKeyOf = (pem: string): string => {
  const der = Buffer.from(pem.replace(/-----[^-]+-----/g, ""), "base64");
  return `whpk_${der.subarray(der.length - 32).toString("base64")}`;
};
