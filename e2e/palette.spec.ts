import { expect, type Page, test } from "@playwright/test";
import { acceptInvitation, anAccount, aPerson } from "@/e2e/accounts";

test.use({ locale: "pt-BR", viewport: { width: 1360, height: 860 }, reducedMotion: "reduce" });

/** What was typed in the search box and taken with Enter. */
async function choose(page: Page, typed: string, name: string): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill(typed);
  await expect(page.getByRole("option", { name, exact: true })).toBeVisible();
  await page.getByRole("option", { name, exact: true }).hover();
  await page.keyboard.press("Enter");
}

test("appearance and language open from the search box, and whoever wants to leave signs out there", async ({
  page,
}) => {
  const owner = aPerson("Lia Prado");
  await acceptInvitation(page, (await anAccount(owner)).invitation, owner);
  await page.goto("/dashboard/links");
  await page.waitForLoadState("networkidle");
  await choose(page, "tema", "Aparência");
  await expect(page.getByRole("menuitemradio", { name: "Escura" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Aparência" })).toBeFocused();
  await choose(page, "idioma", "Idioma");
  await page.getByRole("menuitemradio", { name: "English" }).press("Enter");
  await expect(page.locator("html[lang=en]")).toBeAttached();
  await choose(page, "sign out", "Sign out");
  await expect(page).toHaveURL(/\/sign-in/);
});
