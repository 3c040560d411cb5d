import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { inRoot } from "@/scripts/start/paths";

const FILE = /(?:`|\b(?=(?:app|db|inngest|lib|scripts)\/))([a-z][\w./[\]-]*\.tsx?)\b`?(?:,? `(\w+)`)?/g;

interface Named {
  file: string;
  symbol: string | undefined;
}

/** `lib/money.ts` from the root, `create.ts` from the document's own folder; what stands beside it is declared there. */
const namedIn = (text: string, folder: string): Named[] =>
  [...text.matchAll(FILE)].map(([, file = "", symbol]) => ({
    file: /^(app|db|inngest|lib|scripts)\//.test(file) ? file : join(folder, file),
    symbol,
  }));

function untrue({ file, symbol }: Named): boolean {
  if (!existsSync(inRoot(file))) return true;
  if (symbol === undefined) return false;
  const text = readFileSync(inRoot(file), "utf8");
  return !new RegExp(`^(export )?(async )?(function|const) ${symbol}\\b`, "m").test(text);
}

describe("every file and function that a document shows exists", () => {
  test.each([
    "lib/README.md",
    "lib/purchases/README.md",
    "lib/engine/README.md",
    "lib/payouts/README.md",
    "db/driver/README.md",
  ])("%s", (path) => {
    const named = namedIn(readFileSync(inRoot(path), "utf8"), dirname(path));
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter(untrue)).toEqual([]);
  });

  test("one that is gone is found", () => {
    const named = namedIn("`lib/money.ts` `sumOf`, `gone.ts`, `lib/money.ts`, `lost`, sumOf (lib/lost.ts)", "lib");
    expect(named.filter(untrue)).toEqual([
      { file: "lib/gone.ts", symbol: undefined },
      { file: "lib/money.ts", symbol: "lost" },
      { file: "lib/lost.ts", symbol: undefined },
    ]);
  });
});
