import { CheckoutDocument } from "@/components/checkout/document";
import { type FormState, PayButton } from "@/components/checkout/fields";
import { money } from "@/components/checkout/formats";
import { Icon, type IconName } from "@/components/checkout/icons";
import { islandData } from "@/components/checkout/island-data";
import { BrandRow, CardFields } from "@/components/checkout/method-forms";
import { CaptchaStatus, CardsNeedScript } from "@/components/checkout/needs-script";
import { NoticeBox } from "@/components/checkout/notice";
import { Items } from "@/components/checkout/order";
import { VisitShop } from "@/components/checkout/visit-shop";
import { getTranslations, under, type Words } from "@/components/checkout/words";
import type {
  OverView,
  PastCharge,
  SubscriptionClosed,
  SubscriptionNow,
  SubscriptionPageView,
} from "@/lib/checkout/subscription-view";
import type { Frame, OrderView } from "@/lib/checkout/view";
import { civilDayText, momentDayText } from "@/lib/i18n/dates";
import type { Locale } from "@/lib/i18n/locales";

interface Props {
  readonly frame: Frame;
  readonly view: SubscriptionPageView;
}

/** Where every form and link of the page leads: the signed link goes along. */
export const cardPageAddress = ({ base }: Frame, token: string, path = ""): string =>
  `${base}${path}?t=${encodeURIComponent(token)}`;

/** A subscription as its buyer sees it: what happens next, another card, and its end where the shop allows it. */
export function SubscriptionPage({ frame, view }: Props) {
  const { locale, shop, currency } = frame;
  const t = getTranslations("checkout", locale);
  const price = money(locale, view.amount, currency);
  const again = `${cardPageAddress(frame, view.token)}&lang=${locale}`;
  const data = islandData(frame, view, view.brands);
  const asksToCancel = !view.mayCancel && view.now.kind !== "ends";
  return (
    <CheckoutDocument
      frame={frame}
      title={t("subscription.title", { name: view.name, shop: shop?.name ?? "" })}
      state="subscription"
      privacy={t("subscription.privacy")}
      leadsToShop={asksToCancel}
      islands={["core", "card", ...(view.captcha ? ["captcha"] : [])]}
      data={{
        ...data,
        again,
        captcha: { ...data.captcha, url: cardPageAddress(frame, view.token, "/captcha") },
      }}
      side={
        <div className="sum">
          <h1>
            <small>{t("subscription.heading")}</small>
            {view.name}
          </h1>
          <p className="due">{t(under("subscription.plan", view.interval), { amount: price })}</p>
          {view.items.length > 1 ? <Items order={orderOf(view, currency)} locale={locale} /> : null}
        </div>
      }
    >
      {view.done ? (
        <div className="card good" role="status">
          <p>{t(under("subscription.done", view.done))}</p>
        </div>
      ) : null}
      <p className="go">{nowText(frame, view.now)}</p>
      {view.reason ? <p>{t(under("decline", view.reason))}</p> : null}
      {view.card ? <p className="note">{t("subscription.card", view.card)}</p> : null}
      {view.counted ? <p className="note">{t("subscription.counted", view.counted)}</p> : null}
      {view.receiptsTo ? <p className="note">{t("subscription.receipts", { email: view.receiptsTo })}</p> : null}
      <div id="alert">
        {view.notice ? (
          <NoticeBox
            frame={frame}
            view={{ ...view, order: orderOf(view, currency), chosen: "card", cards: 1 }}
            notice={view.notice}
          />
        ) : null}
      </div>
      {view.now.kind === "pending" ? null : <OtherCard frame={frame} view={view} />}
      <Past frame={frame} past={view.past} />
      {view.mayCancel ? <Cancel frame={frame} view={view} /> : null}
      {asksToCancel ? <AskToCancel frame={frame} /> : null}
    </CheckoutDocument>
  );
}

const orderOf = ({ amount, items }: SubscriptionPageView, currency: string): OrderView => ({
  amount,
  currency,
  title: null,
  description: null,
  statement: null,
  items,
  adjustment: 0,
  dueAt: null,
  orderId: null,
});

function nowText({ locale }: Frame, told: SubscriptionNow): string {
  const t = getTranslations("checkout", locale);
  const day = (on: string) => civilDayText(locale, on);
  switch (told.kind) {
    case "trial":
      return told.until === told.first
        ? t("subscription.now.trialSameDay", { until: day(told.until) })
        : t("subscription.now.trial", { until: day(told.until), first: day(told.first) });
    case "next":
    case "retry":
    case "card":
    case "ends":
      return t(under("subscription.now", told.kind), { on: day(told.on) });
    default:
      return t(under("subscription.now", told.kind));
  }
}

function Past({ frame: { locale, currency }, past }: { frame: Frame; past: readonly PastCharge[] }) {
  const t = getTranslations("checkout", locale);
  if (past.length === 0) return null;
  return (
    <section className="card go">
      <h2>{t("subscription.past")}</h2>
      <ul className="items">
        {past.map(({ on, amount, isPaid, refunded }) => (
          <li key={on}>
            <span>
              {civilDayText(locale, on)}
              {isPaid ? null : <small> {t("subscription.pastFailed")}</small>}
              {refunded ? (
                <small>
                  {" "}
                  {refunded.isWhole
                    ? t("subscription.pastRefunded")
                    : t("subscription.pastPartRefunded", { amount: money(locale, refunded.amount, currency) })}
                </small>
              ) : null}
            </span>
            <b>{money(locale, amount, currency)}</b>
          </li>
        ))}
      </ul>
    </section>
  );
}

function OtherCard({ frame, view }: Props) {
  const { locale, currency } = frame;
  const t = getTranslations("checkout", locale);
  const owed = view.owed === null ? null : money(locale, view.owed, currency);
  const state: FormState = {
    locale,
    form: "card",
    values: view.values,
    problems: view.notice?.kind === "fields" ? view.notice.fields : [],
  };
  return (
    <details className="more go" open={view.owed !== null || view.notice !== null}>
      <summary>
        {t("subscription.other")}
        <Icon name="chevron" size={16} className="chev" />
      </summary>
      <section className="method only" aria-label={t("subscription.other")}>
        <div className="body">
          <form method="post" action={cardPageAddress(frame, view.token, "/card")} data-form="card" noValidate>
            <input type="hidden" name="lang" value={locale} />
            <input type="hidden" name="captcha" value="" />
            <BrandRow locale={locale} brands={view.brands} />
            <div className="grid">
              <CardFields state={state} />
            </div>
            <p className="note">
              {owed
                ? t("subscription.charged", { amount: owed })
                : t("subscription.checked", { amount: money(locale, 0, currency) })}
            </p>
            <CardsNeedScript captcha={view.captcha} locale={locale} isOnly />
            <CaptchaStatus />
            <PayButton
              locale={locale}
              needsScript={view.captcha !== null}
              icon="lock"
              text={owed ? t("subscription.pay", { amount: owed }) : t("subscription.save")}
            />
          </form>
        </div>
      </section>
    </details>
  );
}

/** Where the shop keeps that to itself. */
function AskToCancel({ frame }: Pick<Props, "frame">) {
  const t = getTranslations("checkout", frame.locale);
  return (
    <>
      <p className="note go">{t("subscription.askToCancel", { shop: frame.shop?.name ?? "" })}</p>
      <div className="stack">
        <VisitShop frame={frame} />
      </div>
    </>
  );
}

/** What it does is said before it is done. */
function Cancel({ frame, view }: Props) {
  const t = getTranslations("checkout", frame.locale);
  return (
    <details className="more go">
      <summary>
        {t("subscription.cancel")}
        <Icon name="chevron" size={16} className="chev" />
      </summary>
      <p>{t("subscription.cancelText")}</p>
      <form method="post" action={cardPageAddress(frame, view.token, "/cancel")}>
        <input type="hidden" name="lang" value={frame.locale} />
        <button type="submit" className="btn two go">
          {t("subscription.cancelButton")}
        </button>
      </form>
    </details>
  );
}

const MARKS: Record<SubscriptionClosed, readonly [icon: IconName, tone: "good" | "warn" | ""]> = {
  expired: ["clock", "warn"],
  sent: ["check", "good"],
  again: ["check", "good"],
  canceled: ["link", ""],
  ended: ["check", "good"],
};

function closedText(t: Words, locale: Locale, state: SubscriptionClosed, { name, at }: OverView): string {
  switch (state) {
    case "canceled":
      return t("subscription.closed.canceled.body", { name, date: momentDayText(locale, at) });
    case "ended":
      return t("subscription.closed.ended.body", { name });
    default:
      return t(`subscription.closed.${state}.body`);
  }
}

/** Nothing can be changed here: the subscription is over, or the link is too old. */
export function ClosedSubscription({
  frame,
  state,
  token,
  over,
}: {
  frame: Frame;
  state: SubscriptionClosed;
  token: string;
  over: OverView;
}) {
  const { locale, shop } = frame;
  const t = getTranslations("checkout", locale);
  const heading = t(`subscription.closed.${state}.heading`);
  const [icon, tone] = MARKS[state];
  return (
    <CheckoutDocument
      frame={frame}
      title={t("page.stateTitle", { heading, shop: shop?.name ?? "" })}
      state={`subscription-${state}`}
      privacy={t("subscription.privacyOver")}
    >
      <div className="state">
        <div className={`mark ${tone}`}>
          <Icon name={icon} />
        </div>
        <h1 tabIndex={-1}>{heading}</h1>
        <p>{closedText(t, locale, state, over)}</p>
        {state === "canceled" && over.toldTo ? (
          <p>{t("subscription.closed.canceled.mail", { email: over.toldTo })}</p>
        ) : null}
        {state === "expired" ? (
          <form method="post" action={cardPageAddress(frame, token, "/link")} className="stack">
            <input type="hidden" name="lang" value={locale} />
            <button type="submit" className="btn">
              {t("subscription.send")}
            </button>
          </form>
        ) : null}
      </div>
      <Past frame={frame} past={over.past} />
    </CheckoutDocument>
  );
}
