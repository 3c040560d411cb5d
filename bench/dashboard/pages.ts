import { randomUUID } from "node:crypto";
import { request } from "node:http";
import { type Browser, chromium, type Page } from "@playwright/test";
import type { Group, Timed } from "@/bench/dashboard/measure";
import type { Account } from "@/bench/dashboard/rows";
import { inParallel, median, percentile } from "@/bench/latencies";
import { start } from "@/bench/start/measure";
import { openSlowPage, readVitals, type Vitals } from "@/bench/vitals";
import { FOLDER } from "@/bench/world";
import { systemDb } from "@/db/client";
import { createOperator } from "@/lib/sign-in/service";
import { requireBrowser } from "@/scripts/checks/browser";

interface Visit {
  group: Group;
  name: string;
  path(account: Account, turn: number): string;
}

const CENTS = 100;
const DESK = { width: 1280, height: 800 };
/** An operator's own machine, and a laptop that is four times slower. */
const CPUS = [1, 4] as const;
/** Between two keys of somebody who types fast. */
const KEY_MS = 60;

const search = (name: string, typed: (account: Account, turn: number) => string): Visit => ({
  group: "search",
  name,
  path: (account, turn) => `/dashboard/search?q=${encodeURIComponent(typed(account, turn))}`,
});
const list = (name: string, query: (account: Account) => string): Visit => ({
  group: "list",
  name,
  path: (account) => `/dashboard/payments${query(account)}`,
});

const VISITS: readonly Visit[] = [
  search("order", ({ rows }, turn) => `pedido-${(turn * 997) % rows}`),
  search("e-mail", ({ rows }, turn) => `pessoa.${(turn * 331) % Math.ceil(rows / 10)}@example.com`),
  search("part of a name", () => "clara"),
  search("last four", ({ known }) => known.lastFour),
  search("amount", ({ known }) => (known.amount / CENTS).toFixed(2).replace(".", ",")),
  list("newest", () => ""),
  list("declined", () => "?status=failed"),
  list("boleto, seven days", () => "?method=boleto&period=7d"),
  list("decline code", () => "?decline=expired_card"),
  list("brand", () => "?brand=Visa"),
  list("buyer's e-mail", ({ known }) => `?q=${encodeURIComponent(known.email)}`),
  { group: "payment", name: "payment", path: ({ known }) => `/dashboard/payments/${known.id}` },
  { group: "payment", name: "purchase", path: ({ known }) => `/dashboard/payments/${known.purchaseId}` },
  { group: "home", name: "today", path: () => "/dashboard?period=today" },
  { group: "home", name: "30 days", path: () => "/dashboard?period=30d" },
];

/** The pages as `npm start` answers an operator's browser, to the last byte; and how the list answers keys and clicks. */
export async function measurePages(
  database: string,
  accounts: readonly Account[],
  { rounds, requests }: { rounds: number; requests: number },
  say: (line: string) => void,
): Promise<{ times: Timed[]; list: ({ cpu: number } & Vitals)[] }> {
  const operators = await Promise.all(accounts.map(addOperator));
  say("npm start, for an operator");
  const product = await start(FOLDER, database);
  const browser = await chromium.launch({ executablePath: requireBrowser() });
  try {
    const origin = `http://localhost:${product.port}`;
    const signedIn: { account: Account; cookie: string }[] = [];
    for (const [index, account] of accounts.entries()) {
      const page = await signIn(browser, origin, operators[index]);
      const cookies = await page.context().cookies();
      signedIn.push({ account, cookie: cookies.map(({ name, value }) => `${name}=${value}`).join("; ") });
      await page.context().close();
    }
    const times: Timed[] = [];
    for (const visit of VISITS) {
      say(`${visit.group}: ${visit.name}`);
      times.push(...(await measureVisit(visit, product.port, signedIn, { rounds, requests })));
    }
    const list: ({ cpu: number } & Vitals)[] = [];
    for (const cpu of CPUS) {
      say(`the list under keys and clicks, CPU ${cpu} times slower`);
      const taken: Vitals[] = [];
      for (let round = 0; round < rounds; round++) taken.push(await workOnList(browser, origin, operators.at(-1), cpu));
      const middle = (part: keyof Vitals): number => median(taken.map((one) => one[part]));
      list.push({ cpu, lcp: middle("lcp"), inp: middle("inp"), cls: middle("cls") });
    }
    return { times, list };
  } finally {
    await browser.close();
    await product.stop();
  }
}

interface Login {
  email: string;
  password: string;
}

async function addOperator({ shop, rows }: Account): Promise<Login> {
  const login = { email: `operator.${rows}@example.com`, password: randomUUID() };
  await createOperator(systemDb(), { ...login, name: "Bench", clientId: shop.clientId, role: "owner" });
  return login;
}

async function signIn(browser: Browser, origin: string, login: Login | undefined): Promise<Page> {
  const page = await openSlowPage(browser, { viewport: DESK, locale: "en-US", baseURL: origin }, { cpu: 1 });
  await page.goto("/sign-in");
  await page.locator("[name=email]").fill(login?.email ?? "");
  await page.locator("[name=password]").fill(login?.password ?? "");
  await page.locator("form button[type=submit]").first().click();
  await page.waitForURL(/\/dashboard$/);
  return page;
}

/** The accounts take turns, so that a busy moment of the machine meets all of them. */
async function measureVisit(
  visit: Visit,
  port: number,
  signedIn: readonly { account: Account; cookie: string }[],
  { rounds, requests }: { rounds: number; requests: number },
): Promise<Timed[]> {
  const taken = signedIn.map((): number[] => []);
  for (let round = -1; round < rounds; round++) {
    for (const [index, { account, cookie }] of signedIn.entries()) {
      const paths = Array.from({ length: requests }, (_, turn) => visit.path(account, (round + 1) * requests + turn));
      const { latencies } = await inParallel(paths, 1, (path) => get(port, path, cookie));
      if (round >= 0) taken[index]?.push(...latencies);
    }
  }
  const at = (index: number, part: number): number =>
    percentile(
      [...(taken[index] ?? [])].sort((a, b) => a - b),
      part,
    );
  return signedIn.map(({ account: { rows } }, index) => ({
    group: visit.group,
    name: visit.name,
    rows,
    p50: at(index, 0.5),
    p95: at(index, 0.95),
    ratio: at(index, 0.95) / at(0, 0.95),
  }));
}

const get = (port: number, path: string, cookie: string): Promise<void> =>
  new Promise((resolve, reject) => {
    request({ host: "localhost", port, path, headers: { cookie, "accept-language": "en-US" } }, (answer) => {
      answer.resume();
      answer.on("end", () =>
        answer.statusCode === 200 ? resolve() : reject(new Error(`${path}: ${answer.statusCode}`)),
      );
    })
      .on("error", reject)
      .end();
  });

/** What hands do on the list all day: down and up, select, filter, another tab, the search box. */
async function workOnList(browser: Browser, origin: string, login: Login | undefined, cpu: number): Promise<Vitals> {
  const page = await signIn(browser, origin, login);
  try {
    const session = await page.context().newCDPSession(page);
    await session.send("Emulation.setCPUThrottlingRate", { rate: cpu });
    await page.goto("/dashboard/payments", { waitUntil: "networkidle" });
    let worst: Vitals = { lcp: 0, inp: 0, cls: 0 };
    const read = async (): Promise<void> => {
      const seen = await readVitals(page);
      worst = {
        lcp: Math.max(worst.lcp, seen.lcp),
        inp: Math.max(worst.inp, seen.inp),
        cls: Math.max(worst.cls, seen.cls),
      };
    };
    for (const key of ["j", "j", "j", "k", "x", "j", "x", "Escape"]) await page.keyboard.press(key, { delay: KEY_MS });
    await read();
    await page.locator("a[href*='status=failed']").first().click();
    await page.waitForURL(/status=failed/);
    await page.waitForLoadState("networkidle");
    await read();
    await page.keyboard.press("/", { delay: KEY_MS });
    await page.keyboard.type("clara", { delay: KEY_MS });
    await page.waitForLoadState("networkidle");
    await read();
    return worst;
  } finally {
    await page.context().close();
  }
}
