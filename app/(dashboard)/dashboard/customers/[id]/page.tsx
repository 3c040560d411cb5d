import { CreditCard, TriangleAlert, WalletCards } from "lucide-react";
import type { Metadata } from "next";
import { getFormatter, getLocale, getTranslations } from "next-intl/server";
import { cache } from "react";
import { EndingSubscriptions } from "@/app/(dashboard)/dashboard/customers/[id]/ending-subscriptions";
import { OtherRecords, PersonLine } from "@/app/(dashboard)/dashboard/customers/[id]/other-records";
import {
  deleteCustomerAction,
  removeCardAction,
  updateCustomerAction,
} from "@/app/(dashboard)/dashboard/customers/actions";
import { paymentWords, shownAmount, shownItem } from "@/app/(dashboard)/dashboard/payments/words";
import { SubscriptionsOf } from "@/app/(dashboard)/dashboard/subscriptions/subscriptions-of";
import { ExplanationSheet } from "@/app/(dashboard)/explanation-sheet";
import { type GivenParameters, oneOf, withParameters } from "@/app/(dashboard)/list-url";
import { orNotFound, requireRight } from "@/app/(dashboard)/operator-context";
import { tabTitle } from "@/app/(dashboard)/tab-title";
import { taskTexts } from "@/app/(dashboard)/task-texts";
import { ActionDialog } from "@/components/charges/action-dialog";
import { StatusBadge } from "@/components/charges/status-badge";
import { BackLink } from "@/components/dashboard/back-link";
import { DataList } from "@/components/dashboard/data-list";
import { DoneNote } from "@/components/dashboard/done-note";
import { EmailText } from "@/components/dashboard/email-text";
import { Facts } from "@/components/dashboard/facts";
import { Moment } from "@/components/dashboard/moment";
import { PageHead } from "@/components/dashboard/page-head";
import { WhyLink } from "@/components/dashboard/why-link";
import { TaskForm } from "@/components/tasks/task-form";
import { Badge } from "@/components/ui/badge";
import { Card, CardHeader } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";
import { formatCents } from "@/components/ui/money-format";
import type { PostalAddress } from "@/db/schema/customers";
import { maskTaxId } from "@/lib/brazil/cpf-cnpj";
import { shownPhone } from "@/lib/brazil/phone";
import { customerFiguresOf, customerOverview, personFiguresOf, sameDocument } from "@/lib/customers/operator-queries";
import { may } from "@/lib/operators/permissions";
import { type ListedItem, listPayments } from "@/lib/search/payments";

const LIST = "/dashboard/customers";
const CARD_TEXTS = { active: "cardActive", pending: "cardPending", failed: "cardFailed" } as const;

const read = cache(async (id: string) => {
  const member = await requireRight(`${LIST}/${id}`, "payments.see");
  return { ...member, customer: await orNotFound(customerOverview(member.ctx, member.role, id)) };
});

export async function generateMetadata({ params }: CustomerPageProps): Promise<Metadata> {
  const [{ customer }, t] = await Promise.all([read((await params).id), getTranslations("customers")]);
  return tabTitle(customer.buyer.name, t("title"));
}

interface CustomerPageProps {
  params: Promise<{ id: string }>;
  searchParams: Promise<GivenParameters>;
}

export default async function CustomerPage({ params, searchParams }: CustomerPageProps) {
  const [{ id }, given] = await Promise.all([params, searchParams]);
  const path = `${LIST}/${id}`;
  const { ctx, role, customer } = await read(id);
  const { row, buyer, cards } = customer;
  const [t, inList, words, format, locale] = await Promise.all([
    getTranslations("customers"),
    getTranslations("payments"),
    paymentWords(),
    getFormatter(),
    getLocale(),
  ]);
  const [{ items: payments, next: older }, figures, people, others] = await Promise.all([
    listPayments(ctx, role, { buyer: row.id }, { isCounted: false }),
    customerFiguresOf(ctx, [row.id]),
    personFiguresOf(ctx, [row.id]),
    sameDocument(ctx, role, row, { isAll: oneOf(given, "others") === "all" }),
  ]);
  const person = people.get(row.id);
  const otherRecords = (person?.records ?? 1) - 1;
  const paid = figures.get(row.id);
  const date = (at: Date) => <Moment at={at} text={format.dateTime(at, { dateStyle: "medium", timeStyle: "short" })} />;
  const amountOf = (payment: ListedItem) => {
    const money = (cents: number) => formatCents(cents, payment.currency, locale);
    const beside = words.beside(payment, money);
    return (
      <span key="amount">
        {money(shownAmount(payment))}
        {beside ? <span className="block text-ink-3 text-xs">{beside}</span> : null}
      </span>
    );
  };
  const doing = oneOf(given, "do");
  const mayRemove = may(role, "customers.edit");
  const chosen = cards.find((card) => card.id === oneOf(given, "card"));
  return (
    <>
      <ExplanationSheet ctx={ctx} role={role} path={path} given={given} subject={{ customerId: row.id }} />
      <BackLink href={LIST} text={t("title")} />
      <PageHead
        title={buyer.name}
        description={
          <>
            {!paid?.payments ? (
              t("paidNone")
            ) : paid.isMore ? (
              t("paidMany")
            ) : (
              <WhyLink href={`${path}?why=customer.paid`}>
                {t("paid", { count: paid.payments, amount: formatCents(paid.total, "BRL", locale) })}
              </WhyLink>
            )}
            <span className="block empty:hidden">
              <PersonLine person={person} />
            </span>
          </>
        }
        action={
          <>
            {may(role, "subscriptions.edit") ? (
              <LinkButton href={`/dashboard/subscriptions/new?customer=${id}`}>{t("newSubscription")}</LinkButton>
            ) : null}
            {may(role, "customers.edit") && !buyer.isMasked ? (
              <LinkButton href={`${path}?do=edit`} scroll={false}>
                {t("edit")}
              </LinkButton>
            ) : null}
            {may(role, "customers.delete") ? (
              <LinkButton href={`${path}?do=delete`} scroll={false} tone="quiet">
                {t("delete")}
              </LinkButton>
            ) : null}
          </>
        }
      />
      {oneOf(given, "done") === "saved" ? <DoneNote text={t("doneSaved")} /> : null}
      {oneOf(given, "done") === "card" ? <DoneNote text={t("doneCard")} /> : null}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_21rem]">
        <div className="grid grid-cols-1 gap-6">
          <Card className="overflow-hidden">
            <CardHeader
              title={t("payments")}
              actions={
                older ? (
                  <LinkButton href={`/dashboard/payments?buyer=${row.id}`} size="sm">
                    {t("allPayments")}
                  </LinkButton>
                ) : null
              }
            />
            {payments.length === 0 ? (
              <p className="flex items-center gap-2.5 px-5 py-6 text-ink-3 text-sm">
                <WalletCards aria-hidden className="size-4" />
                {t("noPayments")}
              </p>
            ) : (
              <DataList
                caption={t("payments")}
                columns={[
                  { key: "amount", title: t("amount") },
                  { key: "status", title: t("status") },
                  { key: "method", title: t("method") },
                  { key: "order", title: t("order"), isMinor: true, isFlexible: true },
                  { key: "date", title: t("date"), isNumeric: true, isFolded: true },
                ]}
                rows={payments.map((payment) => ({
                  id: payment.id,
                  href: `/dashboard/payments/${payment.id}`,
                  cells: [
                    amountOf(payment),
                    payment.needsReview ? (
                      <Badge key="status" tone="warning" icon={TriangleAlert}>
                        {inList("review")}
                      </Badge>
                    ) : (
                      <StatusBadge key="status" status={shownItem(payment).status} text={words.item(payment)} />
                    ),
                    wayOf(words.paidWith(payment)),
                    payment.orderId ?? t("none"),
                    date(payment.createdAt),
                  ],
                }))}
              />
            )}
          </Card>
          {may(role, "subscriptions.see") ? (
            <SubscriptionsOf ctx={ctx} role={role} of={{ customerId: row.id }} title={t("subscriptions")} />
          ) : null}
          <Card className="overflow-hidden">
            <CardHeader title={t("cards")} />
            {cards.length === 0 ? (
              <p className="flex items-center gap-2.5 px-5 py-6 text-ink-3 text-sm">
                <CreditCard aria-hidden className="size-4" />
                {t("noCards")}
              </p>
            ) : (
              <DataList
                caption={t("cards")}
                columns={[
                  { key: "card", title: t("card") },
                  { key: "expiry", title: t("expiry") },
                  { key: "status", title: t("status") },
                  { key: "date", title: t("since"), isNumeric: true },
                ]}
                {...(mayRemove ? { actions: t("removeCard") } : {})}
                rows={cards.map((card) => ({
                  id: card.id,
                  actions: mayRemove ? (
                    <LinkButton href={`${path}?do=remove-card&card=${card.id}`} scroll={false} size="sm" tone="quiet">
                      {t("removeCard")}
                    </LinkButton>
                  ) : null,
                  cells: [
                    <span key="card" className="inline-flex items-center gap-2">
                      {t("cardName", { brand: card.brand, lastFour: card.last4digits })}
                      {card.id === row.defaultCardId ? <Badge tone="neutral">{t("cardDefault")}</Badge> : null}
                    </span>,
                    t("expiryDate", { month: card.expirationMonth, year: card.expirationYear }),
                    t(CARD_TEXTS[card.status]),
                    date(card.createdAt),
                  ],
                }))}
              />
            )}
          </Card>
        </div>
        <div className="grid grid-cols-1 gap-6">
          <Card>
            <CardHeader title={t("about")} description={buyer.isMasked ? t("masked") : undefined} />
            <Facts
              facts={[
                { name: t("email"), value: buyer.email ? <EmailText address={buyer.email} /> : t("none") },
                { name: t("document"), value: buyer.document === null ? t("none") : maskTaxId(buyer.document) },
                ...(buyer.isMasked ? [] : [{ name: t("phone"), value: shownPhone(row.phoneNumber) }]),
                ...(row.address && !buyer.isMasked
                  ? [
                      {
                        name: t("address"),
                        value: addressLines(row.address).map((line) => (
                          <span key={line} className="block">
                            {line}
                          </span>
                        )),
                      },
                    ]
                  : []),
                { name: t("since"), value: date(row.createdAt) },
                { name: t("id"), value: <span className="break-all font-mono text-xs">{row.id}</span> },
              ]}
            />
          </Card>
          <OtherRecords
            buyer={buyer}
            others={others}
            count={otherRecords}
            allHref={withParameters(path, given, { others: "all" })}
          />
        </div>
      </div>
      {doing === "edit" && may(role, "customers.edit") && !buyer.isMasked ? (
        <ActionDialog title={t("editTitle")} text={t("editText")} closeHref={path}>
          <TaskForm
            hidden={{ id: row.id }}
            onAct={updateCustomerAction}
            closeHref={path}
            texts={await taskTexts(t("save"))}
            fields={[
              { name: "name", label: t("name"), initial: row.name, isRequired: true },
              { name: "phoneNumber", label: t("phone"), kind: "phone", initial: row.phoneNumber },
            ]}
          />
        </ActionDialog>
      ) : null}
      {doing === "remove-card" && chosen && mayRemove ? (
        <ActionDialog
          title={t("removeCardTitle")}
          text={t("removeCardText", { brand: chosen.brand, lastFour: chosen.last4digits })}
          closeHref={path}
        >
          <TaskForm
            hidden={{ id: row.id, card: chosen.id }}
            isDangerous
            onAct={removeCardAction}
            closeHref={path}
            texts={await taskTexts(t("removeCardButton"))}
          />
        </ActionDialog>
      ) : null}
      {doing === "delete" && may(role, "customers.delete") ? (
        <ActionDialog
          title={t("deleteTitle")}
          text={[
            t("deleteText", { name: buyer.name, cards: cards.length }),
            ...(otherRecords > 0 ? [t("deleteOthersKept", { count: otherRecords })] : []),
          ].join(" ")}
          closeHref={path}
        >
          <TaskForm
            hidden={{ id: row.id }}
            isDangerous
            onAct={deleteCustomerAction}
            closeHref={path}
            texts={await taskTexts(t("deleteButton"))}
          >
            <EndingSubscriptions ctx={ctx} customerId={row.id} />
          </TaskForm>
        </ActionDialog>
      ) : null}
    </>
  );
}

const wayOf = ({ text, detail }: { text: string; detail: string | undefined }): string =>
  detail ? [text, detail].join(" ") : text;

/** As an envelope is written in Brazil: street, district, city, postal code. */
const addressLines = ({ street, streetNumber, complement, district, city, state, zipCode }: PostalAddress): string[] =>
  [
    [street, streetNumber, complement].filter(Boolean).join(", "),
    district ?? "",
    [city, state].filter(Boolean).join(" – "),
    zipCode ?? "",
  ].filter(Boolean);
