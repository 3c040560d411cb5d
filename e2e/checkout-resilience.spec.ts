import { expect, type Page, type Route, test } from "@playwright/test";
import { call, newStage, PHONE } from "@/e2e/shop";
import { sandboxPan } from "@/lib/reference/sandbox-pans";
import { openLink } from "@/lib/testing/checkout-scenes";

test.use({ viewport: PHONE, locale: "pt-BR" });

const VISA = sandboxPan("approve");
const ANSWERS_LATER = sandboxPan("pending_then_approved");
/** Longer than it takes to reload and to go back. */
const BANK_SECONDS = 15;
const state = (page: Page, name: string | RegExp) =>
  expect(page.locator("body")).toHaveAttribute("data-state", name, { timeout: 30_000 });
const form = (page: Page, name: string) => page.locator(`form[data-form=${name}]`);

async function fillCard(page: Page, number: string): Promise<void> {
  const fields = {
    cardNumber: number,
    cardHolderName: "ANA SOUZA",
    cardExpiration: "12/39",
    cardCvv: "120",
    document: "123.456.789-09",
  };
  for (const [name, value] of Object.entries(fields)) await form(page, "card").locator(`[name=${name}]`).fill(value);
}
const send = (page: Page, name: string) => form(page, name).locator("button[type=submit]").click();
const charges = async ({ id }: { id: string }): Promise<{ id: string; status: string }[]> =>
  (await call<{ items: { id: string; status: string }[] }>("GET", `/v1/charges?sessionId=${id}`)).items;

const SCRIPTS = "**/checkout/*.js";
const FAILURES: readonly (readonly [string, (route: Route) => Promise<void>])[] = [
  ["blocked", (route) => route.abort()],
  ["not found", (route) => route.fulfill({ status: 404, contentType: "text/plain", body: "" })],
  // Never answered: the page may not wait for it.
  ["hanging", () => new Promise(() => undefined)],
];
for (const [how, fail] of FAILURES) {
  test(`scripts ${how}: a Pix and a card are paid all the same`, async ({ page }) => {
    await page.route(SCRIPTS, fail);
    const stage = newStage();
    const pix = await openLink(stage);
    await page.goto(`/pay/${pix.id}`, { waitUntil: "commit" });
    await form(page, "pix").locator("[name=name]").fill("Ana Souza");
    await form(page, "pix").locator("[name=document]").fill("123.456.789-09");
    await form(page, "pix").locator("button[type=submit]").click({ noWaitAfter: true });
    await state(page, "pix");
    await page.getByRole("button", { name: "Simular pagamento" }).click({ noWaitAfter: true });
    await state(page, "paid");
    const card = await openLink(stage);
    await page.goto(`/pay/${card.id}?method=card`, { waitUntil: "commit" });
    await fillCard(page, VISA);
    await form(page, "card").locator("button[type=submit]").click({ noWaitAfter: true });
    await state(page, "paid");
    await page.unrouteAll({ behavior: "ignoreErrors" });
  });
}

test("the network is cut after the payment was sent: pressed again, it leads to the same payment", async ({ page }) => {
  const link = await openLink(newStage(), { maxPayments: -1 });
  await page.goto(`/pay/${link.id}?method=card`);
  await fillCard(page, VISA);
  await page.route(`**/pay/${link.id}/card`, async (route) => {
    await route.fetch();
    await route.abort("connectionreset");
  });
  await send(page, "card");
  await expect(page.getByRole("alert").filter({ hasText: "Sem conexão" })).toBeVisible();
  await expect(form(page, "card").locator("[name=cardNumber]")).toHaveValue("4111 2200 0000 0002");
  await page.unrouteAll();
  await send(page, "card");
  await state(page, "paid");
  expect(await charges(link)).toHaveLength(1);
});

test("a network that goes while a bank is awaited is told, and what happened is shown soon after it is back", async ({
  page,
  context,
}) => {
  const link = await openLink(newStage());
  await page.goto(`/pay/${link.id}?method=card`);
  await fillCard(page, ANSWERS_LATER);
  // As a browser sends it whose scripts have not come: the page of the payment waits, and not the form.
  await page.evaluate(() => document.querySelector<HTMLFormElement>("form[data-form=card]")?.submit());
  await page.waitForURL("**/p/*");
  await state(page, "processing");
  await page.waitForLoadState("load");
  await context.setOffline(true);
  const told = page.locator("#main").getByText("Sem conexão com a internet");
  await expect(told).toBeVisible();
  await expect.poll(async () => (await charges(link))[0]?.status, { timeout: 30_000 }).toBe("authorized");
  await context.setOffline(false);
  await expect(page.locator("body")).toHaveAttribute("data-state", "paid", { timeout: 8_000 });
});

test("installments that the bank did not take are not paid at once by a hurried press", async ({ page }) => {
  const link = await openLink(newStage());
  await page.goto(`/pay/${link.id}?method=card`);
  await fillCard(page, sandboxPan("decline:invalid_installment"));
  const parts = form(page, "card").locator("[name=installments]");
  await parts.selectOption("3");
  await send(page, "card");
  await expect(page.getByRole("button", { name: "Mudar as parcelas" })).toBeVisible({ timeout: 30_000 });
  const told = page.locator("#card-installments-error");
  await expect(told).toHaveText("Escolha as parcelas de novo. Do jeito que está, você paga à vista.");
  await send(page, "card");
  await expect(parts).toBeFocused();
  await expect(told).toBeVisible();
  expect(await charges(link)).toHaveLength(1);
  await parts.selectOption("2");
  await expect(told).toBeHidden();
});

test("who looks for another way sees that the code they left was paid, or can be paid no more", async ({ page }) => {
  for (const isPaid of [true, false]) {
    const link = await openLink(newStage());
    await page.goto(`/pay/${link.id}`);
    await form(page, "pix").locator("[name=name]").fill("Ana Souza");
    await form(page, "pix").locator("[name=document]").fill("123.456.789-09");
    await send(page, "pix");
    await state(page, "pix");
    await page.getByRole("link", { name: "Escolher outra forma" }).click();
    await state(page, "open");
    const box = page.getByRole("heading", { name: "Há um pagamento em andamento" });
    await expect(box).toBeVisible();
    const [pix] = await charges(link);
    if (isPaid) await call("POST", `/v1/sandbox/pix/${pix?.id}/pay`, {});
    else await call("POST", `/v1/charges/${pix?.id}/void`, {});
    if (isPaid) await state(page, "paid");
    else await expect(box).toBeHidden();
  }
});

const PERSON = { name: "Ana Souza", document: "123.456.789-09" };
const ADDRESS = { zipCode: "01310-100", street: "Av. Paulista", streetNumber: "1000", district: "Bela Vista" };

for (const [method, fields] of [
  ["pix", PERSON],
  ["boleto", { ...PERSON, ...ADDRESS, city: "São Paulo" }],
] as const) {
  test(`two quick presses by ${method} make one payment, and the button shows that it waits`, async ({ page }) => {
    const link = await openLink(newStage(), { maxPayments: -1 });
    await page.goto(`/pay/${link.id}?method=${method}`);
    for (const [name, value] of Object.entries(fields)) await form(page, method).locator(`[name=${name}]`).fill(value);
    const sent: Route[] = [];
    await page.route(`**/pay/${link.id}/${method}`, (route) => void sent.push(route));
    const button = form(page, method).locator("button[type=submit]");
    const laidOut = () =>
      button.evaluate(({ offsetTop, offsetWidth, offsetHeight }: HTMLElement) => ({
        offsetTop,
        offsetWidth,
        offsetHeight,
      }));
    const before = await laidOut();
    await button.dblclick();
    await expect(button).toHaveAttribute("aria-disabled", "true");
    // Its box as it is laid out: turned, it takes more.
    expect(await button.locator(".spin").evaluate((mark: HTMLElement) => mark.offsetWidth)).toBe(18);
    await expect(button.locator("svg")).toBeHidden();
    expect(await laidOut()).toEqual(before);
    // The browser tells of what it sends after the page shows that it waits.
    await expect.poll(() => sent.length).toBe(1);
    await sent[0]?.continue();
    await state(page, method);
    expect(sent).toHaveLength(1);
    expect(await charges(link)).toHaveLength(1);
  });
}

test("loaded again while a card is declined: the page says so, and why", async ({ page }) => {
  const link = await openLink(newStage());
  await page.goto(`/pay/${link.id}?method=card`);
  await fillCard(page, sandboxPan("decline:insufficient_funds"));
  await page.route(`**/pay/${link.id}/card`, async (route) => {
    await route.fetch();
    // Whoever loads the page again never hears of it.
  });
  await send(page, "card");
  await expect.poll(async () => (await charges(link))[0]?.status).toBe("failed");
  await page.reload();
  const alert = page.getByRole("alert").filter({ hasText: "O limite do cartão não cobre este valor." });
  await expect(alert).toBeFocused();
  await alert.getByRole("link", { name: "Pagar com Pix" }).click();
  await expect(form(page, "pix")).toBeVisible();
  await expect(alert).toHaveCount(0);
  await page.unrouteAll({ behavior: "ignoreErrors" });
});

test("loaded again before the server had begun: nobody is asked for the card twice", async ({ page }) => {
  const link = await openLink(newStage());
  await page.goto(`/pay/${link.id}?method=card`);
  await fillCard(page, VISA);
  const [pressed] = await Promise.all([
    page.waitForRequest(`**/pay/${link.id}/card`),
    // On its way for longer than the page is there.
    page.route(`**/pay/${link.id}/card`, () => new Promise(() => undefined)).then(() => send(page, "card")),
  ]);
  await page.reload();
  await state(page, "open");
  await expect(form(page, "card").locator("button[type=submit]")).toHaveAttribute("aria-disabled", "true");
  await page.unrouteAll({ behavior: "ignoreErrors" });
  const headers = { ...(await pressed.allHeaders()), origin: new URL(page.url()).origin };
  await page.request.post(pressed.url(), { headers, data: pressed.postData() ?? "" });
  await state(page, "paid");
  expect(await charges(link)).toHaveLength(1);
});

test("who finds a payment of somebody else on its way is shown how it ends", async ({ page }) => {
  const stage = newStage();
  const link = await openLink(stage);
  const other = await stage.buyer.open(`/pay/${link.id}?method=pix`);
  await stage.buyer.send(other, "pix", { name: "Ana Souza", document: "123.456.789-09" });
  await page.goto(`/pay/${link.id}`);
  await state(page, "in_use");
  const [charge] = await charges(link);
  await call("POST", `/v1/sandbox/pix/${charge?.id}/pay`, {});
  await state(page, "paid");
});

test("reloaded and left by the way back while the bank thinks: still one payment, and its end is shown", async ({
  page,
  context,
}) => {
  const stage = newStage();
  const shop = await call("POST", "/v1/merchants", {
    mcc: "5411",
    name: "Banco sem pressa",
    providers: [
      {
        name: "Simulator",
        priority: 1,
        credentials: { type: "SANDBOX", apiKey: "any text" },
        options: { type: "SANDBOX", delaySeconds: BANK_SECONDS },
      },
    ],
  });
  const link = await openLink({ ...stage, merchantId: shop.id }, { maxPayments: -1 });
  await page.goto(`/pay/${link.id}?method=card`);
  const older = await context.newPage();
  await older.goto(`/pay/${link.id}?method=card`);
  await fillCard(older, VISA);
  await fillCard(page, ANSWERS_LATER);
  await send(page, "card");
  await state(page, /processing|confirming|paid/);
  const [own] = page.url().split("?");
  await page.reload();
  await state(page, /processing|confirming|paid/);
  // The form is not offered again: the way back leads to the payment that runs.
  await page.goBack();
  await page.waitForURL(`${own}**`);
  // A form that was loaded before is pressed all the same.
  await send(older, "card");
  await older.waitForURL(`${own}**`);
  for (const each of [page, older]) await state(each, "paid");
  expect(await charges(link)).toHaveLength(1);
});

test("a refusal that stands open in another tab gives way to the payment that was made meanwhile", async ({
  page,
  context,
}) => {
  const link = await openLink(newStage());
  await page.goto(`/pay/${link.id}?method=card`);
  await fillCard(page, sandboxPan("decline:insufficient_funds"));
  await send(page, "card");
  await expect(page.locator("[data-refused]")).toBeVisible({ timeout: 30_000 });
  const other = await context.newPage();
  await other.goto(`/pay/${link.id}?method=card`);
  await expect(other.locator("[data-refused]")).toBeVisible();
  await fillCard(page, VISA);
  await send(page, "card");
  await state(page, "paid");
  // It may have left by itself within its first half minute.
  await other.evaluate(() => dispatchEvent(new Event("focus"))).catch(() => undefined);
  await state(other, "paid");
  expect((await charges(link)).filter(({ status }) => status === "authorized")).toHaveLength(1);
});

test("the live stream is cut: the page asks by itself, and at once when it is looked at again", async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(document, "hidden", { get: () => "away" in window });
  });
  await page.route("**/live", (route) => route.abort());
  const link = await openLink(newStage());
  await page.goto(`/pay/${link.id}`);
  await form(page, "pix").locator("[name=name]").fill("Ana Souza");
  await form(page, "pix").locator("[name=document]").fill("123.456.789-09");
  await send(page, "pix");
  await state(page, "pix");
  // Polls without a stream.
  await page.waitForResponse((response) => response.url().endsWith("/status") && response.ok());
  // Away in the bank's app, where every request fails; the payment is made there.
  await page.evaluate(() => Object.assign(window, { away: true }));
  await page.route("**/status", (route) => route.abort());
  const [charge] = await charges(link);
  await call("POST", `/v1/sandbox/pix/${charge?.id}/pay`, {});
  await page.unroute("**/status");
  const asked = page.waitForResponse((response) => response.url().endsWith("/status"));
  await page.evaluate(() => {
    Reflect.deleteProperty(window, "away");
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await asked;
  await state(page, "paid");
  await expect(page.getByRole("heading", { name: "Pagamento aprovado" })).toBeFocused();
});

test("a receipt that was left open tells of a refund once it is looked at again", async ({ page }) => {
  const link = await openLink(newStage());
  await page.goto(`/pay/${link.id}?method=card`);
  await fillCard(page, VISA);
  await send(page, "card");
  await state(page, "paid");
  const look = () => page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  const unchanged = page.waitForResponse((response) => response.url().endsWith("/status"));
  await look();
  await unchanged;
  await state(page, "paid");
  const [charge] = await charges(link);
  await call("POST", `/v1/charges/${charge?.id}/void`, { amount: 1_000 });
  await look();
  await state(page, "partlyRefunded");
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  await call("POST", `/v1/charges/${charge?.id}/void`, {});
  await look();
  await state(page, "refunded");
});

test("without a network from the first press on it is said at once that nothing was charged, and what was typed goes when it is back", async ({
  page,
  context,
}) => {
  const link = await openLink(newStage());
  const failures: string[] = [];
  page.on("pageerror", ({ message }) => failures.push(message));
  await page.goto(`/pay/${link.id}?method=card`);
  await fillCard(page, VISA);
  await context.setOffline(true);
  await send(page, "card");
  await expect(page.locator("#alert")).toContainText("Sem conexão. Nada foi cobrado", { timeout: 3_000 });
  await expect(form(page, "card").locator("[name=cardNumber]")).toHaveValue(/4111/);
  expect(failures).toEqual([]);
  await context.setOffline(false);
  await send(page, "card");
  await state(page, "paid");
});

test("on a line that swallows everything the page does not spin without end, and what was typed stays", async ({
  page,
}) => {
  const link = await openLink(newStage());
  await page.goto(`/pay/${link.id}?method=card`);
  await fillCard(page, VISA);
  await page.route(/\/pay\//, () => undefined);
  await send(page, "card");
  await expect(page.locator("#alert")).toContainText("Sem conexão. Seus dados continuam aqui", { timeout: 16_000 });
  await expect(form(page, "card").locator("[name=cardNumber]")).toHaveValue(/4111/);
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await send(page, "card");
  await state(page, "paid");
});
