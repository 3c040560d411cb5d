import { existsSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { build, type Plugin } from "esbuild";
import type { Rewrite } from "@/lib/testing/simulator/seams";

/** The text of a file with the lines rewritten; throws when a line is not there, or more than once. */
export function rewritten(file: string, text: string, rewrites: readonly Rewrite[]): string {
  let result = text;
  for (const { find, put } of rewrites) {
    const first = result.indexOf(find);
    if (first < 0) throw new Error(`${file} has no line "${find.trim()}" any more`);
    if (result.indexOf(find, first + 1) >= 0) throw new Error(`${file} has "${find.trim()}" more than once`);
    result = result.slice(0, first) + put + result.slice(first + find.length);
  }
  return result;
}

const root = process.cwd();
const FILES = [".ts", ".tsx", "/index.ts", ""];
const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile();

const plugin = (rewrites: readonly Rewrite[], met: Set<string>): Plugin => ({
  name: "rewritten-lines",
  setup(building) {
    // Packages stay outside; a source of ours that is missing must not pass for one.
    building.onResolve({ filter: /^@\// }, ({ path }) => {
      const file = FILES.map((end) => join(root, path.slice(2) + end)).find(isFile);
      return file ? { path: file } : { errors: [{ text: `${path} does not exist` }] };
    });
    building.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const file = relative(root, path);
      const here = rewrites.filter((one) => one.file === file);
      if (here.length === 0) return undefined;
      met.add(file);
      return { contents: rewritten(file, readFileSync(path, "utf8"), here), loader: "ts" };
    });
  },
});

/** One file that starts at once, of the product's sources with some lines rewritten. */
export async function bundled(entry: string, name: string, rewrites: readonly Rewrite[] = []): Promise<string> {
  const outfile = join(root, ".data", "test", `${name}.${process.pid}.mjs`);
  const met = new Set<string>();
  await build({
    entryPoints: [join(root, entry)],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    sourcemap: "inline",
    logLevel: "error",
    plugins: [plugin(rewrites, met)],
  });
  const missed = rewrites.find(({ file }) => !met.has(file));
  if (missed) throw new Error(`${missed.file} is no part of ${entry}`);
  return outfile;
}
