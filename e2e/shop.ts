import { readFileSync } from "node:fs";
import { expect, type Page, test } from "@playwright/test";
import { type Buyer, visitorOf } from "@/lib/testing/buyer";
import type { Stage } from "@/lib/testing/checkout-scenes";

interface Demo {
  clientId: string;
  apiKey: string;
  merchantId: string;
}
/** Written by the installation under test when it first started. */
export const demo: Demo = JSON.parse(readFileSync(process.env.E2E_DEMO_FILE ?? ".data/demo.json", "utf8"));

export const PHONE = { width: 375, height: 780 };
export const DESKTOP = { width: 1280, height: 860 };

/** Of the installation under test. */
export const origin = (): string => new URL(test.info().project.use.baseURL ?? "http://localhost").origin;

/** Asks the installation under test, as a browser without scripts does; what it answers is followed by the buyer. */
async function serve(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const body = request.method === "GET" ? null : await request.text();
  const headers = new Headers(request.headers);
  if (body !== null) headers.set("content-type", "application/x-www-form-urlencoded");
  headers.set("origin", origin());
  headers.delete("x-forwarded-for");
  return fetch(`${origin()}${pathname}${search}`, { method: request.method, headers, body, redirect: "manual" });
}

export const newBuyer = (): Buyer => visitorOf(serve);

export async function call<T = { id: string }>(
  method: "GET" | "POST" | "PATCH",
  path: string,
  body?: object,
): Promise<T> {
  const answer = await fetch(`${origin()}${path}`, {
    method,
    headers: { "x-client-id": demo.clientId, "x-api-key": demo.apiKey, "content-type": "application/json" },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await answer.text();
  expect(answer.ok, `${method} ${path}: ${answer.status} ${text}`).toBe(true);
  // Guarantee: the caller asserts what it reads.
  return (text ? JSON.parse(text) : {}) as T;
}

export function newStage(): Stage {
  const buyer = newBuyer();
  return {
    merchantId: demo.merchantId,
    buyer,
    call,
    until: (path, ...states) =>
      expect.poll(async () => states.includes((await buyer.open(path)).state), { timeout: 30_000 }).toBe(true),
  };
}

/** Everything a browser complains of, a broken policy included; the page speaks to nobody else. */
export function watch(page: Page): string[] {
  const seen: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) seen.push(message.text());
  });
  page.on("pageerror", (error) => seen.push(error.message));
  const own = origin();
  page.on("request", (request) => {
    if (!request.url().startsWith(`${own}/`)) seen.push(`left: ${request.url()}`);
  });
  return seen;
}

/** What sticks out of the page, or is cut off in it. */
export const lost = (page: Page): Promise<string[]> => page.evaluate(lostIn);

/** Runs in the page. */
export function lostIn(): string[] {
  const found: string[] = [];
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) found.push(`the page scrolls sideways: ${scrollWidth} of ${clientWidth}`);
  for (const element of document.querySelectorAll<HTMLElement>("body *")) {
    if (element.closest(".vh,.skip,[hidden],svg,select,textarea,input") || !element.offsetParent) continue;
    const { left, right, width } = element.getBoundingClientRect();
    if (width > 0 && (left < -1 || right > clientWidth + 1))
      found.push(`${element.tagName}.${element.className} sticks out: ${element.textContent?.slice(0, 40)}`);
    if (getComputedStyle(element).overflowX === "hidden" && element.scrollWidth > element.clientWidth + 1)
      found.push(`${element.tagName}.${element.className} cuts: ${element.textContent?.slice(0, 40)}`);
  }
  return found;
}

/** A language two fifths longer and with accents on everything: made in the page, never shipped. */
export const speakPseudo = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const accents: Record<string, string> = { a: "å", e: "ê", i: "ï", o: "ö", u: "ü", c: "ç", n: "ñ", A: "Å", E: "Ê" };
    const longer = (text: string) => {
      const bare = text.trim();
      if (!/\p{L}{2}/u.test(bare)) return text;
      const extra = "ạẽ ".repeat(Math.ceil((bare.length * 0.4) / 3));
      return `${bare.replace(/[aeioucnAE]/g, (letter) => accents[letter] ?? letter)} ${extra}`;
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    for (const text of texts) {
      if (!text.parentElement?.closest("script,style,textarea,.line")) text.data = longer(text.data);
    }
  });

/** From the next page on: what moves, by itself or after a touch. */
export const recordShifts = (page: Page) =>
  page.addInitScript(() => {
    interface Shift extends PerformanceEntry {
      value: number;
      hadRecentInput: boolean;
      sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
    }
    const seen: { at: number; isTouched: boolean; told: string }[] = [];
    Object.assign(window, { shiftsSeen: seen });
    const place = ({ x, y, width, height }: DOMRectReadOnly) => [x, y, width, height].map(Math.round).join(",");
    const nameOf = (node: Node | null) =>
      node instanceof Element ? `${node.tagName}.${node.getAttribute("class") ?? ""}` : (node?.nodeName ?? "gone");
    new PerformanceObserver((list) => {
      // Guarantee: entries of this type have these members; TypeScript's DOM library does not know them.
      for (const { startTime, value, hadRecentInput, sources } of list.getEntries() as Shift[]) {
        const moved = sources.map(
          (each) => `${nameOf(each.node)} ${place(each.previousRect)} > ${place(each.currentRect)}`,
        );
        seen.push({ at: startTime, isTouched: hadRecentInput, told: `${value.toFixed(4)}: ${moved.join(" | ")}` });
      }
    }).observe({ type: "layout-shift", buffered: true });
  });

/** The shifts that no touch asked for; given a moment, all of them from then on. */
export const shiftsOf = (page: Page, since?: number): Promise<string[]> =>
  page.evaluate(async (from) => {
    // Two frames and a task, so that what was painted last has been reported.
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))));
    const { shiftsSeen } = window as unknown as { shiftsSeen: { at: number; isTouched: boolean; told: string }[] };
    return shiftsSeen
      .filter(({ at, isTouched }) => (from === undefined ? !isTouched : at >= from))
      .map(({ told }) => told);
  }, since);
