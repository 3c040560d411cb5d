import { randomUUID } from "node:crypto";
import { expect, type Page, test } from "@playwright/test";
import { ADDRESS } from "@/e2e/address";
import { expectAccessible } from "@/e2e/axe";
import { demo, expectGoodScreen, signIn } from "@/e2e/operator";
import { pressUntil } from "@/e2e/patience";

const CARD = "4111220000000002";

async function api<T>(page: Page, path: string, data: unknown): Promise<T> {
  const answer = await page.request.post(path, {
    data,
    headers: { "x-client-id": demo.clientId, "x-api-key": demo.apiKey, "x-idempotency-key": randomUUID() },
  });
  expect(answer.status(), await answer.text()).toBe(201);
  return answer.json();
}

async function pay(
  page: Page,
  amount: number,
  capture: boolean,
): Promise<{ id: string; email: string; orderId: string }> {
  const email = `ana.${randomUUID()}@example.com`;
  const orderId = `order-${randomUUID()}`;
  const { id: customerId } = await api<{ id: string }>(page, "/v1/customers?force=true", {
    name: "Ana Souza",
    email,
    phoneNumber: "+55 11 99999-0000",
    document: { type: "cpf", number: "52998224725", country: "BR" },
    address: ADDRESS,
  });
  const { id } = await api<{ id: string }>(page, "/v1/charges", {
    merchantId: demo.merchantId,
    amount,
    capture,
    orderId,
    customerId,
    paymentMethod: { paymentType: "credit" },
    paymentSource: {
      sourceType: "card",
      card: { cardHolderName: "Ana Souza", cardNumber: CARD, cardExpirationDate: "12/2031", cardCvv: "120" },
    },
  });
  return { id, email, orderId };
}

test.describe("daily jobs", () => {
  test.use({ locale: "en-US", viewport: { width: 1360, height: 860 } });

  test("a payment is found by its buyer's e-mail and a part of it refunded, by keyboard", async ({ page }) => {
    const { id, email } = await pay(page, 12_990, true);
    await signIn(page, "/dashboard/payments");
    await pressUntil(page, ["/"], () =>
      expect(page.getByRole("searchbox", { name: "Find a payment" })).toBeFocused({ timeout: 1_000 }),
    );
    await page.keyboard.type(email);
    await page.keyboard.press("Enter");
    await expect(page.getByText("1 payment", { exact: true })).toBeVisible();
    await page.getByRole("heading", { level: 1 }).click();
    await page.evaluate(() =>
      document.activeElement instanceof HTMLElement ? document.activeElement.blur() : undefined,
    );
    await pressUntil(page, ["j", "Enter"], () =>
      expect(page).toHaveURL(new RegExp(`/payments/${id}$`), { timeout: 2_000 }),
    );
    await page.getByRole("heading", { level: 1 }).waitFor();
    const dialog = page.getByRole("dialog", { name: "Refund the buyer" });
    await pressUntil(page, ["r"], () => expect(dialog).toBeVisible({ timeout: 2_000 }));
    await expect(dialog.getByLabel("Amount")).toHaveValue("129.90");
    await dialog.getByRole("button", { name: /^Refund R\$129\.90$/ }).click();
    await expect(dialog.getByLabel("Reason")).toHaveAccessibleDescription(/Enter the reason for the refund/);
    await expect(dialog.getByLabel("Reason")).toBeFocused();
    await dialog.getByLabel("Amount").fill("130");
    await dialog.getByLabel("Reason").fill("Duplicate payment");
    await expect(dialog.getByLabel("Amount")).toHaveAccessibleDescription(/The maximum is R\$129\.90\.$/);
    await dialog.getByRole("button", { name: "Refund", exact: true }).click();
    await expect(dialog.getByLabel("Amount")).toHaveAccessibleDescription(/The maximum is R\$129\.90/);
    await expect(dialog.getByLabel("Amount")).toBeFocused();
    await expectAccessible(page);
    await expect(dialog.getByLabel("Reason")).toHaveValue("Duplicate payment");
    await dialog.getByLabel("Amount").fill("");
    await dialog.getByRole("button", { name: "Refund", exact: true }).click();
    await expect(dialog.getByLabel("Amount")).toHaveAccessibleDescription(/Enter the amount with two digits/);
    await dialog.getByLabel("Amount").fill("40");
    await dialog.getByRole("button", { name: /^Refund R\$40\.00$/ }).click();
    await expect(page.getByRole("status").filter({ hasText: "R$40.00 refunded to the buyer." })).toBeVisible();
    await expect(page.getByText("R$40.00 refunded; R$89.90 remaining.")).toBeVisible();
    await expect(page.getByText("Demo operator, in the dashboard: “Duplicate payment”")).toHaveCount(1);
  });

  test("a hold is captured", async ({ page }) => {
    const { id } = await pay(page, 25_000, false);
    await signIn(page, `/dashboard/payments/${id}`);
    await page.getByRole("navigation", { name: "Actions" }).getByRole("link", { name: "Capture" }).click();
    await page.getByRole("button", { name: "Capture R$250.00" }).click();
    await expect(page.getByRole("status").filter({ hasText: "R$250.00 captured." })).toBeVisible();
    await expect(page.getByText(/^Paid on/)).toBeVisible();
  });

  test("Escape closes a confirmation, and a confirmation can be sent as a link", async ({ page }) => {
    const { id } = await pay(page, 5_000, true);
    await signIn(page, `/dashboard/payments/${id}?do=refund`);
    const dialog = page.getByRole("dialog", { name: "Refund the buyer" });
    await expect(dialog).toBeVisible();
    await pressUntil(page, ["Escape"], () => expect(dialog).toBeHidden({ timeout: 2_000 }));
    await expect(page).toHaveURL(new RegExp(`/payments/${id}$`));
  });

  test("a dialog stays open, with what was typed, when the connection is lost", async ({ page, context }) => {
    const { id } = await pay(page, 5_000, true);
    await signIn(page, `/dashboard/payments/${id}?do=refund`);
    const dialog = page.getByRole("dialog", { name: "Refund the buyer" });
    await dialog.getByLabel("Amount").fill("12.34");
    await dialog.getByLabel("Reason").fill("Order not delivered");
    await expect(dialog.getByRole("button", { name: "Refund R$12.34" })).toBeEnabled();
    await context.setOffline(true);
    await dialog.getByRole("button", { name: "Refund R$12.34" }).click();
    await expect(dialog.getByRole("alert")).toContainText("No connection to Trilho");
    await expect(dialog.getByLabel("Amount")).toHaveValue("12.34");
    await expect(dialog.getByLabel("Reason")).toHaveValue("Order not delivered");
    await context.setOffline(false);
    await dialog.getByRole("button", { name: "Refund R$12.34" }).click();
    await expect(page.getByText("R$12.34 refunded to the buyer.")).toBeVisible();
  });

  test("a dialog closes without a connection, stays closed, and opens again with one", async ({ page, context }) => {
    const { id } = await pay(page, 5_000, true);
    await signIn(page, `/dashboard/payments/${id}`);
    const refund = page.getByRole("navigation", { name: "Actions" }).getByRole("link", { name: "Refund" });
    const dialog = page.getByRole("dialog", { name: "Refund the buyer" });
    const closesBy = async (close: () => Promise<void>) => {
      await refund.click();
      // Its own script is there once the field has the focus.
      await expect(dialog.locator(":focus")).toHaveCount(1);
      await context.setOffline(true);
      await close();
      await expect(dialog).toBeHidden();
      await expect(page).toHaveURL(new RegExp(`/payments/${id}$`));
      await expect(refund).toBeVisible();
      await context.setOffline(false);
    };
    await closesBy(() => page.keyboard.press("Escape"));
    await closesBy(() => dialog.getByRole("link", { name: "Close" }).click());
    await closesBy(() => dialog.getByRole("link", { name: "Go back" }).click());
    await refund.click();
    await expect(dialog).toBeVisible();
  });

  test("a network that only looks alive leaves the page as it is, once it lost a request", async ({
    page,
    context,
  }) => {
    const { id } = await pay(page, 5_000, true);
    await signIn(page, `/dashboard/payments/${id}?do=refund`);
    const dialog = page.getByRole("dialog", { name: "Refund the buyer" });
    await dialog.getByLabel("Amount").fill("12.34");
    await dialog.getByLabel("Reason").fill("Order not delivered");
    await expect(dialog.getByRole("button", { name: "Refund R$12.34" })).toBeEnabled();
    // The browser still calls itself online.
    await context.route("**/*", (route) => route.abort("connectionfailed"));
    await dialog.getByRole("button", { name: "Refund R$12.34" }).click();
    await expect(dialog.getByRole("alert")).toContainText("No connection to Trilho");
    await page.keyboard.press("Escape");
    // What was typed is still there to be sent again.
    await page
      .getByRole("alertdialog", { name: "Discard what you typed?" })
      .getByRole("button", { name: "Discard", exact: true })
      .click();
    await expect(dialog).toBeHidden();
    const note = page.getByRole("alert").filter({ hasText: "You’re offline. This page stays open" });
    const customers = page.getByRole("link", { name: "Customers", exact: true });
    await customers.click();
    await expect(note).toBeVisible();
    await expect(page).toHaveURL(new RegExp(`/payments/${id}$`));
    await context.unroute("**/*");
    await expect(note).toHaveCount(0, { timeout: 15_000 });
    await customers.click();
    await expect(page.getByRole("heading", { level: 1, name: "Customers" })).toBeVisible();
  });

  test("without a connection links, keys and the palette leave the page as it is, and say why", async ({
    page,
    context,
  }) => {
    const { id } = await pay(page, 5_000, true);
    await signIn(page, `/dashboard/payments/${id}`);
    // From here on the page is awake.
    const keys = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await pressUntil(page, ["?"], () => expect(keys).toBeVisible({ timeout: 2_000 }));
    await pressUntil(page, ["Escape"], () => expect(keys).toBeHidden({ timeout: 2_000 }));
    const note = page.getByRole("alert").filter({ hasText: "You’re offline. This page stays open" });
    const customers = page.getByRole("link", { name: "Customers", exact: true });
    const staysWhen = async (goes: () => Promise<void>) => {
      await context.setOffline(true);
      await goes();
      await expect(note).toBeVisible();
      await expect(page).toHaveURL(new RegExp(`/payments/${id}$`));
      await expect(customers).toBeVisible();
      await context.setOffline(false);
      await expect(note).toHaveCount(0);
    };
    await staysWhen(() => customers.click());
    await staysWhen(() => page.getByRole("navigation", { name: "Actions" }).getByRole("link").first().click());
    await staysWhen(async () => {
      await page.keyboard.press("g");
      await page.keyboard.press("k");
    });
    const palette = page.getByRole("dialog").getByRole("combobox");
    await pressUntil(page, ["Control+k"], () => expect(palette).toBeFocused({ timeout: 3_000 }));
    await palette.fill("Customers");
    const found = page.getByRole("option", { name: "Customers", exact: true }).first();
    await expect(found).toBeVisible();
    await staysWhen(() => found.click());
    await customers.click();
    await expect(page.getByRole("heading", { level: 1, name: "Customers" })).toBeVisible();
  });

  test("a refund works without scripts", async ({ browser }) => {
    const context = await browser.newContext({ javaScriptEnabled: false, locale: "en-US" });
    const page = await context.newPage();
    const { id } = await pay(page, 5_000, true);
    await signIn(page, `/dashboard/payments/${id}`);
    await page.getByRole("navigation", { name: "Actions" }).getByRole("link", { name: "Refund" }).click();
    await page.getByLabel("Reason").fill("Order not delivered");
    await page.getByRole("button", { name: /^Refund/ }).click();
    await expect(page.getByText("R$50.00 refunded to the buyer.")).toBeVisible();
    await context.close();
  });

  test("a reason begun before the scripts have come goes on where it was begun", async ({ page }) => {
    const { id } = await pay(page, 5_000, true);
    await signIn(page);
    let letThrough = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      letThrough = resolve;
    });
    await page.route("**/_next/static/**/*.js", async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`/dashboard/payments/${id}?do=refund`, { waitUntil: "commit" });
    const refund = page.getByRole("dialog", { name: "Refund the buyer" });
    await refund.getByLabel("Reason").focus();
    await page.keyboard.type("Order not ");
    letThrough();
    await expect(page.locator("dialog:modal")).toBeVisible();
    await page.keyboard.type("delivered");
    await expect(refund.getByLabel("Reason")).toHaveValue("Order not delivered");
    await expect(refund.getByLabel("Amount")).toHaveValue("50.00");
  });

  test("a call is found in the request log and copied as curl", async ({ page, context }) => {
    const { id } = await pay(page, 5_000, true);
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await signIn(page);
    await expect(async () => {
      await page.goto("/dashboard/developers/requests?q=/v1/charges&method=POST");
      await page.locator("a[data-row]:visible").first().click({ timeout: 1_000 });
      await expect(page.getByRole("link", { name: "Open the payment" })).toBeVisible();
    }).toPass();
    await expect(async () => {
      await page.getByRole("button", { name: "Copy as curl" }).click();
      const copied = () => page.evaluate(() => navigator.clipboard.readText());
      await expect.poll(copied, { timeout: 2_000 }).toContain("curl -X POST");
    }).toPass();
    await expect(page.locator("body")).not.toContainText(CARD);
    expect(id).toBeTruthy();
  });
});

test("every page is accessible and fits", async ({ page }) => {
  test.slow();
  const { id } = await pay(page, 7_500, true);
  await signIn(page);
  for (const path of [
    "/dashboard/payments",
    "/dashboard/payments?q=nobody@example.com",
    `/dashboard/payments/${id}`,
    `/dashboard/payments/${id}?do=refund`,
    "/dashboard/developers/requests",
  ]) {
    await expectGoodScreen(page, path);
  }
});

test("a payment that is not theirs is answered as an unknown page", async ({ page }) => {
  await signIn(page);
  for (const path of [`/dashboard/payments/${randomUUID()}`, "/dashboard/payments/nothing"]) {
    expect((await page.goto(path))?.status()).toBe(404);
  }
});

test("a form of another site is refused", async ({ page }) => {
  const { id } = await pay(page, 5_000, true);
  await signIn(page);
  const answer = await page.request.post(`/dashboard/payments/${id}?do=refund`, {
    headers: { origin: "https://evil.example" },
    multipart: { id, action: "refund", key: randomUUID(), plan: "authorized.5000.5000.0", amount: "50,00" },
    maxRedirects: 0,
  });
  expect(answer.status()).not.toBe(303);
  await page.goto(`/dashboard/payments/${id}`);
  await expect(page.locator("dl").first()).toContainText(/R\$\s?50[.,]00/);
  await expect(page.getByRole("navigation", { name: /Ações|Actions/ })).toBeVisible();
});
