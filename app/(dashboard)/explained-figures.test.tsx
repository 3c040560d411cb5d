import { readdirSync } from "node:fs";
import { join } from "node:path";
import { createFormatter, createTranslator } from "next-intl";
import type { FunctionComponent, ReactNode } from "react";
import { renderToReadableStream } from "react-dom/server";
import { beforeAll, expect, test, vi } from "vitest";
import { WordsProvider } from "@/components/ui/words";
import { systemSql } from "@/db/client";
import { addDays, nextBankDay, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { env } from "@/lib/env";
import { FIGURE_NAMES } from "@/lib/explanations/names";
import { messages } from "@/lib/i18n/messages";
import { rollUpCharges } from "@/lib/insights/roll-up";
import { madeReport } from "@/lib/reports/testing";
import { openClient } from "@/lib/testing/api";
import {
  cardData,
  openCustomer,
  openToken,
  payByCard,
  payByPix,
  type Shop,
  voidIt,
  withMerchant,
} from "@/lib/testing/payments";
import { signedIn } from "@/lib/testing/people";
import { bought } from "@/lib/testing/purchases";
import { openSellers } from "@/lib/testing/sellers";

/** The request that pages see: everything else of them is real. */
const request = vi.hoisted(() => ({ sessionId: "", origin: "" }));

vi.mock("@/app/(auth)/auth", () => ({ auth: async () => ({ sessionId: request.sessionId }) }));
vi.mock("next/headers", () => ({
  headers: async () => new Headers({ origin: request.origin, host: "elsewhere" }),
  cookies: async () => ({ get: () => undefined, set: () => undefined }),
}));
vi.mock("next/navigation", async (load) => ({
  ...(await load<typeof import("next/navigation")>()),
  useRouter: () => ({}),
  usePathname: () => "/dashboard",
}));
vi.mock("next-intl/server", () => {
  const locale = "en" as const;
  return {
    getLocale: async () => locale,
    getFormatter: async () => createFormatter({ locale, timeZone: "UTC" }),
    getTimeZone: async () => "UTC",
    // Guarantee: the pages' own types hold their namespaces against the messages.
    getTranslations: async (namespace: never) => createTranslator({ locale, messages: messages[locale], namespace }),
  };
});

const ROOT = join(import.meta.dirname, "dashboard");

/** Pages that show money and explain none of it, and why that is right. A page that is not here has to explain. */
const WITHOUT_FIGURES: Readonly<Record<string, string>> = {
  "/dashboard/audit/[id]": "what one entry says: amounts before and after one change",
  "/dashboard/customers": "a list: a row's page explains its figures",
  "/dashboard/disputes": "a list: a row leads to its payment",
  "/dashboard/disputes/[id]": "one amount that a bank stated",
  "/dashboard/finance": "each figure leads to its rows on a page of its own",
  "/dashboard/finance/credits": "a list: the rows are what was added up",
  "/dashboard/finance/ledger": "balances lead to their entries",
  "/dashboard/finance/ledger/[id]": "an entry is what explains",
  "/dashboard/payments": "a list: a row's page explains its figures",
  "/dashboard/payouts/batches": "a list: a row's page explains its figures",
  "/dashboard/payouts/prepayments": "a list: a row's page explains its figures",
  "/dashboard/payouts/prepayments/new": "shows the receivables of its total",
  "/dashboard/proof": "sums of the books, with the check that made each",
  "/dashboard/sellers": "a list: a row's page explains its figures",
  "/dashboard/sellers/plans": "prices",
  "/dashboard/sellers/plans/[id]": "prices, and what they make of an amount",
  "/dashboard/settings/team": "limits",
  "/dashboard/subscriptions/[id]": "a price, and the amounts of payments",
};

/** Money that pages say outside their rows without explaining it, and why that is right. Whatever is not here has to explain. */
const UNEXPLAINED: readonly (readonly [path: string, says: RegExp, reason: string])[] = [
  [
    "/dashboard",
    /^Approved volume: before \$$/,
    "the figure above, of the period before: choosing that period explains it",
  ],
  ["/dashboard", /^Net sales: \$ refunded$/, "what the figure above takes off, as its explanation says"],
  [
    "/dashboard/customers/[id]",
    /^In all, under the \d+ records of this document: .*\$, .*\.$/,
    "of the records beside it: each one's own page explains its part",
  ],
  [
    "/dashboard/disputes/[id]",
    /^(Amount: \$|Dispute of \$|The cardholder’s bank took \$ back\..*)$/,
    "an amount that a bank stated",
  ],
  ["/dashboard/payments", /^(\$ requested|\$ in net sales)$/, "of the payments below, as they are filtered"],
  [
    "/dashboard/payments/[id]",
    /^(Payment of \$|Purchase of \$ on multiple cards|\$)$/,
    "what was asked for: the strip below explains it",
  ],
  [
    "/dashboard/payments/[id]",
    /^(\$ is disputed\.|\$ refunded; \$ remaining\.|Refunded in full on .*: \$\.)$/,
    "a sentence of the strip below, which explains it",
  ],
  ["/dashboard/payments/[id]", /^Attempts of card \d, \$$/, "what was asked of one card"],
  [
    "/dashboard/payouts/batches",
    /^\d+ batches, \$ sent or to be sent\.$/,
    "of the batches below, as they are filtered",
  ],
  [
    "/dashboard/payouts/batches/[id]",
    /nothing is sent\. \$ is carried to the next batch\.$/,
    "the total above, without its sign",
  ],
  [
    "/dashboard/payouts/prepayments/new",
    /^(\$ of \$|\d+ receivables?, at a cost of \$: .*)$/,
    "a price that nobody agreed to: each receivable's stands below",
  ],
  ["/dashboard/sellers/[id]", /^Negative balance limit: \$$/, "a limit"],
  ["/dashboard/sellers/[id]", /^Extra fees: /, "a price"],
  ["/dashboard/sellers/plans/[id]", /^(Fee per payout|Minimum payout): \$$/, "a price"],
  ["/dashboard/sellers/plans/[id]", /^The seller keeps \$: /, "what the prices above make of an amount"],
  ["/dashboard/settings/team", /above \$ will need two people\./, "a limit"],
  [
    "/dashboard/subscriptions/[id]",
    /^\$ a week, |\. \$ is tried again on |^\$ is charged on /,
    "a price, and the amount of one payment",
  ],
];

/** Figures of the API that no page of this account shows. */
const SHOWN_NOWHERE = [
  // Of the API alone.
  "charge.net",
  "receivable.fee",
  "batch.totalFeeAmount",
  // Shown where there is any.
  "batch.creditAmount",
  "batch.debitAdjustmentAmount",
  "batch.creditAdjustmentAmount",
  // Stand together as the cost.
  "prepayment.fee",
  "prepayment.markup",
];

/** Members of an address that change what figures are of. */
const CHANGES_FIGURES = new Set(["seller", "whose"]);
/** Shown as what is taken off a payout. */
const SUBTRACTED = new Set([
  "batch.feeAmount",
  "batch.withdrawalFeeAmount",
  "batch.refundAmount",
  "batch.debitAdjustmentAmount",
]);
const ROWS_OF_A_PAGE = 25;

beforeAll(async () => {
  const shop = await withMerchant(await openClient());
  await live(shop);
  await rollUpCharges();
  await madeReport(shop.client, { fields: ["transaction__id", "transaction__amount"] });
  request.sessionId = await signedIn(shop.client, "owner");
  request.origin = env().BASE_URL;
}, 90_000);

/** Some days of a shop: sales of all kinds, shared and not, what is given back, subscriptions, payouts, money paid early. */
async function live(shop: Shop): Promise<void> {
  const { client, merchant } = shop;
  const to = (day: string, time: string) =>
    client.make("POST", "/v1/sandbox/clock", { body: { to: `${day}T${time}-03:00`, freeze: true } });
  const [a = "", b = ""] = await openSellers(client, merchant.id, 2, {
    transferPolicy: { transferInterval: "daily", transferDay: 0, transferEnabled: true },
    minNegativeBalance: 50_000,
    fareMdr: 1.5,
    fareFee: 7,
  });
  const splitRules = [
    { sellerId: a, percentage: 70.01, processingFee: true, liable: true },
    { sellerId: b, percentage: 20 },
  ];
  const pix = (await payByPix(shop, { amount: 10_000, changes: { splitRules } })).body;
  const kept = (await payByPix(shop)).body;
  for (const { id } of [pix, kept]) await client.make("POST", `/v1/sandbox/pix/${id}/pay`, { body: {} });
  const cards: string[] = [];
  for (const [amount, installments] of [
    [30_007, 3],
    [20_000, 1],
  ] as const) {
    const changes = { paymentMethod: { paymentType: "credit", installments }, splitRules };
    cards.push((await payByCard(shop, { amount, capture: true, changes })).body.id);
  }
  await payByCard(shop, { amount: 7_000 });
  const changes = { paymentMethod: { paymentType: "credit", installments: 7 } };
  await payByCard(shop, { amount: 90_005, capture: true, changes });
  const [inTwo, givenBack] = [await bought(shop, { capture: true }), await bought(shop, { capture: true })];
  await bought(shop);
  for (const scenario of [undefined, "outcome=106;times=0"]) await subscribe(shop, scenario);
  const { now } = await client.make<{ now: string }>("GET", "/v1/sandbox/clock");
  const first = nextBankDay(saoPauloDay(new Date(now)));
  await to(first, "14:00:00");
  await voidIt(client, cards[0] ?? "", { amount: 5_001 });
  for (const id of [pix.id, givenBack.payments[0]?.chargeId ?? ""]) await voidIt(client, id);
  for (const id of [cards[1], inTwo.payments[0]?.chargeId])
    await client.make("POST", `/v1/sandbox/charges/${id}/chargeback`, { body: {} });
  for (const subject of [{ sellerId: a }, {}]) {
    const body = { endDate: "2031-01-01", ...subject };
    const { id } = await client.make("POST", "/v1/subacquirer/prepayment", { body });
    await client.make("POST", `/v1/subacquirer/prepayment/${id}/commit`, { body: {} });
  }
  await payByCard(shop, { amount: 12_345, capture: true });
  let day = first;
  for (let n = 0; n < 3; n++) {
    day = nextBankDay(day);
    await to(day, "12:00:00");
  }
  // Home compares today with the same hours of the day before, whichever day of the week that is.
  await payByCard(shop, { amount: 3_210, capture: true });
  await to(addDays(day, 1), "13:00:00");
}

async function subscribe({ client, merchant }: Shop, scenario: string | undefined): Promise<void> {
  const customerId = await openCustomer(client);
  const { id: cardId } = await client.make("POST", "/v1/cards", {
    body: { tokenId: await openToken(client, cardData()) },
  });
  if (scenario) await client.make("POST", "/v1/sandbox/scenarios", { body: { target: { cardId }, scenario } });
  await client.make("POST", "/v1/subscriptions", {
    body: {
      name: "Plano Ouro",
      merchantId: merchant.id,
      customerId,
      items: [{ name: "Ouro", amount: 4_990, quantity: 1 }],
      recurrence: { interval: "weekly" },
      paymentMethod: { type: "credit", card: { cardId } },
    },
  });
}

interface PageProps {
  params: Promise<Record<string, string | undefined>>;
  searchParams: Promise<Record<string, string>>;
}

interface Page {
  path: string;
  html: string;
}

const ROUTES = readdirSync(ROOT, { recursive: true })
  .map(String)
  .filter((file) => /(^|\/)page\.tsx$/.test(file))
  .map((file) => {
    const path = `/dashboard/${file}`.replace(/\/page\.tsx$/, "");
    return {
      file,
      path,
      names: [...path.matchAll(/\[(\w+)\]/g)].map(([, name = ""]) => name),
      pattern: new RegExp(`^${path.replace(/\[\w+\]/g, "([0-9a-f-]{36})")}$`),
    };
  });

/** As a browser without scripts would show it; nothing where the address is no page or leads on to another. */
async function opened(address: string): Promise<Page | undefined> {
  const { pathname, searchParams } = new URL(address, env().BASE_URL);
  for (const { file, path, names, pattern } of ROUTES) {
    const [, ...values] = pattern.exec(pathname) ?? [];
    if (!pattern.test(pathname)) continue;
    // Guarantee: the files are pages of Next.
    const page = (await import(/* @vite-ignore */ join(ROOT, file))) as { default: FunctionComponent<PageProps> };
    const Page = page.default;
    const params = Promise.resolve(Object.fromEntries(names.map((name, at) => [name, values[at]])));
    const html = await rendered(
      <Page params={params} searchParams={Promise.resolve(Object.fromEntries(searchParams))} />,
    );
    return html === undefined ? undefined : { path, html };
  }
  return undefined;
}

async function rendered(page: ReactNode): Promise<string | undefined> {
  const failures: unknown[] = [];
  try {
    const stream = await renderToReadableStream(<WordsProvider words={messages.en.ui}>{page}</WordsProvider>, {
      onError: (thrown) => void failures.push(thrown),
      // Each part where it stands, and not behind the page.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
    });
    await stream.allReady;
    const html = await new Response(stream).text();
    if (failures.length === 0) return html;
  } catch (thrown) {
    failures.push(thrown);
  }
  const [first] = failures;
  if (first instanceof Error && "digest" in first && String(first.digest).startsWith("NEXT_REDIRECT")) return undefined;
  throw first;
}

const ENTITIES: Record<string, string> = { amp: "&", quot: '"', "#x27": "'", lt: "<", gt: ">" };
const textOf = (html: string): string =>
  html
    .replace(/<[^>]*>/g, "")
    .replace(/&([\w#]+);/g, (whole, name) => ENTITIES[name] ?? whole)
    .trim();

const MONEY = /−?R\$\d[\d,]*\.\d\d/;

/** What a figure says, in cents where it is money; nothing where it says that there is nothing to tell. */
function saidIn(text: string): number | undefined {
  const [money] = MONEY.exec(text) ?? [];
  const digits = (money ?? text).replace("−", "-").replace(/[R$,%]/g, "");
  return /^-?\d/.test(digits) ? Math.round(Number(digits) * (money ? 100 : 1) * 10) / 10 : undefined;
}

const linksOf = (html: string) =>
  [...html.matchAll(/<a\b([^>]*)>(.*?)<\/a>/gs)].map(([, tag = "", inner = ""]) => ({
    href: textOf(/ href="([^"]*)"/.exec(tag)?.[1] ?? ""),
    isFigure: / data-why\b/.test(tag),
    text: textOf(inner),
  }));

const TAG_OR_TEXT = /<(\/?)(\w+)((?:"[^"]*"|[^">])*)>|[^<]+/g;
const WITHOUT_END = /^(br|col|hr|img|input|link|meta|source|wbr)$/;
/** Rows are explained on their own pages, or where they are links. */
const NO_HEADLINE = ["tr", "li", "dialog", "script", "explained"];
const EVERY_MONEY = new RegExp(MONEY, "g");

/** What a page says in money outside its rows and its explained figures, each with its name and without its digits. */
function unexplainedOf(html: string): string[] {
  const found: string[] = [];
  const open: string[] = [];
  let name = "";
  for (const [whole, end, tag, attributes = ""] of html.replace(/<!--.*?-->/gs, "").matchAll(TAG_OR_TEXT)) {
    if (end) open.pop();
    else if (tag) {
      if (tag === "dl" || tag === "dt") name = "";
      if (!WITHOUT_END.test(tag)) open.push(/ data-why\b/.test(attributes) ? "explained" : tag);
    } else if (open.includes("dt")) name += textOf(whole);
    else if (MONEY.test(textOf(whole)) && !NO_HEADLINE.some((each) => open.includes(each))) {
      const says = textOf(whole).replaceAll(EVERY_MONEY, "$");
      found.push(open.includes("dd") ? `${name}: ${says}` : says);
    }
  }
  return found;
}

const sheetOf = ({ html }: Page): string | undefined => /<dialog\b.*?<\/dialog>/s.exec(html)?.[0];

/** The address of a figure, and what it opened. */
interface Opened {
  href: string;
  sheet: string;
}

const whyOf = (href: string): string => new URL(href, env().BASE_URL).searchParams.get("why") ?? "";
const add = (all: readonly number[]): number => all.reduce((sum, each) => sum + each, 0);
const rowsOf = (sheet: string) =>
  [...sheet.matchAll(/<tr\b.*?<\/tr>/gs)]
    .map(([html]) => ({
      html,
      cells: [...html.matchAll(/<td\b[^>]*>(.*?)<\/td>/gs)].map(([, cell = ""]) => textOf(cell)),
    }))
    .filter(({ cells }) => cells.length > 0);

/** The rows of an explanation, of all its pages, without the sum below them. */
async function amountsOf(sheet: string): Promise<number[]> {
  const amounts = rowsOf(sheet).map(({ cells }) => saidIn(cells.at(-1) ?? "") ?? Number.NaN);
  const more = linksOf(sheet).find(({ href }) => /[?&]from=/.test(href));
  const after = more && (await opened(more.href));
  return [...amounts.slice(0, -1), ...(after ? await amountsOf(sheetOf(after) ?? "") : [])];
}

/** What moved on the one account that an entry of a payment is about. */
const moved = (sheet: string): number =>
  add(
    rowsOf(sheet)
      .map(({ cells }) => cells.slice(-2))
      .filter(([account = ""]) => /^Receivable from provider|^Bank$|^Authorized amounts$/.test(account))
      .map(([, amount = ""]) => saidIn(amount) ?? Number.NaN),
  );

async function askedAmount(href: string): Promise<number> {
  const id = new URL(href, env().BASE_URL).pathname.split("/").at(-1) ?? "";
  const [row] = await systemSql()<{ amount: number }[]>`
    select original_amount::int as amount from charges where id = ${id}
    union all select amount::int from purchases where id = ${id}`;
  return row?.amount ?? Number.NaN;
}

/** What the figure should be by what it opened, and how many rows say so. */
async function explained({ href, sheet }: Opened): Promise<{ figure: number; rows: number }> {
  const why = whyOf(href);
  if (why === "requested") return { figure: await askedAmount(href), rows: 1 };
  const lines = [...sheet.matchAll(/<dd\b[^>]*>(.*?)<\/dd>/gs)].map(([, line = ""]) => saidIn(textOf(line)) ?? 0);
  const [first = 0, second = 0] = lines;
  if (why === "approval") return { figure: Math.round((first / second) * 1_000) / 10, rows: second };
  if (lines.length > 0) return { figure: add(lines.slice(0, -1)), rows: lines.length - 1 };
  if (!why.includes(".")) {
    const sum = moved(sheet);
    return { figure: why === "refunded" || why === "disputed" ? 0 - sum : sum, rows: rowsOf(sheet).length };
  }
  const amounts = await amountsOf(sheet);
  return { figure: SUBTRACTED.has(why) ? 0 - add(amounts) : add(amounts), rows: amounts.length };
}

test("every figure of every page is the sum of the rows that it opens", { timeout: 300_000 }, async () => {
  const queue = ROUTES.filter(({ names }) => names.length === 0).map(({ path }) => path);
  // The clock went on by days, and home begins with the last one.
  queue.push("/dashboard?period=30d");
  const found = new Set(queue);
  const said = new Map<string, string>();
  const shown = new Map<string, "figures" | "money">();
  const unexplained = new Set<string>();
  const allowed = new Set<RegExp>();
  const wrong: string[] = [];
  let paged = 0;

  function visitLater(href: string): void {
    if (!href.startsWith("/dashboard")) return;
    const { pathname, searchParams } = new URL(href, env().BASE_URL);
    if (searchParams.has("from")) return;
    const kept = new URLSearchParams([...searchParams].filter(([name]) => CHANGES_FIGURES.has(name)));
    const address = searchParams.has("why") ? href : kept.size > 0 ? `${pathname}?${kept}` : pathname;
    if (found.has(address)) return;
    found.add(address);
    queue.push(address);
  }

  async function look(address: string): Promise<void> {
    const page = await opened(address);
    if (!page) return;
    const sheet = whyOf(address) ? sheetOf(page) : undefined;
    // Beside an explanation stands the page that was looked at without it.
    for (const { href, isFigure, text } of linksOf(sheet ?? page.html)) {
      if (isFigure) said.set(href, text);
      visitLater(href);
    }
    for (const says of unexplainedOf(page.html)) {
      const known = UNEXPLAINED.filter(([path, words]) => path === page.path && words.test(says));
      for (const [, words] of known) allowed.add(words);
      if (known.length === 0) unexplained.add(`${page.path} does not explain "${says}"`);
    }
    const hasFigures = linksOf(page.html).some(({ isFigure }) => isFigure);
    if (hasFigures) shown.set(page.path, "figures");
    else if (MONEY.test(textOf(page.html))) shown.set(page.path, shown.get(page.path) ?? "money");
    if (!whyOf(address)) return;
    if (!sheet) {
      wrong.push(`${address} explains nothing`);
      return;
    }
    // What brought a debt forward is a balance below zero.
    const saidBy = (text: string) => (whyOf(address) === "balance.debt" ? `−${text}`.replace(/^−−/, "") : text);
    for (const { html, cells } of rowsOf(sheet))
      for (const { href } of linksOf(html)) if (whyOf(href)) said.set(href, saidBy(cells.at(-1) ?? ""));
    const { figure, rows } = await explained({ href: address, sheet });
    if (rows > ROWS_OF_A_PAGE) paged++;
    const told = saidIn(said.get(address) ?? "");
    if (told !== figure && !(told === undefined && rows === 0))
      wrong.push(`${address} says ${said.get(address)}: ${rows} rows make ${figure}`);
  }

  while (queue.length > 0) await Promise.all(queue.splice(0, 4).map(look));
  expect.soft(wrong).toEqual([]);
  expect.soft([...unexplained].sort()).toEqual([]);
  expect.soft(UNEXPLAINED.filter(([, words]) => !allowed.has(words))).toEqual([]);
  const withoutFigures = [...shown].filter(([, what]) => what === "money").map(([path]) => path);
  expect.soft(withoutFigures.sort()).toEqual(Object.keys(WITHOUT_FIGURES).sort());
  const names = new Set([...said.keys()].map(whyOf));
  expect.soft(FIGURE_NAMES.filter((name) => !names.has(name))).toEqual(SHOWN_NOWHERE);
  expect.soft(paged).toBeGreaterThan(0);
});
