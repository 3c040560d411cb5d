import { type Browser, type BrowserType, test as base, expect } from "@playwright/test";
import puppeteer, { type Browser as Firefox } from "puppeteer-core";
import { DESKTOP, lostIn, origin, PHONE } from "@/e2e/shop";
import { findBrowser, findFirefox, isProgram } from "@/scripts/checks/browser";

export type Engine = "chromium" | "firefox" | "webkit";
interface Look {
  readonly locale: "pt-BR" | "en-US";
  readonly colorScheme: "light" | "dark";
  readonly viewport: { width: number; height: number };
}
export const PORTUGUESE_PHONE: Look = { locale: "pt-BR", colorScheme: "light", viewport: PHONE };
export const ENGLISH_DESK: Look = { locale: "en-US", colorScheme: "dark", viewport: DESKTOP };

/** What a buyer does with the page and reads on it, whatever the browser and whoever drives it. */
export interface Tab extends Pick<Hands, "fill" | "choose" | "press" | "asked"> {
  open(path: string): Promise<void>;
  /** The page comes to be in a state, under its heading, and nothing on it sticks out or is cut off. */
  shows(state: string, heading: RegExp): Promise<void>;
  /** What can be seen of these elements comes to read so. */
  says(selector: string, text: RegExp): Promise<void>;
  /** A field comes to hold this. */
  holds(selector: string, value: string | RegExp): Promise<void>;
}

/** A payment on a busy machine takes its time. */
const PATIENCE_MS = 45_000;
const START_MS = 90_000;

export const test = base.extend<{ look: Look; tab: Tab }, { engine: Engine; driver: Driver }>({
  engine: ["chromium", { option: true, scope: "worker" }],
  driver: [
    async ({ engine, playwright }, use) => {
      const driver = driverOf(engine, playwright[engine]);
      await use(driver);
      await driver.close();
    },
    { scope: "worker" },
  ],
  look: [PORTUGUESE_PHONE, { option: true }],
  tab: async ({ driver, look }, use, info) => {
    const hands = await driver.open(look).catch((error: unknown) => {
      if (error instanceof NoSuchBrowser) info.skip(true, error.message);
      throw error;
    });
    await use(tabOf(hands));
    if (info.status !== info.expectedStatus) await hands.picture(info.outputPath("page.png")).catch(() => undefined);
    const complaints = [...hands.complaints];
    await hands.close();
    if (info.status === info.expectedStatus) expect(complaints, "what the browser complained of").toEqual([]);
  },
});

function tabOf(hands: Hands): Tab {
  const { fill, choose, press, asked } = hands;
  /** While one page follows another there is nothing to ask. */
  const ask = (question: Question, selector = "") => hands.ask(question, selector).catch(() => undefined);
  const comesTo = (what: string, read: () => Promise<unknown>) =>
    expect.poll(read, { message: what, timeout: PATIENCE_MS });
  return {
    fill,
    choose,
    press,
    asked,
    open: async (path) => {
      await hands.open(new URL(path, origin()).href);
    },
    async shows(state, heading) {
      await comesTo("the state of the page", () => ask(() => document.body.dataset.state)).toBe(state);
      await this.says("h1", heading);
      await comesTo("what sticks out or is cut off", () => ask(lostIn)).toEqual([]);
    },
    says: (selector, text) => comesTo(selector, async () => String(await ask(readIn, selector))).toMatch(text),
    holds: (selector, value) => comesTo(selector, () => ask(valueIn, selector)).toEqual(asMatch(value)),
  };
}

const asMatch = (value: string | RegExp) => (typeof value === "string" ? value : expect.stringMatching(value));

function readIn(selector: string): string {
  // The options of a list that is closed are as good as seen.
  const shown = [...document.querySelectorAll<HTMLElement>(selector)].filter(
    (each) => each.tagName === "OPTION" || each.checkVisibility(),
  );
  return shown
    .map((each) => each.innerText ?? each.getAttribute("aria-label") ?? "")
    .join("\n")
    .replace(/[\u00a0\u202f]/g, " ");
}

const valueIn = (selector: string): string | undefined =>
  document.querySelector<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>(selector)?.value;

type Told = string | string[] | undefined;
/** Is sent into the page as it stands: it sees nothing of this file. */
type Question = (selector: string) => Told;

/** What each program that drives a browser does in its own way. */
interface Hands {
  open(url: string): Promise<unknown>;
  fill(selector: string, text: string): Promise<unknown>;
  choose(selector: string, value: string): Promise<unknown>;
  press(selector: string): Promise<unknown>;
  ask(question: Question, selector: string): Promise<Told>;
  picture(path: string): Promise<unknown>;
  close(): Promise<unknown>;
  /** Errors, warnings, breaches of the page's policy, and whatever went to somebody else. */
  readonly complaints: readonly string[];
  /** The addresses the page asked for. */
  readonly asked: readonly string[];
}

interface Driver {
  open(look: Look): Promise<Hands>;
  close(): Promise<unknown>;
}

/** The journeys are left out then, and the end of the run says so. */
class NoSuchBrowser extends Error {}

const ADVICE = {
  firefox: "Firefox is not on this machine (FIREFOX_PATH names it)",
  webkit: "WebKit is not on this machine (npx playwright install --with-deps webkit brings it)",
} as const;

function driverOf(engine: Engine, type: BrowserType): Driver {
  if (engine === "chromium") return playwrightDriver(() => launch(type, findBrowser()));
  const installed = engine === "firefox" ? findFirefox() : undefined;
  if (installed !== undefined) return firefoxDriver(installed);
  return playwrightDriver(async () => {
    const path = type.executablePath();
    if (!isProgram(path)) throw new NoSuchBrowser(ADVICE[engine]);
    return launch(type).catch(doesNotStart(path));
  });
}

const launch = (type: BrowserType, executablePath?: string): Promise<Browser> =>
  type.launch({ timeout: START_MS, ...(executablePath ? { executablePath } : {}) });

/** Some are here and cannot be driven: they lack a library, live in a box of their own, or are too old. */
const doesNotStart = (path: string) => (error: unknown) => {
  throw new NoSuchBrowser(`${path} does not start: ${String(error).split("\n")[0]}`);
};

/** Breaches are reported elsewhere than what scripts say: into the console with them. Runs in the page. */
const tellBreaches = () =>
  document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
    console.error(`policy: ${violatedDirective} ${blockedURI}`),
  );

function notes() {
  const complaints: string[] = [];
  const asked: string[] = [];
  const own = origin();
  return {
    complaints,
    asked,
    said(type: string, text: string) {
      if (["error", "warn", "warning"].includes(type)) complaints.push(text);
    },
    wentTo(url: string) {
      asked.push(url);
      // It stands in the page itself: nothing leaves. What the page may use of it is its policy's to say.
      if (url.startsWith("data:")) return;
      if (!url.startsWith(`${own}/`)) complaints.push(`left: ${url}`);
    },
  };
}

function playwrightDriver(start: () => Promise<Browser>): Driver {
  let browser: Promise<Browser> | undefined;
  return {
    async open(look) {
      browser ??= start();
      const context = await (await browser).newContext({ ...look, reducedMotion: "reduce" });
      const page = await context.newPage();
      page.setDefaultTimeout(PATIENCE_MS);
      const { complaints, asked, said, wentTo } = notes();
      page.on("console", (message) => said(message.type(), message.text()));
      page.on("pageerror", (error) => said("error", error.message));
      page.on("request", (request) => wentTo(request.url()));
      await page.addInitScript(tellBreaches);
      return {
        complaints,
        asked,
        open: (url) => page.goto(url),
        fill: (selector, text) => page.locator(selector).fill(text),
        choose: (selector, value) => page.locator(selector).selectOption(value),
        press: (selector) => page.locator(selector).click(),
        ask: (question, selector) => page.evaluate(question, selector),
        picture: (path) => page.screenshot({ path, fullPage: true }),
        close: () => context.close(),
      };
    },
    close: async () => (await browser?.catch(() => undefined))?.close(),
  };
}

/** A Firefox as people have it, over WebDriver BiDi. Language and colours are settings of the whole browser there. */
function firefoxDriver(executablePath: string): Driver {
  const browsers = new Map<Look, Promise<Firefox>>();
  const start = ({ locale, colorScheme }: Look): Promise<Firefox> => {
    const starting = puppeteer.launch({
      browser: "firefox",
      executablePath,
      timeout: START_MS,
      protocolTimeout: START_MS,
      extraPrefsFirefox: {
        "intl.accept_languages": `${locale}, ${locale.slice(0, 2)}`,
        "layout.css.prefers-color-scheme.content-override": colorScheme === "dark" ? 0 : 1,
        "ui.prefersReducedMotion": 1,
      },
    });
    // Whoever names a Firefox wants it.
    return process.env.FIREFOX_PATH ? starting : starting.catch(doesNotStart(executablePath));
  };
  return {
    async open(look) {
      const browser = browsers.get(look) ?? start(look);
      browsers.set(look, browser);
      const context = await (await browser).createBrowserContext();
      const page = await context.newPage();
      await page.setViewport(look.viewport);
      page.setDefaultTimeout(PATIENCE_MS);
      const { complaints, asked, said, wentTo } = notes();
      page.on("console", (message) => said(message.type(), message.text()));
      page.on("pageerror", (error) => said("error", String(error)));
      page.on("request", (request) => wentTo(request.url()));
      await page.evaluateOnNewDocument(tellBreaches);
      return {
        complaints,
        asked,
        open: (url) => page.goto(url),
        fill: (selector, text) => page.locator(selector).fill(text),
        choose: (selector, value) => page.select(selector, value),
        press: (selector) => page.locator(selector).click(),
        ask: (question, selector) => page.evaluate(question, selector),
        picture: (path) => page.screenshot({ path, fullPage: true }),
        close: () => context.close(),
      };
    },
    close: () => Promise.allSettled([...browsers.values()].map(async (browser) => (await browser).close())),
  };
}
