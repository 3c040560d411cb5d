import { z } from "zod";
import { HIDDEN } from "@/lib/http/redact";

interface Choice {
  /** Names of files of a form, which stand beside the schema. */
  files?: readonly string[];
  /** Of members whose inside is the caller's own, such as metadata: only the names are kept. */
  isFreeHidden?: boolean;
}

/**
 * A copy of what was sent, as far as the schema names it. A member that it does not name is kept by its name alone: who
 * takes one interface for another sends the security code of a card under a name that nobody here foresaw.
 */
export function knownMembers(schema: z.ZodType | undefined, value: unknown, choice: Choice = {}): unknown {
  if (typeof value !== "object" || value === null) return value;
  return walk(schema ? plainSchemas(schema) : [], value, choice);
}

function walk(schemas: readonly z.core.$ZodType[], value: unknown, choice: Choice): unknown {
  if (value === undefined || value === null) return value;
  const { files: _outside, ...inside } = choice;
  if (Array.isArray(value)) {
    const elements = schemas.filter((one) => one instanceof z.ZodArray).flatMap((one) => plainSchemas(one.element));
    if (elements.length === 0) return isFree(schemas) && !choice.isFreeHidden ? value : HIDDEN;
    return value.map((each) => walk(elements, each, inside));
  }
  if (typeof value !== "object") {
    return schemas.some((one) => !(one instanceof z.ZodObject || one instanceof z.ZodArray)) ? value : HIDDEN;
  }
  const objects = schemas.filter((one) => one instanceof z.ZodObject);
  const isOpen = isFree(schemas) && !choice.isFreeHidden;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const named = objects.flatMap(({ shape }) => (Object.hasOwn(shape, name) ? plainSchemas(shape[name]) : []));
      const isKept = choice.files?.includes(name) || (named.length === 0 && isOpen);
      return [name, isKept ? member : named.length > 0 ? walk(named, member, inside) : HIDDEN];
    }),
  );
}

const isFree = (schemas: readonly z.core.$ZodType[]): boolean =>
  schemas.some((one) => one instanceof z.ZodRecord || one instanceof z.ZodUnknown || one instanceof z.ZodAny);

/** What a value may be, without the wrappings that only say when. */
function plainSchemas(schema: z.core.$ZodType): z.core.$ZodType[] {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodCatch ||
    schema instanceof z.ZodReadonly ||
    schema instanceof z.ZodNonOptional
  )
    return plainSchemas(schema.def.innerType);
  if (schema instanceof z.ZodPipe) {
    const { in: first, out } = schema.def;
    return plainSchemas(first instanceof z.ZodTransform ? out : first);
  }
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((one) => plainSchemas(one));
  if (schema instanceof z.ZodIntersection) return [schema.def.left, schema.def.right].flatMap(plainSchemas);
  if (schema instanceof z.ZodLazy) return plainSchemas(schema.def.getter());
  return [schema];
}
