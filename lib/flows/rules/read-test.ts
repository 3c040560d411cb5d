import { isBrand } from "@/lib/flows/rules/facts";
import {
  DEEPEST,
  type FieldRule,
  fieldRule,
  OPERATORS,
  type Operator,
  type Scalar,
  type Test,
} from "@/lib/flows/rules/nodes";

interface Inside {
  depth: number;
  isAfterDecline: boolean;
}

type Json = Readonly<Record<string, unknown>>;

/** A test that could not be read holds for nothing, and `why` says what is wrong with it first. */
export function readTest(given: unknown, inside: Inside): { test: Test; why?: string } {
  const wrong: string[] = [];
  const test = testOf(given, "if", inside, wrong);
  return wrong[0] === undefined ? { test } : { test, why: wrong[0] };
}

const NEVER: Test = { any: [] };
const MOST_TESTS = 50;

function testOf(given: unknown, at: string, inside: Inside, wrong: string[]): Test {
  const refuse = (why: string): Test => {
    wrong.push(`${at}: ${why}`);
    return NEVER;
  };
  if (typeof given !== "object" || given === null || Array.isArray(given)) return refuse("must be a test");
  // Guarantee: an object that is no list; its members are looked at before they are used.
  const test = given as Json;
  for (const joined of ["all", "any"] as const) {
    const tests = test[joined];
    if (tests === undefined) continue;
    if (Object.keys(test).length > 1) return refuse(`${joined} stands alone`);
    if (!Array.isArray(tests) || tests.length === 0 || tests.length > MOST_TESTS) {
      return refuse(`${joined} must be a list of 1 to ${MOST_TESTS} tests`);
    }
    const depth = inside.depth + 1;
    if (depth > DEEPEST) return refuse(`deeper than ${DEEPEST}`);
    const parts = tests.map((one, index) => testOf(one, `${at}.${joined}[${index}]`, { ...inside, depth }, wrong));
    return joined === "all" ? { all: parts } : { any: parts };
  }
  return comparisonOf(test, refuse, inside);
}

function comparisonOf(given: Json, refuse: (why: string) => Test, { isAfterDecline }: Inside): Test {
  const { field, operator: sign, value } = given;
  const extra = Object.keys(given).find((member) => !["field", "operator", "value"].includes(member));
  if (extra) return refuse(`${extra} is no member of a test`);
  const rule = typeof field === "string" ? fieldRule(field) : undefined;
  if (typeof field !== "string" || !rule) return refuse(`${String(field)} is no field`);
  if (rule.afterDecline && !isAfterDecline) return refuse(`${field} is known inside on only`);
  const operator = OPERATORS.find((one) => one === sign);
  if (!operator || !rule.operators.includes(operator)) return refuse(`${String(sign)} is no operator for ${field}`);
  const why = wrongValue(field, rule, operator, value);
  // Guarantee: `wrongValue` passes scalars, and lists of them.
  return why ? refuse(why) : { field, operator, value: value as Scalar | Scalar[] };
}

const MOST_VALUES = 500;

function wrongValue(field: string, rule: FieldRule, operator: Operator, value: unknown): string | undefined {
  if (operator !== "in") return wrongScalar(field, rule, operator, value);
  if (!Array.isArray(value) || value.length === 0 || value.length > MOST_VALUES) {
    return `value must be a list of 1 to ${MOST_VALUES} values`;
  }
  for (const one of value) {
    const why = wrongScalar(field, rule, operator, one);
    if (why) return why;
  }
  return undefined;
}

const LONGEST_VALUE = 255;
const ORDERED: ReadonlySet<string> = new Set(["gt", "gte", "lt", "lte"]);

function wrongScalar(field: string, rule: FieldRule, operator: Operator, value: unknown): string | undefined {
  if (rule.type === "integer") {
    const { least = Number.MIN_SAFE_INTEGER, most = Number.MAX_SAFE_INTEGER } = rule;
    const isFit = typeof value === "number" && Number.isSafeInteger(value) && value >= least && value <= most;
    return isFit ? undefined : `value must be a whole number${rule.most ? ` from ${least} to ${most}` : ""}`;
  }
  if (ORDERED.has(operator)) {
    return typeof value === "number" && Number.isFinite(value) ? undefined : "value must be a number";
  }
  if (rule.type === "any" && operator !== "contains" && isNumberOrBoolean(value)) return undefined;
  if (typeof value !== "string" || value.length === 0 || value.length > LONGEST_VALUE) {
    return rule.type === "any" && operator !== "contains"
      ? "value must be a string, a number or a boolean"
      : `value must be a string of 1 to ${LONGEST_VALUE} characters`;
  }
  if (rule.values && !rule.values.includes(value.toLowerCase()))
    return `value must be one of ${rule.values.join(", ")}`;
  if (field === "brand" && !isBrand(value)) return "value is no brand";
  if (field === "cardBin" && !(operator === "contains" ? /^\d{1,8}$/ : /^(\d{6}|\d{8})$/).test(value)) {
    return operator === "contains" ? "value must be 1 to 8 digits" : "value must be 6 or 8 digits";
  }
  return undefined;
}

const isNumberOrBoolean = (value: unknown): boolean =>
  typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value));
