import { phoneIn } from "@/app/(dashboard)/dashboard/sellers/phone";
import { textOf } from "@/app/(dashboard)/task";
import { typedCents } from "@/lib/charges/typed-amount";

/** How the text of a field becomes the member of a body. */
export type TypedKind = "text" | "phone" | "cents" | "percent" | "whole" | "yes";

/** A member by its path in the body, which is also the name of its field. */
export type TypedMember = readonly [path: string, kind: TypedKind];

const UNREADABLE = Number.NaN;

/** An amount or a percentage as people write it: zero is one too. */
function numberOf(text: string, kind: "cents" | "percent", locale: string): number {
  const cents = typedCents(text, locale);
  if (cents === undefined) return UNREADABLE;
  return kind === "cents" ? cents : cents / 100;
}

function readAs(text: string, kind: TypedKind, locale: string): unknown {
  if (kind === "yes") return text === "yes";
  if (text === "") return undefined;
  if (kind === "whole") return /^\d+$/.test(text) ? Number(text) : UNREADABLE;
  if (kind === "phone") return phoneIn(text) ?? text;
  return kind === "text" ? text : numberOf(text, kind, locale);
}

/** The body that a form's fields make for somebody who writes numbers as `locale` does; what is empty is absent. */
export function bodyOf(form: FormData, members: readonly TypedMember[], locale: string): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const [path, kind] of members) {
    const value = readAs(textOf(form, path), kind, locale);
    if (value === undefined) continue;
    const names = path.split(".");
    const last = names.pop() ?? path;
    let at = body;
    for (const name of names) {
      at[name] ??= {};
      // Guarantee: made one line above, or by a member before of the same group.
      at = at[name] as Record<string, unknown>;
    }
    at[last] = value;
  }
  return body;
}

export const givenIn = (form: FormData, members: readonly TypedMember[]): Record<string, string> =>
  Object.fromEntries(members.map(([path]) => [path, textOf(form, path)]));

/** The longest of the form's fields that a refused path names, so that the problem stands beside it. */
export const fieldAt = (path: string, members: readonly TypedMember[]): string | undefined =>
  members
    .map(([name]) => name)
    .filter((name) => path === name || path.startsWith(`${name}.`) || name.startsWith(`${path}.`))
    .toSorted((a, b) => b.length - a.length)[0];
