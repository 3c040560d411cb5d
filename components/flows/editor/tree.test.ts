import { createTranslator, NextIntlClientProvider } from "next-intl";
import { createElement, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { compared } from "@/components/flows/difference";
import { type Editing, EditorContext } from "@/components/flows/editor/context";
import { typedOf, valueFrom } from "@/components/flows/editor/fields";
import { besideRemoved } from "@/components/flows/editor/focus";
import { type EditedProvider, lintOf } from "@/components/flows/editor/lint";
import { Passages } from "@/components/flows/editor/node-list";
import { moved, nodesAt, slotsOf, stepped, triedBefore } from "@/components/flows/editor/tree";
import { flowLinesOf } from "@/components/flows/lines";
import { useFlowWords } from "@/components/flows/words";
import { type FlowNode, type FlowNodes, METADATA } from "@/lib/flows/rules/nodes";
import { messages } from "@/lib/i18n/messages";

const A = "0192f1c4-8a10-7c3e-9b55-00000000000a";
const B = "0192f1c4-8a10-7c3e-9b55-00000000000b";
const to = (id: string): FlowNode => ({ rule: "provider", id });
const when = (id: string, yes: FlowNode[], no: FlowNode[] = []): FlowNode => ({
  rule: "condition",
  id,
  if: { field: "installments", operator: "gte", value: 7 },
  then: yes,
  else: no,
});
const ROOT = [when("c", [to(A)], [when("d", [])]), to(B)];

/** Sentences without the names that the page gives. */
const words = {
  t: createTranslator({ locale: "en", messages: { flows: messages.en.flows }, namespace: "flows" }),
  test: () => "test",
  node: ({ rule }: FlowNode) => rule,
  inRow: (ids: readonly string[]) => ids.join(),
  decline: (code: string) => code,
  provider: (id: string) => id,
  weight: String,
};

describe("the tree of the editor", () => {
  test("a step walks with its arrow through every place of the flow and back", () => {
    const seen = [];
    let [root, at] = [ROOT as readonly FlowNode[], { list: [] as readonly (string | number)[], at: 1 }];
    for (;;) {
      const next = stepped(root, at, -1);
      if (!next) break;
      [root, at] = [next.root, next.to];
      expect(nodesAt(root, at.list)[at.at]).toEqual(to(B));
      seen.push(at);
    }
    expect(seen).toHaveLength(slotsOf([ROOT[0] as FlowNode]).length - 1);
    for (const _ of seen) {
      const next = stepped(root, at, 1);
      if (next) [root, at] = [next.root, next.to];
    }
    expect(root).toEqual(ROOT);
  });

  test("a provider was tried before a place where a payment may have passed it on its way there", () => {
    const tried = (list: readonly (string | number)[], at: number) => [...triedBefore(ROOT, { list, at })];
    expect(tried([], 0)).toEqual([]);
    expect(tried([], 2)).toEqual([B]);
    expect(tried([0, "then"], 1)).toEqual([A]);
    expect(tried([0, "else"], 0)).toEqual([]);
    const onDecline: FlowNode = { rule: "provider", id: A, on: { declined: ["insufficient_funds"], then: [] } };
    const [inside] = slotsOf([onDecline]).filter(({ list }) => list.length > 0);
    expect(inside && [...triedBefore([onDecline], inside)]).toEqual([A]);
  });

  test("a dragged step stands where it was dropped, and nothing is dropped into itself", () => {
    const inside = moved(ROOT, { list: [], at: 1 }, { list: [0, "then"], at: 0 });
    expect(inside).toEqual([when("c", [to(B), to(A)], [when("d", [])])]);
    const behind = moved([to(A), when("c", [])], { list: [], at: 0 }, { list: [1, "then"], at: 0 });
    expect(behind).toEqual([when("c", [to(A)])]);
    expect(moved(ROOT, { list: [], at: 0 }, { list: [0, "else", 0, "then"], at: 0 })).toBeUndefined();
  });
});

test("lint names the node and what is wrong with it, and warns of what is not forbidden", () => {
  const known = (id: string, changes: Partial<EditedProvider> = {}): EditedProvider => ({
    id,
    name: id,
    kind: "SANDBOX",
    isAntifraud: false,
    isAvailable: true,
    takesMethod: true,
    isOfMerchants: true,
    isPaused: false,
    mostInstallments: 6,
    ...changes,
  });
  const { faults, warnings } = lintOf([when("c", [to(A)]), to(B)], "credit", [known(A), known(B, { isPaused: true })]);
  expect([...faults]).toEqual([]);
  expect(Object.fromEntries(warnings)).toEqual({
    "root[0].then[0]": "installments",
    "root[1]": "paused",
    root: "noFallback",
  });
  const named = (...roots: ReturnType<typeof to>[]) =>
    lintOf(roots, "credit", [known(A), known(B)]).warnings.get("root");
  expect([named(to(A)), named(to(A), to(A)), named(to(A), to(B))]).toEqual(["noFallback", "noFallback", undefined]);
  const wrong = lintOf([to(""), when("c", [to("gone")]), when("c", [])], "credit", []);
  expect(Object.fromEntries(wrong.faults)).toMatchObject({ "root[0]": "choose", "root[1].then[0]": "choose" });
  const half = { rule: "share", id: "s", by: "random", weights: [{ weight: 60, then: [] }] } as const;
  expect([...lintOf([half], "pix", []).faults]).toEqual([["root[0]", "weights"]]);
});

test("a branch without a provider in it or after it is warned of, where it stands and what happens there said", () => {
  const above = (least: number, then: FlowNodes, otherwise: FlowNodes = []): FlowNode => ({
    rule: "condition",
    id: `from-${least}`,
    if: { field: "amount", operator: "gte", value: least },
    then,
    else: otherwise,
  });
  const unrouted = (...root: FlowNode[]) =>
    [...lintOf(root, "credit", []).warnings].filter(([, code]) => code === "unrouted").map(([at]) => at);
  expect(unrouted(above(500, [to(A)]))).toEqual(["root[0].else"]);
  expect(unrouted(above(500, [], [to(A)]))).toEqual(["root[0].then"]);
  // Something after the condition takes them.
  expect(unrouted(above(500, [to(A)]), to(B))).toEqual([]);
  // Every payment passes one of the two.
  const below = { rule: "condition", id: "low", if: { field: "amount", operator: "lt", value: 500 } } as const;
  expect(unrouted(above(500, [to(A)]), { ...below, then: [to(B)], else: [] })).toEqual([]);
  expect(unrouted(above(500, [above(900, [to(A)])], [to(B)]))).toEqual(["root[0].then[0].else"]);
  const sides = [
    { weight: 90, then: [to(A)] },
    { weight: 10, then: [] },
  ];
  expect(unrouted({ rule: "share", id: "s", by: "random", weights: sides })).toEqual(["root[0].weights[1].then"]);
  expect(unrouted()).toEqual([]);
  const told = flowLinesOf(words, [above(500, [to(A)])]).map(({ text, isUnrouted }) => [text, isUnrouted ?? false]);
  expect(told).toEqual([
    [`test: ${A}`, false],
    ["Otherwise: the merchant’s providers in priority order", true],
  ]);
});

test("a flow of providers alone is a sentence too", () => {
  const said = flowLinesOf(words, [to(A), to(B)]).map(({ text }) => text);
  expect(said).toEqual([`Every payment goes to ${A},${B}.`]);
});

test("of two versions, what changed stands beside each other and the rest once", () => {
  const line = (text: string) => ({ key: text, depth: 0, text });
  const rows = compared([line("a"), line("b"), line("c")], [line("a"), line("x"), line("c"), line("d")]);
  expect(rows.map(({ before, after }) => [before?.text, after?.text])).toEqual([
    ["a", "a"],
    ["b", "x"],
    ["c", "c"],
    [undefined, "d"],
  ]);
});

test("amounts are typed as the language writes them, and several are kept apart", () => {
  for (const typed of ["1.234,50", "1,234.50", "1234.50", "1234,5"]) {
    expect(valueFrom("amount", "gte", typed, "pt-BR")).toBe(123_450);
  }
  expect(valueFrom("amount", "gte", "1.234", "pt-BR")).toBe(123_400);
  expect(valueFrom("amount", "gte", "1.234", "en")).toBe("1.234");
  expect(valueFrom("amount", "gte", "12,345", "pt-BR")).toBe("12,345");
  expect(valueFrom("amount", "gte", "0", "pt-BR")).toBe(0);
  for (const locale of ["pt-BR", "en"]) {
    const typed = typedOf({ field: "amount", value: [50_000, 123_450] }, locale);
    expect(valueFrom("amount", "in", typed, locale)).toEqual([50_000, 123_450]);
  }
  expect(valueFrom("amount", "in", "500,00, 900", "pt-BR")).toEqual([50_000, 90_000]);
  expect(valueFrom("amount", "gte", "1234.567", "en")).toBe("1234.567");
});

test("metadata keep their kind and their commas, whichever comparison is chosen", () => {
  const field = "paymentFlow.metadata.of";
  for (const value of [3, true, "3", "São Paulo, SP"]) {
    const typed = typedOf({ field, value }, "en");
    expect(valueFrom(field, "neq", typed, "en", value)).toBe(value);
    expect(valueFrom(field, "in", typed, "en", value)).toEqual([value]);
  }
  expect(valueFrom(field, "eq", "40", "en", 3)).toBe(40);
  expect(valueFrom(field, "eq", "false", "en", true)).toBe(false);
  expect(valueFrom(field, "eq", "40", "en", "3")).toBe("40");
  const cities = ["São Paulo, SP", "Rio de Janeiro, RJ"];
  expect(valueFrom(field, "in", typedOf({ field, value: cities }, "en"), "en", cities)).toEqual(cities);
});

test("a line is passed with the branch it is in, wherever else its provider stands", () => {
  const onDecline = { rule: "provider", id: A, on: { declined: ["generic"], then: [when("e", [to(B)])] } } as const;
  const lines = flowLinesOf(words, [when("c", [onDecline, to(B)], [to(A)]), to(B)]);
  expect(lines.map(({ entry, isBranch = false }) => [entry, isBranch])).toEqual([
    ["c:then", true],
    ["c:then", false],
    [undefined, true],
    [undefined, true],
    ["c:then", false],
    ["c:else", true],
    ["root", false],
  ]);
});

type Locale = keyof typeof messages;

/** What a component of the editor would read of a flow. */
const told = (locale: Locale, text: (words: ReturnType<typeof useFlowWords>) => string): string =>
  rendered(
    locale,
    createElement(() => text(useFlowWords({ providers: {}, declines: {} }))),
  );

function rendered(locale: Locale, children: ReactNode): string {
  const { flows } = messages[locale];
  const given = { locale, messages: { flows }, timeZone: "UTC", children };
  return renderToStaticMarkup(createElement(NextIntlClientProvider, given));
}

describe("what the editor says of how many payments a condition was true for", () => {
  const said = (passages: Editing["passages"], locale: Locale = "en"): string => {
    // Guarantee: nothing else of it is read here.
    const value = { passages } as Editing;
    const shown = createElement(Passages, { node: when("c", [to(A)]) });
    return rendered(locale, createElement(EditorContext, { value }, shown)).replaceAll(/<[^>]+>/g, "");
  };

  test.each<[string, Editing["passages"]]>([
    ["the rules were changed since they were counted", undefined],
    ["nothing was paid yet", { payments: 0, byEntry: {} }],
    ["no payment came to it", { payments: 90, byEntry: { "other:then": 90 } }],
  ])("is nothing, and no “none”, where %s", (_why, passages) => {
    expect([said(passages), said(passages, "pt-BR")]).toEqual(["", ""]);
  });

  test("is that it was true for none alone where some came to it", () => {
    expect(said({ payments: 90, byEntry: { "c:else": 40 } })).toBe("True for none of the last 90 payments");
    expect(said({ payments: 90, byEntry: { "c:then": 3, "c:else": 40 } })).toBe("True for 3 of the last 90 payments");
  });
});

test.each([
  ["en", "Between 8:00 and 8:59 or between 22:00 and 22:59"],
  ["pt-BR", "Entre 8h e 8h59 ou entre 22h e 22h59"],
] as const)("hours apart are each told whole (%s)", (locale, text) => {
  expect(told(locale, (words) => words.test({ field: "hour", operator: "in", value: [8, 22] }))).toBe(text);
});

test.each([
  ["pt-BR", "amount", "gte", "abc", "A partir de …"],
  ["pt-BR", "installments", "gte", "", "Em …× ou mais"],
  ["pt-BR", "installments", "in", [], "Em …×"],
  ["pt-BR", "hour", "gte", 99, "A partir das …h"],
  ["en", "weekday", "in", [1, 9], "On Monday or …"],
  ["en", "brand", "eq", "visa", "Visa"],
  ["en", METADATA, "eq", "", "With … “…”"],
  ["en", `${METADATA}tier`, "gt", "gold", "With tier above …"],
] as const)("a value that cannot hold is left open (%s: %s %s %j)", (locale, field, operator, value, text) => {
  expect(told(locale, (words) => words.test({ field, operator, value }))).toBe(text);
});

test("a weight that is being typed is left open", () => {
  expect(told("en", (words) => [words.weight(60), words.weight(Number.NaN)].join(" "))).toBe("60 …");
});

test("after a removal the focus goes to what took its place, else to the one before", () => {
  expect([besideRemoved(2), besideRemoved(0)]).toEqual([[2, 1], [0]]);
});
