import { brotliCompressSync, gzipSync } from "node:zlib";
import { type Browser, chromium, type Page } from "@playwright/test";
import { median } from "@/bench/latencies";
import { openSlowPage, painted, readVitals, type Vitals } from "@/bench/vitals";
import { requireBrowser } from "@/scripts/checks/browser";
import type { Demo } from "@/scripts/seed/demo";

/** Slow 4G as the browser's own tools have it, and a CPU four times slower. */
const SLOW = {
  cpu: 4,
  network: {
    latency: 562.5,
    downloadThroughput: (1_474.56 * 1_000) / 8,
    uploadThroughput: (675 * 1_000) / 8,
  },
};
const PHONE = { width: 375, height: 780 };
const VISA = "4111220000000002";
const NO_FUNDS = "4111221060000007";

export interface Screen {
  name: string;
  lcp: number;
  /** Undefined where nobody touches the page. */
  inp: number | undefined;
  cls: number;
}

export interface Weight {
  path: string;
  file: string;
  raw: number;
  gzip: number;
  brotli: number;
  wire: number;
}

interface Case {
  name: string;
  query: string;
  act?(page: Page): Promise<void>;
}

/** Between two keys of somebody who types fast: 200 words a minute. */
const KEY_MS = 60;

const field = (page: Page, form: string, name: string) => page.locator(`form[data-form=${form}] [name=${name}]`);

/** Nobody types into a field that is still scrolling into sight. */
async function type(page: Page, form: string, name: string, text: string): Promise<void> {
  await field(page, form, name).focus();
  await painted(page);
  await field(page, form, name).pressSequentially(text, { delay: KEY_MS });
}

async function typeCard(page: Page, number: string): Promise<void> {
  for (const [name, text] of [
    ["cardNumber", number],
    ["cardHolderName", "ANA SOUZA"],
    ["cardExpiration", "1239"],
    ["cardCvv", "120"],
    ["document", "12345678909"],
  ] as const)
    await type(page, "card", name, text);
}
const press = (page: Page, form: string) => page.locator(`form[data-form=${form}] button[type=submit]`).click();

const CASES: readonly Case[] = [
  { name: "open", query: "" },
  {
    name: "card typed",
    query: "?method=card",
    async act(page) {
      await typeCard(page, VISA);
      await field(page, "card", "installments").selectOption("6");
    },
  },
  {
    name: "decline",
    query: "?method=card",
    async act(page) {
      await typeCard(page, NO_FUNDS);
      await press(page, "card");
      await page.locator("#alert [role=alert] button").first().waitFor();
    },
  },
  {
    name: "Pix",
    query: "",
    async act(page) {
      await type(page, "pix", "name", "Ana Souza");
      await type(page, "pix", "document", "12345678909");
      await press(page, "pix");
      await page.waitForURL(/\/p\//);
      await page.locator("[data-copy=code]").click();
    },
  },
  {
    name: "splitter",
    query: "?method=cards",
    async act(page) {
      const slider = page.locator("[data-slider]").first();
      await slider.waitFor();
      for (const key of ["PageUp", "ArrowRight", "ArrowRight", "PageDown"]) await slider.press(key);
      await field(page, "cards", "amount1").fill("33,33");
    },
  },
];

async function openLink(origin: string, { clientId, apiKey, merchantId }: Demo): Promise<string> {
  const answer = await fetch(`${origin}/v1/sessions`, {
    method: "POST",
    headers: { "x-client-id": clientId, "x-api-key": apiKey, "content-type": "application/json" },
    body: JSON.stringify({
      merchantId,
      createLink: true,
      paymentMethods: [
        { paymentType: "pix", expiresIn: 3_600 },
        { paymentType: "credit", installments: 12 },
      ],
      items: [{ name: "Tênis de corrida", unitPrice: 10_001, quantity: 1 }],
    }),
  });
  // Guarantee: a created session is answered with its id.
  return `${origin}/pay/${((await answer.json()) as { id: string }).id}`;
}

async function measureOnce(browser: Browser, link: string, { query, act }: Case): Promise<Vitals> {
  const page = await openSlowPage(
    browser,
    { viewport: PHONE, locale: "pt-BR", permissions: ["clipboard-write"] },
    SLOW,
  );
  try {
    let worst: Vitals = { lcp: 0, inp: 0, cls: 0 };
    const read = async () => {
      const seen = await readVitals(page);
      worst = {
        lcp: Math.max(worst.lcp, seen.lcp),
        inp: Math.max(worst.inp, seen.inp),
        cls: Math.max(worst.cls, seen.cls),
      };
    };
    await page.goto(`${link}${query}`, { waitUntil: "load" });
    await read();
    await act?.(page);
    await page.waitForLoadState("load");
    await read();
    return worst;
  } finally {
    await page.context().close();
  }
}

export async function measureVitals(
  origin: string,
  demo: Demo,
  rounds: number,
  say: (line: string) => void,
): Promise<Screen[]> {
  const browser = await chromium.launch({ executablePath: requireBrowser() });
  try {
    // Once without being counted: pages, connections and statements of the installation are warm then.
    for (const one of CASES) await measureOnce(browser, await openLink(origin, demo), one);
    const results: Screen[] = [];
    for (const one of CASES) {
      say(`checkout in a slow browser: ${one.name}`);
      const taken: Vitals[] = [];
      for (let round = 0; round < rounds; round++)
        taken.push(await measureOnce(browser, await openLink(origin, demo), one));
      const screen: Screen = {
        name: one.name,
        lcp: median(taken.map(({ lcp }) => lcp)),
        inp: one.act ? median(taken.map(({ inp }) => inp)) : undefined,
        cls: median(taken.map(({ cls }) => cls)),
      };
      // A run that is cut off has said what it had.
      say(`LCP ${screen.lcp.toFixed(0)} ms, INP ${screen.inp?.toFixed(0) ?? "-"} ms, CLS ${screen.cls.toFixed(3)}`);
      results.push(screen);
    }
    return results;
  } finally {
    await browser.close();
  }
}

/** Everything a first visit loads, file by file: as it is, by gzip and by brotli, and as it came. */
export async function weigh(origin: string, demo: Demo): Promise<Weight[]> {
  const browser = await chromium.launch({ executablePath: requireBrowser() });
  try {
    const found: Weight[] = [];
    for (const [path, query] of [
      ["Pix", "?method=pix"],
      ["card", "?method=card"],
    ] as const) {
      const context = await browser.newContext({ viewport: PHONE, locale: "pt-BR" });
      const page = await context.newPage();
      const link = await openLink(origin, demo);
      const pending: Promise<void>[] = [];
      page.on("response", (response) => {
        pending.push(
          (async () => {
            const body = await response.body();
            const { pathname } = new URL(response.url());
            const { responseBodySize } = await response.request().sizes();
            found.push({
              path,
              file: pathname.startsWith("/pay/") ? "the page" : (pathname.split("/").at(-1) ?? ""),
              raw: body.length,
              gzip: gzipSync(body).length,
              brotli: brotliCompressSync(body).length,
              wire: responseBodySize,
            });
          })(),
        );
      });
      await page.goto(`${link}${query}`, { waitUntil: "networkidle" });
      await Promise.all(pending);
      await context.close();
    }
    return found;
  } finally {
    await browser.close();
  }
}
