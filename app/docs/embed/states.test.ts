import { expect, test } from "vitest";
import english from "@/app/docs/embed/texts/en.json";
import portuguese from "@/app/docs/embed/texts/pt-BR.json";
import { CLOSED_STATES, PAYMENT_STATES } from "@/lib/checkout/view";

/** Pages that no shop's page may frame. */
const UNFRAMED = new Set(["unknown", "error"]);

test.each([
  ["en", english],
  ["pt-BR", portuguese],
])("the guide in %s names every state that the element tells, once", (_, { events }) => {
  const named = events.states.rows.flatMap(([, states = ""]) =>
    [...states.matchAll(/`(\w+)`/g)].map(([, name]) => name),
  );
  const told = new Set(["open", ...CLOSED_STATES, ...PAYMENT_STATES].filter((state) => !UNFRAMED.has(state)));
  expect([...named].sort()).toEqual([...told].sort());
});
