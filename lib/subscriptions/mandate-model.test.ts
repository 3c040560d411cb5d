import { expect, test } from "vitest";
import type { MandateStatus } from "@/db/schema/subscriptions";
import { mandateMachine } from "@/lib/subscriptions/machine";
import { isInstructed, type KnownMandate, stepOf, wordOf } from "@/lib/subscriptions/mandate-decide";
import { recordProof } from "@/lib/testing/proof";

/** A mandate, its subscription, and the bank behind a network that delivers late, twice or never. */
interface World extends KnownMandate {
  isOver: boolean;
  bank: MandateStatus | "none";
  /** A request to make it that may still arrive. */
  isMaking: boolean;
  /** A request to end it that may still arrive. */
  isEnding: boolean;
  /** Answers of the bank on their way: what it was when it gave them. */
  words: readonly MandateStatus[];
  /** The worker waits for what it was told about its making. */
  isWaiting: boolean;
}

const START: World = {
  status: "created",
  call: "planned",
  ending: null,
  isOver: false,
  bank: "none",
  isMaking: false,
  isEnding: false,
  words: [],
  isWaiting: false,
};
const MOST_WORDS = 2;
const MOST_TOLD = 20;
const BANK: Readonly<Record<MandateStatus | "none", readonly MandateStatus[]>> = {
  none: [],
  created: ["approved", "rejected", "expired", "canceled"],
  approved: ["canceled", "expired"],
  rejected: [],
  expired: [],
  canceled: [],
};
const isOpen = (status: MandateStatus | "none"): boolean => status === "created" || status === "approved";

const rows = new Set<string>();
/** As `take` writes it: with the mandate its subscription ends. */
function heard(world: World, told: MandateStatus): World {
  if (wordOf(world, told) === "none") return world;
  let { status } = world;
  if (wordOf(world, told) === "news") {
    const [id, from, , to] = mandateMachine.row(status, `mandate.${told}`);
    rows.add(`${id} ${from}`);
    status = to;
  }
  return { ...world, status, call: "known", isOver: world.isOver || !isOpen(status) };
}

const answered = (world: World): World =>
  world.bank === "none" || world.words.length >= MOST_WORDS
    ? world
    : { ...world, words: [...world.words, world.bank].sort() };

/** What the worker, the bank, the network and people can do next, in any order. */
function* following(world: World): Generator<World> {
  const { bank, words, call, status, ending } = world;
  for (const next of BANK[bank]) yield { ...world, bank: next };
  if (world.isMaking) {
    const made: World = { ...world, isMaking: false, bank: bank === "none" ? "created" : bank };
    yield made;
    yield answered(made);
    // Repeated by the network under the same key.
    yield answered({ ...made, isMaking: true });
  }
  if (world.isEnding) {
    const ended: World = { ...world, isEnding: false, bank: isOpen(bank) ? "canceled" : bank };
    yield ended;
    yield answered(ended);
  }
  for (const [at, told] of words.entries()) {
    const rest = { ...world, words: words.filter((_, index) => index !== at) };
    yield rest;
    yield { ...heard(rest, told), isWaiting: false };
  }
  if (!isOpen(status)) return;
  if (!world.isOver) yield { ...world, isOver: true, ending: ending ?? "merchant" };
  if (status === "created" && ending === null) yield { ...world, ending: "expired" };
  if (world.isWaiting) {
    // Nobody answers, or its process is gone.
    yield { ...world, isWaiting: false, call: call === "sent" ? "undetermined" : call };
    // It never left.
    if (call === "sent" && world.isMaking && bank === "none")
      yield { ...world, isWaiting: false, isMaking: false, call: "planned" };
    return;
  }
  switch (stepOf(world)) {
    case "create":
      yield { ...world, call: "sent", isMaking: true, isWaiting: true };
      return;
    case "drop": {
      const [id, from, , to] = mandateMachine.row(
        status,
        ending === "expired" ? "mandate.expired" : "mandate.canceled",
      );
      rows.add(`${id} ${from}`);
      yield { ...world, status: to, isOver: true };
      return;
    }
    case "ask":
      // Two answers that it is not there, a minute apart, once nothing can arrive any more.
      if (bank === "none" && !world.isMaking) yield { ...world, call: "planned" };
      if (bank !== "none") yield heard(world, bank);
      return;
    case "hear": {
      if (bank === "none") throw new Error("a known mandate that the bank has never had");
      const after = heard(world, bank);
      yield after;
      if (isOpen(after.status) && after.ending !== null) yield { ...after, isEnding: true };
    }
  }
}

test("the mandate's machine, explored to its end: nothing stands that nobody knows of, none outlives its subscription", () => {
  const known = new Map<string, World>();
  const back = new Map<string, string[]>();
  const left: World[] = [START];
  const faults: string[] = [];
  let edges = 0;
  for (let world = left.pop(); world; world = left.pop()) {
    const key = JSON.stringify(world);
    if (known.has(key)) continue;
    known.set(key, world);
    if (world.isOver && isInstructed(world)) faults.push(`${key} is asked to pay after its end`);
    if (isInstructed(world) && world.bank === "none") faults.push(`${key} asks a bank that has no mandate`);
    if (isOpen(world.status) && world.isOver && world.ending === null) faults.push(`${key} outlives its subscription`);
    if (!isOpen(world.status) && !world.isOver) faults.push(`${key} leaves its subscription without one`);
    const mayStand = isOpen(world.bank) || (world.bank === "none" && world.isMaking);
    if (!isOpen(world.status) && mayStand) faults.push(`${key} stands at the bank`);
    for (const to of following(world)) {
      edges += 1;
      const next = JSON.stringify(to);
      back.set(next, [...(back.get(next) ?? []), key]);
      if (!isOpen(world.status) && to.status !== world.status) faults.push(`${key} comes back`);
      left.push(to);
    }
  }
  const stuck = known.size - leading(known, back);
  const violations = [...new Set(faults)].slice(0, MOST_TOLD);
  if (stuck > 0) violations.push(`${stuck} states of a subscription that is over lead to no end of its mandate`);
  recordProof({ ran: 1, violations, figures: { states: known.size, edges, stuck } });
  expect(violations).toEqual([]);
  expect(known.size).toBeGreaterThan(200);
  expect([...rows].sort()).toEqual(mandateMachine.rows.map(([id, from]) => `${id} ${from}`).sort());
});

/** As many of the states as lead to one in which the mandate is over. */
function leading(known: ReadonlyMap<string, World>, back: ReadonlyMap<string, readonly string[]>): number {
  const found = new Set<string>();
  const left = [...known].filter(([, world]) => !isOpen(world.status)).map(([key]) => key);
  for (let key = left.pop(); key; key = left.pop()) {
    if (found.has(key)) continue;
    found.add(key);
    left.push(...(back.get(key) ?? []));
  }
  return found.size;
}
