import type { Browser, BrowserContextOptions, Page } from "@playwright/test";

/** Largest contentful paint, worst interaction in milliseconds and layout shift, as the web vitals define them. */
export interface Vitals {
  lcp: number;
  inp: number;
  cls: number;
}

interface Slowness {
  /** Times. */
  cpu: number;
  network?: { latency: number; downloadThroughput: number; uploadThroughput: number };
}

/** The bar of a browser's window: higher than any. */
const WINDOW_BAR = 200;

/** A page of its own in a slow browser; `readVitals` tells what it has seen so far. */
export async function openSlowPage(
  browser: Browser,
  options: BrowserContextOptions,
  { cpu, network }: Slowness,
): Promise<Page> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  // The window is as high as the page with the bar on top, so the page's end lies outside of it: what changes there is
  // never presented, and a key in the lowest field waits for whatever is painted next, higher up.
  const { windowId, bounds } = await session.send("Browser.getWindowForTarget");
  await session.send("Browser.setWindowBounds", { windowId, bounds: { height: (bounds.height ?? 0) + WINDOW_BAR } });
  if (network) {
    await session.send("Network.enable");
    await session.send("Network.emulateNetworkConditions", { offline: false, ...network });
  }
  await session.send("Emulation.setCPUThrottlingRate", { rate: cpu });
  await page.addInitScript(observe);
  return page;
}

/** Two frames: what was painted last has been seen, and reported. */
export const painted = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

export async function readVitals(page: Page): Promise<Vitals> {
  await painted(page);
  return page.evaluate(() => (window as unknown as { seen: Vitals }).seen);
}

function observe(): void {
  const seen = { lcp: 0, inp: 0, cls: 0, windowSum: 0, windowStart: 0, last: 0 };
  Object.assign(window, { seen });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) seen.lcp = entry.startTime;
  }).observe({ type: "largest-contentful-paint", buffered: true });
  new PerformanceObserver((list) => {
    // Guarantee: entries of this type have these members; TypeScript's DOM library does not know them.
    for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) {
      if (entry.hadRecentInput) continue;
      const isSame = entry.startTime - seen.last < 1_000 && entry.startTime - seen.windowStart < 5_000;
      seen.windowSum = isSame ? seen.windowSum + entry.value : entry.value;
      if (!isSame) seen.windowStart = entry.startTime;
      seen.last = entry.startTime;
      seen.cls = Math.max(seen.cls, seen.windowSum);
    }
  }).observe({ type: "layout-shift", buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { interactionId: number })[])
      if (entry.interactionId) seen.inp = Math.max(seen.inp, entry.duration);
  }).observe({ type: "event", buffered: true, durationThreshold: 16 } as PerformanceObserverInit);
}
