import { isDeepStrictEqual } from "node:util";
import type { JsonSchema } from "@/lib/http/openapi/document";

const LISTS = ["anyOf", "oneOf", "allOf", "prefixItems"] as const;
const SINGLES = ["items", "additionalProperties", "propertyNames", "not"] as const;

/** A copy with every schema inside it changed, the innermost first. */
export function mapSchema(schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const copy: JsonSchema = { ...schema };
  if (copy.properties) {
    copy.properties = Object.fromEntries(
      Object.entries(copy.properties).map(([name, member]) => [name, mapSchema(member, change)]),
    );
  }
  for (const keyword of LISTS) {
    const list = copy[keyword];
    // Guarantee: these keywords hold lists of schemas.
    if (Array.isArray(list)) copy[keyword] = (list as JsonSchema[]).map((part) => mapSchema(part, change));
  }
  for (const keyword of SINGLES) {
    const single = copy[keyword];
    // Guarantee: these keywords hold a schema, or a boolean.
    if (typeof single === "object" && single !== null) copy[keyword] = mapSchema(single as JsonSchema, change);
  }
  return change(copy);
}

/** Their format says what the pattern says. */
const FORMATS_WITH_PATTERN = new Set(["uuid", "email", "date", "date-time"]);

/** Without the keywords that say nothing, or less than another one beside them. */
export function tidied(schema: JsonSchema): JsonSchema {
  const tidy = { ...schema };
  // A whole number in a query is text with a pattern to the parser and an integer to the reader.
  if (tidy.type !== "string" || FORMATS_WITH_PATTERN.has(tidy.format ?? "")) delete tidy.pattern;
  if (tidy.maximum === Number.MAX_SAFE_INTEGER) delete tidy.maximum;
  if (tidy.minimum === Number.MIN_SAFE_INTEGER) delete tidy.minimum;
  // Members may be added to answers at any time (spec/contract.md 1.11).
  if (tidy.additionalProperties === false) delete tidy.additionalProperties;
  if (isDeepStrictEqual(tidy.propertyNames, { type: "string" })) delete tidy.propertyNames;
  return tidy;
}
