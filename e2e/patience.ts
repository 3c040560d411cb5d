import { expect, type Locator, type Page } from "@playwright/test";

/** The page may still be waking up when a key is pressed: people press again, but no letter into what has come by then. */
export function pressUntil(page: Page, keys: readonly string[], came: () => Promise<void>): Promise<void> {
  let isAgain = false;
  return expect(async () => {
    const isWriting = isAgain && (await page.locator("input:not([type=checkbox]):focus, textarea:focus").count()) > 0;
    isAgain = true;
    for (const key of keys) if (!(isWriting && key.length === 1)) await page.keyboard.press(key);
    await came();
  }).toPass();
}

/** The same of a button that opens something, and would close it again. */
export const open = (button: Locator, opened: Locator): Promise<void> =>
  expect(async () => {
    if (!(await opened.isVisible())) await button.press("Enter");
    await expect(opened).toBeVisible({ timeout: 2_000 });
  }).toPass();

/** Opens and chooses again where the menu closed under the key, until what was chosen is there. */
export const choose = (button: Locator, item: Locator, chosen: Locator): Promise<void> =>
  expect(async () => {
    if ((await chosen.count()) > 0) return;
    if (!(await item.isVisible())) await button.press("Enter", { timeout: 2_000 });
    await item.press("Enter", { timeout: 2_000 });
    await expect(chosen).toBeAttached({ timeout: 5_000 });
  }).toPass();
