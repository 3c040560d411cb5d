import { getLocale, getTranslations } from "next-intl/server";
import { EVERY_TEXTS, typedAmount } from "@/app/(dashboard)/dashboard/links/fields";
import { splitWords } from "@/app/(dashboard)/dashboard/split-form";
import { merchantField } from "@/app/(dashboard)/merchant-field";
import type { SplitEditorTexts } from "@/components/links/split-editor";
import type { TaskField } from "@/components/tasks/task-input";
import { INTERVALS, type Interval } from "@/db/schema/subscriptions";
import type { ShownCard } from "@/lib/customers/operator-queries";
import type { EarlierPlan } from "@/lib/subscriptions/earlier-plans";
import type { SubscriptionOverview } from "@/lib/subscriptions/operator-queries";

const MOST_INSTALLMENTS = 12;
/** Both ways to authorize Pix Automático; a card is chosen by its id. */
export const JOURNEYS = { pix: "qr", pixNow: "qr_with_first_payment" } as const;

type Merchant = { id: string; name: string | null };
type Option = NonNullable<TaskField["options"]>[number];

/** What stands now can always be kept: a choice without it would show, and send, another. */
const withPresent = (options: Option[], present: Option | undefined): Option[] =>
  !present || options.some(({ value }) => value === present.value) ? options : [present, ...options];

type NamedCard = Pick<ShownCard, "brand" | "last4digits" | "expirationMonth" | "expirationYear">;

/** Cards that can be charged, in the words of the page. */
async function cardOptions(cards: readonly ShownCard[]): Promise<Option[]> {
  const t = await getTranslations("subscriptions");
  return cards
    .filter(({ status }) => status !== "failed")
    .map((card) => ({ value: card.id, label: t("cardName", nameOf(card)) }));
}

const nameOf = ({ brand, last4digits, expirationMonth, expirationYear }: NamedCard) => ({
  brand,
  lastFour: last4digits,
  month: expirationMonth,
  year: expirationYear,
});

async function installmentsField(initial: number): Promise<TaskField> {
  const t = await getTranslations("subscriptions");
  const counts = Array.from({ length: Math.max(MOST_INSTALLMENTS, initial) }, (_, index) => index + 1);
  return {
    name: "installments",
    label: t("formInstallments"),
    hint: t("formInstallmentsHint"),
    kind: "choice",
    initial: String(initial),
    options: counts.map((count) => ({ value: String(count), label: t("formInstallmentsOf", { count }) })),
  };
}

async function intervalField(initial: Interval): Promise<TaskField> {
  const [t, words] = await Promise.all([getTranslations("subscriptions"), getTranslations("links")]);
  return {
    name: "interval",
    label: t("formInterval"),
    kind: "choice",
    initial,
    options: INTERVALS.map((each) => ({ value: each, label: words(EVERY_TEXTS[each]) })),
  };
}

/** How the customer can pay; empty where there is no way. */
export async function methodOptions(cards: readonly ShownCard[], hasMandates: boolean): Promise<Option[]> {
  const t = await getTranslations("subscriptions");
  return [
    ...(await cardOptions(cards)),
    ...(hasMandates
      ? [
          { value: "pix", label: t("formPix") },
          { value: "pixNow", label: t("formPixNow") },
        ]
      : []),
  ];
}

interface NewFormOf {
  methods: readonly Option[];
  hasMandates: boolean;
  merchants: readonly Merchant[];
  today: string;
  /** What it begins as. */
  like: EarlierPlan | undefined;
}

export async function newFields({ methods, hasMandates, merchants, today, like }: NewFormOf): Promise<TaskField[]> {
  const [t, locale] = await Promise.all([getTranslations("subscriptions"), getLocale()]);
  return [
    { name: "name", label: t("formName"), hint: t("formNameHint"), initial: like?.name, isRequired: true },
    {
      name: "amount",
      label: t("formAmount"),
      hint: t("formAmountHint"),
      initial: like && typedAmount(like.amount, locale),
      isRequired: true,
    },
    await intervalField(like?.interval ?? "monthly"),
    { name: "cycles", label: t("formCycles"), hint: t("formCyclesHint"), kind: "number" },
    { name: "startAt", label: t("formStart"), hint: t("formStartHint"), kind: "day", initial: today },
    { name: "trialEndAt", label: t("formTrial"), hint: t("formTrialHint"), kind: "day" },
    {
      name: "method",
      label: t("method"),
      ...(hasMandates ? { hint: t("formMethodHint") } : {}),
      kind: "choice",
      initial: methods[0]?.value,
      options: methods,
    },
    // Only a card is paid in installments.
    ...(methods.some(({ value }) => !Object.hasOwn(JOURNEYS, value))
      ? [{ ...(await installmentsField(1)), when: "carded" as const }]
      : []),
    ...(hasMandates
      ? [
          {
            name: "retry",
            label: t("mandateRetry"),
            kind: "choice" as const,
            when: "mandated" as const,
            initial: "none",
            options: [
              { value: "none", label: t("mandateRetryNone") },
              { value: "three_in_seven_days", label: t("mandateRetryThree") },
            ],
          },
        ]
      : []),
    { name: "referenceKey", label: t("reference"), hint: t("formReferenceHint") },
    ...merchantField({ label: t("merchant"), choose: t("merchantChoose") }, merchants),
  ];
}

/** What of a subscription can still change; of one under a mandate only what its buyer did not authorize. */
export async function editFields(
  { row, counts, mandate, card, merchant }: SubscriptionOverview,
  cards: readonly ShownCard[],
  merchants: readonly Merchant[],
): Promise<TaskField[]> {
  const [t, locale] = await Promise.all([getTranslations("subscriptions"), getLocale()]);
  const amounts = row.items.map(({ name, amount, quantity }, index): TaskField => {
    const item = t("item", { quantity: Number(quantity), name: String(name) });
    return {
      name: `amount${index}`,
      label: row.items.length === 1 && Number(quantity) === 1 ? t("formAmount") : t("formAmountOf", { item }),
      hint: index === 0 ? t("formAmountEditHint") : undefined,
      initial: typedAmount(Number(amount), locale),
      isRequired: true,
    };
  });
  const isBegun = counts.newest > 0;
  return [
    { name: "name", label: t("formName"), hint: t("formNameHint"), initial: row.name, isRequired: true },
    ...(mandate ? [] : amounts),
    ...(mandate ? [] : [{ ...(await intervalField(row.interval)), hint: t("formIntervalHint") }]),
    {
      name: "cycles",
      label: t("formCycles"),
      hint: row.cycles === null ? t("formCyclesHint") : t("formCyclesEditHint"),
      kind: "number",
      initial: String(row.cycles ?? ""),
    },
    ...(mandate || isBegun
      ? []
      : [{ name: "startAt", label: t("formStart"), kind: "day" as const, initial: row.startAt }]),
    ...(mandate
      ? []
      : [
          {
            name: "card",
            label: t("card"),
            hint: t("formCardHint"),
            kind: "choice" as const,
            initial: row.cardId ?? undefined,
            options: withPresent(
              await cardOptions(cards),
              row.cardId === null
                ? undefined
                : { value: row.cardId, label: card ? t("cardName", nameOf(card)) : t("formCardPresent") },
            ),
          },
          await installmentsField(row.installments),
        ]),
    {
      name: "endsOn",
      label: t("formEnds"),
      hint: t("formEndsHint"),
      kind: "day",
      initial: row.scheduledCancellationAt ?? "",
    },
    { name: "referenceKey", label: t("reference"), hint: t("formReferenceHint"), initial: row.referenceKey ?? "" },
    ...(mandate
      ? []
      : merchantField({ label: t("merchant"), choose: t("merchantChoose") }, merchants, {
          id: row.merchantId,
          name: merchant,
        })),
  ];
}

export async function splitTexts(): Promise<SplitEditorTexts> {
  const t = await getTranslations("subscriptions");
  return splitWords(t("formSplitHint"));
}
