import type { Measures } from "@/lib/flows/rules/evaluate";
import type { FlowFacts } from "@/lib/flows/rules/facts";
import type { FlowNode, Scalar, Test } from "@/lib/flows/rules/nodes";

/** What a payment goes through when its providers answer with these declines, one after the other. */
export interface Trip {
  tried: string[];
  path: string[];
  analysts: string[];
  challenge: string | null;
  skipped: string[];
  isEmpty: boolean;
}

interface Waiting {
  node: FlowNode;
  /** What is known where it stands inside `on`. */
  after: { attempt: number; previousDecline: string } | undefined;
}

/**
 * The second reading of spec/routing.md, for comparison: it walks one payment from attempt to attempt with a list of
 * what is still to come, and knows nothing of plans.
 */
export function travel(
  facts: FlowFacts,
  { family, root }: { family: string; root: readonly FlowNode[] },
  { isAble, measures }: { isAble(id: string): boolean; measures: Measures },
  declines: readonly string[],
): Trip {
  const trip: Trip = { tried: [], path: [], analysts: [], challenge: null, skipped: [], isEmpty: true };
  let agenda: Waiting[] = root.map((node) => ({ node, after: undefined }));
  while (agenda.length > 0) {
    const [current, ...rest] = agenda;
    if (!current) break;
    agenda = rest;
    const { node, after } = current;
    const note = (text: string) => (after ? undefined : trip.path.push(text));
    const first = (nodes: readonly FlowNode[]) => {
      agenda = [...nodes.map((one) => ({ node: one, after })), ...agenda];
    };
    if (node.rule === "antifraud") {
      note(node.id);
      trip.analysts.push(node.id);
    } else if (node.rule === "challenge") {
      note(node.id);
      if (trip.challenge === null) trip.challenge = node.mode;
    } else if (node.rule === "condition") {
      const isTrue = truth(node.if, facts, family, after);
      note(isTrue ? `${node.id}:then` : `${node.id}:else`);
      first(isTrue ? node.then : node.else);
    } else if (node.rule === "share") {
      const draw = lot(family, node.id, node.by === "bucket" ? facts.buyer : facts.unit) % 100;
      const lines = node.weights.flatMap(({ weight }, side) => Array.from({ length: weight }, () => side));
      const side = lines[draw] ?? -1;
      note(`${node.id}:${side}`);
      first(node.weights[side]?.then ?? []);
    } else if (node.rule === "best") {
      const { ids, label } = ranking(node, facts, family, measures);
      note(label);
      first(ids.map((id) => ({ rule: "provider", id, isRanked: true }) as FlowNode));
    } else {
      if (!("isRanked" in node)) note(node.id);
      trip.isEmpty = false;
      if (trip.tried.includes(node.id)) continue;
      if (!isAble(node.id) || trip.tried.length === 3) {
        if (!trip.skipped.includes(node.id)) trip.skipped.push(node.id);
        continue;
      }
      trip.tried.push(node.id);
      const code = declines[trip.tried.length - 1] ?? "";
      if (node.on?.declined.includes(code) && trip.tried.length < 3) {
        const known = { attempt: trip.tried.length + 1, previousDecline: code };
        agenda = [...node.on.then.map((one) => ({ node: one, after: known })), ...agenda];
      }
    }
  }
  trip.skipped = trip.skipped.filter((id) => !trip.tried.includes(id));
  return trip;
}

function ranking(
  { id, ids, by, minimum, explore }: Extract<FlowNode, { rule: "best" }>,
  facts: FlowFacts,
  family: string,
  measures: Measures,
): { ids: readonly string[]; label: string } {
  const known = ids.map((one, written) => ({ one, written, measured: measures[id]?.[one] }));
  const isMeasured = known.every(({ measured }) => measured !== undefined && measured.n >= minimum);
  if (isMeasured) {
    known.sort((a, b) => {
      const difference = (a.measured?.value ?? 0) - (b.measured?.value ?? 0);
      return (by === "approval" ? -difference : difference) || a.written - b.written;
    });
  }
  const ordered = known.map(({ one }) => one);
  const draw = lot(family, id, "explore", facts.unit);
  if (draw % 100 >= explore) return { ids: ordered, label: id };
  const [chosen] = ordered.splice(1 + (Math.floor(draw / 100) % (ids.length - 1)), 1);
  return { ids: [...(chosen ? [chosen] : []), ...ordered], label: `${id}:explore` };
}

const BRANDS: Record<string, string> = { "american express": "amex" };

function truth(test: Test, facts: FlowFacts, family: string, after: Waiting["after"]): boolean {
  if ("all" in test) return test.all.filter((one) => !truth(one, facts, family, after)).length === 0;
  if ("any" in test) return test.any.filter((one) => truth(one, facts, family, after)).length > 0;
  const { field, operator, value } = test;
  const seen = look(field, facts, family, after);
  if (seen === undefined || seen === null) return false;
  const values = (Array.isArray(value) ? value : [value]) as readonly Scalar[];
  const equal = (one: Scalar): boolean => {
    if (typeof one !== typeof seen) return false;
    if (field === "cardBin") return String(seen).slice(0, String(one).length) === one;
    return plain(field, one) === plain(field, seen);
  };
  const number = Number(values[0]);
  const areNumbers = typeof seen === "number" && typeof values[0] === "number";
  const answers: Record<string, () => boolean> = {
    eq: () => equal(values[0] ?? ""),
    in: () => values.filter(equal).length > 0,
    neq: () => {
      if (typeof values[0] !== typeof seen || equal(values[0] ?? "")) return false;
      return field !== "cardBin" || !String(values[0]).startsWith(String(seen));
    },
    gt: () => areNumbers && Number(seen) > number,
    gte: () => areNumbers && Number(seen) >= number,
    lt: () => areNumbers && Number(seen) < number,
    lte: () => areNumbers && Number(seen) <= number,
    contains: () => {
      if (typeof seen !== "string") return false;
      const place = seen.toLowerCase().indexOf(String(values[0]).toLowerCase());
      return field === "cardBin" ? place === 0 : place >= 0;
    },
  };
  return answers[operator]?.() ?? false;
}

const plain = (field: string, value: Scalar): Scalar => {
  if (typeof value !== "string") return value;
  const lower = value.toLowerCase();
  return field === "brand" ? (BRANDS[lower] ?? lower) : lower;
};

function look(field: string, facts: FlowFacts, family: string, after: Waiting["after"]): Scalar | null | undefined {
  if (field === "random") return lot(family, facts.unit) % 100;
  if (field === "bucket") return lot(family, facts.buyer) % 100;
  if (field === "attempt") return after?.attempt;
  if (field === "previousDecline") return after?.previousDecline;
  const prefix = "paymentFlow.metadata.";
  const from: Record<string, unknown> = field.startsWith(prefix) ? { ...facts.metadata } : { ...facts };
  const value = from[field.replace(prefix, "")];
  return typeof value === "object" ? undefined : (value as Scalar | undefined);
}

/**
 * The draw by its description alone: MurmurHash3 (32 bits, seed 0) of words, one for each UTF-16 unit and 0x10000 behind
 * each text, with their number in place of the number of bytes. Multiplied in halves, so that every product is exact.
 */
function lot(...texts: readonly string[]): number {
  const words = texts.flatMap((text) => [...text.split("").map((unit) => unit.charCodeAt(0)), 2 ** 16]);
  let state = 0;
  for (const word of words) {
    state = xor(state, times(turned(times(word, 0xcc9e2d51), 15), 0x1b873593));
    state = (times(turned(state, 13), 5) + 0xe6546b64) % WORD;
  }
  state = xor(state, words.length);
  state = times(xor(state, Math.floor(state / 2 ** 16)), 0x85ebca6b);
  state = times(xor(state, Math.floor(state / 2 ** 13)), 0xc2b2ae35);
  return xor(state, Math.floor(state / 2 ** 16));
}

const WORD = 2 ** 32;
const times = (one: number, other: number): number =>
  ((one % 2 ** 16) * other + ((Math.floor(one / 2 ** 16) * other) % 2 ** 16) * 2 ** 16) % WORD;
const turned = (word: number, by: number): number => ((word * 2 ** by) % WORD) + Math.floor(word / 2 ** (32 - by));
const xor = (one: number, other: number): number => (one ^ other) >>> 0;
