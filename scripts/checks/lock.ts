import { readFileSync } from "node:fs";
import { z } from "zod";
import { inRoot } from "@/scripts/start/paths";

const lockFile = z.object({
  packages: z.record(
    z.string(),
    z.object({ version: z.string().optional(), optionalDependencies: z.record(z.string(), z.string()).optional() }),
  ),
});
type Packages = z.infer<typeof lockFile>["packages"];

/**
 * Platform binaries that a package may need and the lock file does not know: `npm ci` then fails on that platform,
 * or installs without them. It happens when the file was written against a registry that lacked some of them.
 */
export function missingBinaries(lock: unknown): string[] {
  const { packages } = lockFile.parse(lock);
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !isListed(packages, path, name))
      .map((name) => `${name}, wanted by ${path || "package.json"}`),
  );
}

/** Node looks beside the package first, then in every folder above it. */
function isListed(packages: Packages, path: string, name: string): boolean {
  for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("node_modules/") - 1))) {
    if (`${folder ? `${folder}/` : ""}node_modules/${name}` in packages) return true;
    if (folder === "") return false;
  }
}

export function checkLock(): string[] {
  return missingBinaries(JSON.parse(readFileSync(inRoot("package-lock.json"), "utf8")));
}

if (process.argv[1] === import.meta.filename) {
  const missing = checkLock();
  for (const line of missing) process.stderr.write(`package-lock.json lacks ${line}\n`);
  process.exit(missing.length > 0 ? 1 : 0);
}
