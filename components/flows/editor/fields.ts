import { type Comparison, FIELDS, METADATA, type Operator, type Scalar } from "@/lib/flows/rules/nodes";

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

/** What a form shows of a value. */
export function typedOf({ field, value }: Pick<Comparison, "field" | "value">): string {
  const values = typeof value === "object" ? value : [value];
  return values
    .map((one) => (field === "amount" && typeof one === "number" ? (one / 100).toFixed(2) : String(one)))
    .join(", ");
}

/** What was typed as a value of the field; one that cannot be is kept as text, and the rules say so. */
export function valueFrom(field: string, operator: Operator, typed: string): Comparison["value"] {
  const parts = operator === "in" ? typed.split(/\s*[,;]\s*/).filter(Boolean) : [typed.trim()];
  const values = parts.map((part): Scalar => scalarOf(field, operator, part));
  const [first = ""] = values;
  return operator === "in" ? values : first;
}

const ORDERED: readonly Operator[] = ["gt", "gte", "lt", "lte"];
const MONEY = /^\d{1,3}(\.?\d{3})*(,\d{1,2})?$|^\d+(\.\d{1,2})?$/;

function scalarOf(field: string, operator: Operator, text: string): Scalar {
  if (field === "amount") return centsOf(text) ?? text;
  const isNumber = isWhole(field) || (field.startsWith(METADATA) && ORDERED.includes(operator));
  const number = Number(text);
  return isNumber && text !== "" && Number.isFinite(number) ? number : text;
}

/** Both "1.234,50" and "1234.50" are one amount. */
function centsOf(text: string): number | undefined {
  if (!MONEY.test(text)) return undefined;
  const plain = /,\d{1,2}$/.test(text) || /\.\d{3}/.test(text) ? text.replaceAll(".", "").replace(",", ".") : text;
  return Math.round(Number(plain) * 100);
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
export function comparisonOf(name: FieldName): Comparison {
  const field = name === "metadata" ? `${METADATA}tier` : name;
  const operators = operatorsOf(field);
  const operator = operators.includes("gte") && name !== "metadata" ? "gte" : (operators[0] ?? "eq");
  return { field, operator, value: FIRST[name] ?? "gold" };
}
