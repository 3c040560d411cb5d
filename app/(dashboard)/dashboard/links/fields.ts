import { getLocale, getTranslations } from "next-intl/server";
import type { Behind } from "@/app/(dashboard)/dashboard/links/recipient";
import { merchantField } from "@/app/(dashboard)/merchant-field";
import type { TaskField } from "@/components/tasks/task-input";
import type { SessionSubscription } from "@/db/schema/sessions";
import { INTERVALS, type Interval } from "@/db/schema/subscriptions";
import { saoPauloDay } from "@/lib/brazil/bank-calendar";
import { centsToDecimal } from "@/lib/money";
import type { SaleBehind } from "@/lib/purchases/sold-by";
import { type SessionRow, UNLIMITED } from "@/lib/sessions/state";

const MOST_INSTALLMENTS = 12;
const REPEATS = ["5", "10", "50", "100"] as const;
export const METHODS = ["credit", "pix", "boleto"] as const;

/** What the fields of a new link begin with. */
export interface LinkStart {
  name: string;
  amount: string;
  methods: string;
  installments: string;
  payments: string;
  /** `once`, or how often it is charged. */
  interval: string;
  cycles: string;
  trialDays: string;
  dueDate: string;
  orderId: string;
  description: string;
  merchantId: string;
}

export const NOTHING_YET: LinkStart = {
  name: "",
  amount: "",
  methods: "credit,pix",
  installments: "1",
  payments: "once",
  interval: "once",
  cycles: "",
  trialDays: "",
  dueDate: "",
  orderId: "",
  description: "",
  merchantId: "",
};

export const typedAmount = (cents: number, locale: string): string =>
  locale === "en" ? centsToDecimal(cents) : centsToDecimal(cents).replace(".", ",");

const paymentsOf = ({ maxPayments }: SessionRow): string =>
  maxPayments === null ? "once" : maxPayments === UNLIMITED ? "many" : String(maxPayments);

/** The same order once more, to be looked at and changed before it is made. */
export async function startLike(session: SessionRow, at: Date): Promise<LinkStart> {
  const locale = await getLocale();
  const credit = session.paymentMethods.find(({ paymentType }) => paymentType === "credit");
  const isOver = session.dueAt !== null && session.dueAt <= at;
  return {
    name: session.name ?? session.items[0]?.name ?? "",
    amount: typedAmount(session.amount, locale),
    methods: session.paymentMethods.map(({ paymentType }) => paymentType).join(","),
    installments: String(credit?.installments ?? 1),
    payments: paymentsOf(session),
    interval: session.subscription?.interval ?? "once",
    cycles: String(session.subscription?.cycles ?? ""),
    trialDays: String(session.subscription?.trial?.days ?? ""),
    dueDate: session.dueAt && !isOver ? saoPauloDay(session.dueAt) : "",
    orderId: session.orderId ?? "",
    description: session.description ?? "",
    merchantId: session.merchantId,
  };
}

/** Once more what a payment was for, such as one that was declined; a bare order number says nothing to its buyer. */
export async function startFor(sold: SaleBehind, { link }: Pick<Behind, "link">): Promise<LinkStart> {
  const t = await getTranslations("links");
  const { originalAmount, orderId, description, merchantId, installments } = sold;
  return {
    ...NOTHING_YET,
    name: link ?? description ?? (orderId ? t("orderName", { order: orderId }) : ""),
    amount: typedAmount(originalAmount, await getLocale()),
    installments: String(installments ?? 1),
    orderId: orderId ?? "",
    description: description ?? "",
    merchantId,
  };
}

export const INTERVAL_TEXTS = {
  weekly: "intervalWeekly",
  monthly: "intervalMonthly",
  quarterly: "intervalQuarterly",
  yearly: "intervalYearly",
  biennial: "intervalBiennial",
  triennial: "intervalTriennial",
} as const satisfies Record<Interval, string>;

export const EVERY_TEXTS = {
  weekly: "everyWeekly",
  monthly: "everyMonthly",
  quarterly: "everyQuarterly",
  yearly: "everyYearly",
  biennial: "everyBiennial",
  triennial: "everyTriennial",
} as const satisfies Record<Interval, string>;

/** What a link's payment starts, in one line. */
export async function subscriptionText({ interval, cycles, trial }: SessionSubscription): Promise<string> {
  const t = await getTranslations("links");
  return [
    t(EVERY_TEXTS[interval]),
    cycles === null ? t("subscriptionEndless") : t("subscriptionCycles", { count: cycles }),
    ...(trial ? [t("subscriptionTrial", { days: trial.days })] : []),
  ].join(" · ");
}

export const EXAMPLES = {
  deposit: { heading: "exampleDeposit", body: "exampleDepositText" },
  event: { heading: "exampleEvent", body: "exampleEventText" },
  invoice: { heading: "exampleInvoice", body: "exampleInvoiceText" },
} as const;
export type Example = keyof typeof EXAMPLES;
export const isExample = (name: string | undefined): name is Example =>
  name !== undefined && Object.hasOwn(EXAMPLES, name);

const EXAMPLE_STARTS: Record<Example, Partial<LinkStart> & { cents: number }> = {
  deposit: { cents: 15_000, methods: "credit,pix", installments: "3" },
  event: { cents: 8_000, methods: "credit", installments: "1", payments: "100" },
  invoice: { cents: 49_990, methods: "pix,boleto" },
};

const DAYS_TO_PAY = 7;
const DAY_MS = 86_400_000;

export async function startOf(example: Example, at: Date): Promise<LinkStart> {
  const t = await getTranslations("links");
  const locale = await getLocale();
  const { cents, ...start } = EXAMPLE_STARTS[example];
  return {
    ...NOTHING_YET,
    ...start,
    name: t(EXAMPLES[example].heading),
    amount: typedAmount(cents, locale),
    dueDate: example === "invoice" ? saoPauloDay(new Date(at.getTime() + DAYS_TO_PAY * DAY_MS)) : "",
  };
}

export async function linkFields(
  start: LinkStart,
  merchants: readonly { id: string; name: string | null }[],
): Promise<TaskField[]> {
  const t = await getTranslations("links");
  const repeats = [...new Set([...REPEATS, ...(/^\d+$/.test(start.payments) ? [start.payments] : [])])];
  return [
    { name: "name", label: t("what"), hint: t("whatHint"), isRequired: true, initial: start.name },
    { name: "amount", label: t("amountLabel"), hint: t("amountHint"), isRequired: true, initial: start.amount },
    {
      name: "interval",
      label: t("interval"),
      hint: t("intervalHint"),
      kind: "choice",
      initial: start.interval,
      options: [
        { value: "once", label: t("intervalOnce") },
        ...INTERVALS.map((interval) => ({ value: interval, label: t(INTERVAL_TEXTS[interval]) })),
      ],
    },
    {
      name: "cycles",
      label: t("cycles"),
      hint: t("cyclesHint"),
      kind: "number",
      initial: start.cycles,
      when: "repeated",
    },
    {
      name: "trialDays",
      label: t("trialDays"),
      hint: t("trialDaysHint"),
      kind: "number",
      initial: start.trialDays,
      when: "repeated",
    },
    {
      name: "methods",
      label: t("methods"),
      kind: "choices",
      when: "once",
      initial: start.methods,
      options: [
        { value: "credit", label: t("methodCard") },
        { value: "pix", label: t("methodPix") },
        { value: "boleto", label: t("methodBoleto") },
      ],
    },
    {
      name: "installments",
      label: t("installments"),
      kind: "choice",
      when: "once",
      initial: start.installments,
      options: Array.from({ length: MOST_INSTALLMENTS }, (_, index) => ({
        value: String(index + 1),
        label: index === 0 ? t("installmentsOne") : t("installmentsUpTo", { count: index + 1 }),
      })),
    },
    {
      name: "payments",
      label: t("howOften"),
      hint: t("howOftenHint"),
      kind: "choice",
      initial: start.payments,
      options: [
        { value: "once", label: t("once") },
        ...repeats.map((count) => ({ value: count, label: t("upTo", { count: Number(count) }) })),
        { value: "many", label: t("always") },
      ],
    },
    { name: "dueDate", label: t("dueLabel"), hint: t("dueHint"), kind: "day", initial: start.dueDate },
    { name: "orderId", label: t("order"), hint: t("orderHint"), initial: start.orderId },
    { name: "description", label: t("note"), kind: "long", initial: start.description },
    ...merchantField(
      { label: t("merchant"), choose: t("merchantChoose") },
      merchants,
      merchants.find(({ id }) => id === start.merchantId),
    ),
  ];
}
