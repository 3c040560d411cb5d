import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, type FrameLocator, type Page, test } from "@playwright/test";
import { anAccount, aPerson } from "@/e2e/accounts";
import { expectAccessible } from "@/e2e/axe";
import { COLORS, heard, typesHeard, visitShop } from "@/e2e/shop-page";
import { sandboxPan } from "@/lib/reference/sandbox-pans";

interface Demo {
  clientId: string;
  apiKey: string;
}

/** Written by the installation under test when it first started. */
const demo: Demo = JSON.parse(readFileSync(process.env.E2E_DEMO_FILE ?? ".data/demo.json", "utf8"));
/** The shop's site is another origin: it answers from here, the checkout from the installation. */
const SHOP = "https://loja-embutida.example";
const OTHER_SITE = "https://outro-site.example";
const APPROVED = "4111220000000002";
const DECLINED = "4111221060000007";
const ASKS_BUYER = sandboxPan("3ds_challenge_ok");

async function api<T>(page: Page, path: string, data: unknown, headers: Record<string, string> = {}): Promise<T> {
  const answer = await page.request.post(path, {
    data,
    headers: { "x-client-id": demo.clientId, "x-api-key": demo.apiKey, "x-idempotency-key": randomUUID(), ...headers },
  });
  expect(answer.ok(), await answer.text()).toBe(true);
  return answer.json();
}

type Keys = Record<string, string>;

async function openShop(page: Page, keys: Keys = {}): Promise<string> {
  const shop = {
    mcc: "5411",
    name: "Loja Embutida",
    merchantName: "Loja Embutida",
    providers: [{ name: "Simulator", priority: 1, credentials: { type: "SANDBOX", apiKey: "any text" } }],
  };
  return (await api<{ id: string }>(page, "/v1/merchants", shop, keys)).id;
}

async function linkOf(page: Page, merchantId: string, keys: Keys = {}): Promise<string> {
  const link = {
    merchantId,
    name: "Pedido 1001",
    createLink: true,
    paymentMethods: [
      { paymentType: "credit", installments: 3 },
      { paymentType: "pix", expiresIn: 3_600 },
    ],
    items: [{ name: "Tênis", unitPrice: 10_500, quantity: 1 }],
  };
  return (await api<{ id: string }>(page, "/v1/sessions", link, keys)).id;
}

/** A shop of its own, whose registered site is SHOP. */
async function openLink(page: Page, keys: Keys = {}): Promise<string> {
  const merchantId = await openShop(page, keys);
  await api(
    page,
    "/v1/settings",
    { ...COLORS, companyUrl: `${SHOP}/inicio` },
    { "x-merchant-id": merchantId, ...keys },
  );
  return linkOf(page, merchantId, keys);
}

/** An account whose clock stands still: its simulated bank never decides by itself. */
async function patientKeys(page: Page): Promise<Keys> {
  const { clientId, apiKey } = await anAccount(aPerson("Dona da Loja"));
  const keys = { "x-client-id": clientId, "x-api-key": apiKey };
  await api(page, "/v1/sandbox/clock", { freeze: true }, keys);
  return keys;
}

async function payByCard(checkout: FrameLocator, number: string): Promise<void> {
  const card = checkout.locator('form[action$="/card"]');
  await card.locator('[name="cardNumber"]').fill(number);
  await card.locator('[name="cardHolderName"]').fill("Ana Souza");
  await card.locator('[name="cardExpiration"]').fill("12/31");
  await card.locator('[name="cardCvv"]').fill("120");
  await card.locator('[name="document"]').fill("52998224725");
  await card.locator('button[type="submit"]').click();
}

/** The shop is on the public web, the installation under test on this machine: browsers ask before they join the two. */
test.use({ permissions: ["local-network-access"], locale: "pt-BR" });

async function payByPix(checkout: FrameLocator): Promise<void> {
  await checkout.locator('details:has(form[action$="/pix"]) > summary').click();
  const pix = checkout.locator('form[action$="/pix"]');
  await pix.locator('[name="name"]').fill("Ana Souza");
  await pix.locator('[name="document"]').fill("529.982.247-25");
  await pix.locator('button[type="submit"]').click();
  await checkout.locator('form[action$="/simulate"] button').click();
}

test("a buyer pays a Pix inside the shop's page, which hears of it once and has no inner scrollbar", async ({
  page,
  baseURL,
}) => {
  const session = await openLink(page);
  const checkout = await visitShop(page, SHOP, session, baseURL ?? "");
  await expect(checkout.getByRole("heading", { level: 1 })).toContainText("105,00");
  await expect.poll(() => typesHeard(page)).toContain("ready");
  await payByPix(checkout);
  await expect.poll(() => typesHeard(page), { timeout: 30_000 }).toContain("success");
  const all = await heard(page);
  expect(all.filter(({ type }) => type === "success")).toEqual([
    { type: "success", detail: { session, status: "paid", payment: expect.stringMatching(/^[\w-]{22}$/) } },
  ]);
  expect(all.filter(({ type }) => type === "failure")).toEqual([]);
  const frame = () => page.frames().find((one) => one.url().includes("/pay/"));
  const fits = () => frame()?.evaluate(() => document.documentElement.scrollHeight <= innerHeight + 1);
  await expect.poll(fits, "the frame is as tall as what is in it").toBe(true);
});

test("a declined card is a failure, the next card a success", async ({ page, baseURL }) => {
  const session = await openLink(page);
  const checkout = await visitShop(page, SHOP, session, baseURL ?? "");
  // A form with mistakes is nothing that the shop hears of.
  await checkout.locator('form[action$="/card"] button[type="submit"]').click();
  await expect(checkout.locator("#alert [role=alert]")).toBeVisible();
  expect(await typesHeard(page)).not.toContain("failure");
  const heights = async () =>
    (await heard(page)).flatMap(({ type, detail }) => (type === "resize" ? [Number(detail.height)] : []));
  const before = Math.max(...(await heights()));
  await payByCard(checkout, DECLINED);
  await expect.poll(() => typesHeard(page), { timeout: 30_000 }).toContain("failure");
  await expect(checkout.locator("#alert [data-refused]")).toBeVisible();
  // The frame grows by what is said, and never to twice its height.
  expect(Math.max(...(await heights()))).toBeLessThan(1.5 * before);
  await payByCard(checkout, APPROVED);
  await expect.poll(() => typesHeard(page), { timeout: 30_000 }).toContain("success");
});

test("a bank that asks the buyer takes the whole window, and leads back to the shop's page, which hears of it", async ({
  page,
  baseURL,
}) => {
  const session = await openLink(page, await patientKeys(page));
  const checkout = await visitShop(page, SHOP, session, baseURL ?? "");
  await expect.poll(() => typesHeard(page)).toContain("ready");
  await payByCard(checkout, ASKS_BUYER);
  await checkout.getByRole("button", { name: "Ir para o meu banco" }).click({ timeout: 30_000 });
  await expect(page.getByRole("heading", { name: "Autenticação simulada" })).toBeVisible();
  await expect(page).toHaveURL((url) => url.origin === baseURL);
  await page.getByRole("button", { name: "Continuar" }).click();
  await expect(page.getByRole("heading", { name: "Minha loja" })).toBeVisible();
  // Said once, and gone from the address again.
  await expect(page).toHaveURL(`${SHOP}/pagar`);
  await expect(checkout.getByRole("heading", { level: 1 })).toContainText("Pagamento aprovado", { timeout: 30_000 });
  await expect.poll(() => typesHeard(page), { timeout: 30_000 }).toContain("success");
  expect((await heard(page)).filter(({ type }) => type === "success")).toEqual([
    { type: "success", detail: { session, status: "paid", payment: expect.stringMatching(/^[\w-]{22}$/) } },
  ]);
});

test("a bank that asks may have another window: the frame on the shop's page goes on by itself", async ({
  page,
  context,
  baseURL,
}) => {
  const session = await openLink(page, await patientKeys(page));
  const checkout = await visitShop(page, SHOP, session, baseURL ?? "");
  await expect.poll(() => typesHeard(page)).toContain("ready");
  await payByCard(checkout, ASKS_BUYER);
  const opened = context.waitForEvent("page");
  await checkout.getByRole("button", { name: "Abrir em outra janela" }).click({ timeout: 30_000 });
  const bank = await opened;
  await bank.getByRole("button", { name: "Continuar" }).click();
  await expect.poll(() => typesHeard(page), { timeout: 30_000 }).toContain("success");
});

test("a reload in the middle of it shows the payment again, inside the shop's page too", async ({ page, baseURL }) => {
  const session = await openLink(page, await patientKeys(page));
  const checkout = await visitShop(page, SHOP, session, baseURL ?? "");
  await payByCard(checkout, ASKS_BUYER);
  await expect(checkout.getByRole("heading", { name: "Confirme no seu banco" })).toBeVisible({ timeout: 30_000 });
  await page.reload();
  await expect(checkout.getByRole("heading", { name: "Confirme no seu banco" })).toBeVisible({ timeout: 30_000 });
});

test("where the payment has been made its top is in view, however far the form had been read", async ({
  page,
  baseURL,
}) => {
  const session = await openLink(page);
  const footer = '<p style="height:2000px">Rodapé</p>';
  const checkout = await visitShop(page, SHOP, session, baseURL ?? "", footer);
  await expect.poll(() => typesHeard(page)).toContain("ready");
  const topOf = () => page.locator("trilho-checkout").evaluate((element) => element.getBoundingClientRect().top);
  await payByCard(checkout, APPROVED);
  expect(await topOf()).toBeLessThan(0);
  await expect.poll(() => typesHeard(page), { timeout: 30_000 }).toContain("success");
  await expect.poll(topOf).toBeGreaterThan(-1);
  await expect(checkout.getByRole("heading", { name: "Pagamento aprovado" })).toBeInViewport();
});

test("what cannot be loaded is said in the shop's language, with another try and a word for its developers", async ({
  page,
  baseURL,
}) => {
  const warned: string[] = [];
  page.on("console", (message) => message.type() === "warning" && warned.push(message.text()));
  await visitShop(page, SHOP, "nenhuma", baseURL ?? "");
  const element = page.locator("trilho-checkout");
  await expect(element).toContainText("Não foi possível carregar o pagamento.");
  expect(warned.join()).toContain("trilho-checkout invalid_session");
  await page.unrouteAll();
  await page.clock.install();
  await visitShop(page, SHOP, randomUUID(), baseURL ?? "");
  await page.clock.runFor(15_000);
  await expect(element).toContainText("Não foi possível carregar o pagamento.");
  await expect(element.locator("iframe")).toBeHidden();
  expect(warned.join()).toContain(`is ${SHOP} the companyUrl of the shop`);
  await element.getByRole("button", { name: "Tentar de novo" }).click();
  await expect(element.locator("iframe")).toBeVisible();
});

test("another site is shown nothing, and the checkout by itself is framed by nobody", async ({ page, baseURL }) => {
  const session = await openLink(page);
  await visitShop(page, OTHER_SITE, session, baseURL ?? "");
  // The browser has put its own page where the checkout would be: nothing of ours can run there any more.
  await expect.poll(() => page.frames().some((frame) => frame.url().startsWith("chrome-error:"))).toBe(true);
  expect(await typesHeard(page)).toEqual([]);
  const policyOf = async (query: string) =>
    (await page.request.get(`/pay/${session}${query}`)).headers()["content-security-policy"] ?? "";
  expect(await policyOf("?embed=1")).toContain(`frame-ancestors ${SHOP};`);
  expect(await policyOf("")).toContain("frame-ancestors 'none';");
});

test("what another window sends is not believed", async ({ page, baseURL }) => {
  const session = await openLink(page);
  await visitShop(page, SHOP, session, baseURL ?? "");
  await expect.poll(() => typesHeard(page)).toContain("ready");
  await page.evaluate(() => {
    Object.assign(window, { forged: 0 });
    addEventListener("message", ({ data }) => {
      // Guarantee: set two lines above.
      if (data?.type === "success") (window as unknown as { forged: number }).forged++;
    });
    window.postMessage({ source: "trilho", type: "success", payment: "x", status: "paid" }, "*");
    const other = document.createElement("iframe");
    other.srcdoc = `<script>parent.postMessage({ source: "trilho", type: "success", payment: "x", status: "paid" }, "*")</script>`;
    document.body.append(other);
  });
  // All that listen to a message hear it in one go: when both have come here, the element has had them too.
  await page.waitForFunction(() => (window as unknown as { forged: number }).forged === 2);
  expect(await typesHeard(page)).not.toContain("success");
});

test("the guide's own code, as it is printed, sells", async ({ page, baseURL }) => {
  await page.goto("/docs/embed");
  await expectAccessible(page);
  const [element = "", register = "", listen = ""] = await page.locator("pre").allTextContents();
  const shop = "https://shop.example";
  const merchant = await openShop(page);
  const [, address = "", body = ""] = /^curl (\S+) [\s\S]* -d '([^']+)'$/.exec(register.trim()) ?? [];
  expect(address).toBe(`${baseURL}/v1/settings`);
  await api(page, address, JSON.parse(body), { "x-merchant-id": merchant });
  const session = await linkOf(page, merchant);
  await page.route(`${shop}/**`, (route) =>
    route.fulfill({
      contentType: "text/html",
      body: route.request().url().includes("/thanks")
        ? "<!doctype html><title>Thanks</title><h1>Thanks</h1>"
        : `<!doctype html><title>Shop</title>${element.replace(/session="[^"]+"/, `session="${session}"`)}<script>${listen}</script>`,
    }),
  );
  await page.goto(`${shop}/cart`);
  const checkout = page.frameLocator("trilho-checkout iframe");
  await payByPix(checkout);
  await page.waitForURL(`${shop}/thanks?session=${session}`, { timeout: 30_000 });
});
