import { Download } from "@/components/checkout/download";
import { groupedLine, money } from "@/components/checkout/formats";
import { Items } from "@/components/checkout/order";
import { exactText } from "@/components/checkout/parts";
import { cardName } from "@/components/checkout/slots";
import { VisitShop } from "@/components/checkout/visit-shop";
import { getTranslations, under } from "@/components/checkout/words";
import type { CardLine } from "@/lib/checkout/card-lines";
import { partsOf } from "@/lib/checkout/instalments";
import { receiptTitle } from "@/lib/checkout/order-title";
import type { Frame, PaymentState, PaymentView } from "@/lib/checkout/view";
import { momentDayText, timeText } from "@/lib/i18n/dates";
import { extraLinesOf, type MoneyLine } from "@/lib/payment-documents/views";

/** Shown as a receipt, which changes with what becomes of the money. */
export const RECEIPT_STATES: ReadonlySet<PaymentState> = new Set<PaymentState>([
  "authorised",
  "paid",
  "refunding",
  "partlyRefunded",
  "refunded",
  "disputed",
]);

/** Later e-mails tell of something else. */
const RECEIPT_SENT: ReadonlySet<PaymentState> = new Set<PaymentState>(["paid", "authorised"]);

/** Permanent and printable: the same rows on paper. */
export function Receipt({ frame, view }: { frame: Frame; view: PaymentView }) {
  const { locale, currency, shop, base } = frame;
  const t = getTranslations("checkout", locale);
  const { order, method, cards } = view;
  const shown = (cents: number) => money(locale, cents, currency);
  const methodName =
    method === "cards"
      ? t("receipt.method_cards", { count: cards.length })
      : method === "pix" && view.plan?.nextOn
        ? t("plan.pix")
        : t(under("receipt", `method_${method}`));
  const rows: [label: string, value: string | null][] = [
    [t("receipt.shop"), shop?.name ?? null],
    [
      t("receipt.date"),
      t("receipt.when", { date: momentDayText(locale, view.endedAt), time: timeText(locale, view.endedAt) }),
    ],
    [t("receipt.method"), methodName],
    [t("receipt.endToEnd"), view.endToEndId],
    [t("receipt.line"), view.boleto && groupedLine(view.boleto.line)],
    [t("receipt.order"), order.orderId],
    [t("receipt.about"), receiptTitle(order)],
    [t("receipt.details"), order.description],
    [t("receipt.payment"), view.id],
  ];
  return (
    <>
      <Difference frame={frame} view={view} />
      <section className="card" aria-label={t("receipt.title")}>
        <p className="amount">{shown(view.amount)}</p>
        <dl className="go">
          {rows.map(([label, value]) =>
            value ? (
              <div className="row" key={label}>
                <dt>{label}</dt>
                <dd className={value === view.id ? "id" : undefined}>{value}</dd>
              </div>
            ) : null,
          )}
          {cards.length === 1
            ? cards.map((card) => <CardRows key={card.index} frame={frame} card={card} isOne />)
            : null}
          <MoneyRows frame={frame} label={t("receipt.sentBack")} lines={view.sentBack} />
          <MoneyRows frame={frame} label={t("receipt.refund")} lines={view.refunds} />
          <MoneyRows frame={frame} label={t("receipt.dispute")} lines={view.disputes} />
        </dl>
        {cards.length > 1
          ? cards.map((card) => (
              <section key={card.index} aria-labelledby={`card-${card.index}`}>
                <h2 className="go" id={`card-${card.index}`}>
                  {t("slot.line", { number: card.index + 1 })}
                </h2>
                <dl>
                  <CardRows frame={frame} card={card} isOne={false} />
                </dl>
              </section>
            ))
          : null}
        {order.items.length > 0 ? (
          <>
            <h2 className="go">{t("receipt.items")}</h2>
            <Items order={order} locale={locale} extras={extraLinesOf(view)} />
          </>
        ) : null}
      </section>
      {cards.length > 0 && order.statement ? (
        <p className="note">{t("summary.statement", { name: order.statement })}</p>
      ) : null}
      {view.email && RECEIPT_SENT.has(view.state) ? (
        <p className="note noprint">{t("receipt.email", { email: view.email })}</p>
      ) : null}
      <div className="inline go noprint">
        <button type="button" className="btn two" data-print="" hidden>
          {t("button.print")}
        </button>
        <Download frame={frame} href={`${base}/p/${view.token}/receipt.pdf?lang=${locale}`}>
          {t("button.pdf")}
        </Download>
      </div>
    </>
  );
}

/** What became of the money, each with its day and, of several cards, the card. */
function MoneyRows({ frame, label, lines }: { frame: Frame; label: string; lines: readonly MoneyLine[] }) {
  const { locale, currency } = frame;
  const t = getTranslations("checkout", locale);
  return lines.map(({ amount, at, card }, index) => {
    const told = { amount: money(locale, amount, currency), date: momentDayText(locale, at) };
    const name = card && cardName(t, card);
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity of their own and never move
      <div className="row" key={index}>
        <dt>{label}</dt>
        <dd className="sums">
          {name ? t("receipt.cardLine", { ...told, card: name }) : t("receipt.refundLine", told)}
        </dd>
      </div>
    );
  });
}

/** Pix and boletos take whatever is paid: more than was asked, or less. Of a card's hold the shop may take a part. */
function Difference({ frame, view }: { frame: Frame; view: PaymentView }) {
  const { locale, currency } = frame;
  const t = getTranslations("checkout", locale);
  const { amount, difference, notCharged, order, method } = view;
  if (notCharged > 0) {
    const [charged, total] = [money(locale, amount, currency), money(locale, order.amount, currency)];
    return <p className="note">{t("receipt.capturedPart", { amount: charged, total })}</p>;
  }
  if (difference === 0) return null;
  const shown = {
    amount: money(locale, Math.abs(difference), currency),
    total: money(locale, order.amount, currency),
  };
  return (
    <div className="box warn go left">
      <p>
        {difference < 0
          ? t("receipt.underpaid", shown)
          : t(method === "boleto" ? "receipt.overpaidBoleto" : "receipt.overpaid", shown)}
      </p>
      <VisitShop frame={frame} />
    </div>
  );
}

function CardRows({ frame, card, isOne }: { frame: Frame; card: CardLine; isOne: boolean }) {
  const { locale, currency } = frame;
  const t = getTranslations("checkout", locale);
  const name = cardName(t, card) ?? t("slot.anyCard");
  const rows: [label: string, value: string | null, kind?: "whole" | "sums"][] = [
    [t("receipt.card"), name],
    [t("receipt.amount"), isOne ? null : money(locale, card.amount, currency), "whole"],
    [
      t("receipt.installments"),
      card.amount > 0 ? exactText(t, locale, currency, partsOf(card.amount, card.installments)) : null,
      "sums",
    ],
    [t("receipt.authorization"), card.authorizationCode, "whole"],
    [t("receipt.nsu"), card.nsu, "whole"],
  ];
  return rows.map(([label, value, kind]) =>
    value ? (
      <div className="row" key={label}>
        <dt>{label}</dt>
        <dd className={kind}>{value}</dd>
      </div>
    ) : null,
  );
}
