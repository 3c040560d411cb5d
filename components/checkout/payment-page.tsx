import type { ReactNode } from "react";
import { AtBank, AtDevice, ToBank } from "@/components/checkout/bank";
import { CheckoutDocument } from "@/components/checkout/document";
import { money } from "@/components/checkout/formats";
import { Icon, type IconName } from "@/components/checkout/icons";
import { paymentData } from "@/components/checkout/island-data";
import { Actions, declinedText, isTrial, refusalText } from "@/components/checkout/notice";
import { Boleto, OtherMethod, Pix } from "@/components/checkout/open-payments";
import { About, Subject } from "@/components/checkout/order";
import { authorizeText, countText, Started } from "@/components/checkout/plan";
import { RECEIPT_STATES, Receipt } from "@/components/checkout/receipt";
import { isHoldReleased, ReleasedHold } from "@/components/checkout/released-hold";
import { ShownAs } from "@/components/checkout/shown-as";
import { Simulate } from "@/components/checkout/simulate";
import { Slots } from "@/components/checkout/slots";
import { VisitShop } from "@/components/checkout/visit-shop";
import { Again, Back, Instead, type Shown } from "@/components/checkout/ways-on";
import { getTranslations, under, type Words } from "@/components/checkout/words";
import { LIVE_STATES } from "@/lib/checkout/live-states";
import { type Frame, type PaymentState, type PaymentView, type StartedView, shownAs } from "@/lib/checkout/view";
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
        {OVER.has(state) ? <About about={view} locale={locale} /> : null}
        {isByOtherCard && (state === "paid" || state === "authorised") ? (
          <div className="box warn go left" role="status">
            <p>{t("pay.otherCard")}</p>
          </div>
        ) : null}
        <Body frame={frame} view={view} needsScript={needsScript} />
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
        wallet: view.method === "other" ? hostOf(view) : t(under("receipt", `method_${view.method}`)),
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

const declinedOf = (t: Words, { refusal, plan }: PaymentView) =>
  declinedText(t, { refusal: refusal ?? "generic", isTrial: isTrial(plan) });

const hostOf = ({ continueUrl }: PaymentView): string => (continueUrl ? new URL(continueUrl).host : "");

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
    case "authorised":
      return (
        <p>
          {view.holdUntil
            ? t("pay.authorised.body", { date: momentDayText(locale, view.holdUntil) })
            : t("pay.authorised.bodyOpen")}
        </p>
      );
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
      return <p>{t("pay.disputed.body", { date: momentDayText(locale, view.endedAt) })}</p>;
    case "refunded":
    case "partlyRefunded":
      return <p>{t(under("pay.refunded", BACK_TO[view.method] ?? "body"))}</p>;
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

function Body({ frame, view, needsScript }: { frame: Frame; view: PaymentView; needsScript: boolean }): ReactNode {
  const { locale, base } = frame;
  const t = getTranslations("checkout", locale);
  const own = `${base}/p/${view.token}`;
  if (view.instead) return <Instead frame={frame} view={view} />;
  if (RECEIPT_STATES.has(view.state))
    return (
      <>
        {view.state === "paid" && view.plan ? (
          <Started frame={frame} plan={view.plan} isByBank={view.method === "pix"} />
        ) : null}
        <Receipt frame={frame} view={view} />
      </>
    );
  switch (view.state) {
    case "pix":
    case "mandate":
      return <Pix frame={frame} view={view} />;
    case "boleto":
    case "boletoOverdue":
      return <Boleto frame={frame} view={view} />;
    case "started":
      return view.plan ? <Started frame={frame} plan={view.plan} isByBank={view.method === "pix"} /> : null;
    case "processing":
      return (
        <>
          <Awaited frame={frame} view={view} />
          <p className="go" id="slow" hidden>
            {t("pay.processing.later")} <a href={`${own}?${shownAs(frame)}`}>{t("pay.processing.look")}</a>
          </p>
        </>
      );
    case "confirming":
      return <Awaited frame={frame} view={view} />;
    case "review":
      return (
        <>
          <Awaited frame={frame} view={view} />
          <div className="stack">
            <VisitShop frame={frame} />
          </div>
        </>
      );
    case "running":
      return <Slots frame={frame} view={view} />;
    case "released":
      return (
        <>
          <Slots frame={frame} view={view} />
          {view.canPayAgain ? (
            <Actions
              frame={frame}
              actions={view.actions}
              card={view.declinedCard ?? undefined}
              told={view.token}
              needsScript={needsScript}
              hasOther={view.hasOther}
            />
          ) : (
            <Back frame={frame} view={view} />
          )}
        </>
      );
    case "declined":
      return view.canPayAgain && view.actions.length > 0 ? (
        <Actions
          frame={frame}
          actions={view.actions}
          told={view.token}
          needsScript={needsScript}
          hasOther={view.hasOther}
        />
      ) : (
        <Back frame={frame} view={view} />
      );
    case "authenticate":
      if (view.device) return <AtDevice device={view.device} frame={frame} own={own} />;
      return view.challenge ? (
        <>
          <AtBank frame={frame} view={view} />
          <ToBank challenge={view.challenge} frame={frame} />
          <form method="post" action={`${own}/leave`}>
            <ShownAs frame={frame} />
            <button type="submit" className="btn plain">
              {t("button.otherWay")}
            </button>
          </form>
        </>
      ) : null;
    case "wallet":
      return view.continueUrl ? (
        <div className="stack">
          <a className="btn" href={view.continueUrl} rel="noreferrer" target={frame.isEmbedded ? "_top" : undefined}>
            {t("button.provider", { host: hostOf(view) })}
          </a>
          {view.canSimulate ? <Simulate frame={frame} own={own} /> : null}
          <OtherMethod frame={frame} view={view} />
        </div>
      ) : null;
    case "pixExpired":
    case "pixLate":
      // What began with the code has ended with it: whoever still wants it begins anew.
      if (view.plan || !view.canPayAgain) return <Back frame={frame} view={view} />;
      return <Again frame={frame} view={view} action={`${own}/renew`} label={t("button.renew")} />;
    case "walletExpired":
      return <Back frame={frame} view={view} method={view.method} />;
    case "canceled":
      return (
        <>
          {isHoldReleased(view) ? <ReleasedHold frame={frame} view={view} /> : null}
          <Back frame={frame} view={view} />
        </>
      );
    case "boletoClosed":
    case "mandateEnded":
      return <Back frame={frame} view={view} />;
    default:
      return null;
  }
}

/** What the bank is asked to pay; of a trial, or a code that is not there yet, nothing. */
function Awaited({ frame, view }: Shown) {
  if (view.method === "cards") return <Slots frame={frame} view={view} />;
  const [card] = view.cards;
  return (card ? card.amount > 0 : !view.plan) ? <AtBank frame={frame} view={view} /> : null;
}
