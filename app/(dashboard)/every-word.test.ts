import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isKnownField } from "@/app/(dashboard)/dashboard/audit/fields";
import { isKnownAction } from "@/app/(dashboard)/dashboard/audit/words";
import { SHORT_DECLINES } from "@/app/(dashboard)/dashboard/payments/[id]/decline-names";
import { DECLINE_TEXTS } from "@/app/(dashboard)/dashboard/payments/[id]/decline-words";
import { ACTS } from "@/app/(dashboard)/dashboard/payments/[id]/panel-words";
import { PURCHASE_ACTS } from "@/app/(dashboard)/dashboard/payments/[id]/purchase-panels";
import { DISPUTE_MARKS } from "@/db/schema/disputes";
import { FLOW_ACTIONS } from "@/db/schema/flows";
import { OPERATION_TYPES } from "@/db/schema/purchases";
import { DECLINED_CODES, PLATFORM_DECLINE_CODES } from "@/lib/declines/decline-codes";
import { LOCALES } from "@/lib/i18n/locales";
import { messages } from "@/lib/i18n/messages";

/** Tables that a type holds against their enum are not here: without a word for each they do not compile. */
const sources = readdirSync("lib", { recursive: true })
  .map(String)
  .filter((file) => /(?<!\.test)\.ts$/.test(file))
  .map((file) => readFileSync(join("lib", file), "utf8"))
  .filter((text) => /\baudit(?:ing)?\(|\bauditLog\b/.test(text));

const NAME = "[a-z_]+(?:\\.[a-z_-]+)+";
/** Written out where it is used, kept under a name, or handed to the simulator's helper. */
const WRITTEN = new RegExp(`(?:action: |= |simulate\\(ctx, \\w+, )"(${NAME})"`, "g");
/** Kept apart from what is told of the charge itself: they keep somebody's limit. */
const OF_LIMITS = new Set(["charge.refund.begin", "charge.refund.give-up"]);
/** Put together of parts: each with what its last part can be. */
const COMPOSED: Readonly<Record<string, readonly string[]>> = {
  "charge.": ["capture", "void"],
  "charge.release_": ["orphan", "duplicate"],
  "dispute.": ["note", ...DISPUTE_MARKS],
  "flow.": FLOW_ACTIONS,
  "purchase.": OPERATION_TYPES.filter((type) => type !== "authorize" && type !== "rollback"),
  "provider.rotation.": ["confirmed", "refused"],
};

const namesIn = (texts: readonly string[]): string[] => [
  ...new Set(texts.flatMap((text) => [...text.matchAll(WRITTEN)].map((match) => match[1] ?? ""))),
];
const composed = Object.entries(COMPOSED).flatMap(([begin, ends]) => ends.map((end) => begin + end));

test("what is put together of parts is known here", () => {
  const beginnings = sources.flatMap((text) => [...text.matchAll(/action: `([a-z_.]+)\$/g)].map((match) => match[1]));
  expect([...new Set(beginnings)].sort()).toEqual(Object.keys(COMPOSED).sort());
});

test("the audit log has words for everything that is written to it", () => {
  const written = namesIn(sources);
  expect(written).toContain("sandbox.pay");
  expect([...written, ...composed].filter((name) => !isKnownAction(name))).toEqual([]);
});

/** Of each entry, the members that stand in it by their names. */
const MEMBERS = /\b(?:before|after): \{([^{}]*)\}/g;
const MEMBER = /(?:^|,)\s*(\w+)(?=\s*(?:[:,]|$))/g;

test("the audit log has a name for each member that is written to it", () => {
  const written = sources.flatMap((text) =>
    [...text.matchAll(MEMBERS)].flatMap(([, inside = ""]) =>
      [...inside.trim().matchAll(MEMBER)].map(([, name = ""]) => name),
    ),
  );
  expect(written).toContain("amount");
  expect([...new Set(written)].filter((name) => !isKnownField(name))).toEqual([]);
});

test.each([
  ["charge", ACTS, /^(charge|dispute|sandbox\.(pay|med|chargeback|antifraud|force))/],
  ["purchase", PURCHASE_ACTS, /^purchase\./],
] as const)("the timeline of a %s has words for whatever people did to it", (object, words, ofIt) => {
  const here = sources.filter((text) => text.includes(`object: "${object}"`));
  const done = [...namesIn(here), ...composed].filter((name) => ofIt.test(name) && !OF_LIMITS.has(name));
  expect(done.length).toBeGreaterThan(2);
  expect(done.filter((name) => !Object.hasOwn(words, name))).toEqual([]);
});

test("every reason of a decline is a sentence", () => {
  const codes = [...DECLINED_CODES, ...PLATFORM_DECLINE_CODES];
  expect(codes.filter((code) => !Object.hasOwn(DECLINE_TEXTS, code))).toEqual([]);
});

const MOST_IN_A_ROW = 22;

test.each(LOCALES)("every reason of a decline has a name that a list has room for: %s", (locale) => {
  const texts = messages[locale].payments;
  const names = [...DECLINED_CODES, ...PLATFORM_DECLINE_CODES].map((code) => texts[SHORT_DECLINES[code]]);
  expect(names.filter((name) => name.length > MOST_IN_A_ROW || name.endsWith("."))).toEqual([]);
});
