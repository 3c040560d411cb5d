import { getTranslations as getCheckoutTranslations } from "@/components/checkout/words";
import { Action, Anchor, Facts, Note, Paragraph, Title } from "@/components/emails/parts";
import { cardName, money, orderFacts } from "@/components/emails/payment-words";
import { methodName } from "@/components/emails/receipt";
import type { EmailTemplate, Letter } from "@/components/emails/template";
import { getTranslations, shownInstant } from "@/components/emails/words";

const values = ({ data, locale, brand }: Letter<"refund">) => ({
  amount: money(data.amount, locale),
  shop: brand.name,
});

/** Where the money arrives, and how soon, is each method's own; of cards the page says it in the same words. */
const ARRIVAL = {
  pix: "refundToPix",
  boleto: "refundToBoleto",
  nupay: "refundToWallet",
  drip: "refundToWallet",
  wallet: "refundToWallet",
} as const;

export const template: EmailTemplate<"refund"> = {
  subject: (letter) => getTranslations("mail", letter.locale)("refundSubject", values(letter)),
  preview: (letter) => getTranslations("mail", letter.locale)("refundBody", values(letter)),
  Body(letter) {
    const { data, locale, look } = letter;
    const t = getTranslations("mail", locale);
    return (
      <>
        <Title look={look}>{t("refundTitle", values(letter))}</Title>
        <Paragraph look={look}>{t("refundBody", values(letter))}</Paragraph>
        <Note look={look}>
          {data.method === "card" || data.method === "cards"
            ? getCheckoutTranslations(
                "checkout",
                locale,
              )(data.cards.length > 1 ? "pay.refunded.cards" : "pay.refunded.card")
            : t(ARRIVAL[data.method])}
        </Note>
        <Facts
          look={look}
          facts={[
            [t("date"), t("saoPauloTime", { at: shownInstant(data.at, locale) })],
            [t("method"), methodName(data.method, locale)],
            ...data.cards.map((card) => [cardName(card, locale), money(card.amount, locale)] as const),
            [t("card"), data.last4 ? cardName({ brand: data.brand ?? "Unknown", last4: data.last4 }, locale) : null],
            [t("paid"), money(data.paidAmount, locale)],
            [t("refundedSoFar"), money(data.refundedAmount, locale)],
            [t("subName"), data.subscription],
            ...orderFacts(data, locale),
            [t("payment"), data.paymentId],
          ]}
        />
        {data.documents.map(({ kind, url }) => (
          <Paragraph key={url} look={look}>
            <Anchor look={look} href={url}>
              {kind === "letter" ? t("letter") : t("refundReceipt")}
            </Anchor>
          </Paragraph>
        ))}
        {data.url ? (
          <Action look={look} href={data.url}>
            {data.isToSubscription ? t("subActionSee") : t("seePayment")}
          </Action>
        ) : null}
        {data.isToSubscription ? <Note look={look}>{t("subLinkNote")}</Note> : null}
      </>
    );
  },
};
