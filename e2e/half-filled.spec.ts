import { expect, type Page, test } from "@playwright/test";
import { expectAccessible, expectNoSidewaysScroll } from "@/e2e/axe";
import { chooseMerchant, signIn } from "@/e2e/operator";

const NEW_LINK = "/dashboard/links/new";
const WEBHOOKS = "/dashboard/developers/webhooks";
const CREATE_WEBHOOK = `${WEBHOOKS}?do=create`;

/** Fields are heard once the page listens. */
const open = async (page: Page, path: string): Promise<void> => {
  await signIn(page, path);
  await page.waitForLoadState("networkidle");
};
const question = (page: Page) => page.getByRole("alertdialog");

test.describe("what was typed and not sent", () => {
  test.use({ locale: "en-US", viewport: { width: 1360, height: 860 }, reducedMotion: "reduce" });

  test("in a dialog is asked about before Escape, the X or the way back lose it, and only then", async ({ page }) => {
    await open(page, WEBHOOKS);
    await page.getByRole("main").getByRole("link", { name: "New webhook" }).first().click();
    const dialog = page.getByRole("dialog");
    const field = dialog.getByLabel("Endpoint", { exact: true });
    await field.fill("https://shop.example/hooks");
    const keep = question(page).getByRole("button", { name: "Keep editing" });
    for (const close of [
      () => page.keyboard.press("Escape"),
      () => dialog.getByRole("link", { name: "Close" }).click(),
      () => dialog.getByRole("link", { name: "Back" }).click(),
      () => page.evaluate(() => history.back()),
    ]) {
      await close();
      await expect(question(page)).toContainText("Discard what you typed?");
      await expect(keep).toBeFocused();
      await page.keyboard.press("Enter");
      await expect(question(page)).toHaveCount(0);
      await expect(field).toBeFocused();
      await expect(field).toHaveValue("https://shop.example/hooks");
    }
    await page.keyboard.press("Escape");
    await expect(keep).toBeVisible();
    await expectAccessible(page, "the question");
    // Chrome closes a dialog by itself when Escape comes again and again.
    for (let times = 0; times < 4; times++) {
      await page.keyboard.press("Escape");
      await page.evaluate(() => new Promise(requestAnimationFrame));
    }
    await expect(dialog.or(question(page)).first()).toBeVisible();
    if (!(await keep.isVisible())) await page.keyboard.press("Escape");
    await question(page).getByRole("button", { name: "Discard", exact: true }).click();
    await expect(page).toHaveURL(new RegExp(`${WEBHOOKS}$`));
    await expect(page.locator("dialog")).toHaveCount(0);

    await page.goto(CREATE_WEBHOOK);
    await page.waitForLoadState("networkidle");
    await field.fill("typed");
    await field.fill("");
    await page.keyboard.press("Escape");
    await expect(page).toHaveURL(new RegExp(`${WEBHOOKS}$`));
    await expect(question(page)).toHaveCount(0);
  });

  test("is told of everything that is wrong with it at once, whoever finds it", async ({ page }) => {
    await open(page, NEW_LINK);
    await page.getByLabel("Amount").first().fill("0,00");
    await page.getByRole("button", { name: "Create link" }).click();
    await expect(page.getByText("Fill in this field.").first()).toBeVisible();
    await expect(page.getByText("Enter an amount above zero.")).toBeVisible();
    await expect(page).toHaveURL(new RegExp(`${NEW_LINK}$`));
  });

  test("in a page is asked about before a link, a key, a reload or a way back leave it", async ({ page }) => {
    await open(page, "/dashboard/links");
    await page.getByRole("main").getByRole("link", { name: "New link" }).first().click();
    const name = page.getByLabel("What is being paid");
    await name.fill("Mesa de jantar");
    const kept = async () => {
      await question(page).getByRole("button", { name: "Keep editing" }).click();
      await expect(name).toBeFocused();
      await expect(name).toHaveValue("Mesa de jantar");
      await expect(page).toHaveURL(new RegExp(`${NEW_LINK}$`));
    };
    const customers = page.getByRole("navigation").getByRole("link", { name: "Customers" });
    await customers.click();
    await kept();
    await page.evaluate(() => history.back());
    await kept();
    await name.blur();
    await page.keyboard.press("g");
    await page.keyboard.press("p");
    await kept();
    await page.getByRole("button", { name: /^Menu of / }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await kept();
    const asked = page.waitForEvent("dialog");
    await page.evaluate(() => void setTimeout(() => location.reload()));
    const native = await asked;
    expect(native.type()).toBe("beforeunload");
    await native.dismiss();
    await expect(name).toHaveValue("Mesa de jantar");

    await customers.click();
    await question(page).getByRole("button", { name: "Discard", exact: true }).click();
    await expect(page).toHaveURL(/\/dashboard\/customers$/);
  });

  test("is no longer asked about once it was sent, and stays asked about after a refusal", async ({ page }) => {
    await open(page, NEW_LINK);
    await page.getByLabel("What is being paid").fill("Mesa de jantar");
    await page.getByRole("button", { name: "Create link" }).click();
    await expect(page.locator("[aria-invalid=true]").first()).toBeVisible();
    const customers = page.getByRole("navigation").getByRole("link", { name: "Customers" });
    await customers.click();
    await question(page).getByRole("button", { name: "Keep editing" }).click();
    await page.getByLabel("Amount").fill("900.00");
    await chooseMerchant(page);
    await page.getByRole("button", { name: "Create link" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Mesa de jantar" })).toBeVisible();
    await customers.click();
    await expect(page).toHaveURL(/\/dashboard\/customers$/);
  });
});

test.describe("on a phone, in Portuguese", () => {
  test.use({ locale: "pt-BR", viewport: { width: 375, height: 720 }, hasTouch: true, reducedMotion: "reduce" });

  test("a link of the menu asks, and leads on when what was typed is discarded", async ({ page }) => {
    await open(page, NEW_LINK);
    await page.getByLabel("O que está sendo pago").fill("Mesa de jantar");
    const menu = page.getByRole("button", { name: "Menu", exact: true });
    const customers = page.getByRole("dialog").getByRole("link", { name: "Clientes" });
    await menu.tap();
    await customers.tap();
    await expect(question(page)).toContainText("Descartar o que você digitou?");
    await expectAccessible(page, "the question");
    await expectNoSidewaysScroll(page);
    await question(page).getByRole("button", { name: "Descartar", exact: true }).tap();
    await expect(page).toHaveURL(/\/dashboard\/customers$/);
  });
});
