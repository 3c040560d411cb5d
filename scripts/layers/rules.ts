import type { Import, Source } from "@/scripts/layers/sources";

export interface Breach {
  readonly path: string;
  readonly line: number;
  readonly why: string;
}

/** Inside lib everything may look down and to its side, never up. What is not named stands with the resources. */
const RANKS: Readonly<Record<string, number>> = {
  brazil: 0,
  reference: 0,
  declines: 0,
  i18n: 0,
  http: 1,
  vault: 1,
  ledger: 1,
  engine: 1,
  "due-jobs": 1,
  providers: 1,
  payments: 2,
  charges: 4,
  // Beside charges: a payment takes its place on the link, and counts there, in its own transaction.
  sessions: 4,
  purchases: 5,
  subscriptions: 6,
  reports: 6,
  search: 6,
  "buyer-mails": 7,
  // What joins the resources to the clock and to the database's own walls.
  scheduler: 7,
  "event-catalogue": 7,
  // The hosted page and what its buyers are told.
  checkout: 7,
  transitions: 7,
};
const KERNEL_RANK = 0;
const RESOURCE_RANK = 3;

const SIMULATOR = "lib/providers/sandbox";
/** What its routes call: beside the simulator, and above everything it makes happen. */
const SIMULATOR_API = `${SIMULATOR}/api/`;
const SIMULATOR_API_RANK = 8;

function rankOf(path: string): number | undefined {
  if (path.startsWith(SIMULATOR_API)) return SIMULATOR_API_RANK;
  const [top, folder, ...rest] = path.split("/");
  if (top !== "lib" || folder === undefined) return undefined;
  return RANKS[folder.replace(/\.ts$/, "")] ?? (rest.length === 0 ? KERNEL_RANK : RESOURCE_RANK);
}

export function looksUp({ path, imports }: Source): Breach[] {
  const own = rankOf(path);
  if (own === undefined) return [];
  return imports.flatMap(({ name, line }) => {
    const other = rankOf(name);
    if (other === undefined || other <= own) return [];
    return [{ path, line, why: `${folderOf(path)} may not import ${folderOf(name)}: it stands above it` }];
  });
}

const folderOf = (path: string): string =>
  path.startsWith(SIMULATOR_API) ? SIMULATOR_API.slice(0, -1) : path.split("/").slice(0, 2).join("/");

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
  /** Where it is the one allowed place, or another world: scripts, benches and journeys. */
  readonly allowed: RegExp;
}

const OUTSIDE = "^(?:scripts|bench|e2e)/";
const IN_BROWSER =
  "^(?:components|app)/.*\\.tsx$|^components/checkout/(?:islands|captcha)/|^components/checkout/embed-bridge\\.ts$";

const BANS: readonly Ban[] = [
  {
    pattern: /\bDate\.now\(|\bnew Date\(\s*\)|\bDate\(\s*\)/,
    why: "the time comes from lib/time.ts or from the account's clock",
    allowed: new RegExp(`${OUTSIDE}|^lib/time\\.ts$`),
  },
  {
    pattern: /\bMath\.random\(/,
    why: "randomness comes from lib/ids.ts or node:crypto",
    allowed: new RegExp(`${OUTSIDE}|^lib/ids\\.ts$`),
  },
  {
    pattern: /(?<![.\w])set(?:Timeout|Interval|Immediate)\(/,
    why: "waiting is done by lib/wait.ts or a due row; an unavoidable timer is said in scripts/layers/rules.ts",
    allowed: new RegExp(
      `${OUTSIDE}|${IN_BROWSER}|^lib/wait\\.ts$|^lib/http/request-log\\.ts$|^lib/engine/|^lib/webhooks/(?:send|signature)\\.ts$|^db/embedded|^db/gathering-socket|^db/availability|^lib/health/beat`,
    ),
  },
  {
    pattern: /(?<![.\w])fetch\(/,
    why: "the network is reached through the one HTTP client of lib/providers",
    allowed: new RegExp(`${OUTSIDE}|${IN_BROWSER}`),
  },
];

export function banned({ path, code }: Source): Breach[] {
  return BANS.filter(({ allowed }) => !allowed.test(path)).flatMap(({ pattern, why }) =>
    code.flatMap((text, index) => (pattern.test(text) ? [{ path, line: index + 1, why }] : [])),
  );
}

/** What no module a browser may load can reach, through however many steps. */
const SERVER_ONLY = new Set(["db/client", "postgres", "lib/env", "lib/vault/keys"]);

/** Components take types, schemas and pure functions from lib: nothing that reaches the database. */
export function reachesDatabase(sources: readonly Source[]): Breach[] {
  const byName = new Map(sources.map((source) => [source.path.replace(/(?:\/index)?\.tsx?$/, ""), source]));
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

export const breachesIn = (sources: readonly Source[]): Breach[] => [
  ...sources.flatMap((source) => [
    ...looksUp(source),
    ...banned(source),
    ...reachesSimulator(source),
    ...tooLong(source),
  ]),
  ...reachesDatabase(sources),
];
