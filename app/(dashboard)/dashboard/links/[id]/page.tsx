import type { Metadata } from "next";
import { getFormatter, getLocale, getTranslations } from "next-intl/server";
import { toString as qrSvg } from "qrcode";
import { cache } from "react";
import { auditWords } from "@/app/(dashboard)/dashboard/audit/words";
import { LinkDialog } from "@/app/(dashboard)/dashboard/links/[id]/_parts/dialogs";
import { Figures } from "@/app/(dashboard)/dashboard/links/[id]/_parts/figures";
import { History } from "@/app/(dashboard)/dashboard/links/[id]/_parts/history";
import { Payer } from "@/app/(dashboard)/dashboard/links/[id]/_parts/payer";
import { Requests } from "@/app/(dashboard)/dashboard/links/[id]/_parts/requests";
import { Stops } from "@/app/(dashboard)/dashboard/links/[id]/_parts/stops";
import { subscriptionText } from "@/app/(dashboard)/dashboard/links/fields";
import { recipientOf } from "@/app/(dashboard)/dashboard/links/recipient";
import { linkName, linkWords, STATE_TONES } from "@/app/(dashboard)/dashboard/links/words";
import { chargeLook, paymentWords } from "@/app/(dashboard)/dashboard/payments/words";
import { AlarmNotes } from "@/app/(dashboard)/dashboard/settings/protection/alarm-notes";
import { SubscriptionsOf } from "@/app/(dashboard)/dashboard/subscriptions/subscriptions-of";
import { type GivenParameters, oneOf } from "@/app/(dashboard)/list-url";
import { orNotFound, requireRight } from "@/app/(dashboard)/operator-context";
import { tabTitle } from "@/app/(dashboard)/tab-title";
import { StatusBadge } from "@/components/charges/status-badge";
import { BackLink } from "@/components/dashboard/back-link";
import { DataList } from "@/components/dashboard/data-list";
import { DoneNote } from "@/components/dashboard/done-note";
import { Facts } from "@/components/dashboard/facts";
import { Moment } from "@/components/dashboard/moment";
import { PageHead } from "@/components/dashboard/page-head";
import { Share } from "@/components/links/share";
import { Badge } from "@/components/ui/badge";
import { Card, CardHeader } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";
import { formatCents } from "@/components/ui/money-format";
import { cardClosuresOf } from "@/lib/audit-trail/queries";
import { payersOf } from "@/lib/charges/payer";
import { searchPayments } from "@/lib/charges/search";
import { listLinkRequests } from "@/lib/checkout/new-link";
import { linkFigures } from "@/lib/checkout/visits";
import { inSnapshot, now } from "@/lib/context";
import { notFound } from "@/lib/errors";
import { isUuid } from "@/lib/ids";
import { may } from "@/lib/operators/permissions";
import { getSession, historyOf } from "@/lib/sessions/queries";
import { paymentLinkOf } from "@/lib/sessions/serializer";
import { linkStateOf, multiplePaymentsOf } from "@/lib/sessions/state";
import { inForceOn } from "@/lib/velocity/alarms";

const LIST = "/dashboard/links";
const DONE_TEXTS = {
  created: "doneCreated",
  saved: "doneSaved",
  canceled: "doneCanceled",
  answered: "doneAnswered",
  paused: "donePaused",
  reopened: "doneReopened",
  off: "doneOff",
  on: "doneOn",
} as const;
const EDITABLE = new Set(["open", "in_use", "off", "expired", "limit_reached"]);
const SHOWN_RECORDS = 50;
const CLOSABLE = new Set(["open", "in_use", "off", "expired"]);

interface LinkPageProps {
  params: Promise<{ id: string }>;
  searchParams: Promise<GivenParameters>;
}

const installmentsText = (t: Awaited<ReturnType<typeof getTranslations<"links">>>, count: number): string =>
  count > 1 ? t("installmentsUpTo", { count }) : t("installmentsOne");

const read = cache(async (id: string) => {
  const member = await requireRight(`${LIST}/${id}`, "payments.see");
  return {
    ...member,
    session: await orNotFound(
      isUuid(id) ? inSnapshot(member.ctx, (inside) => getSession(inside, id)) : Promise.reject(notFound("session")),
    ),
  };
});

export async function generateMetadata({ params }: LinkPageProps): Promise<Metadata> {
  const [{ session }, t] = await Promise.all([read((await params).id), getTranslations("links")]);
  return tabTitle(linkName(session), t("title"));
}

export default async function LinkPage({ params, searchParams }: LinkPageProps) {
  const [{ id }, given] = await Promise.all([params, searchParams]);
  const path = `${LIST}/${id}`;
  const { ctx, role, session } = await read(id);
  const t = await getTranslations("links");
  const [words, paid, format, locale] = await Promise.all([linkWords(), paymentWords(), getFormatter(), getLocale()]);
  const { items: payments } = await searchPayments(ctx, role, { sessionId: session.id });
  const isNew = payments.length === 0;
  const { payers, requests, figures, history, closures, alarms } = await inSnapshot(ctx, async (inside) => ({
    payers: await payersOf(
      inside,
      role,
      payments.map((payment) => payment.id),
    ),
    requests: await listLinkRequests(inside, role, session.id),
    figures: await linkFigures(inside, session.id),
    history: await historyOf(inside, session.id, { page: 1, limit: SHOWN_RECORDS }),
    closures: await cardClosuresOf(inside, session.id, SHOWN_RECORDS),
    alarms: await inForceOn(inside, [session.id, session.merchantId]),
  }));
  const byHand = alarms.find(({ cause }) => cause === "person");
  const people = await auditWords(
    ctx,
    [...closures, ...history.items].map(({ actor }) => actor),
  );
  const closure = closures.find(({ action }) => action === "card_testing.paused");
  const credit = session.paymentMethods.find(({ paymentType }) => paymentType === "credit");
  const at = now(ctx);
  const state = linkStateOf(session, at);
  const counters = multiplePaymentsOf(session, at);
  const money = (cents: number) => formatCents(cents, session.currency, locale);
  const date = (moment: Date) => format.dateTime(moment, { dateStyle: "medium", timeStyle: "short" });
  const name = linkName(session);
  const address = paymentLinkOf(session.id);
  const mayEdit = may(role, "links.edit");
  const done = oneOf(given, "done");
  const to = await recipientOf(ctx, role, session, oneOf(given, "for"));
  return (
    <>
      <BackLink href={LIST} text={t("title")} />
      <PageHead
        title={name}
        action={
          mayEdit ? (
            <>
              <LinkButton href={`${LIST}/new?like=${session.id}`}>{t("duplicate")}</LinkButton>
              {EDITABLE.has(state) ? <LinkButton href={`${path}/edit`}>{t("edit")}</LinkButton> : null}
            </>
          ) : null
        }
      />
      {done && Object.hasOwn(DONE_TEXTS, done) ? (
        // Guarantee: looked up only where the key exists.
        <DoneNote text={t(DONE_TEXTS[done as keyof typeof DONE_TEXTS])} />
      ) : null}
      <AlarmNotes alarms={alarms} closedBy={closure && people.actor(closure.actor)} />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_21rem]">
        <div className="grid grid-cols-1 gap-6">
          {isNew ? null : <Figures figures={figures} />}
          {session.hasLink && (state === "open" || state === "in_use") ? (
            <Share
              title={t("share")}
              description={t("shareText")}
              address={address}
              to={to}
              qr={await qrSvg(address, { type: "svg", margin: 0 })}
              subject={t("subject", { name })}
              message={t("message", { name, amount: money(session.amount), address })}
              texts={{
                share: t("shareAction"),
                copy: t("copy"),
                copyMessage: t("copyMessage"),
                whatsapp: t("whatsapp"),
                email: t("email"),
                qr: t("qr"),
              }}
            />
          ) : null}
          {isNew ? <Figures figures={figures} /> : null}
          {requests.length > 0 ? <Requests requests={requests} path={path} mayAnswer={mayEdit} /> : null}
          {session.subscription && may(role, "subscriptions.see") ? (
            <SubscriptionsOf ctx={ctx} role={role} of={{ sessionId: session.id }} title={t("started")} />
          ) : null}
          <Card className="overflow-hidden">
            <CardHeader title={t("attempts")} description={t("attemptsText")} />
            {payments.length === 0 ? (
              <p className="px-5 py-6 text-ink-3 text-sm">{t("noAttempts")}</p>
            ) : (
              <DataList
                caption={t("attempts")}
                columns={[
                  { key: "amount", title: t("amount") },
                  { key: "state", title: t("state") },
                  { key: "method", title: t("method") },
                  { key: "buyer", title: t("buyer"), isMinor: true },
                  { key: "date", title: t("date"), isNumeric: true },
                ]}
                rows={payments.map((payment) => ({
                  id: payment.id,
                  href: `/dashboard/payments/${payment.id}`,
                  cells: [
                    formatCents(payment.originalAmount, payment.currency, locale),
                    <StatusBadge key="state" status={chargeLook(payment)} text={paid.status(payment)} />,
                    paid.method(payment.method),
                    <Payer key="buyer" payment={payment} payer={payers.get(payment.id)} none={t("none")} />,
                    <Moment key="date" at={payment.createdAt} text={date(payment.createdAt)} />,
                  ],
                }))}
              />
            )}
          </Card>
          <History
            rows={history.items}
            nameOf={people.actor}
            closures={closures.map((each) => ({ ...each, who: people.actor(each.actor) }))}
            isWhole={history.items.length === history.totalItems}
            currency={session.currency}
          />
        </div>
        <div className="grid grid-cols-1 gap-6">
          <Card>
            <CardHeader title={t("about")} />
            <Facts
              facts={[
                { name: t("state"), value: <Badge tone={STATE_TONES[state]}>{words(state)}</Badge> },
                { name: t("amount"), value: money(session.amount) },
                ...(session.subscription
                  ? [{ name: t("subscription"), value: await subscriptionText(session.subscription) }]
                  : []),
                {
                  name: t("payments"),
                  value:
                    counters.maxPayments === null || counters.maxPayments < 0
                      ? format.number(counters.paymentCount)
                      : t("paidOf", { count: counters.paymentCount, most: counters.maxPayments }),
                },
                { name: t("waiting"), value: format.number(counters.pendingCount) },
                {
                  name: t("methods"),
                  value: session.paymentMethods.map(({ paymentType }) => paid.method(paymentType)).join(", "),
                },
                ...(credit && !session.subscription
                  ? [{ name: t("installments"), value: installmentsText(t, Number(credit.installments ?? 1)) }]
                  : []),
                { name: t("due"), value: session.dueAt ? date(session.dueAt) : t("none") },
                { name: t("order"), value: session.orderId ?? t("none") },
                { name: t("createdAt"), value: date(session.createdAt) },
                { name: t("id"), value: <span className="break-all font-mono text-xs">{session.id}</span> },
              ]}
            />
          </Card>
          {mayEdit && CLOSABLE.has(state) ? (
            <Stops
              id={session.id}
              path={path}
              state={state}
              takesCards={credit !== undefined}
              areCardsClosed={byHand !== undefined}
            />
          ) : null}
        </div>
      </div>
      {mayEdit ? (
        <LinkDialog
          doing={oneOf(given, "do")}
          id={session.id}
          name={name}
          path={path}
          isClosable={CLOSABLE.has(state)}
          isOpen={state === "open"}
          asked={requests.find(({ id: request }) => request === oneOf(given, "request"))}
        />
      ) : null}
    </>
  );
}
