import { randomUUID } from "node:crypto";
import { type BrowserContextOptions, expect, type Page, test } from "@playwright/test";
import { expectAccessible } from "@/e2e/axe";
import { demo, expectGoodScreen, signIn } from "@/e2e/operator";
import { pressUntil } from "@/e2e/patience";

const VISA = "4111220000000002";
const MASTERCARD = "5200000000000007";

async function api<T>(page: Page, method: "GET" | "POST", path: string, data?: unknown): Promise<T> {
  const answer = await page.request.fetch(path, {
    method,
    ...(data === undefined ? {} : { data }),
    headers: { "x-client-id": demo.clientId, "x-api-key": demo.apiKey, "x-idempotency-key": randomUUID() },
  });
  expect(answer.ok(), await answer.text()).toBe(true);
  return answer.json();
}

const sourceOf = (cardNumber: string) => ({
  sourceType: "card",
  card: { cardHolderName: "Ana Souza", cardNumber, cardExpirationDate: "12/2031", cardCvv: "120" },
});

/** A list of its own: other journeys pay meanwhile. */
async function ownMerchant(page: Page): Promise<string> {
  const { id } = await api<{ id: string }>(page, "POST", "/v1/merchants", {
    name: `Loja ${randomUUID().slice(0, 8)}`,
    mcc: "5411",
    providers: [{ name: "SANDBOX", priority: 1, credentials: { type: "SANDBOX" } }],
  });
  return id;
}

async function pay(
  page: Page,
  orderId: string,
  amount: number,
  merchantId = demo.merchantId,
  cardNumber = VISA,
): Promise<string> {
  const { id } = await api<{ id: string }>(page, "POST", "/v1/charges", {
    merchantId,
    amount,
    capture: true,
    orderId,
    paymentMethod: { paymentType: "credit" },
    paymentSource: sourceOf(cardNumber),
  });
  return id;
}

async function slot(page: Page, cardNumber: string, amount: number) {
  const { tokenId } = await api<{ tokenId: string }>(page, "POST", "/v1/tokens", sourceOf(cardNumber).card);
  return { amount, paymentMethod: { paymentType: "credit" }, paymentSource: { sourceType: "token", tokenId } };
}

/** An order on two cards, worked on until it is paid or held. */
async function buy(page: Page, orderId: string, capture: boolean): Promise<string> {
  const { id } = await api<{ id: string }>(page, "POST", "/v1/purchases", {
    merchantId: demo.merchantId,
    amount: 15_000,
    capture,
    orderId,
    payments: [await slot(page, VISA, 10_000), await slot(page, MASTERCARD, 5_000)],
  });
  const states = async () => {
    const { payments } = await api<{ payments: { status: string }[] }>(page, "GET", `/v1/purchases/${id}`);
    return payments.map(({ status }) => status);
  };
  await expect
    .poll(states, { timeout: 30_000 })
    .toEqual(capture ? ["authorized", "authorized"] : ["pre_authorized", "pre_authorized"]);
  return id;
}

const WORDS = {
  "en-US": {
    search: "Find a payment",
    cards: "2 cards",
    title: /Purchase of R\$150\.00 on multiple cards/,
    paid: /^Paid in full with 2 cards/,
    held: "Authorized on all 2 cards. Capture to charge the buyer.",
    lanes: "Cards of this purchase",
    captureTitle: "Capture the payment",
    capture: "Capture R$150.00",
    reason: "Reason",
    refundTitle: "Refund the buyer",
    refund: "Refund R$150.00",
    refunded: /^Refunded in full on/,
    captured: "Amount charged to the buyer: the sum of these captures.",
  },
  "pt-BR": {
    search: "Buscar um pagamento",
    cards: "2 cartões",
    title: /Pagamento de R\$\s150,00 em vários cartões/,
    paid: /^Pago por inteiro com 2 cartões/,
    held: "Pré-autorizado nos 2 cartões. Capture para cobrar o comprador.",
    lanes: "Cartões desta compra",
    captureTitle: "Capturar o pagamento",
    capture: /^Capturar R\$\s150,00$/,
    reason: "Motivo",
    refundTitle: "Reembolsar o comprador",
    refund: /^Reembolsar R\$\s150,00$/,
    refunded: /^Reembolsado por inteiro em/,
    captured: "O que foi cobrado do comprador: a soma destas capturas.",
  },
} as const;

for (const locale of ["en-US", "pt-BR"] as const) {
  const words = WORDS[locale];
  test.describe(`by keyboard alone, ${locale}`, () => {
    test.use({ locale, viewport: { width: 1360, height: 860 }, reducedMotion: "reduce" } as BrowserContextOptions);

    test("a purchase is found by its order as one row, understood, captured and given back", async ({ page }) => {
      const orderId = `order-${randomUUID()}`;
      const id = await buy(page, orderId, false);
      await signIn(page, "/dashboard/payments");
      await expect(page.locator("a[data-row]:visible").first()).toBeVisible();
      await pressUntil(page, ["/"], () =>
        expect(page.getByRole("searchbox", { name: words.search })).toBeFocused({ timeout: 1_000 }),
      );
      await page.keyboard.type(orderId);
      await page.keyboard.press("Enter");
      await expect(page.locator("a[data-row]:visible")).toHaveCount(1);
      await expect(page.getByRole("table").getByText(words.cards)).toBeVisible();
      await page.keyboard.press("Tab");
      await page.evaluate(() =>
        document.activeElement instanceof HTMLElement ? document.activeElement.blur() : undefined,
      );
      await pressUntil(page, ["j", "Enter"], () =>
        expect(page).toHaveURL(new RegExp(`/payments/${id}$`), { timeout: 2_000 }),
      );

      await expect(page.getByRole("heading", { level: 1, name: words.title })).toBeVisible();
      await expect(page.getByText(words.held)).toBeVisible();
      await expect(page.getByRole("list", { name: words.lanes }).getByRole("listitem")).toHaveCount(2);
      await page.goto(`/dashboard/payments/${id}?rows=1`);
      await expect(page.getByText(/^S4 · /).first()).toBeVisible();
      if (locale === "en-US") await expectAccessible(page);

      await openBy(page, "c", words.captureTitle);
      await page.getByRole("dialog").getByRole("button", { name: words.capture }).focus();
      await page.keyboard.press("Enter");
      await expect(page.locator("[data-outcome]")).toBeVisible();
      await expect(async () => {
        await page.goto(`/dashboard/payments/${id}`);
        await expect(page.getByText(words.paid)).toBeVisible({ timeout: 2_000 });
      }).toPass();

      await openBy(page, "r", words.refundTitle);
      await page.getByRole("dialog").getByLabel(words.reason).fill("PED-1");
      await page.getByRole("dialog").getByRole("button", { name: words.refund }).focus();
      await page.keyboard.press("Enter");
      await expect(page.locator("[data-outcome]")).toBeVisible();
      await expect(async () => {
        await page.goto(`/dashboard/payments/${id}`);
        await expect(page.getByText(words.refunded)).toBeVisible({ timeout: 2_000 });
      }).toPass();
    });

    test("a figure says why it is so, and closes again", async ({ page }) => {
      const id = await pay(page, `order-${randomUUID()}`, 7_700);
      await signIn(page, `/dashboard/payments/${id}?why=captured`);
      const sheet = page.getByRole("dialog");
      await expect(sheet.getByText(words.captured)).toBeVisible();
      if (locale === "en-US") await expectAccessible(page);
      await pressUntil(page, ["Escape"], () => expect(sheet).toBeHidden({ timeout: 1_000 }));
    });
  });
}

const openBy = (page: Page, key: string, name: string): Promise<void> =>
  pressUntil(page, [key], () => expect(page.getByRole("dialog", { name })).toBeVisible({ timeout: 2_000 }));

test.describe("the list", () => {
  test.use({ locale: "en-US", viewport: { width: 1360, height: 860 } });

  test("keeps a view for its person, with its columns, and lets it go again", async ({ page }) => {
    const name = `view ${randomUUID().slice(0, 8)}`;
    await signIn(page, "/dashboard/payments?method=credit&columns=status&columns=decline&do=save-view");
    await page.getByLabel("Name").fill(name);
    await page.getByRole("button", { name: "Save view" }).click();
    const views = page.getByRole("navigation", { name: "Saved views" });
    await expect(views.getByRole("link", { name })).toHaveAttribute("aria-current", "page");
    await page.goto("/dashboard/payments");
    await views.getByRole("link", { name }).click();
    await expect(page).toHaveURL(/method=credit&columns=status&columns=decline$/);
    await expect(page.getByRole("columnheader", { name: "Reason" })).toBeVisible();
    await expect(page.getByRole("columnheader", { name: "Buyer" })).toHaveCount(0);
    await page.goto("/dashboard/payments?do=views");
    await page.getByRole("button", { name: `Delete ${name}` }).click();
    await expect(views.getByRole("link", { name })).toHaveCount(0);
  });

  test("is narrowed by brand and amount, and says in words what nothing matched", async ({ page }) => {
    const orderId = `order-${randomUUID()}`;
    await pay(page, orderId, 4_200);
    await pay(page, orderId, 7_700, demo.merchantId, MASTERCARD);
    await signIn(page, `/dashboard/payments?q=${orderId}`);
    const rows = page.locator("a[data-row]:visible");
    await expect(rows).toHaveCount(2);
    await pressUntil(page, ["f"], () => expect(page.getByLabel("Card brand")).toBeFocused({ timeout: 1_000 }));
    await page.getByLabel("Card brand").selectOption("Mastercard");
    await expect(rows).toHaveText(["R$77.00"]);
    await page.getByLabel("Amount up to").fill("50");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { name: "Nothing matches these filters" })).toBeVisible();
    const said = page.getByRole("list", { name: "Filters in use" }).getByRole("listitem");
    await expect(said).toHaveText([
      new RegExp(`^Search: ${orderId}`),
      /^Card brand: Mastercard/,
      /^Amount up to: R\$50\.00/,
      "Clear filters",
    ]);
    // Beside the filters, and where one looks for the rows.
    await expect(page.getByRole("link", { name: "Clear filters" })).toHaveCount(2);
    await page.getByRole("link", { name: "Clear filters" }).last().click();
    await expect(page).toHaveURL(/\/dashboard\/payments$/);
  });

  test("asks the provider about all that is selected, and says how it went", async ({ page }) => {
    const orderId = `order-${randomUUID()}`;
    for (let made = 0; made < 3; made++) await pay(page, orderId, 5_000);
    await signIn(page, `/dashboard/payments?q=${orderId}`);
    await expect(page.locator("a[data-row]:visible")).toHaveCount(3);
    await expect(async () => {
      await page.locator("a[data-row]:visible").first().focus();
      await page.keyboard.press("x");
      await expect(page.locator("input[data-select]:checked")).toHaveCount(1, { timeout: 1_000 });
    }).toPass();
    await expect(page.getByText("1 selected", { exact: true })).toBeVisible();
    await page.locator("a[data-row]:visible").nth(2).focus();
    await page.keyboard.press("Shift+X");
    await expect(page.getByText("3 selected", { exact: true })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Check with provider" }).click();
    await expect(page.getByText("3 checked, 0 with nothing to check, 0 failed")).toBeVisible();
  });

  test("sums what it lists, says its filters, and exports exactly that", async ({ page }) => {
    const merchantId = await ownMerchant(page);
    const orderId = `=order-${randomUUID()}`;
    await pay(page, orderId, 4_200, merchantId);
    await pay(page, `order-${randomUUID()}`, 5_800, merchantId);
    await signIn(page, `/dashboard/payments?merchant=${merchantId}&sort=highest`);
    await expect(page.locator("a[data-row]:visible")).toHaveText(["R$58.00", "R$42.00"]);
    await expect(page.getByText("R$100.00 requested")).toBeVisible();
    const address = `/dashboard/payments/export?merchant=${merchantId}&sort=highest`;
    // As this browser asks, in its language.
    const csv = await (await page.request.get(address, { headers: { "accept-language": "en-US" } })).text();
    const lines = csv.trim().split("\r\n");
    expect(lines).toHaveLength(3);
    expect(lines[1]).toContain("58.00");
    // A spreadsheet takes it for text.
    expect(lines[2]).toContain(`,'${orderId},`);
    await page
      .getByRole("list", { name: "Filters in use" })
      .getByRole("link", { name: /Merchant/ })
      .click();
    await expect(page).not.toHaveURL(/merchant=/);
  });

  test("says that something is new, and moves nothing until it is asked to", async ({ page }) => {
    const orderId = `order-${randomUUID()}`;
    const merchantId = await ownMerchant(page);
    await pay(page, orderId, 4_200, merchantId);
    await signIn(page, `/dashboard/payments?merchant=${merchantId}`);
    const first = page.locator("a[data-row]:visible").first();
    await expect(first).toHaveText("R$42.00");
    const before = await first.getAttribute("href");
    await pay(page, orderId, 4_300, merchantId);
    await expect(page.getByRole("link", { name: /new: show/ })).toBeVisible({ timeout: 40_000 });
    await expect(first).toHaveAttribute("href", before ?? "");
    await page.getByRole("link", { name: /new: show/ }).click();
    await expect(first).not.toHaveAttribute("href", before ?? "");
  });

  test("gives each row its actions by a full stop", async ({ page }) => {
    const orderId = `order-${randomUUID()}`;
    const id = await pay(page, orderId, 4_400);
    await signIn(page, `/dashboard/payments?q=${orderId}`);
    await expect(async () => {
      await page.locator("a[data-row]:visible").first().focus();
      await page.keyboard.press(".");
      await expect(page.getByRole("menu")).toBeVisible({ timeout: 1_000 });
    }).toPass();
    await page.getByRole("menuitem", { name: "Open", exact: true }).click();
    await expect(page).toHaveURL(new RegExp(`/payments/${id}$`));
  });
});

test("the pages of a purchase, of views and of columns are accessible and fit", async ({ page }) => {
  test.slow();
  const id = await buy(page, `order-${randomUUID()}`, true);
  await signIn(page);
  for (const path of [
    `/dashboard/payments/${id}`,
    `/dashboard/payments/${id}?do=refund`,
    "/dashboard/payments?do=columns",
    "/dashboard/payments?do=save-view&method=pix",
  ]) {
    await expectGoodScreen(page, path);
  }
});
