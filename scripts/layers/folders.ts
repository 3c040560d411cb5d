import { DEBTS, EDGES, TOP } from "@/scripts/layers/edges";
import type { Breach } from "@/scripts/layers/rules";
import type { Source } from "@/scripts/layers/sources";

export interface Folders {
  edges: Readonly<Record<string, readonly string[]>>;
  debts: readonly (readonly [folder: string, other: string])[];
}
const OWN: Folders = { edges: EDGES, debts: DEBTS };

const KERNEL = "lib";
const LISTS = "scripts/layers/edges.ts";

/** `charges`, `lib` for the kernel; undefined outside lib. */
export function folderOf(path: string, edges: Folders["edges"] = EDGES): string | undefined {
  const [top, ...rest] = path.split("/");
  if (top !== "lib") return undefined;
  for (let length = rest.length - 1; length > 1; length--) {
    const nested = rest.slice(0, length).join("/");
    if (Object.hasOwn(edges, nested)) return nested;
  }
  return rest.length > 1 ? rest[0] : KERNEL;
}

/** Imports that no list allows, between the folders of lib and between those of the repository. */
export function notAllowed({ path, imports }: Source, { edges }: Folders = OWN): Breach[] {
  const top = path.split("/")[0] ?? "";
  const own = folderOf(path, edges);
  if (own !== undefined && own !== KERNEL && !Object.hasOwn(edges, own)) {
    return [{ path, line: 1, why: `lib/${own} is a new folder: say in ${LISTS} what it may import` }];
  }
  return imports.flatMap(({ name, line, isOwn }) => {
    if (!isOwn) return [];
    const otherTop = name.split("/")[0] ?? "";
    if (Object.hasOwn(TOP, otherTop) && otherTop !== top) {
      return TOP[top]?.includes(otherTop) ? [] : [{ path, line, why: `${top} may not import ${otherTop}` }];
    }
    const other = folderOf(name, edges);
    if (own === undefined || other === undefined || other === own || other === KERNEL) return [];
    if (own !== KERNEL && edges[own]?.includes(other)) return [];
    const whose = own === KERNEL ? "a file directly in lib" : `lib/${own}`;
    return [{ path, line, why: `${whose} may not import lib/${other}: no edge of ${LISTS}` }];
  });
}

/** Circles of the listed edges; an edge that is a known debt must still close one. */
export function circles({ edges, debts }: Folders = OWN): Breach[] {
  const isDebt = (folder: string, other: string) => debts.some(([a, b]) => a === folder && b === other);
  const kept = Object.fromEntries(
    Object.entries(edges).map(([folder, others]) => [folder, others.filter((other) => !isDebt(folder, other))]),
  );
  return [
    ...componentsOf(kept)
      .filter((component) => component.length > 1)
      .map((component) => inLists(`folders in a circle: ${component.sort().join(", ")}`)),
    ...debts
      .filter(([folder, other]) => !edges[folder]?.includes(other) || !reaches(edges, other, folder))
      .map(([folder, other]) => inLists(`the debt ${folder} → ${other} closes no circle any more: remove it`)),
  ];
}

/** Folders and edges that are listed and do not exist. */
export function deadEdges(sources: readonly Source[], { edges }: Folders = OWN): Breach[] {
  const used = new Map<string, Set<string>>();
  for (const { path, imports } of sources) {
    const folder = folderOf(path, edges);
    if (folder === undefined) continue;
    const others = used.get(folder) ?? new Set();
    used.set(folder, others);
    for (const { name } of imports) others.add(folderOf(name, edges) ?? "");
  }
  return Object.entries(edges).flatMap(([folder, others]) => {
    const taken = used.get(folder);
    if (!taken) return [inLists(`lib/${folder} does not exist`)];
    return others
      .filter((other) => !taken.has(other))
      .map((other) => inLists(`lib/${folder} does not import ${other}`));
  });
}

const inLists = (why: string): Breach => ({ path: LISTS, line: 1, why });

function reaches(edges: Folders["edges"], from: string, to: string, seen = new Set<string>()): boolean {
  if (from === to) return true;
  if (seen.has(from)) return false;
  seen.add(from);
  return (edges[from] ?? []).some((next) => reaches(edges, next, to, seen));
}

/** Tarjan's strongly connected components. */
function componentsOf(edges: Folders["edges"]): string[][] {
  const places = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];
  const visit = (folder: string): number => {
    const place = places.size;
    places.set(folder, place);
    stack.push(folder);
    let low = place;
    for (const other of edges[folder] ?? []) {
      if (!places.has(other)) low = Math.min(low, visit(other));
      else if (stack.includes(other)) low = Math.min(low, places.get(other) ?? low);
    }
    lowest.set(folder, low);
    if (low === place) found.push(stack.splice(stack.indexOf(folder)));
    return low;
  };
  for (const folder of Object.keys(edges)) if (!places.has(folder)) visit(folder);
  return found;
}
