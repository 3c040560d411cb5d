import { expect, test } from "vitest";
import { diagramOf, SLOT_PLACES } from "@/app/docs/purchases/diagram";
import { purchasesPage } from "@/app/docs/purchases/page-html";
import { FACT_WORDS, isKnownFact } from "@/app/docs/purchases/words";
import { systemSql } from "@/db/client";
import { messages } from "@/lib/i18n/messages";
import { operationMachine, purchaseMachine, slotMachine } from "@/lib/purchases/machine";

const MACHINES = [purchaseMachine, slotMachine, operationMachine];
const words: Record<string, string> = messages.en.docs.purchases.facts;

const html = purchasesPage({
  locale: "en",
  theme: "light",
  texts: {
    title: "t",
    lead: "l",
    row: "r",
    change: "c",
    meaning: "m",
    diagram: "d",
    reference: "r",
    start: "s",
    navigation: "n",
    dashboard: "d",
  },
  sections: {
    purchases: { title: "P", lead: "p" },
    slots: { title: "S", lead: "s" },
    operations: { title: "O", lead: "o" },
  },
  meaningOf: (fact) => (isKnownFact(fact) ? (words[FACT_WORDS[fact]] ?? "") : ""),
  finalStates: (states) => `final: ${states}`,
});

test("the page, the trigger and the guard tell the same rows", async () => {
  const ROW =
    /<th scope="row">(\w+)<\/th><td class="change"><code>(\w+)<\/code> <span>→<\/span> <code>(\w+)<\/code><\/td><td><code>([\w.]+)</g;
  const published = [...html.matchAll(ROW)].map(([, row, from, to, fact]) => [row, from, fact, to]);
  const rows = MACHINES.flatMap(({ rows: own }) => own.map((row) => [...row]));
  expect(published).toEqual(rows);
  const guarded = await systemSql()<{ row: string }[]>`
    select machine || ' ' || row_id || ' ' || from_status || ' ' || to_status as row from legal_transitions
     where machine = any(${MACHINES.map(({ name }) => name)})`;
  const wanted = MACHINES.flatMap((machine) =>
    machine.rows.map(([id, from, , to]) => `${machine.name} ${id} ${from} ${to}`),
  );
  expect(guarded.map(({ row }) => row).sort()).toEqual([...new Set(wanted)].sort());
});

test("every fact of the tables has its words, and no other", () => {
  const facts = new Set<string>(MACHINES.flatMap(({ rows }) => rows.map(([, , fact]) => fact)));
  expect(Object.keys(FACT_WORDS).sort()).toEqual([...facts].sort());
  expect(Object.keys(words).sort()).toEqual(Object.values(FACT_WORDS).sort());
});

test("the diagram shows every state, and every row on the line of its two states", () => {
  const svg = diagramOf(slotMachine, SLOT_PLACES, "d");
  for (const state of Object.keys(SLOT_PLACES)) expect(svg).toContain(`>${state}</text>`);
  const labels = [...svg.matchAll(/class="label">.*?<text[^>]*>([^<]+)</g)].map(([, label]) => label);
  const pairs = new Map<string, Set<string>>();
  for (const [id, from, , to] of slotMachine.rows) {
    const pair = `${from} ${to}`;
    pairs.set(pair, (pairs.get(pair) ?? new Set()).add(id));
  }
  expect(labels.sort()).toEqual([...pairs.values()].map((ids) => [...ids].join(" ")).sort());
});
