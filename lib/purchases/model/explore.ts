import { OPERATION_TYPES, PURCHASE_STATUSES } from "@/db/schema/purchases";
import { checkInvariants, isRest, slotFaultOf } from "@/lib/purchases/model/invariants";
import type { Mistakes } from "@/lib/purchases/model/mistakes";
import { answer, arrive, ask, type Happening, happen, type Powers, repeat } from "@/lib/purchases/model/provider";
import { SlotTable, Violation } from "@/lib/purchases/model/slot";
import { act, asks, begin, happened, type World } from "@/lib/purchases/model/world";
import { monotonicMs } from "@/lib/time";

export interface Exploration extends Powers {
  cards: number;
  mistakes?: Mistakes;
}

export interface Explored {
  states: number;
  edges: number;
  /** The first broken invariant, in words; undefined when none is. */
  violation: string | undefined;
  /** States from which no rest can be reached: no end, no review, no waiting for the client's capture. */
  stuck: number;
  ms: number;
}

const MOST_STATES = 8_000_000;
/** A world is one number: this many bits for each card, and the purchase's own above them. */
const SLOT_BITS = 13;
const SLOTS = 2 ** SLOT_BITS;
const MOST_CARDS = 3;
const WORLD_SHIFT = SLOTS ** MOST_CARDS;

/** Every state that the tables and an adversarial provider can reach, breadth first, from both kinds of purchase. */
export function exploreModel({ cards, mistakes = {}, ...powers }: Exploration): Explored {
  const startedMs = monotonicMs();
  const table = new SlotTable();
  const codec = codecOf(table, cards);
  const provider = providerOf(table, powers, mistakes);
  const index = new Map<number, number>();
  const keys = growing();
  const edges = growing();
  const resting: number[] = [];
  const visit = (world: World): number => {
    const key = codec.keyOf(world);
    const known = index.get(key);
    if (known !== undefined) return known;
    const id = keys.length();
    if (id >= MOST_STATES) throw new Error("the exploration does not end");
    index.set(key, id);
    keys.push(key);
    checkInvariants(world);
    for (const slot of world.slots) {
      const fault = slotFaultOf(slot);
      if (fault) throw new Violation(fault);
    }
    if (isRest(world)) resting.push(id);
    return id;
  };
  const result = (violation: string | undefined, stuck: number): Explored => ({
    states: keys.length(),
    edges: edges.length() / 2,
    violation,
    stuck,
    ms: Math.round(monotonicMs() - startedMs),
  });
  try {
    for (const capture of [true, false]) visit(begin(cards, capture));
    for (let id = 0; id < keys.length(); id++) {
      const world = codec.worldOf(keys.at(id));
      const reach = (next: World) => {
        edges.push(id);
        edges.push(visit(next));
      };
      for (const next of act(world, mistakes)) reach(next);
      for (const next of asks(world, mistakes)) reach(next);
      for (let card = 0; card < cards; card++) {
        for (const happening of provider(world, card)) reach(happened(world, card, happening, mistakes));
      }
    }
  } catch (thrown) {
    return result(thrown instanceof Error ? thrown.message : String(thrown), 0);
  }
  return result(undefined, keys.length() - reachingRest(keys.length(), edges, resting));
}

/** What a provider may do to a card depends on that card and little else: worked out once for each. */
function providerOf(table: SlotTable, powers: Powers, mistakes: Mistakes) {
  const known = new Map<number, Happening[]>();
  return ({ slots, operation, isReviewed }: World, card: number): Happening[] => {
    const slot = slots[card];
    if (!slot) return [];
    const hasOperation = operation !== null;
    const key = table.idOf(slot) * 4 + (hasOperation ? 2 : 0) + (isReviewed ? 1 : 0);
    const made = known.get(key);
    if (made) return made;
    const happenings = [
      ...answer(slot, powers, mistakes),
      ...arrive(slot),
      ...repeat(slot, mistakes),
      ...ask(slot, isReviewed, powers, mistakes),
      ...happen(slot, hasOperation),
    ];
    const shared = happenings.map((happening) => ({ ...happening, slot: table.same(happening.slot) }));
    known.set(key, shared);
    return shared;
  };
}

/** Worlds as numbers and back. */
function codecOf(table: SlotTable, cards: number) {
  const operations = [undefined, ...OPERATION_TYPES];
  return {
    keyOf({ status, capture, isReviewed, isMismatched, operation, slots }: World): number {
      let key = PURCHASE_STATUSES.indexOf(status);
      key = key * operations.length + operations.indexOf(operation?.type);
      key = key * 2 + Number(operation?.by === "system");
      key = key * 2 + Number(operation?.isForgotten ?? false);
      key = key * 2 + Number(capture);
      key = key * 2 + Number(isReviewed);
      key = key * 2 + Number(isMismatched);
      let places = 0;
      for (const slot of slots) {
        const id = table.idOf(slot);
        if (id >= SLOTS) throw new Error("more card states than a world has room for");
        places = places * SLOTS + id;
      }
      return key * WORLD_SHIFT + places;
    },
    worldOf(key: number): World {
      let places = key % WORLD_SHIFT;
      let rest = (key - places) / WORLD_SHIFT;
      const take = (values: number): number => {
        const value = rest % values;
        rest = (rest - value) / values;
        return value;
      };
      const [isMismatched, isReviewed, capture] = [take(2) === 1, take(2) === 1, take(2) === 1];
      const [isForgotten, bySystem] = [take(2) === 1, take(2) === 1];
      const type = operations[take(operations.length)];
      const slots = [];
      for (let card = 0; card < cards; card++) {
        const id = places % SLOTS;
        places = (places - id) / SLOTS;
        slots.unshift(table.at(id));
      }
      return {
        status: PURCHASE_STATUSES[rest] ?? "pending",
        capture,
        isReviewed,
        isMismatched,
        operation: type ? { type, by: bySystem ? "system" : "client", isForgotten } : null,
        slots,
      };
    },
  };
}

/** A list of numbers without a box for each. */
function growing() {
  let values = new Float64Array(1 << 16);
  let used = 0;
  return {
    length: () => used,
    at: (index: number): number => values[index] ?? 0,
    push(value: number): void {
      if (used === values.length) {
        const larger = new Float64Array(values.length * 2);
        larger.set(values);
        values = larger;
      }
      values[used++] = value;
    },
  };
}

/** How many states can come to rest, walking back from those that do. */
function reachingRest(states: number, edges: ReturnType<typeof growing>, resting: readonly number[]): number {
  const starts = new Int32Array(states + 1);
  for (let at = 1; at < edges.length(); at += 2) {
    const to = edges.at(at) + 1;
    starts[to] = (starts[to] ?? 0) + 1;
  }
  for (let id = 0; id < states; id++) starts[id + 1] = (starts[id + 1] ?? 0) + (starts[id] ?? 0);
  const filled = starts.slice();
  const from = new Int32Array(edges.length() / 2);
  for (let at = 0; at < edges.length(); at += 2) {
    const to = edges.at(at + 1);
    const place = filled[to] ?? 0;
    from[place] = edges.at(at);
    filled[to] = place + 1;
  }
  const seen = new Uint8Array(states);
  const open = [...resting];
  for (const id of resting) seen[id] = 1;
  let count = resting.length;
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    for (let place = starts[id] ?? 0; place < (starts[id + 1] ?? 0); place++) {
      const before = from[place] ?? 0;
      if (seen[before]) continue;
      seen[before] = 1;
      count++;
      open.push(before);
    }
  }
  return count;
}
