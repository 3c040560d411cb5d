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
