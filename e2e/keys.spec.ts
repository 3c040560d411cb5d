import { expect, type Page, test } from "@playwright/test";
import { acceptInvitation, anAccount, aPerson, enter } from "@/e2e/accounts";
import { expectAccessible, expectNoSidewaysScroll } from "@/e2e/axe";
import { pressUntil } from "@/e2e/patience";

test.use({ locale: "en-US", viewport: { width: 1360, height: 860 }, reducedMotion: "reduce" });

async function enterOwnAccount(page: Page): Promise<void> {
  const owner = aPerson("Caio Prado");
  const account = await anAccount(owner);
  await acceptInvitation(page, account.invitation, owner);
}

test("n begins something new where the page makes one, and does nothing elsewhere", async ({ page }) => {
  await enterOwnAccount(page);
  await page.goto("/dashboard/settings/alerts");
  await pressUntil(page, ["n"], () =>
    expect(page.getByRole("dialog", { name: "New alert" })).toBeVisible({ timeout: 2_000 }),
  );
  await page.goto("/dashboard/links");
  await pressUntil(page, ["n"], () => expect(page).toHaveURL(/\/links\/new$/, { timeout: 2_000 }));
});

test("a letter without g before it goes nowhere, in the first second of a page either", async ({ page }) => {
  await enterOwnAccount(page);
  const shortcuts = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await pressUntil(page, ["?"], () => expect(shortcuts).toBeVisible({ timeout: 2_000 }));
  await page.keyboard.press("Escape");
  await expect(shortcuts).toBeHidden();
  const isTaken = (key: string) =>
    page.evaluate((pressed) => {
      const event = new KeyboardEvent("keydown", { key: pressed, bubbles: true, cancelable: true });
      Object.defineProperty(event, "timeStamp", { value: 600 });
      return !document.body.dispatchEvent(event);
    }, key);
  expect(await isTaken("p")).toBe(false);
  await isTaken("g");
  expect(await isTaken("p")).toBe(true);
  await expect(page).toHaveURL(/\/dashboard\/payments$/);
});

test("keys alone can be switched off, and on again by the button of the page", async ({ page }) => {
  await enterOwnAccount(page);
  const shortcuts = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  const single = shortcuts.getByLabel("Single-key shortcuts");
  await pressUntil(page, ["?"], () => expect(shortcuts).toBeVisible({ timeout: 2_000 }));
  await expectAccessible(page);
  await single.uncheck();
  await page.keyboard.press("Escape");
  await expect(shortcuts).toBeHidden();
  await page.keyboard.press("?");
  await page.keyboard.press("g");
  await page.keyboard.press("p");
  await page.getByRole("button", { name: "Keyboard shortcuts" }).click();
  await expect(shortcuts).toBeVisible();
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(single).not.toBeChecked();
  await single.check();
  await page.keyboard.press("Escape");
  await expect(shortcuts).toBeHidden();
  await pressUntil(page, ["g", "p"], () => expect(page).toHaveURL(/\/dashboard\/payments$/, { timeout: 2_000 }));
});

test("g a opens the accounts of somebody who has several, and closes back to the page", async ({ page }) => {
  const owner = aPerson("Nina Prado");
  const first = await anAccount(owner);
  await acceptInvitation(page, first.invitation, owner);
  const second = await anAccount(owner);
  await page.goto(second.invitation);
  await page.getByRole("button", { name: "Accept invitation" }).click();
  await expect(page.getByText("Invitation accepted. Sign in to begin.")).toBeVisible();
  await enter(page, owner);
  const other = page.getByRole("menuitemradio", { name: new RegExp(second.name) });
  await pressUntil(page, ["g", "a"], () => expect(other).toBeVisible({ timeout: 2_000 }));
  await page.keyboard.press("Escape");
  await expect(other).toBeHidden();
});

test("a key is made with a name and the areas it may reach, told in the list, rotated and revoked", async ({
  page,
}) => {
  test.slow();
  const owner = aPerson("Lia Prado");
  const account = await anAccount(owner);
  await acceptInvitation(page, account.invitation, owner);
  const statusOf = async (apiKey: string, path: string) =>
    (await page.request.get(path, { headers: { "x-client-id": account.clientId, "x-api-key": apiKey } })).status();
  const keepShown = async () => {
    const shown = page.getByRole("status").filter({ hasText: "Your secret key" }).locator("code");
    await expect(shown).toHaveText(/^sk_sandbox_/);
    const key = (await shown.textContent()) ?? "";
    await page.getByRole("link", { name: "I’ve saved it" }).click();
    return key;
  };
  await page.goto("/dashboard/developers/keys?do=create");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name", { exact: true }).fill("ERP");
  await expect(dialog.getByLabel("Access", { exact: true })).toHaveValue("chosen");
  await dialog.getByRole("button", { name: "Create key" }).click();
  await expect(dialog.getByText("Choose at least one area.")).toBeVisible();
  await expect(dialog.getByRole("radiogroup").first()).toBeFocused();
  await expect(dialog.getByLabel("Name", { exact: true })).toHaveValue("ERP");
  // With the keyboard alone: arrows move along a row.
  const customers = dialog.getByRole("radiogroup", { name: /^Customers/ });
  await customers.getByRole("radio", { name: "None" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(customers.getByRole("radio", { name: "Read" })).toBeChecked();
  await dialog
    .getByRole("radiogroup", { name: /^Charges/ })
    .getByRole("radio", { name: "Write" })
    .check();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Create key" }).click();
  const key = await keepShown();
  expect(await statusOf(key, "/v1/customers")).toBe(200);
  expect(await statusOf(key, "/v1/merchants")).toBe(403);

  const row = page.getByRole("row").filter({ hasText: "ERP" });
  await expect(row).toContainText("Restricted");
  await expect(row).toContainText("Charges, Customers (read)");
  await expectAccessible(page);
  await row.getByRole("link", { name: /^Rotate/ }).click();
  await expect(dialog).toContainText("ERP");
  await dialog.getByRole("button", { name: "Rotate key" }).click();
  const next = await keepShown();
  expect([await statusOf(next, "/v1/customers"), await statusOf(key, "/v1/customers")]).toEqual([200, 200]);
  expect(await statusOf(next, "/v1/merchants")).toBe(403);
  await expect(row).toHaveCount(2);
  await row
    .filter({ hasText: "until" })
    .getByRole("link", { name: /^Revoke/ })
    .click();
  await dialog.getByRole("button", { name: "Revoke now" }).click();
  await expect(row).toHaveCount(1);
  expect([await statusOf(next, "/v1/customers"), await statusOf(key, "/v1/customers")]).toEqual([200, 401]);

  await page.goto("/dashboard/developers/keys?do=create-public");
  await expect(dialog.getByText(/leave them to your server’s secret key/)).toBeVisible();
  await dialog.getByLabel("Webhooks", { exact: true }).check();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Create public key" }).click();
  await expect(page.getByRole("row").filter({ hasText: "Card tokens, Webhooks" })).toContainText("Broad");
  await page.goto("/dashboard/audit");
  await expect(page.getByText("Secret key rotated").first()).toBeVisible();

  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/dashboard/developers/keys?do=create");
  await expectNoSidewaysScroll(page);
});
