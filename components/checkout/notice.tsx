import { errorText, inputId } from "@/components/checkout/fields";
import { money } from "@/components/checkout/formats";
import { needsScriptText } from "@/components/checkout/needs-script";
import { getTranslations, under, type Words } from "@/components/checkout/words";
import { type Action, type DeclineRefusal, isByCard } from "@/lib/checkout/declines";
import {
  type FieldProblem,
  type Frame,
  type LeftBank,
  type MethodKind,
  type OpenView,
  type PageNotice,
  shownAs,
} from "@/lib/checkout/view";
import { isDeclinedCode } from "@/lib/declines/decline-codes";
import { timeText } from "@/lib/i18n/dates";

/** A browser that is led to this place gives it the focus, with scripts or without. */
export const LEFT_ID = "left";

const LEAST_CARD_CENTS = 100;

const MINUTES_PER_HOUR = 60;
/** Nobody reckons with 1,440 minutes. */
const HOURS_FROM_MINUTES = 120;

export function refusalText(t: Words, refusal: DeclineRefusal, minutes = 1): string {
  if (refusal !== "too_many") return t(under("decline", refusal));
  return minutes < HOURS_FROM_MINUTES
    ? t("decline.too_many", { minutes })
    : t("decline.too_many_hours", { hours: Math.ceil(minutes / MINUTES_PER_HOUR) });
}

type Declined = Pick<Extract<PageNotice, { kind: "declined" }>, "refusal"> & {
  card?: number | undefined;
  minutes?: number | undefined;
  isCardChange?: boolean | undefined;
  /** A card that was only checked, or a code that was not given: nothing was to be paid yet. */
  isTrial?: boolean | undefined;
};

/** Reasons that speak of a payment, which a card that is only kept or checked was not asked for. */
const OF_PAYMENT: ReadonlySet<DeclineRefusal> = new Set<DeclineRefusal>([
  "fraud_confirmed",
  "generic",
  "insufficient_funds",
  "invalid_amount",
  "invalid_installment",
  "lost_card",
  "neutral",
  "not_permitted",
  "pickup_card",
  "stolen_card",
]);

/** Nothing was charged, and nothing was to be: it is said what was tried. */
function trialText(t: Words, refusal: DeclineRefusal, minutes: number | undefined) {
  const isByBank = refusal === "neutral" || isDeclinedCode(refusal);
  const reasons = OF_PAYMENT.has(refusal) ? [] : [refusalText(t, refusal, minutes)];
  const told = isByBank ? [t("plan.declined.tried"), ...reasons] : reasons;
  return { heading: t("plan.declined.heading"), message: reasons[0] ?? t("plan.declined.tried"), told };
}

/** A refusal in words: after a payment, that no money moved; after a change of card, that the old one stays. */
export function declinedText(t: Words, { refusal, card, minutes, isCardChange, isTrial }: Declined) {
  // Refusals after which a buyer may wonder about money say that none moved.
  const nothing = refusal === "captcha" ? [] : [t("declined.nothing")];
  if (isTrial) {
    const { heading, message, told } = trialText(t, refusal, minutes);
    return { heading, message, lines: [...told, ...nothing] };
  }
  const message =
    isCardChange && OF_PAYMENT.has(refusal) ? t("subscription.declined.reason") : refusalText(t, refusal, minutes);
  if (isCardChange)
    return { heading: t("subscription.declined.heading"), message, lines: [message, t("subscription.declined.kept")] };
  const heading = t("declined.heading");
  if (card !== undefined) {
    const lines = [t("declined.severalCards", { number: card + 1, message }), t("declined.heldAgain")];
    return { heading, message, lines };
  }
  return { heading, message, lines: [message, ...nothing] };
}

function methodOf(action: Action, isOneOfSeveral: boolean): MethodKind {
  switch (action) {
    case "pixAutomatic":
      return "pix";
    case "pix":
    case "boleto":
    case "nupay":
    case "drip":
      return action;
    case "split":
    case "amounts":
      return "cards";
    case "single":
      return "card";
    default:
      return isOneOfSeveral ? "cards" : "card";
  }
}

/** Where an action leads without a script: the same link with that method open. */
export function actionHref(
  frame: Pick<Frame, "base" | "locale" | "isEmbedded" | "scheme">,
  action: Action,
  { isOneOfSeveral = false, told }: { isOneOfSeveral?: boolean; told?: string | undefined } = {},
): string {
  const method = methodOf(action, isOneOfSeveral);
  return `${frame.base}?method=${method}&${shownAs(frame)}${told ? `&told=${told}` : ""}`;
}

/** When it was paid stands on the receipt, which is the payer's alone. */
export const duplicateText = (
  t: Words,
  locale: Frame["locale"],
  currency: string,
  { amount, at, receipt }: Extract<PageNotice, { kind: "duplicate" }>,
): string => {
  const shown = money(locale, amount, currency);
  return receipt
    ? t("problem.duplicate", { amount: shown, time: timeText(locale, at) })
    : t("problem.duplicateElsewhere", { amount: shown });
};

type Seen = Pick<OpenView, "order" | "chosen" | "told" | "captcha" | "cards" | "values"> & {
  readonly plan?: OpenView["plan"];
};

export const isTrial = (plan: OpenView["plan"] | undefined): boolean => (plan?.trialDays ?? null) !== null;

export function NoticeBox({ frame, view, notice }: { frame: Frame; view: Seen; notice: PageNotice | LeftBank }) {
  const { locale, currency } = frame;
  const t = getTranslations("checkout", locale);
  switch (notice.kind) {
    case "problem":
      return (
        <div className="box bad" role="alert" tabIndex={-1}>
          <p>{t(under("problem", notice.problem))}</p>
        </div>
      );
    case "left":
      return (
        <div className="box warn" role="alert" tabIndex={-1} id={LEFT_ID}>
          <h2>{t("left.heading")}</h2>
          <p>{t("left.body")}</p>
        </div>
      );
    case "fields":
      return <FieldsNotice frame={frame} view={view} fields={notice.fields} sum={notice.sum} />;
    case "duplicate":
      return (
        <div className="box warn" role="alert" tabIndex={-1}>
          <p>{duplicateText(t, locale, currency, notice)}</p>
          <div className="stack">
            {notice.receipt ? (
              <a className="btn" href={notice.receipt}>
                {t("button.receipt")}
              </a>
            ) : null}
            <a className="btn two" href={`#${firstFieldOf(view.chosen)}`}>
              {t("button.payAgain")}
            </a>
          </div>
        </div>
      );
    case "declined": {
      const { actions, card } = notice;
      const { heading, lines } = declinedText(t, { ...notice, isTrial: isTrial(view.plan) });
      return (
        <div className="box bad" role="alert" tabIndex={-1} data-refused="">
          <h2>{heading}</h2>
          {lines.map((line) => (
            <p key={line}>{line}</p>
          ))}
          <Actions
            frame={frame}
            actions={actions}
            card={card}
            open={view.chosen}
            told={view.told}
            needsScript={view.captcha !== null}
          />
        </div>
      );
    }
  }
}

/** Where a form begins. */
function firstFieldOf(method: MethodKind): string {
  if (method === "card") return inputId(method, "cardNumber");
  return method === "cards" ? inputId(method, "cardNumber", 0) : inputId(method, "name");
}

interface ActionsProps {
  readonly frame: Frame;
  readonly actions: readonly Action[];
  /** Of several, the one that was declined; counts from 0. */
  readonly card?: number | undefined;
  /** The form that stands open on the page: what was typed is in it. */
  readonly open?: MethodKind;
  /** The payment that was refused: the page these lead to need not say it again. */
  readonly told?: string | undefined;
  /** A card must prove what only a script can. */
  readonly needsScript: boolean;
  /** Something else than a card is taken too. */
  readonly hasOther?: boolean;
}

export function Actions({ frame, actions, card, open, told, needsScript, hasOther = true }: ActionsProps) {
  const t = getTranslations("checkout", frame.locale);
  if (actions.length === 0) return null;
  return (
    <div className="stack">
      {actions.map((action, index) => (
        <a
          key={action}
          className={`${index === 0 ? "btn" : "btn two"}${needsScript && isByCard(action) ? " js" : ""}`}
          href={
            open && open === methodOf(action, card !== undefined)
              ? `#${action === "parts" ? inputId(open, "installments") : firstFieldOf(open)}`
              : actionHref(frame, action, { isOneOfSeveral: card !== undefined, told })
          }
          data-action={action}
        >
          {action === "card" && card !== undefined
            ? t("action.repair", { number: card + 1 })
            : t(under("action", action))}
        </a>
      ))}
      {needsScript && open !== "card" && open !== "cards" ? (
        <noscript>
          <p className="note">{needsScriptText(frame.locale, !hasOther)}</p>
        </noscript>
      ) : null}
    </div>
  );
}

interface FieldsNoticeProps {
  frame: Frame;
  view: Seen;
  fields: readonly FieldProblem[];
  sum: number | undefined;
}

function FieldsNotice({ frame, view, fields, sum }: FieldsNoticeProps) {
  const { locale, currency } = frame;
  const t = getTranslations("checkout", locale);
  const shown = (cents: number) => money(locale, cents, currency);
  const total = view.order.amount;
  const line = (problem: FieldProblem) => {
    const { card } = problem;
    const message = errorText(t, problem, shown(LEAST_CARD_CENTS));
    return card === undefined ? message : t("error.onCard", { number: card + 1, message });
  };
  return (
    <div className="box bad" role="alert" tabIndex={-1}>
      {fields.length > 0 ? <h2>{t("error.summary", { count: fields.length })}</h2> : null}
      {sum !== undefined && sum !== total ? <p>{sumText(t, sum, total, shown)}</p> : null}
      {fields.length > 0 ? (
        <ul>
          {fields.map((problem) => (
            <li key={`${problem.field}${problem.card ?? ""}`}>
              <a href={`#${inputId(view.chosen, problem.field, problem.card)}`}>{line(problem)}</a>
            </li>
          ))}
        </ul>
      ) : null}
      {isNumberTyped(view) ? (
        <noscript>
          <p>{t("error.typeAgain")}</p>
        </noscript>
      ) : null}
    </div>
  );
}

/** Whether a card pays that is none of the saved ones: its number is not sent back. */
function isNumberTyped({ chosen, cards, values }: Seen): boolean {
  if (chosen === "card") return !values.savedCard;
  return chosen === "cards" && Array.from({ length: cards }, (_, card) => values[`savedCard${card}`]).some((id) => !id);
}

const sumText = (t: Words, sum: number, total: number, shown: (cents: number) => string): string =>
  sum < total
    ? t("error.amountsShort", { sum: shown(sum), missing: shown(total - sum), total: shown(total) })
    : t("error.amountsOver", { sum: shown(sum), over: shown(sum - total), total: shown(total) });
