import { CheckoutDocument } from "@/components/checkout/document";
import { money } from "@/components/checkout/formats";
import { Icon, type IconName } from "@/components/checkout/icons";
import { paymentData } from "@/components/checkout/island-data";
import { declinedText, isTrial, refusalText } from "@/components/checkout/notice";
import { About, Subject } from "@/components/checkout/order";
import { PaymentBody, walletHostOf } from "@/components/checkout/payment-body";
import { authorizeText, countText } from "@/components/checkout/plan";
import { RECEIPT_STATES } from "@/components/checkout/receipt";
import { isHoldReleased } from "@/components/checkout/released-hold";
import type { Shown } from "@/components/checkout/ways-on";
import { getTranslations, under, type Words } from "@/components/checkout/words";
import { LIVE_STATES } from "@/lib/checkout/live-states";
import { disputedPartOf } from "@/lib/checkout/money-lines";
import type { Frame, PaymentState, PaymentView, StartedView } from "@/lib/checkout/view";
import { momentDayText, timeText } from "@/lib/i18n/dates";

type Tone = "good" | "warn" | "bad" | "";
const MARKS: Record<PaymentState, readonly [icon: IconName | "wait" | "none", tone: Tone]> = {
  processing: ["wait", ""],
  authenticate: ["lock", "warn"],
  confirming: ["clock", "warn"],
  pix: ["none", ""],
  pixExpired: ["clock", "warn"],
  pixLate: ["back", "warn"],
  boleto: ["none", ""],
  boletoOverdue: ["none", "warn"],
  boletoClosed: ["clock", "warn"],
  wallet: ["link", ""],
  walletExpired: ["clock", "warn"],
  canceled: ["link", ""],
  declined: ["alert", "bad"],
  running: ["wait", ""],
  released: ["back", "warn"],
  authorised: ["check", "good"],
  paid: ["check", "good"],
  review: ["clock", "warn"],
  refunding: ["back", "warn"],
  partlyRefunded: ["back", ""],
  refunded: ["back", ""],
  disputed: ["alert", "warn"],
  started: ["check", "good"],
  mandate: ["none", ""],
  mandateEnded: ["clock", "warn"],
};

/** Whoever is asked for money reads what it is for. */
const isAsked = ({ state, instead }: PaymentView): boolean =>
  !instead && ["pix", "mandate", "boleto", "boletoOverdue", "wallet"].includes(state);

/** Whoever comes back to what is over reads what it was. */
const OVER: ReadonlySet<PaymentState> = new Set<PaymentState>([
  "pixExpired",
  "pixLate",
  "boletoClosed",
  "walletExpired",
  "canceled",
  "mandateEnded",
]);

/** Of a code that begins several charges. */
const isCounted = (view: PaymentView): view is PaymentView & { plan: StartedView } =>
  view.plan !== null && view.plan.nextOn !== null && view.plan.cycles !== null;

const INSTEAD_MARKS = { paid: ["check", "good"], running: ["clock", "warn"] } as const;

const REFRESH_SECONDS = 15;
const QUICK_REFRESH_SECONDS = 3;

interface PaymentPageProps extends Shown {
  /** Another card was sent once this payment had been made: it is not the one that was charged. */
  readonly isByOtherCard?: boolean;
  /** Another card asks for a script. */
  readonly needsScript?: boolean;
}

export function PaymentPage({ frame, view, isByOtherCard = false, needsScript = false }: PaymentPageProps) {
  const { locale, shop } = frame;
  const t = getTranslations("checkout", locale);
  const { state } = view;
  const heading = headingOf(t, frame, view);
  const isLive = LIVE_STATES.has(state) || view.instead === "running";
  // A hold lasts for days: without a script the page is loaded again by whoever wants to know.
  const isRefreshed = isLive && state !== "authorised";
  const islands = [
    ...(isLive ? ["live"] : []),
    ...(state === "declined" || view.pix || view.boleto || RECEIPT_STATES.has(state) ? ["payment"] : []),
    ...(view.device ? ["device"] : []),
    ...(frame.isEmbedded ? ["embed"] : []),
  ];
  const [icon, tone] = view.instead ? INSTEAD_MARKS[view.instead] : MARKS[state];
  return (
    <CheckoutDocument
      frame={frame}
      title={t("page.stateTitle", { heading, shop: shop?.name ?? "" })}
      state={state}
      privacy={privacyOf(t, view)}
      leadsToShop={state === "review" || (RECEIPT_STATES.has(state) && view.difference !== 0)}
      islands={islands}
      data={islands.length > 0 ? paymentData(frame, view) : undefined}
      refreshSeconds={
        isRefreshed
          ? state === "processing" || state === "running"
            ? QUICK_REFRESH_SECONDS
            : REFRESH_SECONDS
          : undefined
      }
    >
      <div className="state">
        <Mark icon={icon} tone={tone} />
        <h1 tabIndex={-1} id="heading">
          {heading}
        </h1>
        <Lead frame={frame} view={view} />
        {isAsked(view) ? (
          <div className="what">
            {isCounted(view) ? <p className="due">{countText({ plan: view.plan, locale })}</p> : null}
            <Subject order={view.order} locale={locale} />
          </div>
        ) : null}
        {OVER.has(state) && !isHoldReleased(view) ? <About about={view} locale={locale} /> : null}
        {isByOtherCard && (state === "paid" || state === "authorised") ? (
          <div className="box warn go left" role="status">
            <p>{t("pay.otherCard")}</p>
          </div>
        ) : null}
        <PaymentBody frame={frame} view={view} needsScript={needsScript} />
      </div>
    </CheckoutDocument>
  );
}

const privacyOf = (t: Words, { plan, method }: PaymentView): string | undefined =>
  plan ? t(method === "credit" ? "subscription.privacy" : "subscription.privacyOver") : undefined;

function Mark({ icon, tone }: { icon: IconName | "wait" | "none"; tone: Tone }) {
  if (icon === "none") return null;
  if (icon === "wait") return <div className="mark wait" aria-hidden="true" />;
  return (
    <div className={`mark ${tone}`}>
      <Icon name={icon} />
    </div>
  );
}

function headingOf(t: Words, { locale, currency }: Frame, view: PaymentView): string {
  const amount = money(locale, view.amount, currency);
  if (view.instead) return t(under("pay.instead", `${view.instead}.heading`));
  switch (view.state) {
    case "pix":
      return t("pay.pix.heading", { amount });
    case "running":
      return t("pay.running.heading", { count: view.cards.length });
    case "refunded":
      return t("pay.refunded.heading", { amount: money(locale, view.refunded, currency) });
    case "partlyRefunded":
      return t("pay.partlyRefunded.heading", { amount: money(locale, view.refunded, currency), total: amount });
    case "wallet":
      return t("pay.wallet.heading", {
        amount,
        wallet: view.method === "other" ? walletHostOf(view) : t(under("receipt", `method_${view.method}`)),
      });
    case "declined":
      return declinedOf(t, view).heading;
    case "processing":
      if (!isTrial(view.plan)) return t("pay.processing.heading");
      return t(view.method === "pix" ? "plan.processing.code" : "plan.processing.card");
    case "paid":
      return t(view.difference < 0 ? "pay.paid.headingPart" : "pay.paid.heading");
    case "confirming":
      return view.isAnalysed ? t("pay.analysed.heading") : t("pay.confirming.heading");
    default:
      return t(`${under("pay", view.state)}.heading`);
  }
}

const BACK_TO: Partial<Record<PaymentView["method"], "card" | "pix">> = { credit: "card", cards: "card", pix: "pix" };

const isOnSeveralCards = ({ refunds }: PaymentView): boolean =>
  new Set(refunds.flatMap(({ card }) => (card ? [`${card.brand} ${card.last4}`] : []))).size > 1;

const declinedOf = (t: Words, { refusal, plan }: PaymentView) =>
  declinedText(t, { refusal: refusal ?? "generic", isTrial: isTrial(plan) });

function disputedText(t: Words, { locale, currency }: Frame, view: PaymentView): string {
  const part = disputedPartOf(view);
  const date = momentDayText(locale, view.disputes[0]?.at ?? view.endedAt);
  if (!part) return t("pay.disputed.body", { date });
  const shown = (cents: number) => money(locale, cents, currency);
  return t("pay.disputed.part", { amount: shown(part.amount), total: shown(view.amount), date });
}

function Lead({ frame, view }: Shown) {
  const { locale, currency, shop } = frame;
  const t = getTranslations("checkout", locale);
  if (view.instead) return <p>{t(under("pay.instead", `${view.instead}.body`))}</p>;
  switch (view.state) {
    case "pix":
      return view.plan ? <p>{t("plan.pixAuthorizes")}</p> : null;
    case "mandate":
      return view.plan ? <p>{authorizeText({ plan: view.plan, locale, currency })}</p> : null;
    case "boleto":
      return null;
    case "declined": {
      const nothing = t("declined.nothing");
      return (
        <div role="alert">
          {declinedOf(t, view).lines.map((line) => (
            <p key={line}>{line === nothing ? <b>{line}</b> : line}</p>
          ))}
        </div>
      );
    }
    case "released":
      return (
        <>
          {view.refusal && view.declinedCard !== null ? (
            <p role="alert">
              {t("declined.severalCards", { number: view.declinedCard + 1, message: refusalText(t, view.refusal) })}
            </p>
          ) : null}
          <p>{t("pay.released.body")}</p>
          {view.canPayAgain && view.actions.includes("card") ? <p>{t("declined.heldAgain")}</p> : null}
        </>
      );
    case "paid":
      return <p>{t("pay.paid.body", { shop: shop?.name ?? "", amount: money(locale, view.amount, currency) })}</p>;
    case "authorised": {
      const count = view.cards.length;
      return (
        <p>
          {view.holdUntil
            ? t("pay.authorised.body", { count, date: momentDayText(locale, view.holdUntil) })
            : t("pay.authorised.bodyOpen", { count })}
        </p>
      );
    }
    case "canceled":
      return <p>{t(isHoldReleased(view) ? "pay.canceled.released" : "pay.canceled.body")}</p>;
    case "pixLate":
      return <p>{t("pay.pixLate.body", { endToEndId: view.endToEndId ?? "" })}</p>;
    case "boletoOverdue":
      return view.boleto ? (
        <p>{t("pay.boletoOverdue.body", { date: momentDayText(locale, view.boleto.payableUntil) })}</p>
      ) : null;
    case "boletoClosed":
    case "walletExpired":
      return (
        <p>
          {t(`${under("pay", view.state)}.body`)}{" "}
          {view.canRenew
            ? t(view.state === "walletExpired" && !view.hasOther ? "pay.walletExpired.same" : `pay.${view.state}.again`)
            : view.canPayAgain
              ? t("pay.otherMethod")
              : t("pay.askShop")}
        </p>
      );
    case "disputed":
      return <p>{disputedText(t, frame, view)}</p>;
    case "refunded":
    case "partlyRefunded":
      return <p>{t(under("pay.refunded", isOnSeveralCards(view) ? "cards" : (BACK_TO[view.method] ?? "body")))}</p>;
    case "authenticate":
      if (view.device) return <p>{t("pay.authenticate.looking")}</p>;
      return (
        <>
          <p>{t("pay.authenticate.body", { time: timeText(locale, view.challenge?.until ?? view.createdAt) })}</p>
          {view.challenge?.isSimulated ? (
            <p>
              <b>{t("pay.authenticate.simulated")}</b>
            </p>
          ) : null}
        </>
      );
    case "confirming":
      if (view.isAnalysed) return <p>{t("pay.analysed.body")}</p>;
      return (
        <>
          <p>{t("pay.confirming.body")}</p>
          {view.email ? <p>{t("pay.confirming.email", { email: view.email })}</p> : null}
        </>
      );
    case "processing":
      // components/checkout/islands/live.ts puts another sentence in its place.
      return <p id="soon">{t("pay.processing.body")}</p>;
    default:
      return <p>{t(`${under("pay", view.state)}.body`)}</p>;
  }
}
