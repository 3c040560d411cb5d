import { randomUUID } from "node:crypto";
import { expect, type Page, test } from "@playwright/test";
import { expectGoodDialog } from "@/e2e/axe";
import { demo, expectGoodScreen, signIn } from "@/e2e/operator";

async function api<T>(page: Page, path: string, data: unknown): Promise<T> {
  const answer = await page.request.post(path, {
    data,
    headers: { "x-client-id": demo.clientId, "x-api-key": demo.apiKey, "x-idempotency-key": randomUUID() },
  });
  expect(answer.ok(), await answer.text()).toBe(true);
  return answer.json();
}

/** A shop of its own for each journey: what one sets, no other sees. */
async function merchant(page: Page): Promise<{ id: string; name: string }> {
  const name = `Loja ${randomUUID().slice(0, 8)}`;
  const { id } = await api<{ id: string }>(page, "/v1/merchants", {
    name,
    mcc: "5411",
    providers: [{ name: "SANDBOX", priority: 1, credentials: { type: "SANDBOX" } }],
  });
  return { id, name };
}

async function link(page: Page, merchantId: string, more: object = {}): Promise<{ id: string; paymentLink: string }> {
  return api(page, "/v1/sessions", {
    merchantId,
    name: "Sinal",
    createLink: true,
    items: [{ name: "Sinal", unitPrice: 15_000, quantity: 1 }],
    paymentMethods: [
      { paymentType: "credit", installments: 12 },
      { paymentType: "pix", expiresIn: 3_600 },
    ],
    ...more,
  });
}

/** Fields answer once the page listens. */
const listening = (page: Page): Promise<void> => page.waitForLoadState("networkidle");

test.describe("brand and checkout, in English", () => {
  test.use({ locale: "en-US", viewport: { width: 1440, height: 900 } });

  test("a colour is seen on the real checkout before it is saved, and after it by buyers", async ({ page }) => {
    const { id, name } = await merchant(page);
    await signIn(page, `/dashboard/settings/brand?merchant=${id}`);
    await listening(page);
    const preview = page.frameLocator("iframe");
    await expect(preview.getByText(name).first()).toBeVisible();
    await page.getByRole("textbox", { name: "Main (buttons)", exact: true }).fill("#ffee00");
    await expect(page.getByText("You have unsaved changes.")).toBeVisible();
    const buttonOf = (frame: ReturnType<Page["frameLocator"]>) =>
      frame.locator(":root").evaluate((root) => getComputedStyle(root).getPropertyValue("--brand-primary").trim());
    const table = page.getByRole("table");
    const row = table.getByRole("row").filter({ hasText: "Main (buttons)" });
    await expect(row).toContainText("#ffee00");
    await expect(row).toContainText("Adjusted for readability");
    const used = (await row.getByRole("cell").nth(1).textContent())?.match(/#[0-9a-f]{6}/)?.[0];
    // The preview may be on its way to the page with the new colour just then.
    await expect(async () => expect(await buttonOf(preview)).toBe(used)).toPass();
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("Settings saved.")).toBeVisible();
    const { paymentLink } = await link(page, id);
    await page.goto(paymentLink);
    const seen = await page.evaluate(() =>
      getComputedStyle(document.documentElement).getPropertyValue("--brand-primary").trim(),
    );
    expect(seen).toBe(used);
  });

  test("what is not set is the account's and can be given back to it; another merchant's look is copied", async ({
    page,
  }) => {
    const [first, second] = [await merchant(page), await merchant(page)];
    await signIn(page, `/dashboard/settings/brand?merchant=${first.id}`);
    await listening(page);
    await page.getByRole("textbox", { name: "Secondary (links)", exact: true }).fill("#0b1f66");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("Settings saved.")).toBeVisible();
    await page.goto(`/dashboard/settings/brand?merchant=${second.id}&from=${first.id}`);
    await listening(page);
    await expect(page.getByRole("textbox", { name: "Secondary (links)", exact: true })).toHaveValue("#0b1f66");
    await expect(page.getByText("Nothing changes until you save.")).toBeVisible();
    await page.getByRole("button", { name: "Use the default: Secondary (links)" }).click();
    await expect(page.getByRole("textbox", { name: "Secondary (links)", exact: true })).toHaveValue("");
  });

  test("a logo that is too large is refused with its size; one that fits is on the page before it is saved", async ({
    page,
  }) => {
    const { id } = await merchant(page);
    await signIn(page, `/dashboard/settings/brand?merchant=${id}`);
    await listening(page);
    const picture = (width: number, height: number) =>
      page.evaluate(
        ([w, h]) => {
          const canvas = document.createElement("canvas");
          Object.assign(canvas, { width: w, height: h });
          canvas.getContext("2d")?.fillRect(0, 0, w ?? 0, h ?? 0);
          return canvas.toDataURL("image/png").split(",")[1] ?? "";
        },
        [width, height],
      );
    const take = async (width: number, height: number) =>
      page.locator('input[type="file"]').setInputFiles({
        name: "logo.png",
        mimeType: "image/png",
        buffer: Buffer.from(await picture(width, height), "base64"),
      });
    await take(1_200, 100);
    await expect(page.getByText("The image is 1200 × 100 pixels; the maximum is 1000 × 1000.")).toBeVisible();
    await take(300, 100);
    await expect(page.getByRole("img", { name: "Current logo" })).toBeVisible();
    await expect(page.frameLocator("iframe").getByRole("img").first()).toBeVisible();
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("Settings saved.")).toBeVisible();
    await expect(page.getByRole("img", { name: "Current logo" })).toBeVisible();
  });

  test("the rules of a shop's checkout hold on its links", async ({ page }) => {
    const { id } = await merchant(page);
    await signIn(page, `/dashboard/settings/brand?merchant=${id}`);
    await listening(page);
    await page.getByLabel("Pay with multiple cards").selectOption("no");
    await page.getByLabel("Minimum per installment").fill("50.00");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("Settings saved.")).toBeVisible();
    const { paymentLink } = await link(page, id);
    await page.goto(paymentLink);
    await expect(page.getByText("Up to 3 interest-free installments")).toBeVisible();
    await expect(page.locator('[data-method="cards"]')).toHaveCount(0);
  });
});

test.describe("links, in English", () => {
  test.use({ locale: "en-US", viewport: { width: 1440, height: 900 } });

  test("a new link is seen as its buyer will, made, edited and told in words", async ({ page }) => {
    const { id, name } = await merchant(page);
    const order = `Deposit ${randomUUID().slice(0, 8)}`;
    await signIn(page, "/dashboard/links/new?example=deposit");
    await listening(page);
    await page.getByLabel("What is being paid").fill(order);
    await page.getByLabel("Amount").fill("321.00");
    await page.getByLabel("Merchant").selectOption(id);
    const [freeDays, ways] = [page.getByLabel("Free days"), page.getByRole("group", { name: "Payment methods" })];
    await page.getByLabel("How it’s charged").selectOption("monthly");
    await expect(freeDays).toBeVisible();
    await expect(ways).toBeHidden();
    await page.getByLabel("How it’s charged").selectOption("once");
    await expect(freeDays).toBeHidden();
    await expect(ways).toBeVisible();
    const preview = page.frameLocator("iframe");
    await expect(preview.getByText("R$321.00").first()).toBeVisible();
    await expect(preview.getByText(name).first()).toBeVisible();
    await page.getByRole("button", { name: "Create link" }).click();
    await expect(page.getByRole("heading", { level: 1, name: order })).toBeVisible();
    await page.getByRole("link", { name: "Edit" }).click();
    await page.getByLabel("Accepts payments").uncheck();
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("Changes saved.")).toBeVisible();
    await expect(page.getByText("Turned off", { exact: true })).toBeVisible();
    await page.getByRole("link", { name: "Duplicate" }).click();
    await expect(page.getByLabel("Amount")).toHaveValue("321.00");
  });

  test("cards alone are closed by hand with a reason, and opened again", async ({ page, context }) => {
    const { id } = await merchant(page);
    const { id: linkId, paymentLink } = await link(page, id);
    await signIn(page, `/dashboard/links/${linkId}?do=pause`);
    await page.getByLabel("Reason").fill("Too many declines");
    await page.getByRole("dialog").getByRole("button", { name: "Close cards" }).click();
    await expect(page.getByText("Cards closed. Pix and boleto stay open.")).toBeVisible();
    // In the note above and in the link's history.
    await expect(page.getByText("Reason: Too many declines")).toHaveCount(2);
    await expect(page.getByText(/^Cards closed by /)).toBeVisible();
    const buyer = await context.newPage();
    await buyer.goto(paymentLink);
    await expect(buyer.locator('input[name="cardNumber"]')).toHaveCount(0);
    await page.goto("/dashboard/settings/protection");
    await page.getByRole("link", { name: "Extend" }).first().click();
    await expectGoodDialog(page, "settings/protection?extend");
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Lift" }).first().click();
    await expectGoodDialog(page, "settings/protection?lift");
    await page.goto(`/dashboard/links/${linkId}`);
    await page.getByRole("button", { name: "Reopen cards" }).click();
    await expect(page.getByText("Cards reopened.")).toBeVisible();
    await expect(page.getByText(/^Cards reopened by /)).toBeVisible();
    await buyer.goto(paymentLink);
    await expect(buyer.locator('input[name="cardNumber"]').first()).toBeAttached();
    await page.reload();
    await expect(page.getByText("Visits", { exact: true })).toBeVisible();
  });

  test("who asked for a new link is sent one", async ({ page, context }) => {
    const { id } = await merchant(page);
    const { id: linkId, paymentLink } = await link(page, id);
    const cancel = await page.request.post(`/v1/sessions/${linkId}/cancel`, {
      headers: { "x-client-id": demo.clientId, "x-api-key": demo.apiKey },
    });
    expect(cancel.status()).toBe(201);
    const buyer = await context.newPage();
    await buyer.goto(`${paymentLink}?lang=en`);
    await buyer.locator("#ask-name").fill("Bia");
    await buyer.locator("#ask-email").fill("bia@example.com");
    await buyer.locator('form[action$="/new-link"] button').click();
    await expect(buyer.getByRole("status")).toBeVisible();
    await signIn(page, `/dashboard/links/${linkId}`);
    await page.getByRole("link", { name: "Send a new link" }).first().click();
    await expectGoodDialog(page, "links/[id]?answer");
    await page.getByLabel("Message").fill("Here it is");
    await page.getByRole("button", { name: "Create and send" }).click();
    await expect(page.getByText("New link created and sent by e-mail.")).toBeVisible();
    await page.getByRole("link", { name: "Sent: see the link" }).first().click();
    await expect(page).not.toHaveURL(new RegExp(linkId));
    await expect(page.getByRole("heading", { level: 1, name: "Sinal" })).toBeVisible();
  });
});

test("the preview is for people who may make links or set the brand, and lets nothing run", async ({ page }) => {
  const address = "/dashboard/preview?state=payment.paid&lang=en";
  expect((await page.request.get(address)).status()).toBe(401);
  await signIn(page);
  const answer = await page.request.get(address);
  expect(answer.status()).toBe(200);
  const policy = answer.headers()["content-security-policy"] ?? "";
  for (const rule of ["default-src 'none'", "form-action 'none'", "frame-ancestors 'self'", "sandbox"]) {
    expect(policy).toContain(rule);
  }
  expect(await answer.text()).not.toContain("<script");
});

test("every page of settings and links is accessible and fits", async ({ page }) => {
  test.slow();
  const { id } = await merchant(page);
  const { id: linkId } = await link(page, id);
  await signIn(page);
  for (const path of [
    "/dashboard/settings/brand",
    "/dashboard/settings/protection",
    "/dashboard/links/new?example=event",
    `/dashboard/links/${linkId}`,
    `/dashboard/links/${linkId}?do=pause`,
    `/dashboard/links/${linkId}/edit`,
  ]) {
    await expectGoodScreen(page, path);
  }
});
