import { inspect } from "node:util";
import type { Secret } from "@/lib/providers/provider";

/** Credentials that do not show themselves: printed, serialised or joined to text they are asterisks. */
export function secretOf(values: Readonly<Record<string, string>>): Secret {
  const kept = { ...values };
  const hidden = {
    redacted: true as const,
    reveal: () => kept,
    toJSON: () => MASK,
    toString: () => MASK,
    [inspect.custom]: () => MASK,
  };
  return hidden;
}

/** What a stored credential member looks like in every answer. */
export const MASK = "******";
