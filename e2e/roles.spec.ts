import { randomUUID } from "node:crypto";
import { expect, type Page, test } from "@playwright/test";
import { acceptInvitation, anAccount, aPerson, linkTo, type OwnAccount } from "@/e2e/accounts";
import { expectAccessible, expectGoodDialog } from "@/e2e/axe";

const ROLES = "/dashboard/settings/team/roles";

test.use({ locale: "en-US" });

/** Calls of the journey's own account. */
function callsOf({ clientId, apiKey }: OwnAccount, page: Page) {
  return async (path: string, data: unknown): Promise<{ id: string }> => {
    const headers = { "x-client-id": clientId, "x-api-key": apiKey, "x-idempotency-key": randomUUID() };
    const answer = await page.request.post(path, { data, headers });
    expect(answer.ok(), await answer.text()).toBe(true);
    return answer.json();
  };
}
type Call = ReturnType<typeof callsOf>;

const shopOf = async (call: Call, name: string): Promise<string> => {
  const providers = [{ name: "SANDBOX", priority: 1, credentials: { type: "SANDBOX" } }];
  return (await call("/v1/merchants", { name, mcc: "5411", providers })).id;
};

const CARD = {
  cardHolderName: "Ana Souza",
  cardNumber: "4111220000000002",
  cardExpirationDate: "12/2031",
  cardCvv: "120",
};

const pay = (call: Call, merchantId: string, amount: number) =>
  call("/v1/charges", {
    merchantId,
    amount,
    capture: true,
    paymentMethod: { paymentType: "credit" },
    paymentSource: { sourceType: "card", card: CARD },
  });

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
  await expect(page.getByRole("heading", { name: "No custom roles yet" })).toBeVisible();
  await page.getByRole("link", { name: "New role" }).first().click();
  await page.getByRole("link", { name: "Copy of Support" }).click();
  await page.getByLabel("Role name").fill("Cashier");
  await page.getByLabel("Refund", { exact: true }).uncheck();
  await page.getByLabel("Manage API keys").check();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Create role" }).click();
  await expect(page.getByText("Role saved.")).toBeVisible();
  await expect(page.getByText("added: Manage API keys")).toBeVisible();
  await expect(page.getByText("removed: Refund")).toBeVisible();
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
  await expect(page.getByText(`Assigned to ${cashier.name}`)).toBeVisible();
  await page.getByRole("link", { name: "Delete Cashier" }).click();
  await expectGoodDialog(page, "settings/team/roles?delete");
  await page.getByRole("button", { name: "Delete role" }).click();
  await expect(page.getByRole("dialog").getByRole("alert")).toContainText(cashier.name);
  await page.goto(ROLES);
  await page.getByRole("link", { name: "Change Cashier" }).click();
  await expectGoodDialog(page, "settings/team/roles?change");
  await page.getByLabel("Manage API keys").uncheck();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Role saved.")).toBeVisible();
  await expect(page.getByText("added: Manage API keys")).toHaveCount(0);
  const after = await theirs.request.get("/dashboard/payments", { maxRedirects: 0 });
  expect(after.headers().location ?? (await after.text())).toContain("/sign-in");
  await other.close();
});

test("a member of one merchant: the other's payments, links and figures are as if they did not exist", async ({
  page,
  browser,
}) => {
  test.slow();
  const owner = aPerson("Caio Lima");
  const clerk = aPerson("Davi Melo");
  const account = await anAccount(owner);
  await acceptInvitation(page, account.invitation, owner);
  const call = callsOf(account, page);
  const [north, south] = [await shopOf(call, "Loja Norte"), await shopOf(call, "Loja Sul")];
  const [seen, hidden] = [await pay(call, north, 12_345), await pay(call, south, 67_890)];
  await page.goto("/dashboard/settings/team?do=invite");
  await page.getByLabel("E-mail").fill(clerk.email);
  await page.getByLabel("Role").selectOption("operations");
  await page.getByLabel("Merchants", { exact: true }).selectOption("Only the ones selected below");
  await page.getByRole("button", { name: "Send invitation" }).click();
  await expect(page.getByText("Select at least one merchant.")).toBeVisible();
  await page.getByLabel("Loja Norte").check();
  await page.getByRole("button", { name: "Send invitation" }).click();
  await expect(page.getByText("Invitation sent.")).toBeVisible();

  const other = await browser.newContext({ locale: "en-US" });
  const theirs = await other.newPage();
  await acceptInvitation(theirs, await linkTo(theirs, clerk.email, "join"), clerk);
  await expect(theirs.getByRole("link", { name: "Audit log", exact: true })).toHaveCount(0);
  await expect(theirs.getByRole("link", { name: "Webhooks", exact: true })).toHaveCount(0);
  await theirs.goto("/dashboard/payments");
  await expect(theirs.getByText("R$123.45").first()).toBeVisible();
  await expect(theirs.getByText("R$678.90")).toHaveCount(0);
  expect((await theirs.request.get(`/dashboard/payments/${hidden.id}`)).status()).toBe(404);
  const found = await theirs.request.get(`/dashboard/search?q=${hidden.id}`);
  expect(await found.text()).not.toContain("678");
  await theirs.goto(`/dashboard/payments/${seen.id}?do=refund`);
  await theirs.getByRole("textbox", { name: "Amount" }).fill("23.45");
  await theirs.getByLabel("Reason").fill("Wrong amount");
  await theirs
    .getByRole("dialog")
    .getByRole("button", { name: /^Refund R\$23\.45/ })
    .click();
  await expect(theirs.getByText(/R\$100\.00/).first()).toBeVisible();
  await theirs.goto("/dashboard/merchants");
  await expect(theirs.getByText("Loja Norte").first()).toBeVisible();
  await expect(theirs.getByText("Loja Sul")).toHaveCount(0);
  await other.close();
});
