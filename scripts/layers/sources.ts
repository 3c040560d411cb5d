import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { inRoot, ROOT } from "@/scripts/start/paths";

export interface Source {
  /** From the root of the repository, with forward slashes. */
  readonly path: string;
  readonly imports: readonly Import[];
  /** Line by line, with the insides of comments and texts blanked. */
  readonly code: readonly string[];
}

export interface Import {
  /** `lib/money` for `@/lib/money`; a package's name as it is. */
  readonly name: string;
  readonly line: number;
  /** Of this repository, not a package. */
  readonly isOwn: boolean;
  /** Gone after compilation: no module is loaded for it. */
  readonly isTypeOnly: boolean;
}

const FOLDERS = ["app", "bench", "components", "db", "e2e", "inngest", "lib", "scripts"];
const TEST = /\.test\.tsx?$|^lib\/testing\/|\/testing(?:-[a-z-]+)?\.ts$/;

/** Every module of the product; tests and the test kit stand outside the layers. */
export function readSources(): Source[] {
  return FOLDERS.flatMap((folder) => listFolder(inRoot(folder)))
    .map((file) => relative(ROOT, file).replaceAll("\\", "/"))
    .filter((path) => /\.tsx?$/.test(path) && !TEST.test(path))
    .map((path) => parseSource(path, readFileSync(inRoot(path), "utf8")));
}

function listFolder(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === "node_modules" || entry.name.startsWith(".")) return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? listFolder(path) : [path];
  });
}

const IMPORT =
  /^\s*(?:import|export)\b(?:(?!\bfrom\b)[^;"'])*(?:\bfrom\s*)?["']([^"'\n]+)["']|\bimport\(\s*["']([^"'\n]+)["']/gm;

export function parseSource(path: string, text: string): Source {
  const imports = [...text.matchAll(IMPORT)].map((found) => ({
    name: (found[1] ?? found[2] ?? "").replace(/^@\//, ""),
    isOwn: (found[1] ?? found[2] ?? "").startsWith("@/"),
    line: text.slice(0, found.index + found[0].length).split("\n").length,
    isTypeOnly: /^\s*(?:import|export)\s+type\b/.test(found[0]),
  }));
  return { path, imports, code: blankTexts(text).split("\n") };
}

const TEXTS = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/g;

/** Templates are kept as far as their expressions go: code stands in them. */
function blankTexts(text: string): string {
  return text.replace(TEXTS, (part) =>
    part.startsWith("`")
      ? [...part.matchAll(/\$\{([^}]*)\}|\n/g)].map((inside) => inside[1] ?? inside[0]).join(" ")
      : part.replace(/[^\n]/g, " "),
  );
}
