import { transformSync } from "esbuild";
import { beforeAll, describe, expect, test } from "vitest";
import { STYLE } from "@/components/checkout/style";
import { compiled, oldestBrowsers } from "@/scripts/start/islands";

/** Compilers translate what is written, not what is called: none of this was there in each of the oldest browsers. */
const TOO_NEW = [
  ...["toSorted", "toReversed", "toSpliced", "isWellFormed", "toWellFormed", "fromAsync", "groupBy", "withResolvers"],
  ...["checkVisibility", "showPopover", "hidePopover", "startViewTransition", "moveBefore", "setHTML", "getHTML"],
  ...["requestIdleCallback", "canParse", "userAgentData", "Temporal", "DurationFormat", "Segmenter", "CloseWatcher"],
  ...[
    "isSupersetOf",
    "isSubsetOf",
    "symmetricDifference",
    "AbortSignal.any",
    "Promise.try",
    "URL.parse",
    "RegExp.escape",
  ],
];

describe("the oldest browsers of the product", () => {
  let islands: Awaited<ReturnType<typeof compiled>>;
  beforeAll(async () => {
    islands = await compiled();
  });

  test("have everything that a script of the checkout calls", () => {
    const calls = islands.flatMap(([name, code]) =>
      TOO_NEW.filter((call) => code.includes(call)).map((call) => `${name}: ${call}`),
    );
    expect(calls).toEqual([]);
  });

  test("read its style sheet as it stands", () => {
    const [plain, translated] = [undefined, oldestBrowsers()].map((target) =>
      transformSync(STYLE, { loader: "css", minify: true, ...(target ? { target } : {}) }),
    );
    expect(translated?.code).toBe(plain?.code);
    expect(plain?.warnings).toEqual([]);
  });

  test("drop a rule whose selector they do not know, and nothing else with it", () => {
    // Firefox has :has() since 121.
    const mixed = [...STYLE.matchAll(/(?<=^|[{}\n])[^{}@]*(?=\{)/g)]
      .map(([list]) => list.split(/,(?![^(]*\))/))
      .filter((list) => list.some((each) => each.includes(":has(")) && !list.every((each) => each.includes(":has(")))
      .map(String);
    expect(mixed).toEqual([]);
  });
});
