import type { EndpointSpec } from "@/lib/http/endpoint";

const VERBS = { GET: "get", POST: "create", PATCH: "update", PUT: "replace", DELETE: "delete" } as const;

/** Last segments that say what is done, not what is made. */
const ACTIONS = new Set([
  "advance",
  "cancel",
  "capture",
  "charge",
  "chargeback",
  "commit",
  "med",
  "pause",
  "pay",
  "replay",
  "resend",
  "restore",
  "resume",
  "retry",
  "reverse",
  "setup",
  "submit",
  "void",
]);

/** Segments that say less than what stands there. */
const MEANINGS: Readonly<Record<string, string>> = { auth: "public-keys", "files.zip": "files-archive" };

/** Paths that take POST beside PATCH: the name of the function tells them apart. */
const ALSO_BY_POST = new Set(["cancel", "pause", "resume"].map((action) => `/v1/subscriptions/{id}/${action}`));

/** `getCharge`, `listCharges`, `captureCharge`: the name of the function in a generated client. */
export function operationIdOf({ method, path }: Pick<EndpointSpec, "method" | "path">, isList: boolean): string {
  const segments = path
    .split("/")
    .slice(2)
    .map((segment) => MEANINGS[segment] ?? segment);
  const words = segments.flatMap((segment, index) => {
    if (isParameter(segment)) return [];
    const isOne = isParameter(segments[index + 1] ?? "");
    return [isOne ? singular(segment) : segment];
  });
  const last = words.at(-1) ?? "";
  // A write to an object itself, of which the simulator has some.
  if (method === "POST" && isParameter(segments.at(-1) ?? "")) return camel(["set", ...words]);
  if ((method === "POST" || method === "PATCH") && ACTIONS.has(last)) {
    const also = method === "POST" && ALSO_BY_POST.has(path) ? ["by-post"] : [];
    return camel([last, ...words.slice(0, -1), ...also]);
  }
  if (method === "GET" && isList) return camel(["list", ...words]);
  const named = method === "POST" ? [...words.slice(0, -1), singular(last)] : words;
  return camel([VERBS[method], ...named]);
}

const isParameter = (segment: string): boolean => segment.startsWith("{");

const singular = (word: string): string =>
  word.endsWith("ies")
    ? `${word.slice(0, -3)}y`
    : word.endsWith("ches")
      ? word.slice(0, -2)
      : /[^s]s$/.test(word) && word !== "settings"
        ? word.slice(0, -1)
        : word;

const camel = (words: string[]): string =>
  words
    .flatMap((word) => word.split("-"))
    .map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join("");
