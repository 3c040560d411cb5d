import { join } from "node:path";
import { defineConfig, type Plugin } from "vitest/config";
import { isLostTypeQuery } from "../../db/driver/array-types.ts";
import { filesKeepingModules } from "./keeping-modules.ts";
import { LongestFirst } from "./longest-first.ts";

const root = join(import.meta.dirname, "..", "..");
const here = (file: string) => join(import.meta.dirname, file);

/** The file's own database is made when something first reaches for the pool: a pure test pays nothing. */
const databaseOnFirstUse: Plugin = {
  name: "database-on-first-use",
  enforce: "pre",
  transform(code, id) {
    if (id.split("?")[0] !== join(root, "db", "client.ts")) return undefined;
    return { code: `import "@/lib/testing/database-ready"; ${code}`, map: null };
  },
};

const LEFT_OUT = ["**/node_modules/**", ".next/**", ".data/**", ".data-*/**", "e2e/**"];
/** Folders of routes have names that a pattern would read: [id], (checkout). */
const KEEPING_MODULES = filesKeepingModules(root).map((file) => file.replace(/[[\]()]/g, "\\$&"));

export default defineConfig({
  root,
  resolve: { alias: { "@": root } },
  plugins: [databaseOnFirstUse],
  test: {
    projects: [
      {
        extends: true,
        test: { name: "apart", include: ["**/*.test.ts", "**/*.test.tsx"], exclude: [...LEFT_OUT, ...KEEPING_MODULES] },
      },
      {
        extends: true,
        test: { name: "kept", include: KEEPING_MODULES, isolate: false, env: { TEST_KEEPS_MODULES: "yes" } },
      },
    ],
    pool: "forks",
    // Waiting for the database leaves a core idle often enough: one file each, on two cores too.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    globalSetup: here("global-setup.ts"),
    setupFiles: here("setup.ts"),
    testTimeout: 20_000,
    hookTimeout: 60_000,
    teardownTimeout: 60_000,
    restoreMocks: true,
    // A process of ours outlives it as well (scripts/start/lifecycle.ts).
    onUnhandledError: (error) => !isLostTypeQuery(error),
  },
});
