import type { Metadata } from "next";
import { getFormatter, getTranslations } from "next-intl/server";
import { cache } from "react";
import { placeOf } from "@/app/(dashboard)/dashboard/developers/places";
import { resendAction } from "@/app/(dashboard)/dashboard/developers/webhooks/actions";
import { STATUS_TONES, webhookWords } from "@/app/(dashboard)/dashboard/developers/webhooks/words";
import { lastedWords } from "@/app/(dashboard)/lasted";
import { type GivenParameters, oneOf } from "@/app/(dashboard)/list-url";
import { orNotFound, requireRight } from "@/app/(dashboard)/operator-context";
import { tabTitle } from "@/app/(dashboard)/tab-title";
import { taskTexts } from "@/app/(dashboard)/task-texts";
import { ActionDialog } from "@/components/charges/action-dialog";
import { BackLink } from "@/components/dashboard/back-link";
import { DoneNote } from "@/components/dashboard/done-note";
import { EventName } from "@/components/dashboard/event-name";
import { Facts } from "@/components/dashboard/facts";
import { PageHead } from "@/components/dashboard/page-head";
import { TaskForm } from "@/components/tasks/task-form";
import { Badge } from "@/components/ui/badge";
import { Card, CardHeader } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { LinkButton } from "@/components/ui/link-button";
import { inSnapshot, now } from "@/lib/context";
import { may } from "@/lib/operators/permissions";
import { deliveryCurl } from "@/lib/webhooks/curl";
import { deliveryDetail } from "@/lib/webhooks/explorer";
import { type VerifiedSignature, verifyAttempt } from "@/lib/webhooks/verify";

const LIST = "/dashboard/developers/webhooks/deliveries";
const NEWEST_ATTEMPTS = 10;

const read = cache(async (id: string) => {
  const member = await requireRight(`${LIST}/${id}`, "webhooks.see");
  return { ...member, found: await orNotFound(inSnapshot(member.ctx, (inside) => deliveryDetail(inside, id))) };
});

export async function generateMetadata({ params }: DeliveryPageProps): Promise<Metadata> {
  const [{ found }, t] = await Promise.all([read((await params).id), getTranslations("webhooks")]);
  return tabTitle(found.delivery.event, t("tabDeliveries"));
}

interface DeliveryPageProps {
  params: Promise<{ id: string }>;
  searchParams: Promise<GivenParameters>;
}

export default async function DeliveryPage({ params, searchParams }: DeliveryPageProps) {
  const [{ id }, given] = await Promise.all([params, searchParams]);
  const path = `${LIST}/${id}`;
  const { ctx, role, found } = await read(id);
  const { delivery, isBehind, webhook, body, attempts } = found;
  const [t, words, format, lasted] = await Promise.all([
    getTranslations("webhooks"),
    webhookWords(),
    getFormatter(),
    lastedWords(),
  ]);
  const date = (at: Date) => format.dateTime(at, { dateStyle: "medium", timeStyle: "medium" });
  const mayResend = may(role, "webhooks.resend") && webhook?.status === true && body !== null;
  const place = placeOf(delivery.event, delivery.entityId);
  // What is inside a body may be a buyer's: only those who may read whole requests see it.
  const mayRead = may(role, "requests.see");
  const isVerifying = mayRead && oneOf(given, "do") === "verify";
  const last = attempts.at(-1);
  const next = words.next(delivery, isBehind, now(ctx));
  // An endpoint that was away for days has hundreds of them.
  const earlier = oneOf(given, "attempts") === "all" ? 0 : Math.max(0, attempts.length - NEWEST_ATTEMPTS);
  return (
    <>
      <BackLink href={LIST} text={t("tabDeliveries")} />
      <PageHead
        title={
          <span className="font-mono text-lg">
            <EventName name={delivery.event} />
          </span>
        }
        action={
          <>
            {place ? <LinkButton href={place}>{t("openObject")}</LinkButton> : null}
            {mayRead && webhook && body !== null && attempts.length > 0 ? (
              <LinkButton href={`${path}?do=verify`} scroll={false}>
                {t("verify")}
              </LinkButton>
            ) : null}
            {mayResend ? (
              <LinkButton href={`${path}?do=resend`} scroll={false} tone="primary">
                {t("resend")}
              </LinkButton>
            ) : null}
          </>
        }
      />
      {oneOf(given, "done") === "resent" ? <DoneNote text={t("doneReplayed", { count: 1 })} /> : null}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_21rem]">
        <div className="grid min-w-0 grid-cols-1 gap-6">
          {attempts.length === 0 ? (
            <p className="text-ink-2 text-sm">{words.notSent(delivery, webhook, isBehind)}</p>
          ) : null}
          {earlier > 0 ? (
            <LinkButton href={`${path}?attempts=all`} className="justify-self-start">
              {t("earlierAttempts", { count: earlier })}
            </LinkButton>
          ) : null}
          {attempts.slice(earlier).map((attempt) => (
            <Card key={attempt.number} className="overflow-hidden">
              <CardHeader
                title={t("attempt", { number: attempt.number })}
                description={t("attemptText", { when: date(attempt.at), lasted: lasted(attempt.durationMs) })}
                actions={
                  <Badge tone={attempt.statusCode !== null && attempt.statusCode < 300 ? "success" : "danger"}>
                    {words.answer(attempt.statusCode, attempt.error)}
                  </Badge>
                }
              />
              {mayRead ? (
                <div className="grid grid-cols-1 gap-4 p-5">
                  {isVerifying && webhook && body !== null ? (
                    <Verdict verified={verifyAttempt({ ...webhook, headers: attempt.requestHeaders, body })} />
                  ) : null}
                  <CodeBlock
                    title={t("requestHeaders")}
                    code={lines(attempt.requestHeaders)}
                    copyLabel={t("copyHeaders")}
                  />
                  {attempt.responseHeaders ? (
                    <CodeBlock
                      title={t("responseHeaders")}
                      code={lines(attempt.responseHeaders)}
                      copyLabel={t("copyHeaders")}
                    />
                  ) : null}
                  {attempt.responseBody ? (
                    <CodeBlock title={t("responseBody")} code={attempt.responseBody} copyLabel={t("copyBody")} />
                  ) : null}
                </div>
              ) : null}
            </Card>
          ))}
          {mayRead && body !== null ? (
            <CodeBlock
              title={attempts.length > 0 ? t("body") : t("bodyUnsent")}
              code={pretty(body)}
              copyLabel={t("copyBody")}
            />
          ) : null}
          {body === null ? <p className="text-ink-2 text-sm">{t("bodyGone")}</p> : null}
          {mayRead && last && body !== null ? (
            <section aria-labelledby="curl-title">
              <h2 id="curl-title" className="font-semibold text-base text-ink">
                {t("curlTitle")}
              </h2>
              <p className="mt-0.5 mb-3 text-ink-2 text-sm">{t("curlText")}</p>
              <CodeBlock
                title="bash"
                code={deliveryCurl(delivery.endpoint, last.requestHeaders, body)}
                copyLabel={t("curlCopy")}
              />
            </section>
          ) : null}
        </div>
        <Card>
          <CardHeader title={t("about")} />
          <Facts
            facts={[
              {
                name: t("status"),
                value: (
                  <Badge tone={STATUS_TONES[delivery.status]}>
                    {isBehind ? t("statusWaits") : words.status(delivery.status)}
                  </Badge>
                ),
              },
              ...(delivery.reason ? [{ name: t("reason"), value: delivery.reason }] : []),
              { name: t("endpoint"), value: <span className="break-all">{delivery.endpoint}</span> },
              { name: t("origin"), value: words.origin(delivery.origin) },
              { name: t("attempts"), value: format.number(delivery.attempts) },
              ...(next ? [{ name: t("nextAttempt"), value: next }] : []),
              ...(delivery.deliveredAt ? [{ name: t("deliveredAt"), value: date(delivery.deliveredAt) }] : []),
              { name: t("objectId"), value: <span className="break-all font-mono text-xs">{delivery.entityId}</span> },
              { name: t("objectVersion"), value: String(delivery.entityVersion) },
            ]}
          />
        </Card>
      </div>
      {mayResend && oneOf(given, "do") === "resend" ? (
        <ActionDialog title={t("resendTitle")} text={t("resendText", { endpoint: delivery.endpoint })} closeHref={path}>
          <TaskForm
            hidden={{ id: delivery.id, webhook: delivery.webhookId }}
            onAct={resendAction}
            closeHref={path}
            texts={await taskTexts(t("resend"))}
          />
        </ActionDialog>
      ) : null}
    </>
  );
}

const VERDICT_TEXTS = {
  current: "verifiedCurrent",
  previous: "verifiedPrevious",
  none: "verifiedNone",
} as const satisfies Record<VerifiedSignature, string>;

async function Verdict({ verified }: { verified: VerifiedSignature }) {
  const t = await getTranslations("webhooks");
  const isValid = verified !== "none";
  return (
    <p role="status" className="flex flex-wrap items-center gap-2 text-ink text-sm">
      <Badge tone={isValid ? "success" : "danger"}>{isValid ? t("valid") : t("invalid")}</Badge>
      {t(VERDICT_TEXTS[verified])}
    </p>
  );
}

const lines = (headers: Record<string, string>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
