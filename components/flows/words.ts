import { useFormatter, useLocale, useTranslations } from "next-intl";
import { formatCents } from "@/components/ui/money-format";
import { BRAND_NAMES, type BrandName } from "@/lib/brazil/card-brand";
import { brandCode } from "@/lib/flows/rules/facts";
import {
  type BestNode,
  FIELDS,
  type FieldComparison,
  type FlowNode,
  METADATA,
  type Operator,
  type Scalar,
  type Test,
} from "@/lib/flows/rules/nodes";

/** What a flow's ids and codes are called. */
export interface FlowNames {
  /** By id. */
  providers: Readonly<Record<string, string>>;
  /** By decline code. */
  declines: Readonly<Record<string, string>>;
}

type Texts = ReturnType<typeof useTranslations<"flows">>;

interface Saying {
  t: Texts;
  list: (texts: readonly string[], type: "conjunction" | "disjunction") => string;
  money: (cents: number) => string;
  weekday: (number: number) => string;
}

const WORDS_OF_ORDER = {
  amount: {
    gte: "amountFrom",
    gt: "amountAbove",
    lte: "amountUpTo",
    lt: "amountBelow",
    eq: "amountOf",
    neq: "amountNot",
  },
  installments: {
    gte: "partsFrom",
    gt: "partsAbove",
    lte: "partsUpTo",
    lt: "partsBelow",
    eq: "partsOf",
    neq: "partsNot",
  },
  hour: { gte: "hourFrom", gt: "hourAfter", lte: "hourUpTo", lt: "hourBefore", eq: "hourAt", neq: "hourNot" },
  weekday: { gte: "dayFrom", gt: "dayAfter", lte: "dayUpTo", lt: "dayBefore", eq: "dayOn", neq: "dayNot" },
  attempt: {
    gte: "attemptFrom",
    gt: "attemptAbove",
    lte: "attemptUpTo",
    lt: "attemptBelow",
    eq: "attemptOf",
    neq: "attemptNot",
  },
  random: { gte: "drawnFrom", gt: "drawnAbove", lte: "drawnUpTo", lt: "drawnBelow", eq: "drawnOf", neq: "drawnNot" },
  bucket: {
    gte: "buyersFrom",
    gt: "buyersAbove",
    lte: "buyersUpTo",
    lt: "buyersBelow",
    eq: "buyersOf",
    neq: "buyersNot",
  },
} as const;

const WORDS_OF_TEXT = {
  brand: { is: "brandIs", isNot: "brandNot" },
  cardBin: { is: "binIs", isNot: "binNot" },
  country: { is: "countryIs", isNot: "countryNot" },
  currency: { is: "currencyIs", isNot: "currencyNot" },
  cardFunction: { is: "functionIs", isNot: "functionNot" },
  recurrence: { is: "recurrenceIs", isNot: "recurrenceNot" },
  source: { is: "sourceIs", isNot: "sourceNot" },
  previousDecline: { is: "declineIs", isNot: "declineNot" },
} as const;

export const VALUE_TEXTS = {
  cardFunction: {
    credit: "functionCredit",
    debit: "functionDebit",
    prepaid: "functionPrepaid",
    unknown: "functionUnknown",
  },
  recurrence: {
    initial: "recurrenceInitial",
    subsequent: "recurrenceSubsequent",
    unscheduled: "recurrenceUnscheduled",
  },
  source: {
    api: "sourceApi",
    link: "sourceLink",
    checkout: "sourceCheckout",
    subscription: "sourceSubscription",
    purchase: "sourcePurchase",
  },
} as const;

const WORDS_OF_METADATA = {
  eq: "metadataIs",
  neq: "metadataNot",
  gt: "metadataAbove",
  gte: "metadataFrom",
  lt: "metadataBelow",
  lte: "metadataUpTo",
  in: "metadataIn",
  contains: "metadataContains",
} as const satisfies Record<Operator, string>;

const MEASURE_TEXTS = { approval: "bestApproval", cost: "bestCost", latency: "bestLatency" } as const;

/** Read in this order, whatever order they were written in: "Visa from R$ 500,00 in 7× or more". */
const ORDER = ["cardFunction", "brand", "cardBin", "country", "currency", "amount", "installments"];
const placeOf = (test: Test): number => {
  const place = "field" in test ? ORDER.indexOf(test.field) : -1;
  return place === -1 ? ORDER.length : place;
};

/** A flow in sentences; works in components of the server and of the browser. */
export function useFlowWords(names: FlowNames) {
  const t = useTranslations("flows");
  const format = useFormatter();
  const locale = useLocale();
  const saying: Saying = {
    t,
    list: (texts, type) => format.list([...texts], { type }),
    money: (cents) => formatCents(cents, "BRL", locale),
    weekday: (number) => format.dateTime(new Date(Date.UTC(2024, 0, number)), { weekday: "long", timeZone: "UTC" }),
  };
  const provider = (id: string): string => names.providers[id] ?? t("unknownProvider");
  const decline = (code: string): string => names.declines[code] ?? code;
  const test = (given: Test): string => capital(testText(saying, decline, given));
  const inRow = (ids: readonly string[]): string =>
    ids.reduceRight((rest, id) => (rest === "" ? provider(id) : t("then", { first: provider(id), rest })), "");
  return {
    provider,
    decline,
    test,
    /** Of a side; one that is being typed is no number yet. */
    weight: (share: number): string => (Number.isNaN(share) ? MISSING : String(share)),
    value: (field: string, value: Scalar): string => valueText(saying, decline, field, value),
    inRow,
    best: ({ ids, by }: Pick<BestNode, "ids" | "by">) =>
      t(MEASURE_TEXTS[by], { providers: saying.list(orMissing(ids.map(provider)), "disjunction") }),
    /** What one node does, without what stands in its branches. */
    node(node: FlowNode): string {
      switch (node.rule) {
        case "provider":
          return provider(node.id);
        case "antifraud":
          return t("analyze", { provider: provider(node.id) });
        case "challenge":
          return t(node.mode === "required" ? "challengeRequired" : "challengeData");
        case "condition":
          return test(node.if);
        case "share":
          return t(node.by === "bucket" ? "shareBuyers" : "shareRandom");
        case "best":
          return this.best(node);
      }
    },
  };
}

export type FlowWords = ReturnType<typeof useFlowWords>;

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function testText(saying: Saying, decline: (code: string) => string, test: Test): string {
  // A group inside a group is set apart: what belongs together is not left to the reader.
  const inner = (one: Test): string => {
    const text = testText(saying, decline, one);
    return "field" in one ? text : `(${text})`;
  };
  if ("all" in test) {
    const parts = test.all.toSorted((a, b) => placeOf(a) - placeOf(b));
    const isPlain = parts.every((one) => "field" in one && placeOf(one) < ORDER.length);
    return isPlain ? parts.map(inner).join(" ") : saying.list(parts.map(inner), "conjunction");
  }
  if ("any" in test) return saying.list(test.any.map(inner), "disjunction");
  return comparisonText(saying, decline, test);
}

function comparisonText(saying: Saying, decline: (code: string) => string, comparison: FieldComparison): string {
  const { t, list } = saying;
  const { field, operator, value } = comparison;
  const values = typeof value === "object" ? value : [value];
  const told = values.map((one) => (isTold(comparison, one) ? valueText(saying, decline, field, one) : MISSING));
  const shown = orMissing(told);
  if (Object.hasOwn(WORDS_OF_ORDER, field)) {
    // Guarantee: looked up only where the key exists.
    const words = WORDS_OF_ORDER[field as keyof typeof WORDS_OF_ORDER];
    // Of an hour both ends are said: each is told whole.
    if (operator === "in" && field === "hour")
      return list(
        shown.map((one) => t("hourAt", { value: one })),
        "disjunction",
      );
    const key = operator === "in" || operator === "contains" ? "eq" : operator;
    return t(words[key], { value: list(shown, "disjunction") });
  }
  if (Object.hasOwn(WORDS_OF_TEXT, field)) {
    // Guarantee: as above.
    const words = WORDS_OF_TEXT[field as keyof typeof WORDS_OF_TEXT];
    return t(operator === "neq" ? words.isNot : words.is, { value: list(shown, "disjunction") });
  }
  const name = (field.startsWith(METADATA) ? field.slice(METADATA.length) : field) || MISSING;
  return t(WORDS_OF_METADATA[operator], { name, value: list(shown, "disjunction") });
}

/** In the place of what is being typed and cannot hold. */
const MISSING = "…";

const orMissing = (texts: readonly string[]): readonly string[] => (texts.length === 0 ? [MISSING] : texts);

const ORDERED: readonly Operator[] = ["gt", "gte", "lt", "lte"];

/** An editor keeps what was typed as it is; of a number only a number that the field can have is told. */
function isTold({ field, operator }: FieldComparison, value: Scalar): boolean {
  if (value === "" || (ORDERED.includes(operator) && typeof value !== "number")) return false;
  const rule = FIELDS[field];
  if (rule?.type !== "integer") return true;
  const { least = 0, most = Number.MAX_SAFE_INTEGER } = rule;
  return typeof value === "number" && Number.isSafeInteger(value) && value >= least && value <= most;
}

function valueText(
  { t, money, weekday }: Saying,
  decline: (code: string) => string,
  field: string,
  value: Scalar,
): string {
  if (field === "amount") return money(Number(value));
  if (field === "weekday") return weekday(Number(value));
  if (field === "brand") return brandText(t, String(value));
  if (field === "previousDecline") return decline(String(value));
  if (field in VALUE_TEXTS) {
    // Guarantee: looked up only where the key exists.
    const words: Readonly<Record<string, string>> = VALUE_TEXTS[field as keyof typeof VALUE_TEXTS];
    const key = words[String(value).toLowerCase()];
    return key ? t(key as "sourceApi") : String(value);
  }
  return String(value);
}

/** Most brands are called by their names in every language. */
export function brandText(t: Saying["t"], value: string): string {
  // Guarantee: brands have names by their codes.
  const name = BRAND_NAMES[brandCode(value) as keyof typeof BRAND_NAMES] ?? (value as BrandName);
  return name === BRAND_NAMES.unknown ? t("brandUnknown") : name;
}
