import {
  ErrorLine,
  errorText,
  type FormState,
  formId,
  inputName,
  PayButton,
  wiring,
} from "@/components/checkout/fields";
import { money } from "@/components/checkout/formats";
import {
  BrandRow,
  CardFields,
  Email,
  Hidden,
  HolderDocument,
  Installments,
  type MethodFormProps,
  Remember,
  SavedCards,
} from "@/components/checkout/method-forms";
import { CaptchaStatus, CardsNeedScript } from "@/components/checkout/needs-script";
import { getTranslations } from "@/components/checkout/words";
import { amountText } from "@/lib/checkout/dealt-amounts";
import { canUseThree, evenAmounts, partsOf } from "@/lib/checkout/instalments";
import { sharedAmount } from "@/lib/checkout/shared-amount";
import { shownAs } from "@/lib/checkout/view";

const COUNTS = [2, 3] as const;
const MOST_CARDS = 3;
const LEAST_CARD_CENTS = 100;
const SLIDER_STEP = 1;

export function CardsForm(props: MethodFormProps & { readonly count: number }) {
  const { frame, order, method, state, captcha, count, isRepeat, isAgain, isOnlyCards } = props;
  const { locale } = frame;
  const t = getTranslations("checkout", locale);
  const total = money(locale, order.amount, order.currency);
  const amounts = evenAmounts(order.amount, count).map(
    (even, card) => sharedAmount(state.values[inputName("amount", card)] ?? "", locale) ?? even,
  );
  const takesThree = canUseThree(order.amount);
  const pay = (cards: number) => t("button.cards", { amount: total, count: cards });
  return (
    <>
      {takesThree ? (
        <nav className="pick" aria-label={t("cards.count")}>
          {COUNTS.map((each) => (
            <a
              key={each}
              href={`${frame.base}?method=cards&cards=${each}&${shownAs(frame)}${isAgain ? "&again=1" : ""}`}
              aria-current={each === count || undefined}
              data-cards={each}
              data-pay={pay(each)}
            >
              {each === 2 ? t("button.useTwo") : t("button.useThree")}
            </a>
          ))}
        </nav>
      ) : null}
      <form
        id={formId("cards")}
        method="post"
        action={`${frame.base}/cards`}
        data-form="cards"
        data-total={order.amount}
        data-least={method.leastPart}
        noValidate
      >
        <Hidden frame={frame} method={method} isRepeat={isRepeat} />
        <input type="hidden" name="count" value={count} />
        <p className="note swap" data-intro="">
          <span>{t("cards.introStatic", { total })}</span>
          <span hidden>{t("cards.intro", { total })}</span>
        </p>
        <div className="split go">
          {Array.from({ length: takesThree ? MOST_CARDS : count }, (_, card) => (
            // The third one is there for the script, which shows it without losing what was typed.
            // biome-ignore lint/suspicious/noArrayIndexKey: a card is its position
            <fieldset key={card} data-card={card} hidden={card >= count} disabled={card >= count}>
              <legend>{t("field.cardLegend", { number: card + 1 })}</legend>
              <div className="grid">
                <Amount
                  state={state}
                  card={card}
                  amount={amounts[card] ?? LEAST_CARD_CENTS}
                  least={money(locale, LEAST_CARD_CENTS, order.currency)}
                />
                <SavedCards method={method} state={state} card={card} />
                <CardFields state={state} card={card} />
                {card === 0 ? (
                  <HolderDocument state={state} label={t("field.holderDocument")} />
                ) : (
                  <div className="fresh">
                    <HolderDocument
                      state={state}
                      card={card}
                      label={t("field.holderDocument")}
                      hint={t("field.otherHolderHint")}
                      isOptional
                    />
                  </div>
                )}
                <Installments
                  state={state}
                  card={card}
                  currency={order.currency}
                  parts={method.parts.map(({ count: parts }) => {
                    const each = partsOf(amounts[card] ?? order.amount, parts);
                    return { ...each, isOff: parts > 1 && each.others < method.leastPart };
                  })}
                />
              </div>
            </fieldset>
          ))}
        </div>
        <div className="grid go">
          <Email state={state} />
        </div>
        <BrandRow locale={locale} brands={method.brands} />
        <output className="note" data-summary="" hidden>
          {amounts
            .map((amount, card) =>
              t("cards.summary", { number: card + 1, amount: money(locale, amount, order.currency) }),
            )
            .join(" · ")}
        </output>
        <Remember state={state} />
        <CardsNeedScript captcha={captcha} locale={locale} isOnly={isOnlyCards} />
        <CaptchaStatus />
        <PayButton locale={locale} needsScript={captcha !== null} icon="lock" text={pay(count)} />
      </form>
    </>
  );
}

function Amount({ state, card, amount, least }: { state: FormState; card: number; amount: number; least: string }) {
  const t = getTranslations("checkout", state.locale);
  const { id, isWrong, found, describedBy } = wiring(state, "amount", card, false);
  const name = inputName("amount", card);
  return (
    <div className="f">
      <label htmlFor={id}>{t("field.amount")}</label>
      <input
        id={id}
        name={name}
        data-field="amount"
        inputMode="decimal"
        autoComplete="off"
        defaultValue={state.values[name] ?? amountText(amount, state.locale)}
        aria-invalid={isWrong || undefined}
        aria-describedby={describedBy}
      />
      <input type="range" data-slider="" step={SLIDER_STEP} aria-label={t("field.slider")} hidden />
      <ErrorLine id={id} text={errorText(t, found ?? { field: "amount" }, least)} isShown={isWrong} />
    </div>
  );
}
