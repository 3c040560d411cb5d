import { brandCode } from "@/lib/flows/rules/facts";
import type { FieldComparison, Scalar } from "@/lib/flows/rules/nodes";

/** Whether a comparison holds for the value seen. A missing value and one of another type make it false, `neq` too. */
export function holds({ field, operator, value }: FieldComparison, seen: Scalar | undefined): boolean {
  if (seen === undefined) return false;
  switch (operator) {
    case "eq":
      return isScalar(value) && typeof value === typeof seen && isSame(field, seen, value);
    case "neq":
      return isScalar(value) && typeof value === typeof seen && !mayBeSame(field, seen, value);
    case "in":
      return isMember(field, seen, value);
    case "contains":
      return typeof value === "string" && typeof seen === "string" && contains(field, seen, value);
    default:
      return typeof value === "number" && typeof seen === "number" && isOrdered(operator, seen, value);
  }
}

const isScalar = (value: FieldComparison["value"]): value is Scalar => typeof value !== "object";

/** Of two values of one type. Text without letter case; a BIN is compared by as many digits as were written. */
function isSame(field: string, seen: Scalar, value: Scalar): boolean {
  if (typeof seen !== "string" || typeof value !== "string") return seen === value;
  if (field === "brand") return brandCode(seen) === brandCode(value);
  if (field === "cardBin") return seen.startsWith(value);
  return seen === value || seen.toLowerCase() === value.toLowerCase();
}

/** Six digits of a BIN do not tell whether the next two are the ones asked about. */
const mayBeSame = (field: string, seen: Scalar, value: Scalar): boolean =>
  isSame(field, seen, value) || (field === "cardBin" && String(value).startsWith(String(seen)));

function isMember(field: string, seen: Scalar, values: FieldComparison["value"]): boolean {
  if (typeof values !== "object") return false;
  for (const value of values) if (typeof value === typeof seen && isSame(field, seen, value)) return true;
  return false;
}

const contains = (field: string, seen: string, part: string): boolean =>
  field === "cardBin" ? seen.startsWith(part) : seen.toLowerCase().includes(part.toLowerCase());

function isOrdered(operator: "gt" | "gte" | "lt" | "lte", seen: number, value: number): boolean {
  switch (operator) {
    case "gt":
      return seen > value;
    case "gte":
      return seen >= value;
    case "lt":
      return seen < value;
    case "lte":
      return seen <= value;
  }
}
