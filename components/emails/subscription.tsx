import { getTranslations as getCheckoutTranslations, under } from "@/components/checkout/words";
import { Action, type Fact, Facts, Note, Paragraph, Title } from "@/components/emails/parts";
import { cardName, money } from "@/components/emails/payment-words";
import type { EmailTemplate, Letter } from "@/components/emails/template";
import { getTranslations, shownInstant } from "@/components/emails/words";
import { isDeclinedCode } from "@/lib/declines/decline-codes";
import { civilDayText } from "@/lib/i18n/dates";

type Told = Letter<"subscription">;
type Kind = Told["data"]["kind"];

const TITLES = {
  started: "subStartedTitle",
  trialEnds: "subTrialTitle",
  receipt: "receiptTitle",
  failed: "subFailedTitle",
  lastTry: "subLastTitle",
  cardExpires: "subCardTitle",
  canceled: "subCanceledTitle",
  cardLink: "subLinkTitle",
  freshLink: "subFreshTitle",
} as const satisfies Record<Kind, string>;

const SUBJECTS = {
  started: "subStartedSubject",
  trialEnds: "subTrialSubject",
  receipt: "subReceiptSubject",
  failed: "subFailedSubject",
  lastTry: "subLastSubject",
  cardExpires: "subCardSubject",
  canceled: "subCanceledSubject",
  cardLink: "subLinkSubject",
  freshLink: "subFreshSubject",
} as const satisfies Record<Kind, string>;

const BODIES = {
  started: "subStartedBody",
  trialEnds: "subTrialBody",
  receipt: "subReceiptBody",
  failed: "subFailedBody",
  lastTry: "subLastBody",
  cardExpires: "subCardBody",
  canceled: "subCanceledBody",
  cardLink: "subLinkBody",
  freshLink: "subFreshBody",
} as const satisfies Record<Kind, string>;

/** What a decline leaves to do. */
const OUTLOOKS = { retry: "subFailedRetry", card: "subFailedCard", ended: "subFailedEnded" } as const;

/** The same where no card is charged: the buyer's bank pays, or does not. */
const BY_BANK = {
  titles: { ...TITLES, failed: "subBankFailedTitle", lastTry: "subBankLastTitle" },
  subjects: { ...SUBJECTS, lastTry: "subBankLastSubject" },
  bodies: { ...BODIES, trialEnds: "subBankTrialBody", failed: "subBankFailedBody", lastTry: "subBankLastBody" },
  trialStarted: "subBankTrialStarted",
  onOneDay: { trialEnds: "subBankTrialEndsCharged", trialStarted: "subBankTrialCharged" },
  outlooks: { ...OUTLOOKS, retry: "subBankFailedRetry", ended: "subBankFailedEnded" },
} as const;
const BY_CARD = {
  titles: TITLES,
  subjects: SUBJECTS,
  bodies: BODIES,
  trialStarted: "subTrialStarted",
  onOneDay: { trialEnds: "subTrialEndsCharged", trialStarted: "subTrialCharged" },
  outlooks: OUTLOOKS,
} as const;

const textsOf = ({ isByBank }: Told["data"]) => (isByBank ? BY_BANK : BY_CARD);

const PLANS = {
  weekly: "subPlanWeekly",
  monthly: "subPlanMonthly",
  quarterly: "subPlanQuarterly",
  yearly: "subPlanYearly",
  biennial: "subPlanBiennial",
  triennial: "subPlanTriennial",
} as const satisfies Record<Told["data"]["interval"], string>;

/** Another card is the point of these. */
const ABOUT_CARDS: ReadonlySet<Kind> = new Set<Kind>(["failed", "lastTry", "cardExpires", "cardLink"]);

export const template: EmailTemplate<"subscription"> = {
  subject: (letter) =>
    getTranslations("mail", letter.locale)(textsOf(letter.data).subjects[letter.data.kind], valuesOf(letter)),
  preview: (letter) => bodyOf(letter),
  Body(letter) {
    const { data, locale, look } = letter;
    const t = getTranslations("mail", locale);
    return (
      <>
        <Title look={look}>{t(textsOf(data).titles[data.kind])}</Title>
        <Paragraph look={look}>{bodyOf(letter)}</Paragraph>
        {data.reason && isDeclinedCode(data.reason) ? (
          <Paragraph look={look}>
            {getCheckoutTranslations("checkout", locale)(under("decline", data.reason))}
          </Paragraph>
        ) : null}
        {data.outlook ? (
          <Paragraph look={look}>{t(textsOf(data).outlooks[data.outlook], valuesOf(letter))}</Paragraph>
        ) : null}
        <Facts look={look} facts={factsOf(letter)} />
        <HowToCancel {...letter} />
        {data.url ? (
          <>
            <Action look={look} href={data.url}>
              {ABOUT_CARDS.has(data.kind) ? t("subActionCard") : t("subActionSee")}
            </Action>
            <Note look={look}>{t("subLinkNote")}</Note>
          </>
        ) : null}
      </>
    );
  },
};

function HowToCancel({ data, locale, look, brand }: Told) {
  const checkout = getCheckoutTranslations("checkout", locale);
  const isOver = data.kind === "canceled";
  if (data.isByBank) return isOver ? null : <Note look={look}>{checkout("plan.started.atBank")}</Note>;
  if (!data.cancel || isOver) return null;
  return (
    <Note look={look}>
      {data.cancel === "page"
        ? getTranslations("mail", locale)("subCancelHere")
        : checkout("subscription.askToCancel", { shop: brand.name })}
    </Note>
  );
}

function bodyOf(letter: Told): string {
  const t = getTranslations("mail", letter.locale);
  const { kind, on, nextOn } = letter.data;
  const { bodies, trialStarted, onOneDay } = textsOf(letter.data);
  // The first charge is usually on the day the trial ends, which is named once then.
  const isOneDay = on !== null && on !== undefined && on === nextOn;
  if (kind === "started" && on) return t(isOneDay ? onOneDay.trialStarted : trialStarted, valuesOf(letter));
  return t(kind === "trialEnds" && isOneDay ? onOneDay.trialEnds : bodies[kind], valuesOf(letter));
}

function valuesOf({ data, locale, brand }: Told) {
  const t = getTranslations("mail", locale);
  const on = data.on ? civilDayText(locale, data.on) : "";
  return {
    name: data.name,
    shop: brand.name,
    amount: money(data.amount, locale),
    card: data.card ? cardName(data.card, locale) : t("subOwnCard"),
    on,
    date: data.nextOn ? civilDayText(locale, data.nextOn) : on,
    month: data.cardUntil ? monthOf(data.cardUntil, locale) : "",
  };
}

const monthOf = (day: string, locale: Told["locale"]): string =>
  new Intl.DateTimeFormat(locale, { month: "long", year: "numeric", timeZone: "UTC" }).format(
    new Date(`${day}T00:00:00Z`),
  );

/** Last, whatever the letter is about. */
const factsOf = (letter: Told): Fact[] => [
  ...ownFacts(letter),
  [getTranslations("mail", letter.locale)("subReceiptsTo"), letter.data.receiptsTo],
];

function ownFacts({ data, locale }: Told): Fact[] {
  const t = getTranslations("mail", locale);
  const amount = money(data.amount, locale);
  const { kind, payment, card, nextOn } = data;
  const plan: Fact[] = [
    [t("subName"), data.name],
    [t("subPlan"), t(PLANS[data.interval], { amount })],
    [t("subCharges"), data.cycles ? t("subChargesCount", { count: data.cycles }) : null],
    data.isByBank ? [t("subMethod"), t("subByBank")] : [t("card"), card ? cardName(card, locale) : null],
  ];
  if (kind === "canceled" || kind === "cardLink" || kind === "freshLink") return plan.slice(0, 2);
  const next = nextOn ? civilDayText(locale, nextOn) : null;
  if (!payment) return [...plan, [kind === "trialEnds" ? t("subFirst") : t("subNext"), next]];
  return [
    [t("amount"), amount],
    [t("date"), t("saoPauloTime", { at: shownInstant(payment.at, locale) })],
    ...plan,
    [t("authorization"), payment.authorizationCode],
    [t("nsu"), payment.nsu],
    [t("endToEndId"), payment.endToEndId],
    [t("payment"), payment.id],
    [t("subNext"), next ?? t("subNoneNext")],
  ];
}
