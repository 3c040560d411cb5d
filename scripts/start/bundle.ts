import { build } from "esbuild";
import { inRoot } from "@/scripts/start/paths";

/** The processes of an installation; run from one file each they start faster and take less memory. */
export const PROGRAMS = { web: "server", worker: "worker", migrate: "migrate" } as const;

/** Two folders below the root, like the sources they are made from: both find the root the same way. */
export const bundled = (dist: string, role: keyof typeof PROGRAMS): string => `${dist}/${PROGRAMS[role]}.mjs`;

export async function bundlePrograms(dist: string): Promise<void> {
  await build({
    entryPoints: Object.values(PROGRAMS).map((name) => ({ in: inRoot("scripts", `${name}.ts`), out: name })),
    outdir: inRoot(dist),
    outExtension: { ".js": ".mjs" },
    bundle: true,
    // What is imported when it is needed stays apart, and so do the packages only it needs.
    splitting: true,
    platform: "node",
    format: "esm",
    target: "node20",
    packages: "external",
    sourcemap: "linked",
    logLevel: "warning",
    tsconfig: inRoot("tsconfig.json"),
  });
}
