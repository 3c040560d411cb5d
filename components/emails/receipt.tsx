import { getTranslations as getCheckoutTranslations, under } from "@/components/checkout/words";
import { Action, Facts, Note, Paragraph, Subtitle, Title } from "@/components/emails/parts";
import { cardFacts, money } from "@/components/emails/payment-words";
import type { EmailTemplate, Letter } from "@/components/emails/template";
import { getTranslations, shownInstant } from "@/components/emails/words";
import type { Locale } from "@/lib/i18n/locales";
import type { MailData } from "@/lib/mail/templates";
import { extraLinesOf } from "@/lib/payment-documents/views";

const values = ({ data, locale, brand }: Letter<"receipt">) => ({
  amount: money(data.amount, locale),
  total: money(data.amount - data.difference, locale),
  difference: money(Math.abs(data.difference), locale),
  count: Math.max(1, data.cards.length),
  shop: brand.name,
});

/** Pix and boletos take whatever is paid: more than was asked for, or less. Of a card's hold the shop may take a part. */
function differenceOf(letter: Letter<"receipt">): string | undefined {
  const { amount, difference, method, notCharged } = letter.data;
  if (notCharged > 0) {
    const [charged, total] = [money(amount, letter.locale), money(amount + notCharged, letter.locale)];
    return getCheckoutTranslations("checkout", letter.locale)("receipt.capturedPart", { amount: charged, total });
  }
  if (difference === 0) return undefined;
  const t = getTranslations("mail", letter.locale);
  if (difference < 0) return t("underpaid", values(letter));
  return t(method === "boleto" ? "overpaidBoleto" : "overpaid", values(letter));
}

export const template: EmailTemplate<"receipt"> = {
  subject(letter) {
    const t = getTranslations("mail", letter.locale);
    if (letter.data.status !== "paid") return t("authorizedSubject", values(letter));
    return t(letter.data.difference < 0 ? "partSubject" : "receiptSubject", values(letter));
  },
  preview(letter) {
    const t = getTranslations("mail", letter.locale);
    return letter.data.status === "paid" ? t("receiptBody", values(letter)) : t("authorizedBody", values(letter));
  },
  Body(letter) {
    const { data, locale, look } = letter;
    const t = getTranslations("mail", locale);
    const isPaid = data.status === "paid";
    const difference = differenceOf(letter);
    const cards = data.cards.map((card, index) => ({ ...card, number: index + 1 }));
    return (
      <>
        <Title look={look}>
          {isPaid ? t(data.difference < 0 ? "partTitle" : "receiptTitle") : t("authorizedTitle")}
        </Title>
        <Paragraph look={look}>
          {isPaid ? t("receiptBody", values(letter)) : t("authorizedBody", values(letter))}
        </Paragraph>
        {difference ? <Note look={look}>{difference}</Note> : null}
        {data.holdUntil && !isPaid ? (
          <Note look={look}>{t("holdUntil", { at: shownInstant(data.holdUntil, locale) })}</Note>
        ) : null}
        <Facts
          look={look}
          facts={[
            [t("amount"), money(data.amount, locale)],
            [t("date"), t("saoPauloTime", { at: shownInstant(data.at, locale) })],
            [
              t("method"),
              cards.length > 1 ? t("methodCardsCount", { count: cards.length }) : methodName(data.method, locale),
            ],
            [t("order"), data.orderId],
            [t("about"), data.title],
            [t("details"), data.about],
            [t("endToEndId"), data.endToEndId],
            [t("line"), data.digitableLine],
            [t("payment"), data.paymentId],
          ]}
        />
        {cards.map((card) => (
          <section key={card.number}>
            {cards.length > 1 ? <Subtitle look={look}>{t("cardNumber", { number: card.number })}</Subtitle> : null}
            <Facts look={look} facts={cardFacts(card, locale, cards.length === 1)} />
          </section>
        ))}
        {data.items.length > 0 ? <Subtitle look={look}>{t("items")}</Subtitle> : null}
        <Facts
          look={look}
          facts={[
            ...data.items.map((item) => itemFact(item, locale)),
            [t("adjustment"), data.adjustment ? money(data.adjustment, locale) : null],
            ...(data.items.length > 0 ? extraLinesOf(data) : []).map(
              ({ kind, amount }) =>
                [
                  getCheckoutTranslations("checkout", locale)(under("receipt.extra", kind)),
                  money(amount, locale),
                ] as const,
            ),
          ]}
        />
        {data.statement ? (
          <Note look={look}>
            {getCheckoutTranslations("checkout", locale)("summary.statement", { name: data.statement })}
          </Note>
        ) : null}
        <Action look={look} href={data.url}>
          {t("receiptAction")}
        </Action>
      </>
    );
  },
};

const METHODS = {
  pix: "methodPix",
  boleto: "methodBoleto",
  card: "methodCard",
  cards: "methodCards",
  nupay: "methodNupay",
  drip: "methodDrip",
  wallet: "methodWallet",
} as const;

export const methodName = (method: keyof typeof METHODS, locale: Locale): string =>
  getTranslations("mail", locale)(METHODS[method]);

const itemFact = (item: MailData<"receipt">["items"][number], locale: Locale) =>
  [
    getTranslations("mail", locale)("item", { title: item.title, quantity: item.quantity }),
    money(item.amount, locale),
  ] as const;
