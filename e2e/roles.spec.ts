import { expect, test } from "@playwright/test";
import { acceptInvitation, anAccount, aPerson, linkTo } from "@/e2e/accounts";
import { expectAccessible } from "@/e2e/operator";

const ROLES = "/dashboard/settings/team/roles";

test.use({ locale: "en-US" });

test("a role of the account's own: copied, shown with its difference, held by somebody, and not deleted while it is", async ({
  page,
  browser,
}) => {
  test.slow();
  const owner = aPerson("Ana Prado");
  const cashier = aPerson("Bia Reis");
  await acceptInvitation(page, (await anAccount(owner)).invitation, owner);
  await page.goto("/dashboard/settings/team");
  await page.getByRole("link", { name: "Roles", exact: true }).click();
  await expect(page.getByRole("heading", { name: "No role of your own yet" })).toBeVisible();
  await page.getByRole("link", { name: "New role" }).first().click();
  await page.getByRole("link", { name: "Copy of Support" }).click();
  await page.getByLabel("Name of the role").fill("Cashier");
  await page.getByLabel("Refund", { exact: true }).uncheck();
  await page.getByLabel("Manage API keys").check();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Create role" }).click();
  await expect(page.getByText("Role saved.")).toBeVisible();
  await expect(page.getByText("added: Manage API keys")).toBeVisible();
  await expect(page.getByText("taken away: Refund")).toBeVisible();
  await expectAccessible(page);

  await page.goto("/dashboard/settings/team?do=invite");
  await page.getByLabel("E-mail").fill(cashier.email);
  await page.getByLabel("Role").selectOption("Cashier");
  await page.getByRole("button", { name: "Send invitation" }).click();
  await expect(page.getByText("Invitation sent.")).toBeVisible();
  const other = await browser.newContext({ locale: "en-US" });
  const theirs = await other.newPage();
  await acceptInvitation(theirs, await linkTo(theirs, cashier.email, "join"), cashier);
  expect((await theirs.request.get("/dashboard/developers/keys")).status()).toBe(200);
  expect((await theirs.request.get("/dashboard/settings/team")).status()).toBe(404);
  expect((await theirs.request.get(ROLES)).status()).toBe(404);

  await page.goto(ROLES);
  await expect(page.getByText(`Held by ${cashier.name}`)).toBeVisible();
  await page.getByRole("link", { name: "Delete Cashier" }).click();
  await page.getByRole("button", { name: "Delete role" }).click();
  await expect(page.getByRole("dialog").getByRole("alert")).toContainText(cashier.name);
  await page.goto(ROLES);
  await page.getByRole("link", { name: "Change Cashier" }).click();
  await page.getByLabel("Manage API keys").uncheck();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("added: Manage API keys")).toHaveCount(0);
  const after = await theirs.request.get("/dashboard/payments", { maxRedirects: 0 });
  expect(after.headers().location ?? (await after.text())).toContain("/sign-in");
  await other.close();
});
