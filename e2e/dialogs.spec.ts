import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";
import {
  acceptInvitation,
  anAccount,
  aPerson,
  type Call,
  callsOf,
  type OwnAccount,
  openBreakOf,
  shopOf,
} from "@/e2e/accounts";
import { ADDRESS } from "@/e2e/address";
import { aSeller } from "@/e2e/seller";
import { nextBankDay, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { type SandboxOutcome, sandboxPan } from "@/lib/reference/sandbox-pans";

const ROOT = join(import.meta.dirname, "../app/(dashboard)/dashboard");
const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const AT_ONCE = 4;

interface ShopToFill {
  call: Call;
  merchantId: string;
  account: OwnAccount;
  /** Of its owner. */
  page: Page;
}

/** Parts of the dashboard that one journey each walks through, with what it makes first; it answers addresses that no page leads to. */
const PARTS: Readonly<Record<string, { pages: RegExp; make?: (shop: ShopToFill) => Promise<readonly string[]> }>> = {
  payments: { pages: /^(?:payments|reviews)\b/, make: makePayments },
  "disputes, customers and links": {
    pages: /^(?:disputes|customers|links)\b/,
    make: makeCustomerAndLink,
  },
  "subscriptions and sellers": { pages: /^(?:subscriptions|sellers)\b/, make: makeSubscriptionAndSeller },
  "shops, flows and money": { pages: /^(?:merchants|flows|finance|payouts|reports)\b/, make: makeFlowAndMoney },
  "developers and notices": { pages: /^(?:developers|notices|audit|proof|going-live)\b/, make: makeWebhookAndKey },
  settings: { pages: /^settings\b/ },
};

/** The whole suite opens these; the rest takes minutes: `DIALOGS=all npx playwright test … dialogs`. */
const IN_SUITE = "payments";
const ARE_ASKED_FOR = process.env.DIALOGS !== undefined;

/** Behind a button of a form or a choice, so that no page has their address. */
const BEHIND_FORMS = [
  "/dashboard/payments?method=pix&do=save-view",
  "/dashboard/payments?do=views",
  "/dashboard/developers/webhooks/deliveries?do=resend",
  "/dashboard/developers/webhooks/deliveries?do=resend-chosen",
  "/dashboard/settings/account?do=take&pass=x",
];

/** Those that other journeys bring about and look at: `expectGoodDialog(page, "links/[id]?answer")`. */
const inOtherJourneys = new Set(
  readdirSync(import.meta.dirname)
    .filter((file) => file.endsWith(".spec.ts") && file !== "dialogs.spec.ts")
    .flatMap((file) => [
      ...readFileSync(join(import.meta.dirname, file), "utf8").matchAll(
        /\bexpect(?:GoodDialog|Accessible)\(\w+, "(.+\?[a-z-]+)"\)/g,
      ),
    ])
    .map(([, name = ""]) => name),
);

const files = readdirSync(ROOT, { recursive: true }).map(String);
/** `sellers/plans` before `sellers/[id]`. */
const folders = files
  .filter((file) => /(^|\/)page\.tsx$/.test(file))
  .map((file) => file.replace(/\/?page\.tsx$/, ""))
  .toSorted((one, other) => one.split("[").length - other.split("[").length);

/** What the code of the pages calls their dialogs: `finance/breaks/[id]?note`. */
const named = files
  .filter((file) => file.endsWith(".tsx"))
  .flatMap((file) => {
    const source = readFileSync(join(ROOT, file), "utf8");
    const folder = file.replace(/\/?[^/]*$/, "").replace(/\/_\w+$/, "");
    const asked = [...source.matchAll(/\b(?:doing|asked) === "(?!yes")([a-z-]+)"/g)].map(([, name]) => name);
    const cases = /switch \((?:doing|asked)\b/.test(source)
      ? [...source.matchAll(/^ {4}case "([a-z-]+)":/gm)].map(([, name]) => name)
      : [];
    return [...asked, ...cases].map((name) => `${folder}?${name}`);
  });

/** The dialog that an address opens, by its name in the code. */
function dialogAt(href: string): string | undefined {
  const { pathname, searchParams } = new URL(href, "http://localhost");
  const name = searchParams.get("do");
  const path = pathname.replace(/^\/dashboard\/?/, "");
  const folder = folders.find((each) => new RegExp(`^${each.replaceAll(/\[\w+\]/g, "[^/]+")}$`).test(path));
  return name && folder !== undefined ? `${folder}?${name}` : undefined;
}

/** One address of each dialog that the pages of a part lead to; one page of each kind, and every payment and seller. */
async function dialogsOf(page: Page, part: RegExp, more: readonly string[]): Promise<Map<string, string>> {
  const isInPart = (href: string) => part.test(href.replace(/^\/dashboard\/?/, ""));
  const dialogs = new Map<string, string>();
  const seen = new Set<string>();
  let next = folders.filter((folder) => !folder.includes("[") && part.test(folder)).map((each) => `/dashboard/${each}`);
  let hrefs = [...BEHIND_FORMS, ...more].filter(isInPart);
  while (next.length > 0 || hrefs.length > 0) {
    for (let at = 0; at < next.length; at += AT_ONCE) {
      const some = next.slice(at, at + AT_ONCE);
      const pages = await Promise.all(some.map(async (path) => (await page.request.get(path)).text()));
      for (const [, href = ""] of pages.join("").matchAll(/href="(\/dashboard[^"#]*)"/g))
        if (isInPart(href)) hrefs.push(href.replaceAll("&amp;", "&"));
    }
    next = [];
    for (const href of hrefs) {
      const dialog = dialogAt(href);
      if (dialog !== undefined && !dialogs.has(dialog)) dialogs.set(dialog, href);
      const shape = /^\/dashboard\/(?:payments|sellers)\//.test(href) ? href : href.replaceAll(ID, "[id]");
      if (dialog !== undefined || href.includes("?") || href.search(ID) < 0 || seen.has(shape)) continue;
      seen.add(shape);
      next.push(href);
    }
    hrefs = [];
  }
  return dialogs;
}

async function tokenOf(call: Call, outcome: SandboxOutcome = "approve"): Promise<string> {
  const { tokenId } = await call<{ tokenId: string }>("POST", "/v1/tokens", {
    cardHolderName: "Ana Souza",
    cardNumber: sandboxPan(outcome),
    cardCvv: "120",
    cardExpirationDate: "12/2031",
  });
  return tokenId;
}

/** One of them in review. */
async function makePayments({ call, merchantId }: ShopToFill): Promise<readonly string[]> {
  const { id } = await call<{ id: string }>("POST", "/v1/charges", {
    merchantId,
    amount: 2_990,
    capture: true,
    paymentMethod: { paymentType: "credit" },
    paymentSource: { sourceType: "token", tokenId: await tokenOf(call, "pending_forever") },
  });
  await call("POST", "/v1/sandbox/clock", { advance: "P1D" });
  for (const capture of [true, false])
    await call("POST", "/v1/charges", {
      merchantId,
      amount: 1_990,
      capture,
      paymentMethod: { paymentType: "credit" },
      paymentSource: { sourceType: "token", tokenId: await tokenOf(call) },
    });
  return [`/dashboard/payments/${id}?do=resolve`];
}

/** With a card. */
async function makeCustomer(call: Call): Promise<{ customerId: string; cardId: string }> {
  const { id: customerId } = await call<{ id: string }>("POST", "/v1/customers", CUSTOMER);
  const { id: cardId } = await call<{ id: string }>("POST", "/v1/cards", { tokenId: await tokenOf(call) });
  await call("POST", `/v1/customers/${customerId}/cards`, { cardId });
  return { customerId, cardId };
}

async function makeCustomerAndLink({ call, merchantId }: ShopToFill): Promise<readonly string[]> {
  await makeCustomer(call);
  await call("POST", "/v1/sessions", {
    name: "Pedido 7",
    merchantId,
    createLink: true,
    paymentMethods: [{ paymentType: "credit", installments: 1 }],
    items: [{ name: "Tênis", unitPrice: 1_990, quantity: 1 }],
  });
  return [];
}

/** A flow, a difference of a statement, and a transfer that waits for its file. */
async function makeFlowAndMoney({ call, merchantId, account }: ShopToFill): Promise<readonly string[]> {
  const { providers } = await call<{ providers: { id: string }[] }>("GET", `/v1/merchants/${merchantId}`);
  const flow = { root: [{ rule: "provider", id: providers[0]?.id }] };
  const made = await call<{ id: string }>("POST", "/v1/flows", {
    name: "Cartões",
    paymentMethod: "credit",
    merchantId,
    flow,
  });
  await call("PATCH", `/v1/merchants/${merchantId}`, {
    payoutRail: "file",
    payoutAccount: {
      bank: "341",
      agreement: "1234567",
      branchNumber: "1234",
      accountNumber: "56789",
      accountCheckDigit: "7",
      holderName: "Loja",
      holderDocument: DOCUMENT,
    },
  });
  const transferPolicy = { transferInterval: "daily", transferDay: 0, transferEnabled: true };
  const { id: sellerId } = await call<{ id: string }>("POST", "/v1/sellers", {
    ...aSeller(merchantId),
    transferPolicy,
  });
  await call("POST", "/v1/reports/schedules", {
    name: "Clientes",
    cron: "daily",
    report: { sendTo: "fin@example.com", type: "customers", fields: ["customer__id"], filters: {} },
  });
  await call("POST", "/v1/sandbox/clock", { advance: "PT10S" });
  const { id: pix } = await call<{ id: string }>("POST", "/v1/charges", {
    merchantId,
    amount: 10_000,
    paymentMethod: { paymentType: "pix", expiresIn: 3600 },
    paymentSource: { sourceType: "customer", customer: CUSTOMER },
    splitRules: [{ sellerId, percentage: 70 }],
  });
  await call("POST", `/v1/sandbox/pix/${pix}/pay`, {});
  const { now } = await call<{ now: string }>("GET", "/v1/sandbox/clock");
  const to = `${nextBankDay(nextBankDay(saoPauloDay(new Date(now))))}T10:00:00-03:00`;
  await call("POST", "/v1/sandbox/clock", { to, freeze: true });
  await openBreakOf(account, merchantId);
  return [`/dashboard/flows/${made.id}?do=restore`];
}

async function makeWebhookAndKey({ call }: ShopToFill): Promise<readonly string[]> {
  const { id } = await call<{ id: string }>("POST", "/v1/webhooks", {
    event: "seller.*",
    endpoint: `http://127.0.0.1:4998/${randomUUID()}`,
  });
  await call("POST", "/v1/auth", { scope: "tokens" });
  return ["on", "discard"].map((name) => `/dashboard/developers/webhooks/${id}?do=${name}`);
}

const DOCUMENT = "39053344705";
const CUSTOMER = {
  name: "Bia Lima",
  email: "bia@example.com",
  phoneNumber: "+5511999990001",
  document: { type: "cpf", number: DOCUMENT },
};

/** A subscription; a seller that owes, is asked for something and is off; a seller with a company. */
async function makeSubscriptionAndSeller({ call, merchantId, page }: ShopToFill): Promise<readonly string[]> {
  const { customerId, cardId } = await makeCustomer(call);
  const { id: subscriptionId } = await call<{ id: string }>("POST", "/v1/subscriptions", {
    name: "Plano Ouro",
    merchantId,
    customerId,
    items: [{ name: "Ouro", amount: 4_990, quantity: 1 }],
    recurrence: { interval: "monthly" },
    paymentMethod: { type: "credit", card: { cardId } },
  });
  await call("POST", "/v1/vendors", {
    referenceId: randomUUID().slice(-12),
    identityType: "CPF",
    identity: DOCUMENT,
    mcc: "5712",
    name: "Móveis da Serra",
    address: ADDRESS,
  });
  const { id: sellerId } = await call<{ id: string }>("POST", "/v1/sellers", aSeller(merchantId));
  await call("POST", "/v1/sellers", {
    ...aSeller(merchantId),
    business: {
      name: "Móveis da Serra Ltda",
      email: "contato@serra.example",
      phoneNumber: "+5511999990002",
      openingDate: "2015-04-01",
      document: { type: "cnpj", number: "11222333000181", country: "BR" },
      address: ADDRESS,
    },
  });
  await call("POST", "/v1/sandbox/clock", { advance: "PT10S" });
  await call("POST", `/v1/sellers/${sellerId}/registration-reviews`, {
    requestedFields: ["documents.SELFIE"],
    reason: "The picture is blurred",
  });
  const dialog = page.locator("dialog[open]");
  await page.goto(`/dashboard/sellers/${sellerId}?do=adjust`);
  await dialog.locator('[name="kind"]').selectOption("take");
  await dialog.locator('[name="amount"]').fill("12,00");
  await dialog.locator('[name="reason"]').fill("Equipamento");
  await dialog.locator("button[type=submit]").click();
  await page.locator("[data-outcome]").waitFor();
  const cycles = await call<{ items: { id: string }[] }>("GET", `/v1/subscriptions/${subscriptionId}/cycles`);
  return [
    `/dashboard/subscriptions/${subscriptionId}?do=retry&cycle=${cycles.items[0]?.id}`,
    `/dashboard/sellers/${sellerId}?do=on`,
  ];
}

test("each page with a dialog is in one of the parts", () => {
  const isInOne = (name: string) => Object.values(PARTS).filter(({ pages }) => pages.test(name)).length === 1;
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((name) => !isInOne(name))).toEqual([]);
});

for (const [name, { pages, make }] of Object.entries(PARTS))
  test(`every dialog is accessible, and Escape takes it out of the address: ${name}`, async ({ page }) => {
    test.skip(name !== IN_SUITE && !ARE_ASKED_FOR, "all dialogs are opened when they are asked for");
    test.setTimeout(240_000);
    const owner = aPerson("Ana Prado");
    const account = await anAccount(owner);
    await acceptInvitation(page, account.invitation, owner);
    const call = callsOf(account, page);
    await page.emulateMedia({ reducedMotion: "reduce" });
    const more = (await make?.({ call, merchantId: await shopOf(call), account, page })) ?? [];
    const dialogs = await dialogsOf(page, pages, more);
    const told: string[] = [];
    for (const [dialog, href] of dialogs) told.push(...(await faultsOf(page, dialog, href)));
    expect(told).toEqual([]);
    const missed = named.filter((each) => pages.test(each) && !dialogs.has(each));
    expect(missed.filter((each) => !inOtherJourneys.has(each))).toEqual([]);
  });

async function faultsOf(page: Page, name: string, href: string): Promise<string[]> {
  await page.goto(href, { waitUntil: "commit" });
  const opens = page.waitForFunction(() => document.querySelector("dialog:modal"), undefined, { timeout: 20_000 });
  if (!(await opens.catch(() => undefined))) return [`${name} opens nothing at ${href}`];
  const { violations } = await new AxeBuilder({ page }).include("dialog[open]").setLegacyMode().analyze();
  await page.keyboard.press("Escape");
  await page.waitForURL((url) => !url.searchParams.has("do"));
  return violations.map(({ id, nodes }) => `${name} ${id}: ${nodes.map(({ target }) => target).join(" | ")}`);
}
