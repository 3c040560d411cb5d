import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";
import { acceptInvitation, anAccount, aPerson, type Call, callsOf, shopOf } from "@/e2e/accounts";

const ROOT = join(import.meta.dirname, "../app/(dashboard)/dashboard");
const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const AT_ONCE = 4;

/** Parts of the dashboard that one journey each walks through, with what it makes first. */
const PARTS: Readonly<Record<string, { pages: RegExp; make?: (call: Call, merchantId: string) => Promise<unknown> }>> =
  {
    payments: { pages: /^(?:payments|reviews)\b/, make: makePayments },
    "disputes, customers and links": {
      pages: /^(?:disputes|customers|links)\b/,
      make: makeCustomerAndLink,
    },
    "subscriptions and sellers": { pages: /^(?:subscriptions|sellers)\b/, make: makeSubscriptionAndSeller },
    "shops, flows and money": { pages: /^(?:merchants|flows|finance|payouts|reports)\b/, make: makeFlow },
    "developers and notices": { pages: /^(?:developers|notices|audit|proof|going-live)\b/, make: makeWebhookAndKey },
    settings: { pages: /^settings\b/ },
  };

/** The whole suite opens these; the rest takes minutes: `DIALOGS=all npx playwright test … dialogs`. */
const IN_SUITE = "payments";
const ARE_ASKED_FOR = process.env.DIALOGS !== undefined;

/** Behind a button of a form or a choice, so that no page has their address. */
const BEHIND_FORMS = [
  "/dashboard/payments?method=pix&do=save-view",
  "/dashboard/developers/webhooks/deliveries?do=resend",
];

/** What only somebody's doing in a browser brings about; each is a form like those that are opened. */
const NOT_OPENED: readonly string[] = [
  "payments?views",
  "links/[id]?answer",
  "sellers/[id]?business",
  "sellers/[id]?on",
  "sellers/[id]?review",
  "sellers/[id]?write-off",
  "subscriptions/[id]?retry",
  "flows/[id]?restore",
  "finance/breaks/[id]?note",
  "finance/breaks/[id]?owner",
  "payouts/files?make",
  "developers/webhooks/[id]?discard",
  "developers/webhooks/[id]?on",
  "developers/webhooks/deliveries?resend-chosen",
  "settings/account?reopen",
  "settings/account?take",
  "settings/alerts/[id]?delete",
  "settings/alerts/[id]?edit",
  "settings/alerts/[id]?mute",
  "settings/alerts/[id]?test",
  "settings/protection?extend",
  "settings/protection?lift",
  "settings/security?add-app",
  "settings/security?begin-app",
  "settings/security?name-passkey",
  "settings/security?new-codes",
  "settings/security?remove-app",
  "settings/security?remove-passkey",
  "settings/team/roles?change",
  "settings/team/roles?delete",
  "settings/team?revoke",
];

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

/** One address of each dialog that the pages of a part lead to; one page of each kind, and every payment. */
async function dialogsOf(page: Page, part: RegExp): Promise<Map<string, string>> {
  const isInPart = (href: string) => part.test(href.replace(/^\/dashboard\/?/, ""));
  const dialogs = new Map<string, string>();
  const seen = new Set<string>();
  let next = folders.filter((folder) => !folder.includes("[") && part.test(folder)).map((each) => `/dashboard/${each}`);
  let hrefs = BEHIND_FORMS.filter(isInPart);
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
      const shape = href.startsWith("/dashboard/payments/") ? href : href.replaceAll(ID, "[id]");
      if (dialog !== undefined || href.includes("?") || href.search(ID) < 0 || seen.has(shape)) continue;
      seen.add(shape);
      next.push(href);
    }
    hrefs = [];
  }
  return dialogs;
}

async function tokenOf(call: Call): Promise<string> {
  const { tokenId } = await call<{ tokenId: string }>("POST", "/v1/tokens", {
    cardHolderName: "Ana Souza",
    cardNumber: "4111220000000002",
    cardCvv: "120",
    cardExpirationDate: "12/2031",
  });
  return tokenId;
}

async function makePayments(call: Call, merchantId: string): Promise<void> {
  for (const capture of [true, false])
    await call("POST", "/v1/charges", {
      merchantId,
      amount: 1_990,
      capture,
      paymentMethod: { paymentType: "credit" },
      paymentSource: { sourceType: "token", tokenId: await tokenOf(call) },
    });
}

/** With a card. */
async function makeCustomer(call: Call): Promise<{ customerId: string; cardId: string }> {
  const { id: customerId } = await call<{ id: string }>("POST", "/v1/customers", {
    name: "Bia Lima",
    email: `bia-${randomUUID()}@example.com`,
    phoneNumber: "+5511999990001",
    document: { type: "cpf", number: DOCUMENT },
  });
  const { id: cardId } = await call<{ id: string }>("POST", "/v1/cards", { tokenId: await tokenOf(call) });
  await call("POST", `/v1/customers/${customerId}/cards`, { cardId });
  return { customerId, cardId };
}

async function makeCustomerAndLink(call: Call, merchantId: string): Promise<void> {
  await makeCustomer(call);
  await call("POST", "/v1/sessions", {
    name: "Pedido 7",
    merchantId,
    createLink: true,
    paymentMethods: [{ paymentType: "credit", installments: 1 }],
    items: [{ name: "Tênis", unitPrice: 1_990, quantity: 1 }],
  });
}

async function makeFlow(call: Call, merchantId: string): Promise<void> {
  const { providers } = await call<{ providers: { id: string }[] }>("GET", `/v1/merchants/${merchantId}`);
  const flow = { root: [{ rule: "provider", id: providers[0]?.id }] };
  await call("POST", "/v1/flows", { name: "Cartões", paymentMethod: "credit", merchantId, flow });
}

async function makeWebhookAndKey(call: Call): Promise<void> {
  await call("POST", "/v1/webhooks", { event: "seller.*", endpoint: `http://127.0.0.1:4998/${randomUUID()}` });
  await call("POST", "/v1/auth", { scope: "tokens" });
}

const DOCUMENT = "39053344705";
const ADDRESS = {
  street: "Rua A",
  streetNumber: "10",
  zipCode: "01001000",
  country: "BR",
  state: "SP",
  city: "São Paulo",
  district: "Sé",
};

async function makeSubscriptionAndSeller(call: Call, merchantId: string): Promise<void> {
  const { customerId, cardId } = await makeCustomer(call);
  await call("POST", "/v1/subscriptions", {
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
  await call("POST", "/v1/sellers", {
    merchantId,
    mcc: "5712",
    owner: {
      name: "Ana Souza",
      email: "ana@example.com",
      phoneNumber: "+5511999990000",
      birthdate: "1990-04-01",
      document: { type: "cpf", number: DOCUMENT, country: "BR" },
      address: ADDRESS,
    },
    bankAccount: {
      holderName: "Ana Souza",
      holderDocument: DOCUMENT,
      bank: "341",
      branchNumber: "1234",
      accountNumber: "56789",
      accountCheckDigit: "7",
      type: "conta_corrente",
    },
  });
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
    await make?.(call, await shopOf(call));
    await page.emulateMedia({ reducedMotion: "reduce" });
    const dialogs = await dialogsOf(page, pages);
    const told: string[] = [];
    for (const [dialog, href] of dialogs) told.push(...(await faultsOf(page, dialog, href)));
    expect(told).toEqual([]);
    const missed = named.filter((each) => pages.test(each) && !dialogs.has(each));
    expect([...new Set(missed)].toSorted()).toEqual(NOT_OPENED.filter((each) => pages.test(each)).toSorted());
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
