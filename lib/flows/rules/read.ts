import { isDeclinedCode } from "@/lib/declines/decline-codes";
import {
  CHALLENGE_MODES,
  DEEPEST,
  type FlowNode,
  MEASURES,
  MOST_NODES,
  MOST_PROVIDERS,
  RULES,
  SIDED_BY,
  type Trial,
} from "@/lib/flows/rules/nodes";
import { readTest } from "@/lib/flows/rules/read-test";

/** A wrong node by its place, and what is wrong with it first. */
export type Faults = Map<string, string>;

/** A node as far as it could be read: an unknown rule leaves a hole, so that the others keep their places. */
export type Readable = FlowNode | undefined;

interface Reading {
  faults: Faults;
  /** Of nodes that are no providers: shares are drawn by them. */
  ids: Set<string>;
  nodes: number;
}

interface Place {
  at: string;
  /** How many nodes with branches it is in. */
  depth: number;
  isAfterDecline: boolean;
}

type Json = Readonly<Record<string, unknown>>;
const isJson = (given: unknown): given is Json => typeof given === "object" && given !== null && !Array.isArray(given);

/** Reads what was sent as a flow; what is wrong with single nodes is told, and the rest read all the same. */
export function readRoot(given: unknown): { root: Readable[]; faults: Faults } {
  const reading: Reading = { faults: new Map(), ids: new Set(), nodes: 0 };
  collectIds(given, reading.ids, 0);
  const root = readNodes(reading, given, { at: "root", depth: 0, isAfterDecline: false });
  return { root, faults: reading.faults };
}

function fault({ faults }: Reading, at: string, why: string): void {
  if (!faults.has(at)) faults.set(at, why);
}

function readNodes(reading: Reading, given: unknown, place: Place): Readable[] {
  if (given === undefined || given === null) return [];
  if (!Array.isArray(given)) {
    fault(reading, place.at, "must be a list of nodes");
    return [];
  }
  return given.map((node: unknown, index) => readNode(reading, node, { ...place, at: `${place.at}[${index}]` }));
}

function readNode(reading: Reading, given: unknown, place: Place): Readable {
  reading.nodes += 1;
  if (reading.nodes > MOST_NODES) {
    fault(reading, "root", `more than ${MOST_NODES} nodes`);
    return undefined;
  }
  const rule = isJson(given) ? RULES.find((one) => one === given.rule) : undefined;
  if (!isJson(given) || !rule) {
    fault(reading, place.at, `rule must be one of ${RULES.join(", ")}`);
    return undefined;
  }
  const unknown = Object.keys(given).find((member) => !MEMBERS[rule].includes(member));
  if (unknown) fault(reading, place.at, `${unknown} is no member of ${rule}`);
  return READERS[rule](reading, given, place);
}

const MEMBERS: Record<FlowNode["rule"], readonly string[]> = {
  provider: ["rule", "id", "on"],
  antifraud: ["rule", "id"],
  condition: ["rule", "id", "if", "then", "else"],
  share: ["rule", "id", "by", "weights", "trial"],
  best: ["rule", "id", "ids", "by", "window", "explore", "minimum"],
  challenge: ["rule", "id", "mode"],
};

type Reader = (reading: Reading, given: Json, place: Place) => FlowNode;

const READERS: Record<FlowNode["rule"], Reader> = {
  provider(reading, given, place) {
    const id = providerId(reading, given.id, place.at);
    const { on } = given;
    if (on === undefined || on === null) return { rule: "provider", id };
    if (!isJson(on) || !isListOf(on.declined, isCode) || on.declined.length === 0) {
      fault(reading, place.at, "on: needs declined, a list of decline codes, and then");
      return { rule: "provider", id };
    }
    const then = readBranch(reading, on.then, place, "on.then", true);
    return { rule: "provider", id, on: { declined: [...new Set(on.declined)], then } };
  },
  antifraud(reading, given, { at, isAfterDecline }) {
    if (isAfterDecline) fault(reading, at, "an analysis comes before the first provider, not after a decline");
    return { rule: "antifraud", id: providerId(reading, given.id, at) };
  },
  condition(reading, given, place) {
    const { test, why } = readTest(given.if, { depth: place.depth + 1, isAfterDecline: place.isAfterDecline });
    if (why) fault(reading, place.at, why);
    return {
      rule: "condition",
      id: nodeId(reading, given.id, place.at),
      if: test,
      then: readBranch(reading, given.then, place, "then"),
      else: readBranch(reading, given.else, place, "else"),
    };
  },
  share(reading, given, place) {
    const by = given.by ?? "random";
    const known = SIDED_BY.find((one) => one === by);
    if (!known) fault(reading, place.at, `by must be one of ${SIDED_BY.join(", ")}`);
    const sides: readonly unknown[] = Array.isArray(given.weights) ? given.weights : [];
    const weights = sides.map((side) => (isJson(side) && isInteger(side.weight, 1, 100) ? side.weight : Number.NaN));
    const sum = weights.reduce((total, weight) => total + weight, 0);
    if (sum !== 100) fault(reading, place.at, "weights must be whole numbers from 1 on that add up to 100");
    const trial = readTrial(reading, given.trial, place.at);
    return {
      rule: "share",
      id: nodeId(reading, given.id, place.at),
      ...(trial ? { trial } : {}),
      by: known ?? "random",
      weights: sides.map((side, index) => ({
        weight: weights[index] ?? Number.NaN,
        then: readBranch(reading, isJson(side) ? side.then : undefined, place, `weights[${index}].then`),
      })),
    };
  },
  best(reading, given, { at }) {
    const ids = isListOf(given.ids, isUuid) ? given.ids.map((id) => id.toLowerCase()) : [];
    if (ids.length < 2 || ids.length > MOST_RANKED || new Set(ids).size < ids.length) {
      fault(reading, at, `ids must be 2 to ${MOST_RANKED} different provider ids`);
    }
    const by = MEASURES.find((one) => one === given.by);
    if (!by) fault(reading, at, `by must be one of ${MEASURES.join(", ")}`);
    return {
      rule: "best",
      id: nodeId(reading, given.id, at),
      ids,
      by: by ?? "approval",
      window: within(reading, at, given, "window", { usual: 200, least: 10, most: 1_000 }),
      explore: within(reading, at, given, "explore", { usual: 5, least: 0, most: 50 }),
      minimum: within(reading, at, given, "minimum", { usual: 30, least: 1, most: 1_000 }),
    };
  },
  challenge(reading, given, { at, isAfterDecline }) {
    if (isAfterDecline) fault(reading, at, "a challenge comes before the first provider, not after a decline");
    const mode = CHALLENGE_MODES.find((one) => one === given.mode);
    if (!mode) fault(reading, at, `mode must be one of ${CHALLENGE_MODES.join(", ")}`);
    return { rule: "challenge", id: nodeId(reading, given.id, at), mode: mode ?? "required" };
  },
};

const TRIAL = { least: 100, most: 100_000 };
const MOST_POINTS = 50;

function readTrial(reading: Reading, given: unknown, at: string): Trial | undefined {
  if (given === undefined || given === null) return undefined;
  const { sample, guardrail } = isJson(given) ? given : {};
  const isGuarded = guardrail !== undefined && guardrail !== null;
  if (!isInteger(sample, TRIAL.least, TRIAL.most)) {
    fault(reading, at, `trial: sample must be a whole number from ${TRIAL.least} to ${TRIAL.most}`);
    return undefined;
  }
  if (!isGuarded) return { sample };
  if (isInteger(guardrail, 1, MOST_POINTS)) return { sample, guardrail };
  fault(reading, at, `trial: guardrail must be a whole number from 1 to ${MOST_POINTS}`);
  return undefined;
}

/** A path has no more providers than this, but a rank may be made of more. */
const MOST_RANKED = MOST_PROVIDERS + 2;

function readBranch(
  reading: Reading,
  given: unknown,
  place: Place,
  name: string,
  isAfterDecline = place.isAfterDecline,
) {
  const depth = place.depth + 1;
  if (depth > DEEPEST) {
    fault(reading, place.at, `deeper than ${DEEPEST}`);
    return [];
  }
  const nodes = readNodes(reading, given, { at: `${place.at}.${name}`, depth, isAfterDecline });
  // Guarantee: a hole has a fault of its own, and a flow with faults is kept by nobody; checks look for holes.
  return nodes as FlowNode[];
}

function providerId(reading: Reading, given: unknown, at: string): string {
  if (isUuid(given)) return given.toLowerCase();
  fault(reading, at, "id must be the id of a provider");
  return "";
}

const LONGEST_ID = 40;
const NODE_ID = new RegExp(`^[A-Za-z0-9_-]{1,${LONGEST_ID}}$`);

/** Made when absent; a repeated one would draw two shares alike. */
function nodeId(reading: Reading, given: unknown, at: string): string {
  if (given === undefined || given === null) return freshId(reading.ids);
  if (typeof given !== "string" || !NODE_ID.test(given)) {
    fault(reading, at, `id must be up to ${LONGEST_ID} letters, digits, - and _`);
    return "";
  }
  const key = `taken ${given}`;
  if (reading.ids.has(key)) fault(reading, at, `another node has the id ${given}`);
  reading.ids.add(key);
  return given;
}

function freshId(ids: Set<string>): string {
  for (let number = 1; ; number++) {
    const id = `n${number}`;
    if (ids.has(id)) continue;
    ids.add(id);
    return id;
  }
}

/** Every id that is sent, so that one that is made is none of them. */
function collectIds(given: unknown, ids: Set<string>, depth: number): void {
  if (depth > 4 * DEEPEST || typeof given !== "object" || given === null) return;
  if (isJson(given) && typeof given.id === "string") ids.add(given.id);
  for (const value of Object.values(given)) collectIds(value, ids, depth + 1);
}

function within(
  reading: Reading,
  at: string,
  given: Json,
  member: string,
  { usual, least, most }: { usual: number; least: number; most: number },
): number {
  const value = given[member] ?? usual;
  if (isInteger(value, least, most)) return value;
  fault(reading, at, `${member} must be a whole number from ${least} to ${most}`);
  return usual;
}

const isInteger = (given: unknown, least: number, most: number): given is number =>
  typeof given === "number" && Number.isSafeInteger(given) && given >= least && given <= most;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const isUuid = (given: unknown): given is string => typeof given === "string" && UUID.test(given);
const isCode = (given: unknown): given is string => typeof given === "string" && isDeclinedCode(given);

const isListOf = <T>(given: unknown, is: (one: unknown) => one is T): given is readonly T[] =>
  Array.isArray(given) && given.every(is);
