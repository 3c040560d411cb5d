import type { SQL } from "drizzle-orm";

const expressions = new WeakMap<SQL, number>();
const MOST_EXPRESSIONS = 150;
let expressionCount = 0;

/** Expressions are told apart by identity: they must be constants, or every use would keep a statement of its own. */
export function numberOf(expression: SQL): number {
  const known = expressions.get(expression);
  if (known !== undefined) return known;
  expressionCount += 1;
  if (expressionCount > MOST_EXPRESSIONS) throw new Error("an SQL expression in a kept statement is not a constant");
  expressions.set(expression, expressionCount);
  return expressionCount;
}
