import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseSource, readSources, type Source } from "@/scripts/layers/sources";
import { inRoot } from "@/scripts/start/paths";

const DECLARED = "lib/providers/capabilities.ts";

/** `card.authOnly`, `lookup` …: every member of the type, those of its parts by both names. */
function declaredMembers(text: string): string[] {
  const body = /interface Capabilities \{([\s\S]*?)\n\}/.exec(text)?.[1] ?? "";
  const plain = body.replace(/\/\*[\s\S]*?\*\//g, "");
  const members = new Set<string>();
  const groups: string[] = [];
  let name = "";
  for (const [token] of plain.matchAll(/\w+(?=\??:)|[{}]|;/g)) {
    if (token === "{") groups.push(name);
    else if (token === "}") {
      name = groups.pop() ?? "";
      members.delete([...groups, name].join("."));
    } else if (token !== ";") {
      name = token;
      members.add([...groups, token].join("."));
    }
  }
  return [...members];
}

/** Code without comments and texts, of those modules alone that speak of capabilities. */
const readersAmong = (sources: readonly Source[]): string[] =>
  sources
    .filter(({ path, code }) => !path.startsWith("lib/providers/") && code.some((line) => /apabilit/.test(line)))
    .map(({ code }) => code.join("\n"));

function isRead(member: string, code: string): boolean {
  const [group = "", part] = member.split(".");
  const taken = (name: string) => new RegExp(`\\{[^{}=]*\\b${name}\\b[^{}=]*\\}\\s*(?:[,)=:]|: \\w)`).test(code);
  if (part === undefined) return new RegExp(`apabilities\\.${group}\\b`).test(code) || taken(group);
  return new RegExp(`\\b${group}\\??\\.${part}\\b`).test(code);
}

/** Functions beside the type count as far as somebody outside calls them. */
const helpersUsed = (code: string, outside: readonly string[]): string[] =>
  code
    .split(/^(?=export )/m)
    .filter((part) => /^export const/.test(part))
    .filter((part) => {
      const name = /^export const (\w+)/.exec(part)?.[1] ?? "";
      return outside.some((text) => text.includes(`${name}(`));
    });

const unread = (members: readonly string[], readers: readonly string[]): string[] =>
  members.filter((member) => !readers.some((code) => isRead(member, code)));

test("every capability is read by somebody who is no provider: what nobody reads promises nothing", () => {
  const text = readFileSync(inRoot(DECLARED), "utf8");
  const members = declaredMembers(text);
  for (const known of ["card.partialCapture", "pix.refundWindowDays", "idempotency.ttlHours", "lookup"]) {
    expect(members).toContain(known);
  }
  const outside = readersAmong(readSources());
  const helpers = helpersUsed(parseSource(DECLARED, text).code.join("\n"), outside);
  expect(unread(members, [...outside, ...helpers])).toEqual([]);
});

test("one that nobody reads is found", () => {
  const declared = `export interface Capabilities {
  card: false | { flies: boolean; /** swims: no */ swims: boolean };
  sings: boolean;
  dances: boolean;
}`;
  expect(declaredMembers(declared)).toEqual(["card.flies", "card.swims", "sings", "dances"]);
  const reader = "const able = ({ card, sings }: Capabilities) => card.flies && sings;";
  expect(unread(declaredMembers(declared), [reader])).toEqual(["card.swims", "dances"]);
});
