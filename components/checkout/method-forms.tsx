import {
  CheckoutField,
  CheckoutSelect,
  type FieldProps,
  type FormState,
  formId,
  PayButton,
} from "@/components/checkout/fields";
import { money } from "@/components/checkout/formats";
import { BrandMark, hasBrandMark, Icon } from "@/components/checkout/icons";
import { RememberMe } from "@/components/checkout/known";
import { CaptchaStatus, CardsNeedScript } from "@/components/checkout/needs-script";
import { choiceText, exactText } from "@/components/checkout/parts";
import { buttonText, Consent, type Mailed, mailedOf, pixButtonText } from "@/components/checkout/plan";
import { Question } from "@/components/checkout/question";
import { ShownAs } from "@/components/checkout/shown-as";
import { getTranslations, under } from "@/components/checkout/words";
import type { Parts } from "@/lib/checkout/instalments";
import type { CaptchaView, Frame, MethodView, OrderView, PlanView } from "@/lib/checkout/view";
import { civilDayText } from "@/lib/i18n/dates";
import type { Locale } from "@/lib/i18n/locales";

const STATES = "AC AL AM AP BA CE DF ES GO MA MG MS MT PA PB PE PI PR RJ RN RO RR RS SC SE SP TO".split(" ");
/** Longer than any number: what is pasted brings spaces and signs along, and is not cut off at its end. */
const PASTED_LENGTH = 40;

export interface MethodFormProps {
  readonly frame: Frame;
  readonly order: OrderView;
  readonly method: MethodView;
  readonly state: FormState;
  readonly captcha: CaptchaView | null;
  readonly isRepeat: boolean;
  readonly isAgain?: boolean;
  /** Of a link that starts a subscription. */
  readonly plan?: PlanView | null;
  /** The link takes nothing else. */
  readonly isOnlyCards?: boolean;
}

/** What every form carries besides its fields. */
export function Hidden({ frame, method, isRepeat }: Pick<MethodFormProps, "frame" | "method" | "isRepeat">) {
  return (
    <>
      <input type="hidden" name="attempt" value={method.attempt} />
      <ShownAs frame={frame} />
      {frame.isEmbedded ? <input type="hidden" name="from" value="" /> : null}
      <input type="hidden" name="again" value={isRepeat ? "1" : ""} />
      <input type="hidden" name="captcha" value="" />
    </>
  );
}

function Person({ state, isCard, mailed }: { state: FormState; isCard?: boolean; mailed?: Mailed | undefined }) {
  const t = getTranslations("checkout", state.locale);
  return (
    <>
      {isCard ? null : (
        <CheckoutField state={state} field="name" label={t("field.name")} autoComplete="name" maxLength={120} />
      )}
      <div className={isCard ? "fresh" : "all"}>
        <HolderDocument state={state} label={isCard ? t("field.holderDocument") : t("field.document")} />
      </div>
      <Email state={state} mailed={mailed} />
    </>
  );
}

/** A CPF or a CNPJ of who pays, or of one card's holder. */
export function HolderDocument(props: Pick<FieldProps, "state" | "card" | "label" | "hint" | "isOptional">) {
  return <CheckoutField {...props} field="document" inputMode="text" autoComplete="off" maxLength={PASTED_LENGTH} />;
}

/** A subscription is written of; where the shop knows its buyer, it knows an address too. */
export function Email({ state, mailed }: { state: FormState; mailed?: Mailed | undefined }) {
  const t = getTranslations("checkout", state.locale);
  return (
    <CheckoutField
      state={state}
      field="email"
      label={t("field.email")}
      hint={mailed ? t(under("plan.emailHint", mailed)) : t("field.emailHint")}
      isOptional={!mailed || state.remember === null}
      type="email"
      inputMode="email"
      autoComplete="email"
      maxLength={254}
    />
  );
}

export const Remember = ({ state: { locale, form, remember, known } }: { state: FormState }) =>
  typeof remember === "boolean" ? (
    <RememberMe locale={locale} form={form} isChosen={remember} isKnown={known !== undefined} />
  ) : null;

export function PixForm({ frame, order, method, state, captcha, isRepeat, plan }: MethodFormProps) {
  return (
    <form id={formId("pix")} method="post" action={`${frame.base}/pix`} data-form="pix" noValidate>
      <Hidden frame={frame} method={method} isRepeat={isRepeat} />
      <div className="grid">
        <Person state={state} mailed={plan ? mailedOf(plan, true) : undefined} />
        <Question state={state} captcha={captcha} />
      </div>
      <Remember state={state} />
      {plan ? <Consent frame={frame} plan={plan} isByBank /> : null}
      <PayButton locale={frame.locale} icon="pix" text={pixButtonText(plan, order, frame.locale)} />
    </form>
  );
}

export function BoletoForm({ frame, order, method, state, captcha, isRepeat }: MethodFormProps) {
  const { locale } = frame;
  const t = getTranslations("checkout", locale);
  return (
    <form id={formId("boleto")} method="post" action={`${frame.base}/boleto`} data-form="boleto" noValidate>
      <Hidden frame={frame} method={method} isRepeat={isRepeat} />
      <div className="grid">
        <Person state={state} />
        <CheckoutField
          state={state}
          field="zipCode"
          label={t("field.zipCode")}
          width="s3"
          inputMode="numeric"
          autoComplete="postal-code"
          maxLength={PASTED_LENGTH}
        />
        <CheckoutSelect
          state={state}
          field="state"
          label={t("field.state")}
          width="s3"
          empty={t("field.chooseState")}
          autoComplete="address-level1"
          options={STATES.map((code) => ({ value: code, text: code }))}
        />
        <CheckoutField
          state={state}
          field="street"
          label={t("field.street")}
          width="s4"
          autoComplete="address-line1"
          maxLength={255}
        />
        <CheckoutField
          state={state}
          field="streetNumber"
          label={t("field.streetNumber")}
          width="s2"
          autoComplete="off"
          maxLength={20}
        />
        <CheckoutField
          state={state}
          field="complement"
          label={t("field.complement")}
          isOptional
          autoComplete="address-line2"
          maxLength={255}
        />
        <CheckoutField
          state={state}
          field="district"
          label={t("field.district")}
          width="s3"
          autoComplete="address-level3"
          maxLength={255}
        />
        <CheckoutField
          state={state}
          field="city"
          label={t("field.city")}
          width="s3"
          autoComplete="address-level2"
          maxLength={255}
        />
        <Question state={state} captcha={captcha} />
      </div>
      {method.dueOn ? (
        <p className="note">{t("open.hint.boleto", { date: civilDayText(locale, method.dueOn) })}</p>
      ) : null}
      <Remember state={state} />
      <PayButton
        locale={locale}
        icon="boleto"
        text={t("button.boleto", { amount: money(locale, order.amount, order.currency) })}
      />
    </form>
  );
}

export function CardForm({ frame, order, method, state, captcha, isRepeat, plan, isOnlyCards }: MethodFormProps) {
  const { locale } = frame;
  const t = getTranslations("checkout", locale);
  return (
    <form id={formId("card")} method="post" action={`${frame.base}/card`} data-form="card" noValidate>
      <Hidden frame={frame} method={method} isRepeat={isRepeat} />
      <input type="hidden" name="screen" value="" />
      <BrandRow locale={locale} brands={method.brands} />
      <SavedCards method={method} state={state} />
      <div className="grid">
        <CardFields state={state} />
        <Installments
          state={state}
          currency={order.currency}
          parts={method.parts}
          total={t("parts.total", { total: money(locale, order.amount, order.currency) })}
        />
        <Person state={state} isCard mailed={plan ? mailedOf(plan) : undefined} />
      </div>
      <Remember state={state} />
      <CardsNeedScript captcha={captcha} locale={locale} isOnly={isOnlyCards} />
      {plan ? <Consent frame={frame} plan={plan} /> : null}
      <CaptchaStatus />
      <PayButton
        locale={locale}
        needsScript={captcha !== null}
        icon="lock"
        text={
          plan
            ? buttonText({ plan, locale, currency: order.currency })
            : t("button.pay", { amount: money(locale, order.amount, order.currency) })
        }
      />
    </form>
  );
}

interface InstallmentsProps {
  readonly state: FormState;
  readonly currency: string;
  readonly parts: readonly (Parts & { readonly isOff?: boolean })[];
  /** Said beside the choice, whatever is chosen. */
  readonly total?: string;
  readonly card?: number;
}

/** A short line for each choice; the cents of each part where somebody asks for them. Nothing where there is no choice. */
export function Installments({ state, currency, parts, total, card }: InstallmentsProps) {
  if (parts.length === 1) return null;
  const { locale } = state;
  const t = getTranslations("checkout", locale);
  const uneven = parts.filter(({ first, others }) => first !== others);
  return (
    <div className="f">
      <CheckoutSelect
        state={state}
        card={card}
        field="installments"
        label={t("field.installments")}
        options={parts.map(({ isOff, ...each }) => ({
          value: String(each.count),
          text: choiceText(t, locale, currency, each),
          isOff,
        }))}
      />
      {total ? <p className="hint">{total}</p> : null}
      {uneven.length > 0 || card !== undefined ? (
        <details className="more exact" data-exact="">
          <summary>
            {t("parts.exactHeading")}
            <Icon name="chevron" size={16} className="chev" />
          </summary>
          <ul>
            {uneven.map((each) => (
              <li key={each.count}>{exactText(t, locale, currency, each)}</li>
            ))}
          </ul>
        </details>
      ) : null}
    </div>
  );
}

/** Every brand that is taken and no other: a script says of the rest that they are not. */
export function BrandRow({ locale, brands }: { locale: Locale; brands: readonly string[] }) {
  const label = getTranslations("checkout", locale)("field.brands", { brands: brands.join(", ") });
  return (
    <div className="hp" role="img" aria-label={label}>
      {brands.map((brand) => (
        <BrandMark key={brand} brand={brand} />
      ))}
    </div>
  );
}

/** Among several cards each one begins with another of the saved ones. */
export function SavedCards({ method, state, card }: { method: MethodView; state: FormState; card?: number }) {
  if (method.savedCards.length === 0) return null;
  const t = getTranslations("checkout", state.locale);
  const name = `savedCard${card ?? ""}`;
  const chosen = state.values[name] ?? method.savedCards[card ?? 0]?.id ?? "";
  return (
    <fieldset className="choices">
      <legend className="lab">{t("field.savedCards")}</legend>
      {method.savedCards.map(({ id, brand, last4, expiry }) => (
        <label key={id} className="choice">
          <input type="radio" name={name} value={id} data-card-brand={brand} defaultChecked={chosen === id} />
          <span>{t("field.savedCard", { brand, last4, expiry })}</span>
          {hasBrandMark(brand) ? <BrandMark brand={brand} /> : null}
        </label>
      ))}
      <label className="choice">
        <input type="radio" name={name} value="" defaultChecked={chosen === ""} />
        <span>{t("field.otherCard")}</span>
      </label>
    </fieldset>
  );
}

/** One card's own fields; `card` counts from 0 where there are several. */
export function CardFields({ state, card }: { state: FormState; card?: number }) {
  const t = getTranslations("checkout", state.locale);
  // Each card of several has a section of its own: browsers fill one in without touching the others.
  const complete = (name: string) => (card === undefined ? name : `section-card${card + 1} ${name}`);
  return (
    <>
      <div className="fresh">
        <CheckoutField
          state={state}
          card={card}
          field="cardNumber"
          label={t("field.cardNumber")}
          inputMode="numeric"
          autoComplete={complete("cc-number")}
          maxLength={PASTED_LENGTH}
          adornment={<span className="brand" data-brand="" />}
        />
        <CheckoutField
          state={state}
          card={card}
          field="cardHolderName"
          label={t("field.cardHolderName")}
          autoComplete={complete("cc-name")}
          maxLength={120}
        />
        <CheckoutField
          state={state}
          card={card}
          field="cardExpiration"
          label={t("field.cardExpiration")}
          width="s3"
          inputMode="numeric"
          autoComplete={complete("cc-exp")}
          maxLength={PASTED_LENGTH}
          placeholder={t("field.cardExpirationHint")}
        />
      </div>
      <CheckoutField
        state={state}
        card={card}
        field="cardCvv"
        label={t("field.cardCvv")}
        width="s3"
        inputMode="numeric"
        autoComplete={complete("cc-csc")}
        maxLength={PASTED_LENGTH}
        hint={t("field.cardCvvHint")}
      />
    </>
  );
}
