import { typedCents } from "@/lib/charges/typed-amount";
import { FIELDS, type FieldComparison, METADATA, type Operator, type Scalar } from "@/lib/flows/rules/nodes";

/** A field of a condition as a form shows it: metadata is one entry with a key of its own. */
export const FIELD_NAMES = [
  "amount",
  "installments",
  "brand",
  "cardBin",
  "cardFunction",
  "country",
  "currency",
  "recurrence",
  "source",
  "weekday",
  "hour",
  "metadata",
  "random",
  "bucket",
  "attempt",
  "previousDecline",
] as const;
export type FieldName = (typeof FIELD_NAMES)[number];

/** Known only inside what follows a decline. */
const AFTER_DECLINE: readonly FieldName[] = ["attempt", "previousDecline"];

export const fieldNames = (isAfterDecline: boolean): FieldName[] =>
  FIELD_NAMES.filter((name) => isAfterDecline || !AFTER_DECLINE.includes(name));

export const fieldName = (field: string): FieldName => (field.startsWith(METADATA) ? "metadata" : (field as FieldName));

const OF_METADATA: readonly Operator[] = ["eq", "neq", "gt", "gte", "lt", "lte", "in", "contains"];

export const operatorsOf = (field: string): readonly Operator[] => FIELDS[field]?.operators ?? OF_METADATA;

const isWhole = (field: string): boolean => FIELDS[field]?.type === "integer";

type Value = FieldComparison["value"];
const listOf = (value: Value): readonly Scalar[] => (typeof value === "object" ? value : [value]);

/** What a form shows of a value: amounts as the language writes them. */
export function typedOf({ field, value }: Pick<FieldComparison, "field" | "value">, locale: string): string {
  const values = listOf(value);
  const amount = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, useGrouping: false });
  const isApart = field === "amount" || values.some((one) => String(one).includes(","));
  return values
    .map((one) => (field === "amount" && typeof one === "number" ? amount.format(one / 100) : String(one)))
    .join(isApart ? "; " : ", ");
}

/**
 * What was typed as a value of the field; one that cannot be is kept as text, and the rules say so. Metadata may hold
 * text, numbers and booleans, of which only the same kind is equal: what was there `before` says which is meant.
 */
export function valueFrom(field: string, operator: Operator, typed: string, locale: string, before: Value = []): Value {
  const known = field.startsWith(METADATA) ? listOf(before) : [];
  const text = typed.trim();
  const parts = operator === "in" && !known.some((one) => String(one) === text) ? partsOf(field, text) : [text];
  const values = parts.map((part): Scalar => scalarOf(field, operator, part, locale, known));
  const [first = ""] = values;
  return operator === "in" ? values : first;
}

function partsOf(field: string, text: string): string[] {
  const between = field === "amount" ? /\s*;\s*|,\s+/ : text.includes(";") ? /\s*;\s*/ : /\s*,\s*/;
  return text.split(between).filter(Boolean);
}

const ORDERED: readonly Operator[] = ["gt", "gte", "lt", "lte"];

function scalarOf(field: string, operator: Operator, text: string, locale: string, known: readonly Scalar[]): Scalar {
  if (field === "amount") return typedCents(text, locale) ?? text;
  const isOrdered = ORDERED.includes(operator);
  const isMetadata = field.startsWith(METADATA);
  if (isMetadata && !isOrdered && operator !== "contains") return likeOf(text, known);
  return isWhole(field) || (isMetadata && isOrdered) ? numberOf(text) : text;
}

function likeOf(text: string, known: readonly Scalar[]): Scalar {
  const same = known.find((one) => String(one) === text);
  if (same !== undefined || known.length === 0) return same ?? text;
  if (known.every((one) => typeof one === "number")) return numberOf(text);
  const isBoolean = known.every((one) => typeof one === "boolean") && (text === "true" || text === "false");
  return isBoolean ? text === "true" : text;
}

function numberOf(text: string): Scalar {
  const number = Number(text);
  return text !== "" && Number.isFinite(number) ? number : text;
}

const FIRST: Readonly<Partial<Record<FieldName, Scalar>>> = {
  amount: 50_000,
  installments: 7,
  brand: "visa",
  cardBin: "411111",
  cardFunction: "credit",
  country: "BR",
  currency: "BRL",
  recurrence: "subsequent",
  source: "link",
  weekday: 1,
  hour: 22,
  random: 50,
  bucket: 50,
  attempt: 2,
  previousDecline: "generic",
};

/** A comparison of another field starts whole, so that nothing is wrong before anybody typed. */
export function comparisonOf(name: FieldName): FieldComparison {
  const field = name === "metadata" ? `${METADATA}tier` : name;
  const operators = operatorsOf(field);
  const operator = operators.includes("gte") && name !== "metadata" ? "gte" : (operators[0] ?? "eq");
  return { field, operator, value: FIRST[name] ?? "gold" };
}
