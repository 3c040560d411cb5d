import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { type JsonSchema, schemaRef } from "@/lib/http/openapi/document";
import { mapSchema, tidied } from "@/lib/http/openapi/json-schema";

/** What a schema takes, or what it gives. */
export type Direction = "input" | "output";

export interface SchemaUse {
  schema: z.ZodType;
  direction: Direction;
}

export interface SchemaBook {
  /** By name: those that declare an id, and the lists of them. */
  components: Record<string, JsonSchema>;
  of(use: SchemaUse): JsonSchema;
}

type Named = Record<Direction, Map<string, JsonSchema>>;

const DEFS = "#/$defs/";

/**
 * Converts every schema once. One that is not the same both ways, for a default or a transformed member, has two
 * forms: that of requests is then called `…Input`.
 */
export function schemaBook(uses: readonly SchemaUse[]): SchemaBook {
  const named: Named = { input: new Map(), output: new Map() };
  const roots = new Map<z.ZodType, Partial<Record<Direction, JsonSchema>>>();
  for (const { schema, direction } of uses) {
    const known = roots.get(schema) ?? {};
    known[direction] ??= converted(schema, direction, named);
    roots.set(schema, known);
  }
  const split = namesWithTwoForms(named);
  const nameOf = (name: string, direction: Direction) =>
    direction === "input" && split.has(name) ? `${name}Input` : name;
  const referring = (schema: JsonSchema, direction: Direction): JsonSchema =>
    mapSchema(schema, (part) => {
      const name = nameIn(part);
      return name === undefined ? part : { ...part, ...schemaRef(nameOf(name, direction)) };
    });
  const components = (["output", "input"] as const).flatMap((direction) =>
    [...named[direction]].map(
      ([name, component]) => [nameOf(name, direction), referring(component, direction)] as const,
    ),
  );
  return {
    components: Object.fromEntries(components.sort(([a], [b]) => (a < b ? -1 : 1))),
    of({ schema, direction }) {
      const root = roots.get(schema)?.[direction];
      if (!root) throw new Error("a schema was not announced to the book");
      return referring(root, direction);
    },
  };
}

const nameIn = ({ $ref }: JsonSchema): string | undefined =>
  $ref?.startsWith(DEFS) ? $ref.slice(DEFS.length) : undefined;

function converted(schema: z.ZodType, io: Direction, named: Named): JsonSchema {
  // Guarantee: JSON Schema as zod writes it is an object of keywords.
  const {
    $schema: _,
    $defs,
    ...root
  } = z.toJSONSchema(schema, {
    io,
    // A member that takes anything is written as one that takes anything.
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => keepDefault(zodSchema, jsonSchema as JsonSchema),
  }) as JsonSchema & { $defs?: Record<string, JsonSchema> };
  for (const [name, component] of Object.entries($defs ?? {})) record(named[io], name, mapSchema(component, tidied));
  const tidy = mapSchema(root, tidied);
  return io === "output" ? namedList(tidy, named) : tidy;
}

function record(known: Map<string, JsonSchema>, name: string, component: JsonSchema): void {
  const before = known.get(name);
  if (before && !isDeepStrictEqual(before, component)) throw new Error(`two schemas are called ${name}`);
  known.set(name, component);
}

/** A list of a named thing is a named thing: generated clients then have one type for it. */
function namedList(root: JsonSchema, named: Named): JsonSchema {
  const { items, meta } = root.properties ?? {};
  const item = items?.items && nameIn(items.items);
  if (!meta || !item) return root;
  record(named.output, `${item}List`, root);
  return { $ref: `${DEFS}${item}List` };
}

/** On the way in zod drops the default of a transformed member, though the caller may rely on it. */
function keepDefault(schema: z.core.$ZodType, json: JsonSchema): void {
  const written = z.globalRegistry.get(schema)?.default;
  if (written !== undefined) json.default = written;
}

/** Those whose two forms differ, and those that refer to one of them. */
function namesWithTwoForms({ input, output }: Named): Set<string> {
  const both = [...input].filter(([name]) => output.has(name));
  const split = new Set(
    both.filter(([name, taken]) => !isDeepStrictEqual(taken, output.get(name))).map(([name]) => name),
  );
  for (let before = -1; before !== split.size; ) {
    before = split.size;
    for (const [name, taken] of both) if (refersTo(taken, split)) split.add(name);
  }
  return split;
}

function refersTo(schema: JsonSchema, names: ReadonlySet<string>): boolean {
  let isFound = false;
  mapSchema(schema, (part) => {
    isFound ||= names.has(nameIn(part) ?? "");
    return part;
  });
  return isFound;
}
