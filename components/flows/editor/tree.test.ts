import { describe, expect, test } from "vitest";
import { compared } from "@/components/flows/difference";
import { type EditedProvider, lintOf } from "@/components/flows/editor/lint";
import { moved, nodesAt, slotsOf, stepped } from "@/components/flows/editor/tree";
import type { FlowNode } from "@/lib/flows/rules/nodes";

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
  const wrong = lintOf([to(""), when("c", [to("gone")]), when("c", [])], "credit", []);
  expect(Object.fromEntries(wrong.faults)).toMatchObject({ "root[0]": "choose", "root[1].then[0]": "choose" });
  const half = { rule: "share", id: "s", by: "random", weights: [{ weight: 60, then: [] }] } as const;
  expect([...lintOf([half], "pix", []).faults]).toEqual([["root[0]", "weights"]]);
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
