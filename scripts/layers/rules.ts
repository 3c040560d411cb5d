import { circles, deadEdges, notAllowed } from "@/scripts/layers/folders";
import { doubledNames } from "@/scripts/layers/names";
import type { Import, Source } from "@/scripts/layers/sources";

export interface Breach {
  readonly path: string;
  readonly line: number;
  readonly why: string;
}

const SIMULATOR = "lib/providers/sandbox";
const SIMULATOR_API = `${SIMULATOR}/api/`;

/** The product knows no simulator: one line of the registry does, and the routes of its own calls. */
export function reachesSimulator({ path, imports }: Source): Breach[] {
  if (path.startsWith(`${SIMULATOR}/`)) return [];
  return imports.flatMap(({ name, line }) => {
    if (name !== SIMULATOR && !name.startsWith(`${SIMULATOR}/`)) return [];
    const isAllowed = name.startsWith(SIMULATOR_API)
      ? /^(?:app|inngest)\//.test(path)
      : name === SIMULATOR && path === "lib/providers/registry.ts";
    return isAllowed ? [] : [{ path, line, why: `nothing but the registry may import ${SIMULATOR}` }];
  });
}

interface Ban {
  readonly pattern: RegExp;
  readonly why: string;
  /** Where it is the one allowed place, or another world: scripts, benches and end-to-end tests. */
  readonly allowed: readonly RegExp[];
}

const OUTSIDE = [/^scripts\//, /^bench\//, /^e2e\//];
const IN_BROWSER = [
  /^components\/.*\.tsx$/,
  /^app\/.*\.tsx$/,
  /^components\/checkout\/islands\//,
  /^components\/checkout\/captcha\//,
  /^components\/checkout\/embed-bridge\.ts$/,
];

const BANS: readonly Ban[] = [
  {
    pattern: /\bDate\.now\(|\bnew Date\(\s*\)|\bDate\(\s*\)/,
    why: "the time comes from lib/time.ts or from the account's clock",
    allowed: [...OUTSIDE, /^lib\/time\.ts$/],
  },
  {
    pattern: /\bMath\.random\(/,
    why: "randomness comes from lib/ids.ts or node:crypto",
    allowed: OUTSIDE,
  },
  {
    pattern: /(?<![.\w])set(?:Timeout|Interval|Immediate)\(/,
    why: "waiting is done by lib/wait.ts or a due row; an unavoidable timer is said in scripts/layers/rules.ts",
    allowed: [
      ...OUTSIDE,
      ...IN_BROWSER,
      /^lib\/http\/request-log\.ts$/,
      /^lib\/engine\//,
      /^lib\/webhooks\/send\.ts$/,
      /^lib\/health\/beat\.ts$/,
      /^db\/embedded/,
      /^db\/driver\//,
      /^db\/availability\.ts$/,
    ],
  },
  {
    pattern: /(?<![.\w])fetch\(/,
    why: "the network is reached through the one HTTP client of lib/providers",
    allowed: [...OUTSIDE, ...IN_BROWSER, /^components\/dashboard\/connection\.ts$/],
  },
];

/** Places of the lists above that allow what nothing there does any more, and names of no module. */
export function deadNames(sources: readonly Source[]): Breach[] {
  const modules = new Set(sources.map(({ path }) => moduleName(path)));
  const imported = new Set(sources.flatMap(({ imports }) => imports.map(({ name }) => name)));
  const dead = (why: string): Breach => ({ path: "scripts/layers/rules.ts", line: 1, why });
  const isWorld = (place: RegExp) => OUTSIDE.includes(place) || IN_BROWSER.includes(place);
  return [
    ...[...SERVER_ONLY]
      .filter((name) => !modules.has(name) && !imported.has(name))
      .map((name) => dead(`${name} does not exist`)),
    ...BANS.flatMap(({ allowed, pattern }) =>
      allowed
        .filter(
          (place) =>
            !sources.some(
              ({ path, code }) => place.test(path) && (isWorld(place) || code.some((line) => pattern.test(line))),
            ),
        )
        .map((place) => dead(`nothing at ${place.source} needs to be allowed`)),
    ),
  ];
}

const moduleName = (path: string): string => path.replace(/(?:\/index)?\.tsx?$/, "");

export function banned({ path, code }: Source): Breach[] {
  return BANS.filter(({ allowed }) => !allowed.some((place) => place.test(path))).flatMap(({ pattern, why }) =>
    code.flatMap((text, index) => (pattern.test(text) ? [{ path, line: index + 1, why }] : [])),
  );
}

/** What no module a browser may load can reach, through however many steps. */
const SERVER_ONLY = new Set(["db/client", "postgres", "lib/env", "lib/secrets", "lib/kek"]);

/** Components take types, schemas and pure functions from lib: nothing that reaches the database. */
export function reachesDatabase(sources: readonly Source[]): Breach[] {
  const byName = new Map(sources.map((source) => [moduleName(source.path), source]));
  const wayFrom = (name: string, seen: Set<string>): string[] | undefined => {
    if (SERVER_ONLY.has(name)) return [name];
    if (seen.has(name)) return undefined;
    seen.add(name);
    for (const each of loaded(byName.get(name)?.imports ?? [])) {
      const way = wayFrom(each.name, seen);
      if (way) return [name, ...way];
    }
    return undefined;
  };
  return sources
    .filter(({ path }) => path.startsWith("components/") && !path.startsWith("components/emails/"))
    .flatMap(({ path, imports }) =>
      loaded(imports).flatMap(({ name, line }) => {
        const way = name.startsWith("lib/") ? wayFrom(name, new Set()) : undefined;
        return way ? [{ path, line, why: `a component may not reach ${way.join(" → ")}` }] : [];
      }),
    );
}

const loaded = (imports: readonly Import[]): Import[] => imports.filter(({ isTypeOnly }) => !isTypeOnly);

const LONGEST_FILE_LINES = 400;

export function tooLong({ path, code }: Source): Breach[] {
  if (code.length <= LONGEST_FILE_LINES + 1 || path === "app/api/endpoints.ts") return [];
  return [{ path, line: LONGEST_FILE_LINES, why: `${code.length} lines; the cap is ${LONGEST_FILE_LINES}: split it` }];
}

/** What the sources break, whichever of them are given. */
export const breachesIn = (sources: readonly Source[]): Breach[] => [
  ...sources.flatMap((source) => [
    ...notAllowed(source),
    ...banned(source),
    ...reachesSimulator(source),
    ...tooLong(source),
  ]),
  ...reachesDatabase(sources),
  ...doubledNames(sources),
];

/** What is wrong with the lists themselves, for all sources of the repository. */
export const brokenLists = (sources: readonly Source[]): Breach[] => [
  ...circles(),
  ...deadEdges(sources),
  ...deadNames(sources),
];
