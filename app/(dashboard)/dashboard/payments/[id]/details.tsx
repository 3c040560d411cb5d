import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { momentText, type Words } from "@/app/(dashboard)/dashboard/payments/[id]/sentences";
import { paymentWords } from "@/app/(dashboard)/dashboard/payments/words";
import { EmailText } from "@/components/dashboard/email-text";
import { type Fact, Facts } from "@/components/dashboard/facts";
import { Moment } from "@/components/dashboard/moment";
import { Card, CardHeader } from "@/components/ui/card";
import { maskTaxId } from "@/lib/brazil/cpf-cnpj";
import { holdReleasedAt } from "@/lib/charges/holds";
import type { PaymentOverview } from "@/lib/charges/overview";
import { owedAt } from "@/lib/payment-documents/late-fees";

interface DetailsProps {
  payment: PaymentOverview;
  words: Words;
}

export async function BuyerCard({ payment, listPath }: Pick<DetailsProps, "payment"> & { listPath: string }) {
  const t = await getTranslations("payments");
  const { buyer, holder, payer, card } = payment;
  const name = buyer?.name ?? holder?.name ?? card?.holder;
  const email = buyer?.email || payer?.email;
  const document = buyer?.document ?? payer?.document;
  if (!email && !document && !buyer) {
    return (
      <Card>
        <CardHeader title={t("buyerTitle")} />
        <p className="px-5 py-4 text-ink-2 text-sm">
          {card ? t("buyerCardOnly", { name: card.holder }) : t("buyerNone")}
        </p>
      </Card>
    );
  }
  const isOfHolder = !buyer?.document && payer?.document !== undefined;
  const q = email || document || buyer?.id;
  return (
    <Card>
      <CardHeader title={t("buyerTitle")} description={name} />
      <Facts
        facts={[
          ...(email ? [{ name: t("buyerEmail"), value: <EmailText address={email} /> }] : []),
          ...(document
            ? [{ name: t(isOfHolder ? "buyerHolderDocument" : "buyerDocument"), value: maskTaxId(document) }]
            : []),
        ]}
      />
      <p className="-mt-1 px-5 pb-4 text-sm">
        {(buyer ?? payer)?.isMasked ? (
          <span className="text-ink-3 text-xs">{t("buyerMasked")}</span>
        ) : q ? (
          <Link
            href={`${listPath}?${new URLSearchParams({ q })}`}
            className="text-accent-ink underline underline-offset-2"
          >
            {t("buyerOthers")}
          </Link>
        ) : null}
      </p>
    </Card>
  );
}

export async function DetailsCard({ payment, words, at }: DetailsProps & { at: Date }) {
  const t = await getTranslations("payments");
  const { method } = await paymentWords();
  const { row, card, merchant } = payment;
  const installments = row.installments ?? 1;
  const owed = owedAt(row, at);
  const text = (name: string, value: string | null | undefined): Fact[] => (value ? [{ name, value }] : []);
  const moment = (name: string, at: Date): Fact => ({
    name,
    value: <Moment at={at} text={momentText(words, at)} />,
  });
  return (
    <Card>
      <CardHeader title={t("factsTitle")} />
      <Facts
        facts={[
          moment(t("factCreated"), row.createdAt),
          { name: t("factId"), value: <span className="break-all font-mono text-xs">{row.id}</span> },
          ...text(t("factOrder"), row.orderId),
          ...text(t("factMerchant"), merchant),
          {
            name: t("factMethod"),
            value: (
              <>
                {method(row.paymentType)}
                {installments > 1 ? <> · {t("rowInstallments", { count: installments })}</> : null}
              </>
            ),
          },
          ...(card
            ? [
                {
                  name: t("factCard"),
                  value: (
                    <>
                      {t("cardNumber", { brand: card.brand, lastFour: card.lastFour })} · {card.expires}
                    </>
                  ),
                },
                ...(payment.buyer?.isMasked ? [] : [{ name: t("factCardHolder"), value: card.holder }]),
              ]
            : []),
          ...(owed === undefined
            ? []
            : [
                {
                  name: t("factOwed"),
                  value: t("factOwedOf", { owed: words.money(owed), face: words.money(row.amount) }),
                },
              ]),
          ...text(t("factDescription"), row.description),
          ...text(t("factStatement"), row.statementDescriptor),
          ...(row.expiresAt
            ? [
                row.status === "pre_authorized"
                  ? moment(t("factCaptureBy"), holdReleasedAt(row.expiresAt))
                  : moment(t("factExpires"), row.expiresAt),
              ]
            : []),
        ]}
      />
    </Card>
  );
}
