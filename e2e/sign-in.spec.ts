import { expect, type Page, test } from "@playwright/test";
import { acceptInvitation, anAccount, aPerson, enter, guessPasswordOf, type Person } from "@/e2e/accounts";
import { expectNoSidewaysScroll } from "@/e2e/axe";

const PHONE = { width: 375, height: 780 };

/** Has an account and a password; this browser has never seen them. */
async function someone(page: Page): Promise<Person> {
  const owner = aPerson("Rita Prado");
  const { invitation } = await anAccount(owner);
  await acceptInvitation(page, invitation, owner);
  await guessPasswordOf(owner);
  return owner;
}

test("a password that others guess still lets its owner in, once the browser has proved its work", async ({
  page,
  browser,
}) => {
  const owner = await someone(page);
  const stranger = await (await browser.newContext({ viewport: PHONE, colorScheme: "dark" })).newPage();
  await enter(stranger, owner);
  await expect(stranger.getByRole("status").filter({ hasText: /\S/ })).toBeVisible();
  await expectNoSidewaysScroll(stranger);
  await expect(stranger).toHaveURL(/\/dashboard/);
  await stranger.context().close();
});

test("a wrong password is told as one, also after the proof, and the form stays", async ({ page, browser }) => {
  const owner = await someone(page);
  const stranger = await (await browser.newContext()).newPage();
  await enter(stranger, { ...owner, password: "not the password" });
  await expect(stranger.getByRole("alert").filter({ hasText: /\S/ })).toBeVisible();
  await expect(stranger.getByLabel("E-mail")).toHaveValue(owner.email);
  await stranger.getByLabel(/^(Senha|Password)$/).fill(owner.password);
  await stranger.getByRole("button", { name: /^(Entrar|Sign in)$/ }).click();
  await expect(stranger).toHaveURL(/\/dashboard/);
  await stranger.context().close();
});

test("a link to a dialog opens it after signing in", async ({ page, browser }) => {
  const owner = aPerson("Rita Prado");
  await acceptInvitation(page, (await anAccount(owner)).invitation, owner);
  const elsewhere = await browser.newContext({ locale: "en-US" });
  const fresh = await elsewhere.newPage();
  await fresh.goto("/dashboard/settings/security?do=password");
  await expect(fresh).toHaveURL(/\/sign-in\?return=/);
  await fresh.getByLabel("E-mail").fill(owner.email);
  await fresh.getByLabel("Password").fill(owner.password);
  await fresh.getByRole("button", { name: "Sign in" }).click();
  await expect(fresh.getByRole("dialog", { name: "Change password" })).toBeVisible();
  await expect(fresh).toHaveURL(/\/dashboard\/settings\/security\?do=password$/);
  await elsewhere.close();
});
