import { randomUUID } from "node:crypto";
import { expect, type Page, test } from "@playwright/test";
import { acceptInvitation, anAccount, aPerson } from "@/e2e/accounts";
import { ADDRESS } from "@/e2e/address";
import { chooseMerchant, demo, expectGoodScreen, signIn } from "@/e2e/operator";
import { pressUntil } from "@/e2e/patience";

async function api<T>(page: Page, path: string, data: unknown): Promise<T> {
  const answer = await page.request.post(path, {
    data,
    headers: { "x-client-id": demo.clientId, "x-api-key": demo.apiKey, "x-idempotency-key": randomUUID() },
  });
  expect(answer.status(), await answer.text()).toBe(201);
  return answer.json();
}

async function pix(page: Page): Promise<{ id: string; orderId: string; name: string; customerId: string }> {
  const mark = randomUUID().slice(0, 8);
  const name = `Beatriz ${mark}`;
  const orderId = `pedido-${mark}`;
  const { id: customerId } = await api<{ id: string }>(page, "/v1/customers?force=true", {
    name,
    email: `bia.${mark}@example.com`,
    phoneNumber: "+55 11 99999-0000",
    document: { type: "cpf", number: "52998224725", country: "BR" },
    address: ADDRESS,
  });
  const { id } = await api<{ id: string }>(page, "/v1/charges", {
    merchantId: demo.merchantId,
    amount: 4_990,
    orderId,
    paymentMethod: { paymentType: "pix", expiresIn: 3_600 },
    paymentSource: { sourceType: "customer", customerId },
  });
  return { id, orderId, name, customerId };
}

const openSearch = (page: Page): Promise<void> =>
  pressUntil(page, ["Control+k"], () => expect(page.getByRole("combobox")).toBeFocused({ timeout: 3_000 }));

test.describe("daily jobs, in English", () => {
  test.use({ locale: "en-US", viewport: { width: 1360, height: 860 } });

  test("a link that was pressed is heard while its page is on its way, and not after", async ({ page }) => {
    await signIn(page);
    // A press before the page is alive is the browser's own, and shown by it.
    await openSearch(page);
    await page.keyboard.press("Escape");
    const bar = page.getByRole("progressbar", { name: "The page is loading" });
    const next = page.getByRole("link", { name: "Customers", exact: true });
    let go = () => {};
    const isHeld = new Promise<void>((resolve) => {
      go = resolve;
    });
    await page.route("**/dashboard/customers?*", async (route) => {
      await isHeld;
      await route.continue();
    });
    await next.click();
    await expect(bar).toBeVisible();
    go();
    await expect(page.getByRole("heading", { level: 1, name: "Customers" })).toBeVisible();
    await expect(bar).toHaveCount(0);
    await page.goBack();
    await page.clock.install();
    await next.click();
    await expect(page.getByRole("heading", { level: 1, name: "Customers" })).toBeVisible();
    // Whatever the page still waits to show.
    await page.clock.fastForward(1_000);
    await expect(bar).toHaveCount(0);
  });

  test("the customer says they paid: any page, Ctrl K, a part of the order, Enter", async ({ page }) => {
    const { id, orderId } = await pix(page);
    await signIn(page);
    await openSearch(page);
    const part = orderId.slice(0, -2);
    await page.keyboard.type(part);
    await expect(page.getByRole("combobox")).toHaveValue(part);
    // Recent payments, which others of this amount are among, give way to what was found.
    await expect(page.getByText(/^Read as order/)).toBeVisible();
    await expect(page.getByRole("option").filter({ hasText: "R$49.90" })).toHaveCount(1);
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(new RegExp(`/payments/${id}$`));
  });

  test("a search that takes long is not taken for one that found nothing", async ({ page }) => {
    const { orderId } = await pix(page);
    await signIn(page);
    let goOn = () => {};
    const waited = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await page.route(/\/dashboard\/search\?q=pedido/, async (route) => {
      const isPatient = new URL(route.request().url()).searchParams.has("patient");
      if (!isPatient) return route.fulfill({ json: { groups: [], isPartial: true } });
      await waited;
      await route.continue();
    });
    await openSearch(page);
    await page.getByRole("combobox").fill(orderId);
    await expect(page.getByText("Part of this takes longer. Still searching…")).toBeVisible();
    await expect(page.getByText("Nothing found.")).toBeHidden();
    goOn();
    await expect(page.getByRole("option").filter({ hasText: "R$49.90" })).toBeVisible();
  });

  test("is something broken now: home tells volume, approval and how providers answer", async ({ page }) => {
    await pix(page);
    await signIn(page);
    await expect(page.getByRole("region", { name: "Needs attention" })).toBeVisible();
    await expect(page.getByRole("heading", { name: "Providers right now" })).toBeVisible();
    await page.getByRole("link", { name: "7 days" }).click();
    await expect(page).toHaveURL(/period=7d/);
    await page.getByText("See as a table").click();
    await expect(page.getByRole("table", { name: "Approved volume" }).getByRole("row")).toHaveCount(8);
  });

  test("g and a letter go to a section; ? tells every key", async ({ page }) => {
    await signIn(page);
    await pressUntil(page, ["g", "k"], () => expect(page).toHaveURL(/\/dashboard\/customers$/, { timeout: 3_000 }));
    await pressUntil(page, ["?"], () =>
      expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible({ timeout: 2_000 }),
    );
    await pressUntil(page, ["Escape"], () => expect(page.getByRole("dialog")).toBeHidden({ timeout: 2_000 }));
  });

  test("make a link: made in one form, shown with its address, QR and message, turned off and on", async ({ page }) => {
    const name = `Sinal ${randomUUID().slice(0, 8)}`;
    await signIn(page, "/dashboard/links/new");
    await page.getByLabel("What is being paid").fill(name);
    await page.getByLabel("Amount").fill("nothing");
    await chooseMerchant(page);
    await page.getByRole("button", { name: "Create link" }).click();
    await expect(page.getByLabel("Amount")).toHaveAccessibleDescription(/Enter the amount/);
    await page.getByLabel("Amount").fill("150.00");
    await page.getByRole("button", { name: "Create link" }).click();
    await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
    await expect(page.getByRole("img", { name: "Link QR code" })).toBeVisible();
    await expect(page.getByText(/Here is the link to pay/)).toContainText("R$150.00");
    await page.getByRole("link", { name: "Turn off" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Turn off" }).click();
    await expect(page.getByText("Link turned off.")).toBeVisible();
    await expect(page.getByText("Turned off", { exact: true })).toBeVisible();
    await page.getByRole("button", { name: "Turn on" }).click();
    await expect(page.getByText("Link turned on.")).toBeVisible();
  });

  test("integrate: a key is shown once and can be revoked", async ({ page }) => {
    await signIn(page, "/dashboard/developers/keys?do=create");
    await page.getByRole("dialog").getByLabel("Access", { exact: true }).selectOption("all");
    await page.getByRole("button", { name: "Create key" }).click();
    const shown = page.getByRole("status").filter({ hasText: "Your secret key" }).locator("code");
    await expect(shown).toHaveText(/^sk_sandbox_/);
    const key = (await shown.textContent()) ?? "";
    await page.getByRole("link", { name: "I’ve saved it" }).click();
    await expect(page.getByText(key)).toBeHidden();
    expect((await page.request.get("/v1/merchants", { headers: headersOf(key) })).status()).toBe(200);
    await page
      .getByRole("row")
      .filter({ hasText: key.slice(0, "sk_sandbox_".length + 4) })
      .getByRole("link", { name: "Revoke" })
      .click();
    await page.getByRole("button", { name: "Revoke now" }).click();
    await expect(page.getByText("Key revoked.")).toBeVisible();
    expect((await page.request.get("/v1/merchants", { headers: headersOf(key) })).status()).toBe(401);
  });

  test("webhooks: an address is registered, turned off, and its deliveries are listed", async ({ page }) => {
    await signIn(page, "/dashboard/developers/webhooks?do=create");
    await page.getByRole("textbox", { name: "Endpoint" }).fill(`listener:${randomUUID().slice(0, 8)}`);
    await page.getByRole("button", { name: "Create webhook" }).click();
    await expect(page.getByText("Webhook created.")).toBeVisible();
    await page.getByRole("link", { name: "Turn off" }).click();
    await page.getByRole("button", { name: "Turn off" }).click();
    await expect(page.getByText("Off", { exact: true })).toBeVisible();
    await page.getByRole("link", { name: "Delete" }).click();
    await page.getByRole("button", { name: "Delete webhook" }).click();
    await expect(page.getByText("Webhook deleted.")).toBeVisible();
  });

  test("a merchant is made, connected to a provider and removed by typing its name", async ({ page }) => {
    const name = `Loja ${randomUUID().slice(0, 8)}`;
    await signIn(page, "/dashboard/merchants?do=create");
    await page.getByLabel("Name").fill(name);
    await page.getByLabel("MCC").fill("5411");
    await page.getByRole("button", { name: "Create" }).click();
    await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
    await page.getByRole("link", { name: "Connect" }).click();
    const kinds = page.getByRole("dialog").getByRole("listitem");
    await expect(kinds.first().getByRole("link")).toBeFocused();
    await kinds.getByRole("link", { name: "Sandbox", exact: true }).click();
    await page.getByRole("button", { name: "Connect" }).click();
    await expect(page.getByText("Provider connected.")).toBeVisible();
    await page.getByRole("link", { name: "Delete" }).click();
    await page.getByLabel(/^Type/).fill("another");
    await page.getByRole("button", { name: "Delete merchant" }).click();
    await expect(page.getByRole("dialog").getByText("The name doesn’t match.")).toBeVisible();
    await expect(page.getByLabel(/^Type/)).toBeFocused();
    await expect(page.getByLabel(/^Type/)).toHaveValue("another");
    await page.getByLabel(/^Type/).fill(name);
    await page.getByRole("button", { name: "Delete merchant" }).click();
    await expect(page.getByText("Merchant deleted.")).toBeVisible();
  });
});

const headersOf = (key: string) => ({ "x-client-id": demo.clientId, "x-api-key": key });

test("an action of another site, or without a living session, changes nothing", async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, locale: "en-US" });
  const page = await context.newPage();
  // Of its own: other journeys make keys in the account that all share.
  const owner = aPerson("Ana Prado");
  await acceptInvitation(page, (await anAccount(owner)).invitation, owner);
  const address = "/dashboard/developers/keys?do=create";
  await page.goto("/dashboard/developers/keys");
  const rows = page.getByRole("row");
  await expect(rows.first()).toBeVisible();
  const before = await rows.count();
  await page.goto(address);
  // The very fields that the form would send.
  const fields = await page
    .locator("dialog form input")
    .evaluateAll((inputs) =>
      inputs.map((input) => [input.getAttribute("name") ?? "", input.getAttribute("value") ?? ""]),
    );
  const multipart = Object.fromEntries(fields);
  expect(Object.keys(multipart).length).toBeGreaterThan(0);
  const foreign = await page.request.post(address, { multipart, headers: { origin: "https://evil.example" } });
  expect(foreign.status()).not.toBe(303);
  await page.goto("/dashboard/developers/keys");
  await expect(rows).toHaveCount(before);
  const origin = new URL(page.url()).origin;
  const cookies = await context.cookies();
  await context.clearCookies();
  await page.request.post(address, { multipart, headers: { origin } });
  await context.addCookies(cookies);
  await page.goto("/dashboard/developers/keys");
  await expect(rows).toHaveCount(before);
  await context.close();
});

test("what is not theirs is answered as an unknown page", async ({ page }) => {
  await signIn(page);
  for (const path of [
    "customers",
    "merchants",
    "links",
    "reviews",
    "developers/webhooks",
    "developers/webhooks/deliveries",
  ]) {
    expect((await page.goto(`/dashboard/${path}/${randomUUID()}`))?.status(), path).toBe(404);
  }
});

test("search answers nobody who is not signed in", async ({ page }) => {
  expect((await page.request.get("/dashboard/search?q=a")).status()).toBe(401);
});

/** In parts, which share the workers evenly. */
const SCREENS = [
  "/dashboard",
  "/dashboard?period=30d&why=volume",
  "/dashboard/proof",
  "/dashboard/going-live",
  "/dashboard/reviews",
  "/dashboard/links",
  "/dashboard/customers",
  "/dashboard/merchants",
  `/dashboard/merchants/${demo.merchantId}`,
  `/dashboard/merchants/${demo.merchantId}?do=add&kind=ADYEN`,
  "/dashboard/developers/keys",
  "/dashboard/developers/keys?do=create-public",
  "/dashboard/developers/webhooks",
  "/dashboard/developers/webhooks/deliveries",
  "/dashboard/developers/webhooks/events",
  "/dashboard/developers/sandbox",
];
const AT_A_TIME = 4;
for (let from = 0; from < SCREENS.length; from += AT_A_TIME) {
  const part = SCREENS.slice(from, from + AT_A_TIME);
  test(`accessible and fit: ${part.join(", ")}`, async ({ page }) => {
    test.slow();
    await signIn(page, part[0]);
    for (const path of part) await expectGoodScreen(page, path);
  });
}

test("a customer's form is accessible and fits", async ({ page }) => {
  const { customerId } = await pix(page);
  const path = `/dashboard/customers/${customerId}?do=edit`;
  await signIn(page, path);
  await expectGoodScreen(page, path);
});

test("what is typed before the search box has loaded is in it", async ({ page }) => {
  await signIn(page);
  const shortcuts = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await pressUntil(page, ["?"], () => expect(shortcuts).toBeVisible({ timeout: 2_000 }));
  await pressUntil(page, ["Escape"], () => expect(shortcuts).toBeHidden({ timeout: 2_000 }));
  let letThrough = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    letThrough = resolve;
  });
  await page.route("**/_next/static/**", async (route) => {
    await held;
    await route.continue();
  });
  // A second press would be typed: the first has long to be seen.
  await pressUntil(page, ["/"], () => expect(page.getByRole("dialog")).toBeVisible({ timeout: 10_000 }));
  await page.keyboard.type("anx@");
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Backspace");
  await page.keyboard.type("a@");
  letThrough();
  await expect(page.getByRole("dialog").getByRole("combobox")).toHaveValue("ana@");
});
