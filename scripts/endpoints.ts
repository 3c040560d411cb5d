import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";

const ROOT = join(import.meta.dirname, "..");
const TARGET = join(ROOT, "app/api/endpoints.ts");

/** Writes app/api/endpoints.ts, the list of every endpoint, from the route modules; `--check` only compares. */
export function endpointsModule(): string {
  const files = readdirSync(join(ROOT, "app/api/v1"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith("route.ts"))
    .sort();
  const imports: string[] = [];
  const names: string[] = [];
  files.forEach((file, index) => {
    const path = join(ROOT, "app/api/v1", file);
    const methods = [
      ...readFileSync(path, "utf8").matchAll(/^export const (GET|POST|PATCH|PUT|DELETE) = endpoint\(/gm),
    ].map((found) => found[1]!);
    const module = `@/${relative(ROOT, path).replace(/\.ts$/, "")}`;
    imports.push(`import * as route${index} from "${module}";`);
    for (const method of methods) names.push(`  route${index}.${method},`);
  });
  return `// Written by scripts/endpoints.ts from app/api/v1; a test compares it with the route modules.\n${imports.join("\n")}${imports.length ? "\n" : ""}import type { Endpoint } from "@/lib/http/endpoint";\n\nexport const ENDPOINTS: readonly Endpoint[] = [\n${names.join("\n")}\n];\n`;
}

if (process.argv[1] === import.meta.filename) {
  writeFileSync(TARGET, endpointsModule());
}
