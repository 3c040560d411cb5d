import { EMPTY_KEYS, type EmptyField, ERROR_KEYS, errorText } from "@/components/checkout/fields";
import { money } from "@/components/checkout/formats";
import { SPOKEN_MINUTES, SPOKEN_SECONDS } from "@/components/checkout/islands/moments";
import { declinedText } from "@/components/checkout/notice";
import { RECEIPT_STATES } from "@/components/checkout/receipt";
import { cardName } from "@/components/checkout/slots";
import { getTranslations, type Words } from "@/components/checkout/words";
import type { SlotWord } from "@/lib/checkout/card-lines";
import { type Action, adviceOf, type CardField, type DeclineRefusal } from "@/lib/checkout/declines";
import { LIVE_STATES } from "@/lib/checkout/live-states";
import { type Frame, type OpenView, type PaymentView, shownAs } from "@/lib/checkout/view";

/** What the scripts are told. Everything a buyer reads is said by the server, in the page's language. */
export interface IslandData {
  base: string;
  /** The page itself, loaded anew. */
  again: string;
  /** What opens the page by a plain link, where it is the answer to a form. */
  address?: string | undefined;
  locale: string;
  currency: string;
  errors: Record<string, string>;
  /** For fields in which nothing was typed. */
  empty: Record<string, string>;
  words: Record<
    | "one"
    | "several"
    | "onCard"
    | "network"
    | "offline"
    | "failed"
    | "sending"
    | "slow"
    | "captchaWorking"
    | "captchaDone"
    | "captchaFailed"
    | "cepState"
    | "cepCity"
    | "fullName"
    | "cardAsName",
    string
  >;
  scripts: { splitter: string; captcha: string };
  /** `ahead`: scripts that a decline asks for. */
  captcha: { url: string; worker: string; frame: string | null; isDue: boolean; ahead: string[] };
  cards: {
    summary: string;
    /** Where what was typed does not add up. */
    short: string;
    over: string;
    most: string;
    /** Of an amount that can be read in two ways, or in none. */
    unread: string;
    /** By the amount that gave way to the other one's. */
    rest: string;
    one: string;
    some: string;
    someFirst: string;
    exact: string;
    brand: string;
    /** Whose cards are taken, and what is said of another. */
    taken: readonly string[];
    untaken: string;
    cvv: string;
    cvvAmex: string;
  };
}

const SEVERAL = 2;
const LEAST_CARD_CENTS = 100;

/** A message with the names of its values left in, for a script that knows them later. */
const OPEN = [
  "message",
  "count",
  "first",
  "others",
  "part",
  "total",
  "number",
  "amount",
  "brand",
  "sum",
  "missing",
  "over",
  "place",
] as const;
const open = Object.fromEntries(OPEN.map((name) => [name, `{${name}}`])) as Record<(typeof OPEN)[number], string>;

export function islandData(
  frame: Frame,
  view: Pick<OpenView, "captcha"> | null,
  taken: readonly string[] = [],
  address?: string,
): IslandData {
  const { locale, base, currency, script } = frame;
  const t = getTranslations("checkout", locale);
  const least = money(locale, LEAST_CARD_CENTS, currency);
  // Guarantee: the keys of this table are names of fields.
  const plain = Object.keys(ERROR_KEYS) as (keyof typeof ERROR_KEYS)[];
  const errors = Object.fromEntries(
    [...plain, "amount" as const].map((field) => [field, errorText(t, { field }, least)]),
  );
  // Guarantee: the keys of this table are names of fields.
  const asked = Object.keys(EMPTY_KEYS) as EmptyField[];
  const empty = Object.fromEntries(asked.map((field) => [field, errorText(t, { field, isEmpty: true }, least)]));
  return {
    base,
    again: `${base}?${shownAs(frame)}`,
    address,
    locale,
    currency,
    errors,
    empty,
    words: {
      one: t("error.summary", { count: 1 }),
      several: t("error.summary", { count: SEVERAL }).replace(String(SEVERAL), "{count}"),
      onCard: t("error.onCard", open),
      network: t("problem.network"),
      offline: t("problem.offline"),
      failed: t("problem.ours"),
      sending: t("button.sending"),
      slow: t("pay.processing.slow"),
      captchaWorking: t("captcha.working"),
      captchaDone: t("captcha.done"),
      captchaFailed: t("captcha.failed"),
      cepState: t("error.cepState", open),
      cepCity: t("error.cepCity", open),
      fullName: t("error.fullName"),
      cardAsName: t("error.cardAsName"),
    },
    scripts: { splitter: script("splitter"), captcha: script("captcha") },
    captcha: {
      url: `${base}/captcha`,
      worker: script("solver"),
      frame: frame.captchaFrame ?? null,
      isDue: view?.captcha != null,
      ahead: view?.captcha != null || frame.captchaFrame ? [] : [script("captcha"), script("solver")],
    },
    cards: {
      summary: t("cards.summary", open),
      short: t("error.amountsShort", open),
      over: t("error.amountsOver", open),
      most: t("cards.most", open),
      unread: t("error.amountUnread"),
      rest: t("cards.rest", open),
      one: t("parts.one", open),
      some: t("parts.some", open),
      someFirst: t("parts.someFirst", open),
      exact: t("parts.exact", open),
      brand: t("field.brand", open),
      taken,
      untaken: t("error.untakenBrand", open),
      cvv: t("field.cardCvvHint"),
      cvvAmex: t("field.cardCvvHintAmex"),
    },
  };
}

export interface SlotText {
  index: number;
  word: SlotWord;
  label: string;
  name: string;
}

/** What a refused payment says; shown by a script in the page the buyer is still on. */
export interface AlertText {
  code: string;
  heading: string;
  lines: string[];
  /** For the field that is to be corrected. */
  reason: string;
  actions: { kind: Action; label: string; href: string; opensInSeconds: number; opens: string }[];
  focus: CardField | null;
  empties: CardField | null;
  card: number | null;
}

export function alertText(
  frame: Frame,
  declined: {
    refusal: DeclineRefusal;
    actions: readonly Action[];
    card?: number | undefined;
    minutes?: number | undefined;
    isCardChange?: boolean | undefined;
    isTrial?: boolean | undefined;
  },
  href: (action: Action) => string,
): AlertText {
  const t = getTranslations("checkout", frame.locale);
  const { refusal, actions, card } = declined;
  const advice = adviceOf(refusal);
  const { heading, message, lines } = declinedText(t, declined);
  const seconds = advice.retryAfterSeconds ?? 0;
  const isAlone = card === undefined;
  return {
    code: refusal,
    heading,
    lines: [...lines],
    reason: advice.empties === "installments" ? t("declined.partsAnew") : message,
    actions: actions.map((kind) => ({
      kind,
      label: kind === "card" && !isAlone ? t("action.repair", { number: card + 1 }) : t(`action.${kind}`),
      href: href(kind),
      opensInSeconds: kind === "retry" ? seconds : 0,
      opens: t("declined.opens", { seconds: "{seconds}" as never }),
    })),
    focus: advice.focus ?? null,
    empties: advice.empties ?? null,
    card: card ?? null,
  };
}

export const slotTexts = (t: Words, view: PaymentView): SlotText[] =>
  view.cards.map((card) => ({
    index: card.index,
    word: card.word,
    label: t(`slot.${card.word}`),
    name: cardName(t, card) ?? t("slot.line", { number: card.index + 1 }),
  }));

export interface PaymentData {
  live: string;
  status: string;
  check: string;
  signature: string;
  copy: { code: string; line: string };
  timer: {
    secondsLeft: number;
    lifeSeconds: number;
    left: string;
    minutes: Record<string, string>;
    seconds: Record<string, string>;
  } | null;
  /** Then the page is looked at again: what is awaited is called "confirming". */
  confirmingInSeconds: number | null;
  /** Follows nothing, and may have to tell of a refund later on. */
  isReceipt: boolean;
  words: { checking: string; offline: string };
}

export function paymentData(frame: Frame, view: PaymentView): PaymentData {
  const t = getTranslations("checkout", frame.locale);
  const own = `${frame.base}/p/${view.token}`;
  return {
    live: `${own}/live`,
    status: `${own}/status`,
    check: `${own}/check`,
    signature: viewSignature(view),
    copy: { code: view.pix?.code ?? view.boleto?.pix?.code ?? "", line: view.boleto?.line ?? "" },
    timer: view.pix
      ? {
          secondsLeft: view.pix.secondsLeft,
          lifeSeconds: view.pix.lifeSeconds,
          left: t("pay.pix.left", { time: "{time}" }),
          minutes: Object.fromEntries(SPOKEN_MINUTES.map((count) => [count, t("pay.pix.leftMinutes", { count })])),
          seconds: Object.fromEntries(SPOKEN_SECONDS.map((count) => [count, t("pay.pix.leftSeconds", { count })])),
        }
      : null,
    confirmingInSeconds: view.confirmingInSeconds,
    isReceipt: isReceipt(view),
    words: { checking: t("pay.pix.checking"), offline: t("pay.offline") },
  };
}

const isReceipt = ({ state, instead }: PaymentView): boolean =>
  RECEIPT_STATES.has(state) && !LIVE_STATES.has(state) && instead === null;

/** Changes when the page would look different, apart from the words on the cards' own lines. */
export const viewSignature = ({ state, refunded, instead }: PaymentView): string =>
  [state, refunded, ...(instead ? [instead] : [])].join(":");
