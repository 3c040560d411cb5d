import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { hasConnection, NO_CONNECTION } from "@/components/dashboard/connection";
import { destinationOf, isOtherPage, type LinkClick, mayLeave } from "@/components/dashboard/leaving";
import { mayLose } from "@/components/dashboard/unsaved";

vi.mock("@/components/dashboard/unsaved", () => ({ mayLose: vi.fn(() => true) }));

const HERE = "https://app.example/dashboard/flows/1/edit";
const click = (changes: Partial<LinkClick> = {}): LinkClick => ({
  button: 0,
  hasModifier: false,
  href: "https://app.example/dashboard/payments",
  target: "",
  isDownload: false,
  ...changes,
});

test.each<[string, Partial<LinkClick>, string]>([
  ["a link of the menu", {}, "/dashboard/payments"],
  ["a relative link", { href: "/dashboard" }, "/dashboard"],
  ["the way back to the flow", { href: "/dashboard/flows/1" }, "/dashboard/flows/1"],
  ["a link that names its own tab", { target: "_self" }, "/dashboard/payments"],
  ["a dialog of the same page", { href: `${HERE}?do=share` }, "/dashboard/flows/1/edit?do=share"],
])("%s leads to another address", (_, changes, to) => {
  expect(destinationOf(click(changes), HERE)?.href).toBe(`https://app.example${to}`);
});

test.each<[string, Partial<LinkClick>]>([
  ["another tab", { target: "_blank" }],
  ["another tab by a modifier", { hasModifier: true }],
  ["another button of the mouse", { button: 1 }],
  ["a download", { isDownload: true }],
  ["a place of the same page", { href: `${HERE}#steps` }],
  ["another origin, of which the browser asks", { href: "https://elsewhere.example/" }],
  ["what is no address", { href: "https://" }],
])("%s does not", (_, changes) => {
  expect(destinationOf(click(changes), HERE)).toBeUndefined();
});

test("a page with another query, or a place of it, is still the same page", () => {
  expect(isOtherPage(new URL(`${HERE}?done=saved`), HERE)).toBe(false);
  expect(isOtherPage(new URL("https://app.example/dashboard/flows/1"), HERE)).toBe(true);
});

describe("leaving", () => {
  const said: string[] = [];
  const online = { onLine: true };
  beforeEach(() => {
    said.length = 0;
    vi.mocked(mayLose).mockClear();
    online.onLine = true;
    const heard = new EventTarget();
    heard.addEventListener(NO_CONNECTION, ({ type }) => said.push(type));
    vi.stubGlobal("window", heard);
    vi.stubGlobal("navigator", online);
    vi.stubGlobal("location", new URL(HERE));
  });
  afterEach(() => vi.unstubAllGlobals());

  test("is free where nobody has anything to lose", () => {
    expect(mayLeave("/dashboard/payments", vi.fn())).toBe(true);
  });

  test("asks whoever has, with the whole address and what follows", () => {
    vi.mocked(mayLose).mockReturnValueOnce(false);
    const again = vi.fn();
    expect(mayLeave("/dashboard/payments?status=paid", again)).toBe(false);
    expect(mayLose).toHaveBeenCalledWith(new URL("https://app.example/dashboard/payments?status=paid"), again);
    expect(again).not.toHaveBeenCalled();
  });

  test("without a connection stays, says so and asks nobody", () => {
    online.onLine = false;
    expect([mayLeave("/dashboard/payments", vi.fn()), hasConnection()]).toEqual([false, false]);
    expect(said).toEqual([NO_CONNECTION, NO_CONNECTION]);
    expect(mayLose).not.toHaveBeenCalled();
  });
});

/** Who has the framework's router, and what they ask before. */
const ROUTED: Readonly<Record<string, string>> = {
  "components/charges/action-dialog.tsx": "mayLeave(closeHref, leave)",
  // Only after its own question was answered.
  "components/dashboard/live-clock.tsx": "answer?.ok",
  "components/dashboard/live-refresh.tsx": "await isReachable()",
  "components/dashboard/use-travel.ts": "mayLeave(href, go)",
  "components/insights/refresher.tsx": "await isReachable()",
};

test("nobody of the dashboard takes the page elsewhere unasked", () => {
  const root = join(import.meta.dirname, "../..");
  const sources = ["app/(dashboard)", "components"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .map((file) => `${folder}/${file}`)
      .filter((file) => /(?<!\.test)\.tsx?$/.test(file)),
  );
  const read = (file: string) => readFileSync(join(root, file), "utf8");
  const routed = sources.filter((file) => read(file).includes("useRouter"));
  expect(routed.sort()).toEqual(Object.keys(ROUTED));
  for (const [file, asked] of Object.entries(ROUTED)) expect(read(file), file).toContain(asked);
});
