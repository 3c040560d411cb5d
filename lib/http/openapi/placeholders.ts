import { derivedId } from "@/lib/ids";

/** `{{merchantId}}` in an example stands for an object that the reader has; the document shows an id in its place. */
const PLACEHOLDER = /\{\{(\w+)\}\}/g;

export type Resolver = (name: string) => string;

/** The same id for the same name everywhere in the document. */
export const exampleId: Resolver = (name) => derivedId("example", name);

/** A copy of an example with every placeholder replaced, whatever its shape. */
export function withoutPlaceholders(value: unknown, resolve: Resolver): unknown {
  if (typeof value === "string") return value.replace(PLACEHOLDER, (_, name: string) => resolve(name));
  if (Array.isArray(value)) return value.map((item) => withoutPlaceholders(item, resolve));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, withoutPlaceholders(member, resolve)]),
  );
}

/** The placeholders an example names, each once. */
export function placeholdersIn(value: unknown): string[] {
  const names = new Set<string>();
  withoutPlaceholders(value, (name) => {
    names.add(name);
    return name;
  });
  return [...names];
}
