import { expect, type Page, test } from "@playwright/test";
import { acceptInvitation, anAccount, aPerson, enter } from "@/e2e/accounts";
import { expectAccessible } from "@/e2e/operator";

test.use({ locale: "en-US", viewport: { width: 1360, height: 860 }, reducedMotion: "reduce" });

async function enterOwnAccount(page: Page): Promise<void> {
  const owner = aPerson("Caio Prado");
  const account = await anAccount(owner);
  await acceptInvitation(page, account.invitation, owner);
}

/** The page may still be waking up when a key is pressed. */
const until = (page: Page, keys: readonly string[], came: () => Promise<void>): Promise<void> =>
  expect(async () => {
    for (const key of keys) await page.keyboard.press(key);
    await came();
  }).toPass();

test("n begins something new where the page makes one, and does nothing elsewhere", async ({ page }) => {
  await enterOwnAccount(page);
  await page.goto("/dashboard/settings/alerts");
  await until(page, ["n"], () =>
    expect(page.getByRole("dialog", { name: "New monitor" })).toBeVisible({ timeout: 2_000 }),
  );
  await page.goto("/dashboard/links");
  await until(page, ["n"], () => expect(page).toHaveURL(/\/links\/new$/, { timeout: 2_000 }));
});

test("a letter without g before it goes nowhere, in the first second of a page either", async ({ page }) => {
  await enterOwnAccount(page);
  const shortcuts = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await until(page, ["?"], () => expect(shortcuts).toBeVisible({ timeout: 2_000 }));
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
  const single = shortcuts.getByLabel("Keys alone do something");
  await until(page, ["?"], () => expect(shortcuts).toBeVisible({ timeout: 2_000 }));
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
  await until(page, ["g", "p"], () => expect(page).toHaveURL(/\/dashboard\/payments$/, { timeout: 2_000 }));
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
  await until(page, ["g", "a"], () => expect(other).toBeVisible({ timeout: 2_000 }));
  await page.keyboard.press("Escape");
  await expect(other).toBeHidden();
});
