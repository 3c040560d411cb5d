import { CheckoutDocument } from "@/components/checkout/document";
import { money } from "@/components/checkout/formats";
import { Icon, type IconName } from "@/components/checkout/icons";
import { islandData } from "@/components/checkout/island-data";
import { NewLink } from "@/components/checkout/new-link";
import { About } from "@/components/checkout/order";
import { VisitShop } from "@/components/checkout/visit-shop";
import { getTranslations, under, type Words } from "@/components/checkout/words";
import type { About as Told } from "@/lib/checkout/about";
import { type ClosedState, type ClosedView, type Frame, shownAs } from "@/lib/checkout/view";
import { momentDayText, timeText } from "@/lib/i18n/dates";

const MARKS: Record<ClosedState, readonly [icon: IconName, tone: "good" | "warn" | "bad" | ""]> = {
  in_use: ["clock", "warn"],
  paid: ["check", "good"],
  paid_here: ["check", "good"],
  limit: ["link", ""],
  expired: ["clock", "warn"],
  off: ["pause", ""],
  canceled: ["link", ""],
  voided: ["back", ""],
  no_method: ["alert", "warn"],
  no_boleto: ["clock", "warn"],
  unknown: ["link", ""],
  error: ["alert", "bad"],
};

/** The shop is who helps on. */
const ASKS_SHOP: ReadonlySet<ClosedState> = new Set<ClosedState>(["off", "no_boleto"]);

/** A link that cannot be paid now: what is the case, and what the buyer can do. */
export function ClosedPage({ frame, view, about }: { frame: Frame; view: ClosedView; about: Told | null }) {
  const { locale, shop, base } = frame;
  const t = getTranslations("checkout", locale);
  const { state, payment, reference, newLink, paidHere } = view;
  const [icon, tone] = MARKS[state];
  const heading = headingOf(t, frame, view);
  const title = shop ? t("page.stateTitle", { heading, shop: shop.name }) : t("page.bareTitle", { heading });
  const isStarted = paidHere?.kind === "started";
  const asksShop = ASKS_SHOP.has(state) || view.isRefused;
  const again = state === "error" || state === "no_method";
  return (
    <CheckoutDocument
      frame={frame}
      title={title}
      state={state}
      islands={[
        ...(state === "in_use" ? ["core"] : []),
        ...(newLink === "form" ? ["email"] : []),
        ...(frame.isEmbedded ? ["embed"] : []),
      ]}
      data={state === "in_use" ? islandData(frame, null) : undefined}
      leadsToShop={asksShop}
      refreshSeconds={state === "in_use" ? 15 : undefined}
    >
      <div className="state">
        <div className={`mark ${tone}`}>
          <Icon name={icon} />
        </div>
        <h1 tabIndex={-1}>{heading}</h1>
        {view.isTaken ? <p role="alert">{t("decline.link_taken")}</p> : null}
        {view.isTaken && state === "paid" ? null : <p>{bodyOf(t, frame, view)}</p>}
        {about ? <About about={about} locale={locale} /> : null}
        {view.isRefused ? (
          <p>
            <b>{t("declined.nothing")}</b>
          </p>
        ) : null}
        {view.isForgotten ? <p role="status">{t("known.forgotten")}</p> : null}
        {reference ? <p className="muted">{t("page.reference", { id: reference })}</p> : null}
        <div className="stack">
          {payment ? (
            <a className="btn" href={payment}>
              {view.isRunning || isStarted
                ? t("button.open")
                : t(isSubscribed(view) ? "plan.started.open" : "button.receipt")}
            </a>
          ) : null}
          {view.canChooseOther ? (
            <a className="btn two" href={`${base}?${paidHere ? "again" : "other"}=1&${shownAs(frame)}`}>
              {t(paidHere ? (isStarted ? "button.subscribeAgain" : "button.payAgain") : "button.other")}
            </a>
          ) : null}
          {again ? (
            <a className="btn" href={`${base}?${shownAs(frame)}`}>
              {t("button.reload")}
            </a>
          ) : null}
          {asksShop ? <VisitShop frame={frame} /> : null}
        </div>
      </div>
      {newLink ? <NewLink frame={frame} state={newLink} asked={view.asked} /> : null}
    </CheckoutDocument>
  );
}

/** Inside a shop's page the buyer was sent no link. */
const OF_LINK = ["paid", "limit", "off", "canceled", "voided", "no_boleto"] as const;
const isOfLink = (state: ClosedState): state is (typeof OF_LINK)[number] => OF_LINK.some((each) => each === state);

function headingOf(t: Words, { locale, currency, isEmbedded }: Frame, view: ClosedView): string {
  const { state, date, paidHere } = view;
  if (state === "expired") {
    const day = { date: date ? momentDayText(locale, date) : "" };
    return isEmbedded ? t("embedded.expired", day) : t("link.expired.heading", day);
  }
  if (isEmbedded && isOfLink(state)) return t(under("embedded", state));
  if (isSubscribed(view)) return t("link.paid.subscribed");
  if (state !== "paid_here") return t(`link.${state}.heading`);
  if (paidHere?.kind === "started") return t("link.paid_here.started");
  if (paidHere?.kind === "authorised") return t("pay.authorised.heading");
  return t("link.paid_here.heading", { amount: money(locale, paidHere?.amount ?? 0, currency) });
}

function bodyOf(t: Words, { locale }: Frame, view: ClosedView): string {
  const { state, paidHere } = view;
  if (isSubscribed(view)) return t(isOwnPaid(view) ? "link.paid.subscribedOwn" : "link.paid.subscribedBody");
  if (isOwnPaid(view)) return t("link.paid.own");
  if (state !== "paid_here") return t(`link.${state}.body`);
  if (!paidHere) return "";
  const { at, isToday, kind } = paidHere;
  const time = timeText(locale, at);
  if (kind === "started") return t("link.paid_here.startedBody");
  return isToday
    ? t("link.paid_here.today", { time })
    : t("link.paid_here.body", { date: momentDayText(locale, at), time });
}

const isSubscribed = ({ state, isSubscription }: ClosedView): boolean => state === "paid" && isSubscription;

/** Paid by this very browser. */
const isOwnPaid = ({ state, payment, isRunning }: ClosedView): boolean =>
  state === "paid" && payment !== null && !isRunning;
