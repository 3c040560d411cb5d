import { money } from "@/components/checkout/formats";
import { getTranslations, under } from "@/components/checkout/words";
import type { Frame, OrderView, PlanView, StartedView } from "@/lib/checkout/view";
import { civilDayText } from "@/lib/i18n/dates";
import type { Locale } from "@/lib/i18n/locales";

interface Props {
  readonly plan: PlanView;
  readonly locale: Locale;
  readonly currency: string;
}

/** What is paid and how often, in one line. */
export function priceText({ plan, locale, currency }: Props): string {
  const t = getTranslations("checkout", locale);
  const price = t(under("subscription.plan", plan.interval), { amount: money(locale, plan.amount, currency) });
  return plan.trialDays === null ? price : t("plan.trial", { days: plan.trialDays, price });
}

export const countText = ({ plan, locale }: Pick<Props, "plan" | "locale">): string | null =>
  plan.cycles === null ? null : getTranslations("checkout", locale)("plan.count", { count: plan.cycles });

/** What the buyer is written of it, besides that it began. */
export type Mailed = "link" | "receipts" | "receipt";

/** The page that the link leads to is for cards, of what goes on: what a bank pays is changed there. */
export function mailedOf({ nextOn, trialDays }: Pick<PlanView, "nextOn" | "trialDays">, isByBank = false): Mailed {
  if (!isByBank && (nextOn !== null || trialDays !== null)) return "link";
  return nextOn === null ? "receipt" : "receipts";
}

/** What the buyer agrees to by the press: how much, how often, from when, and how long. */
export function Consent({ frame, plan, isByBank }: { frame: Frame; plan: PlanView; isByBank?: boolean }) {
  const { locale, currency, shop } = frame;
  const t = getTranslations("checkout", locale);
  const values = {
    shop: shop?.name ?? "",
    amount: money(locale, plan.amount, currency),
    zero: money(locale, 0, currency),
    every: t(under("plan.every", plan.interval)),
    first: civilDayText(locale, plan.firstOn),
    next: plan.nextOn ? civilDayText(locale, plan.nextOn) : "",
  };
  const isOnce = plan.nextOn === null;
  const agreed = plan.trialDays === null ? (isOnce ? "once" : "now") : isOnce ? "onceTrial" : "trial";
  const byBank = ({ once: "pixOnce", now: "pix", onceTrial: "pixOnceTrial", trial: "pixTrial" } as const)[agreed];
  return (
    <p className="note go" id={isByBank ? "consent-pix" : "consent"}>
      {t(under("plan.consent", isByBank ? byBank : agreed), values)}{" "}
      {isOnce
        ? null
        : plan.cycles === null
          ? t("plan.consent.endless")
          : t("plan.consent.counted", { count: plan.cycles })}{" "}
      {t(under("plan.consent.mail", mailedOf(plan, isByBank)))}
    </p>
  );
}

/** What the code of a trial authorizes. */
export function authorizeText({ plan, locale, currency }: Props): string {
  return getTranslations("checkout", locale)(plan.nextOn === null ? "plan.authorizesOnce" : "plan.authorizes", {
    amount: money(locale, plan.amount, currency),
    every: getTranslations("checkout", locale)(under("plan.every", plan.interval)),
    first: civilDayText(locale, plan.firstOn),
  });
}

/** What is paid, or for a trial only authorized. */
export function pixButtonText(
  plan: PlanView | null | undefined,
  { amount, currency }: OrderView,
  locale: Locale,
): string {
  const t = getTranslations("checkout", locale);
  return plan && plan.trialDays !== null
    ? t("plan.authorize")
    : t("button.pix", { amount: money(locale, amount, currency) });
}

export function buttonText({ plan, locale, currency }: Props): string {
  const t = getTranslations("checkout", locale);
  return plan.trialDays === null ? t("plan.pay", { amount: money(locale, plan.amount, currency) }) : t("plan.tryFree");
}

/** What follows a payment, and the way to the subscription for who made it. */
export function Started({ frame, plan, isByBank }: { frame: Frame; plan: StartedView; isByBank?: boolean }) {
  const { locale, currency, isEmbedded } = frame;
  const t = getTranslations("checkout", locale);
  const amount = money(locale, plan.amount, currency);
  const on = plan.nextChargeOn;
  if (!on && !plan.page && !plan.receiptsTo) return null;
  return (
    <div className="card go noprint">
      {on ? (
        <p>
          {t(plan.trialDays === null ? "plan.started.next" : isByBank ? "plan.started.bank" : "plan.started.first", {
            amount,
            on: civilDayText(locale, on),
          })}
        </p>
      ) : null}
      {plan.receiptsTo ? <p>{t("subscription.receipts", { email: plan.receiptsTo })}</p> : null}
      {isByBank && plan.nextOn !== null ? <p>{t("plan.started.atBank")}</p> : null}
      {plan.page ? (
        <a className="btn two go" href={`${plan.page}&lang=${locale}`} target={isEmbedded ? "_top" : undefined}>
          {t("plan.started.open")}
        </a>
      ) : null}
    </div>
  );
}
