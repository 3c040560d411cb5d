import { money } from "@/components/checkout/formats";
import { Icon } from "@/components/checkout/icons";
import { countText, priceText } from "@/components/checkout/plan";
import { getTranslations, under } from "@/components/checkout/words";
import type { About as Told } from "@/lib/checkout/about";
import type { OrderView, PlanView } from "@/lib/checkout/view";
import { momentDayText } from "@/lib/i18n/dates";
import type { Locale } from "@/lib/i18n/locales";
import type { extraLinesOf } from "@/lib/payment-documents/views";

const ITEMS_SHOWN_OPEN = 2;
/** Signs of an amount that fit a small phone in the largest type. */
const MOST_LARGE = 12;

interface OrderProps {
  readonly order: OrderView;
  /** Of a link that starts a subscription. */
  readonly plan: PlanView | null;
  readonly locale: Locale;
  readonly shop: string;
}

export function Order({ order, plan, locale, shop }: OrderProps) {
  const t = getTranslations("checkout", locale);
  const { amount, currency } = order;
  const shown = money(locale, amount, currency);
  return (
    <div className="sum">
      <h1 className={!plan && shown.length > MOST_LARGE ? "long" : undefined}>
        <small>{t("open.to", { shop })}</small>
        {plan ? priceText({ plan, locale, currency }) : shown}
      </h1>
      {plan?.cycles ? <p className="due">{countText({ plan, locale })}</p> : null}
      <Subject order={order} locale={locale} dueAt={order.dueAt} />
    </div>
  );
}

/** Of what can be paid no more, or not now: which one it is. */
export function About({ about: { order, plan }, locale }: { about: Told; locale: Locale }) {
  const { amount, currency } = order;
  return (
    <div className="what">
      <p>
        <b>{plan ? priceText({ plan, locale, currency }) : money(locale, amount, currency)}</b>
      </p>
      <Subject order={order} locale={locale} />
    </div>
  );
}

/** What the payment is for; longer lists are folded. `dueAt` is told of a link that can still be paid. */
export function Subject({ order, locale, dueAt }: Pick<OrderProps, "order" | "locale"> & { dueAt?: Date | null }) {
  const t = getTranslations("checkout", locale);
  const { items, orderId, title, description } = order;
  const [only] = items;
  const isTitle =
    items.length === 1 && only?.name === title && !only?.description && only?.quantity === 1 && order.adjustment === 0;
  // "Order 1010" may already be what the shop wrote.
  const isNamed = [title, description].some((text) => orderId && text?.split(/[\s,.;:#]+/).includes(orderId));
  const list = isTitle ? null : <Items order={order} locale={locale} />;
  return (
    <>
      {title ? <p className="due">{title}</p> : null}
      {description ? <p className="due">{description}</p> : null}
      {orderId && !isNamed ? <p className="due">{t("summary.order", { id: orderId })}</p> : null}
      {dueAt ? <p className="due">{t("summary.due", { date: momentDayText(locale, dueAt) })}</p> : null}
      {items.length > ITEMS_SHOWN_OPEN ? (
        <details className="more">
          <summary>
            {t("summary.items", { count: items.length })}
            <Icon name="chevron" size={16} className="chev" />
          </summary>
          {list}
        </details>
      ) : (
        list
      )}
    </>
  );
}

interface ItemsProps {
  readonly order: OrderView;
  readonly locale: Locale;
  /** What stands between the order and what was paid. */
  readonly extras?: ReturnType<typeof extraLinesOf>;
}

export function Items({ order, locale, extras = [] }: ItemsProps) {
  const t = getTranslations("checkout", locale);
  const price = (cents: number) => money(locale, cents, order.currency);
  return (
    <ul className="items">
      {order.items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items have no identity of their own and never move
        <li key={index}>
          <span>
            {item.name}
            {item.quantity > 1 ? (
              <small className="each">
                {" "}
                {t("summary.quantity", { quantity: item.quantity, price: price(item.unitPrice) })}
              </small>
            ) : null}
            {item.description ? <small className="about">{item.description}</small> : null}
          </span>
          <b>{price(item.unitPrice * item.quantity)}</b>
        </li>
      ))}
      {order.adjustment === 0 ? null : (
        <li>
          <span>{t("summary.adjustment")}</span>
          <b>{price(order.adjustment)}</b>
        </li>
      )}
      {extras.map(({ kind, amount }) => (
        <li key={kind}>
          <span>{t(under("receipt.extra", kind))}</span>
          <b>{price(amount)}</b>
        </li>
      ))}
    </ul>
  );
}
