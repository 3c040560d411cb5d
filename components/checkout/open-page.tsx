import { CardsForm } from "@/components/checkout/cards-form";
import { CheckoutDocument } from "@/components/checkout/document";
import { type FormState, formId } from "@/components/checkout/fields";
import { money } from "@/components/checkout/formats";
import { Icon, type IconName } from "@/components/checkout/icons";
import { islandData } from "@/components/checkout/island-data";
import { Known } from "@/components/checkout/known";
import { BoletoForm, CardForm, type MethodFormProps, PixForm } from "@/components/checkout/method-forms";
import { NoticeBox } from "@/components/checkout/notice";
import { Order } from "@/components/checkout/order";
import { WalletForm } from "@/components/checkout/wallet-form";
import { getTranslations } from "@/components/checkout/words";
import { saoPauloDay } from "@/lib/brazil/bank-calendar";
import {
  type Frame,
  type MethodKind,
  type MethodView,
  type OpenView,
  shownAs,
  type TypedValues,
} from "@/lib/checkout/view";
import { civilDayText, momentDayText } from "@/lib/i18n/dates";

const ICONS: Record<MethodKind, IconName> = {
  pix: "pix",
  card: "card",
  cards: "cards",
  boleto: "boleto",
  nupay: "nupay",
  drip: "drip",
};

/** The link, open for payment. */
export function OpenPage({ frame, view }: { frame: Frame; view: OpenView }) {
  const { locale, shop } = frame;
  const t = getTranslations("checkout", locale);
  const { order, methods, notice } = view;
  const name = shop?.name ?? "";
  const has = (kind: MethodKind) => methods.some((method) => method.kind === kind);
  const islands = [
    "core",
    "email",
    ...(has("card") || has("cards") ? ["card"] : []),
    ...(has("boleto") ? ["address"] : []),
    ...(view.chosen === "cards" ? ["splitter"] : []),
  ];
  return (
    <CheckoutDocument
      // In another language the form that stands open is the same, with what was typed in it.
      frame={{ languageForm: { id: formId(view.chosen), action: `${frame.base}/${view.chosen}` }, ...frame }}
      title={
        view.plan && view.plan.trialDays !== null
          ? t("page.stateTitle", { heading: t("plan.tryFree"), shop: name })
          : t("page.linkTitle", { amount: money(locale, order.amount, order.currency), shop: name })
      }
      state="open"
      privacy={view.plan && has("card") ? t("page.privacyPlan") : undefined}
      islands={[...islands, ...(view.captcha ? ["captcha"] : []), ...(frame.isEmbedded ? ["embed"] : [])]}
      data={islandData(frame, view, methods.find(({ brands }) => brands.length > 0)?.brands, addressOf(frame, view))}
      side={<Order order={order} plan={view.plan} locale={locale} shop={name} />}
    >
      {view.running ? (
        <div className="box warn" id="running">
          <h2>{t("link.in_use.heading")}</h2>
          <p>{t("link.in_use.open")}</p>
          <div className="stack">
            <a className="btn two" href={view.running}>
              {t("button.open")}
            </a>
          </div>
        </div>
      ) : null}
      <Known frame={frame} view={view} />
      {/* Right above the fields it speaks of: a small screen shows both. */}
      <div id="alert">
        {notice ? <NoticeBox frame={frame} view={view} notice={notice} /> : <Emptied frame={frame} view={view} />}
      </div>
      {methods.length > 1 ? <h2 className="go">{t("open.choose")}</h2> : null}
      {view.isCardsPaused ? <p className="note">{t("open.cardsPaused")}</p> : null}
      <div className="methods">
        {methods.map((method) => (
          <Method key={method.kind} frame={frame} view={view} method={method} isOnly={methods.length === 1} />
        ))}
      </div>
    </CheckoutDocument>
  );
}

/** Of an answer to a form, which has the address of that form: what opens the page as it is, but for what was typed. */
function addressOf(frame: Frame, { isAnswer, isAgain, running, chosen, cards }: OpenView): string | undefined {
  if (!isAnswer) return undefined;
  const more = `${chosen === "cards" ? `&cards=${cards}` : ""}${isAgain ? "&again=1" : ""}${running ? "&other=1" : ""}`;
  return `${frame.base}?method=${chosen}${more}&${shownAs(frame)}`;
}

function Emptied({ frame, view: { isEmptied, chosen } }: { frame: Frame; view: OpenView }) {
  if (!isEmptied || (chosen !== "card" && chosen !== "cards")) return null;
  return (
    <div className="box warn" role="status">
      <p>{getTranslations("checkout", frame.locale)("error.typeAgain")}</p>
    </div>
  );
}

/** What the buyer said of themselves stands in every form, also before the scripts have come. */
function ofBuyer({ name, cardHolderName, cardHolderName0, document, email }: TypedValues): TypedValues {
  const own = name ?? cardHolderName ?? cardHolderName0;
  return {
    ...(own ? { name: own, cardHolderName: own, cardHolderName0: own } : {}),
    ...(document ? { document } : {}),
    ...(email ? { email } : {}),
  };
}

interface MethodProps {
  readonly frame: Frame;
  readonly view: OpenView;
  readonly method: MethodView;
  readonly isOnly: boolean;
}

function Method({ frame, view, method, isOnly }: MethodProps) {
  const { kind } = method;
  const t = getTranslations("checkout", frame.locale);
  const isChosen = kind === view.chosen;
  const state: FormState = {
    locale: frame.locale,
    form: kind,
    values: { ...ofBuyer(view.values), ...(isChosen || kind === view.sent ? view.values : {}) },
    ...(view.known ? { known: view.known.masks } : {}),
    remember: view.known?.by === "shop" ? null : view.values.remember === "1",
    problems: isChosen && view.notice?.kind === "fields" ? view.notice.fields : [],
  };
  const props: MethodFormProps = {
    frame,
    order: view.order,
    method,
    state,
    captcha: view.captcha,
    plan: view.plan,
    isAgain: view.isAgain,
    isOnlyCards: view.methods.every(({ kind: each }) => each === "card" || each === "cards"),
    isRepeat: isChosen && (view.notice?.kind === "duplicate" || view.values.again === "1"),
  };
  const { statement } = view.order;
  const form = (
    <>
      <FormOf {...props} count={view.cards} />
      {statement && (kind === "card" || kind === "cards") ? (
        <p className="note">{t("summary.statement", { name: statement })}</p>
      ) : null}
    </>
  );
  const name = t(kind === "pix" && view.plan ? "plan.pix" : `open.method.${kind}`);
  if (isOnly) {
    return (
      <section className="method only" aria-label={name}>
        <div className="body">{form}</div>
      </section>
    );
  }
  return (
    <details className="method" name="method" open={isChosen} data-method={kind}>
      <summary>
        <span className="ic">
          <Icon name={ICONS[kind]} />
        </span>
        <span>
          <b>{name}</b>
          <small>
            {view.plan && (kind === "pix" || kind === "card")
              ? t(`plan.${kind}Hint`)
              : hint(frame, method, view.order.dueAt)}
          </small>
        </span>
        <i aria-hidden="true" />
      </summary>
      <div className="body">{form}</div>
    </details>
  );
}

function hint({ locale }: Frame, { kind, parts, dueOn }: MethodView, linkDueAt: Date | null): string {
  const t = getTranslations("checkout", locale);
  const isLinkFirst = dueOn !== null && linkDueAt !== null && saoPauloDay(linkDueAt) < dueOn;
  switch (kind) {
    case "card":
      return parts.length > 1 ? t("open.hint.card", { most: parts.length }) : t("open.hint.once");
    case "boleto":
      if (isLinkFirst)
        return t("open.hint.boletoBefore", { by: momentDayText(locale, linkDueAt), date: civilDayText(locale, dueOn) });
      return dueOn ? t("open.hint.boleto", { date: civilDayText(locale, dueOn) }) : t("pay.boleto.confirmation");
    default:
      return t(`open.hint.${kind}`);
  }
}

function FormOf(props: MethodFormProps & { count: number }) {
  switch (props.method.kind) {
    case "pix":
      return <PixForm {...props} />;
    case "boleto":
      return <BoletoForm {...props} />;
    case "card":
      return <CardForm {...props} />;
    case "cards":
      return <CardsForm {...props} />;
    default:
      return <WalletForm {...props} />;
  }
}
