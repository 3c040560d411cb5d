import { brandCode } from "@/lib/flows/rules/facts";
import { type FieldComparison, fieldRule, type Scalar } from "@/lib/flows/rules/nodes";

/**
 * What the tests passed so far leave of a field's values. Metadata may be of any type, so each type has its own
 * constraints, and a value is of one type only once a test demanded it.
 */
export interface Domain {
  isPresent: boolean;
  type: "number" | "string" | "boolean" | undefined;
  isWhole: boolean;
  least: number;
  most: number;
  only: readonly Scalar[] | undefined;
  not: readonly Scalar[];
}

export function wholeDomain(field: string): Domain {
  const rule = fieldRule(field);
  const isInteger = rule?.type === "integer";
  return {
    isPresent: rule?.isAlwaysKnown ?? false,
    type: isInteger ? "number" : rule?.type === "text" ? "string" : undefined,
    isWhole: isInteger,
    least: rule?.least ?? Number.NEGATIVE_INFINITY,
    // 100 may be compared with, but is never drawn.
    most: rule?.most === 100 ? 99 : (rule?.most ?? Number.POSITIVE_INFINITY),
    only: rule?.values,
    not: [],
  };
}

/** With a test that holds; its value is there, and of the type of what it is compared with. */
export function whenTrue(domain: Domain, { field, operator, value }: FieldComparison): Domain | undefined {
  const values = listOf(field, value);
  const type = typeOf(values);
  if (domain.type && type && domain.type !== type) return undefined;
  const typed = { ...domain, isPresent: true, type: domain.type ?? type };
  switch (operator) {
    case "eq":
    case "in":
      return possible(field, { ...typed, only: meeting(field, typed.only, values) });
    case "neq":
      return possible(field, { ...typed, not: [...typed.not, ...values] });
    case "contains":
      return field === "cardBin" ? possible(field, { ...typed, only: meeting(field, typed.only, values) }) : typed;
    default:
      return possible(field, bounded(typed, operator, Number(value)));
  }
}

const OPPOSITE = { gt: "lte", gte: "lt", lt: "gte", lte: "gt" } as const;

/** With a test that does not hold: it may be that there is no such value. */
export function whenFalse(domain: Domain, { field, operator, value }: FieldComparison): Domain | undefined {
  const values = listOf(field, value);
  const isOfType = domain.type !== undefined && domain.type === typeOf(values);
  switch (operator) {
    case "eq":
    case "in":
      return ifPresent(field, { ...domain, not: [...domain.not, ...values] });
    case "neq":
      return isOfType ? ifPresent(field, { ...domain, only: meeting(field, domain.only, values) }) : domain;
    case "contains":
      return field === "cardBin" ? ifPresent(field, { ...domain, not: [...domain.not, ...values] }) : domain;
    default:
      return isOfType ? ifPresent(field, bounded(domain, OPPOSITE[operator], Number(value))) : domain;
  }
}

const ifPresent = (field: string, domain: Domain): Domain | undefined =>
  domain.isPresent && domain.type !== undefined ? possible(field, domain) : domain;

function bounded(domain: Domain, operator: "gt" | "gte" | "lt" | "lte", value: number): Domain {
  const step = domain.isWhole ? 1 : Number.EPSILON * Math.max(1, Math.abs(value));
  switch (operator) {
    case "gt":
      return { ...domain, least: Math.max(domain.least, value + step) };
    case "gte":
      return { ...domain, least: Math.max(domain.least, value) };
    case "lt":
      return { ...domain, most: Math.min(domain.most, value - step) };
    case "lte":
      return { ...domain, most: Math.min(domain.most, value) };
  }
}

/** Ranges up to this size are looked through for a value that is left. */
const SMALL_RANGE = 200;

function possible(field: string, domain: Domain): Domain | undefined {
  const { type, only, not, least, most, isWhole } = domain;
  if (type === "boolean" && !only) return [true, false].some((one) => !not.includes(one)) ? domain : undefined;
  if (only) {
    const isLeft = (one: Scalar): boolean =>
      typeof one === type && !isExcluded(field, one, not) && (typeof one !== "number" || (one >= least && one <= most));
    return only.some(isLeft) ? domain : undefined;
  }
  if (type !== "number") return domain;
  if (least > most) return undefined;
  if (!isWhole || most - least > SMALL_RANGE) return least === most && not.includes(least) ? undefined : domain;
  for (let one = least; one <= most; one++) if (!not.includes(one)) return domain;
  return undefined;
}

const isExcluded = (field: string, one: Scalar, not: readonly Scalar[]): boolean =>
  field === "cardBin" ? not.some((part) => String(one).startsWith(String(part))) : not.includes(one);

/** Those of both; of two beginnings of a BIN the longer one. */
function meeting(field: string, known: readonly Scalar[] | undefined, values: readonly Scalar[]): readonly Scalar[] {
  if (!known) return values;
  if (field !== "cardBin") return known.filter((one) => values.includes(one));
  return known.flatMap((one) =>
    values.flatMap((other) => {
      if (String(one).startsWith(String(other))) return [one];
      return String(other).startsWith(String(one)) ? [other] : [];
    }),
  );
}

const listOf = (field: string, value: FieldComparison["value"]): readonly Scalar[] =>
  (typeof value === "object" ? value : [value]).map((one) => plain(field, one));

const plain = (field: string, value: Scalar): Scalar => {
  if (typeof value !== "string") return value;
  return field === "brand" ? brandCode(value) : value.toLowerCase();
};

function typeOf(values: readonly Scalar[]): Domain["type"] {
  const types = [...new Set(values.map((one) => typeof one))];
  const [type] = types;
  return types.length === 1 && (type === "number" || type === "string" || type === "boolean") ? type : undefined;
}
