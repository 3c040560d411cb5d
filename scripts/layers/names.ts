import type { Breach } from "@/scripts/layers/rules";
import type { Source } from "@/scripts/layers/sources";

/** Folders whose modules play one part beside each other, each in its own way: their names are the part's. */
const BESIDE_EACH_OTHER = [/^lib\/providers\/[a-z0-9-]+\//, /^components\/emails\//];

/** What an answer to a change means: capture, refund and void each decide it, under the names of one table. */
const SAME: ReadonlySet<string> = new Set(["done", "refused", "undetermined"]);

const TYPE = /^export (?:interface|type|class) (\w+)/;
const FUNCTION = /^export (?:async )?(?:function\*? (\w+)|const (\w+)[^=]*= (?:async )?(?:<[^>]*>)?\()/;

/** Exported functions and types of lib of one name, functions of components too: who knows one misreads the other. */
export function doubledNames(sources: readonly Source[], same = SAME): Breach[] {
  const seen = new Map<string, string>();
  return sources
    .filter(
      ({ path }) => /^(?:lib|components|inngest)\//.test(path) && !BESIDE_EACH_OTHER.some((one) => one.test(path)),
    )
    .flatMap(({ path, code }) =>
      code.flatMap((text, index) => {
        const [, declared, assigned] = FUNCTION.exec(text) ?? [];
        const type = path.startsWith("lib/") ? TYPE.exec(text)?.[1] : undefined;
        const name = declared ?? assigned ?? type;
        if (name === undefined || same.has(name)) return [];
        // A component and the type of what it shows may share a name.
        const kept = type === undefined ? name : `type ${name}`;
        const first = seen.get(kept);
        if (first === undefined) seen.set(kept, path);
        return first === undefined ? [] : [{ path, line: index + 1, why: `${name} is something else in ${first}` }];
      }),
    );
}
