import { MEMBERS, RAW_JSON, TEXTS, VALUES } from "@/lib/testing/fuzz/hostile";
import type { Random } from "@/lib/testing/fuzz/random";

type Path = readonly (string | number)[];

/** The value with one to three places changed, dropped, wrapped or added to. */
export function mutated(random: Random, value: unknown): unknown {
  let result = value;
  const times = 1 + random.below(3);
  for (let done = 0; done < times; done++) result = changedAt(random, result, random.pick(placesIn(result)));
  return result;
}

/** The text of a body; raw JSON stands in it unquoted, and a member sometimes twice. */
export function textOf(random: Random, value: unknown): string {
  const text = (JSON.stringify(value) ?? "").replace(RAW_JSON, (_, raw: string) => raw.replaceAll("\\\\u0022", '"'));
  return random.chance(3)
    ? text.replace(/^\{("[^"]+"):/, (all, name: string) => `{${name}:null,${all.slice(1)}`)
    : text;
}

export const hostileValue = (random: Random): unknown => (random.chance(50) ? random.pick(TEXTS) : random.pick(VALUES));

function placesIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [path];
  const members = Array.isArray(value) ? value.map((member, index) => [index, member] as const) : Object.entries(value);
  // A long list of the last mutation would draw all the next ones.
  return [path, ...members.slice(0, 20).flatMap(([name, member]) => placesIn(member, [...path, name]))];
}

function changedAt(random: Random, value: unknown, path: Path): unknown {
  const [head, ...rest] = path;
  if (head === undefined) return changed(random, value);
  const copy = Array.isArray(value) ? [...value] : { ...(value as Record<string, unknown>) };
  const members = copy as Record<string | number, unknown>;
  if (rest.length === 0 && random.chance(20)) {
    delete members[head];
    return copy;
  }
  Object.defineProperty(members, head, {
    value: changedAt(random, members[head], rest),
    enumerable: true,
    configurable: true,
    writable: true,
  });
  return copy;
}

function changed(random: Random, value: unknown): unknown {
  if (random.chance(15)) return [value];
  if (random.chance(10)) return { value };
  if (typeof value === "number" && random.chance(40))
    return random.pick([-value, value + 0.5, value * 1e9, String(value)]);
  if (typeof value === "string" && random.chance(40))
    return random.pick([`${value} `, value.toUpperCase(), value.slice(1), value + value, `${value}\u0000`]);
  if (typeof value === "object" && value !== null && !Array.isArray(value) && random.chance(60)) {
    const copy = { ...(value as Record<string, unknown>) };
    Object.defineProperty(copy, random.pick(MEMBERS), {
      value: hostileValue(random),
      enumerable: true,
      configurable: true,
    });
    return copy;
  }
  return hostileValue(random);
}
