import { randomUUID } from "node:crypto";
import { expect, type Page, test } from "@playwright/test";
import { acceptInvitation, anAccount, aPerson, type OwnAccount } from "@/e2e/accounts";
import { expectAccessible } from "@/e2e/axe";

const LIST = "/dashboard/links";

test.use({ locale: "en-US", viewport: { width: 1440, height: 900 } });

async function api<T>(page: Page, account: OwnAccount, path: string, data: unknown): Promise<T> {
  const answer = await page.request.post(path, {
    data,
    headers: { "x-client-id": account.clientId, "x-api-key": account.apiKey, "x-idempotency-key": randomUUID() },
  });
  expect(answer.ok(), await answer.text()).toBe(true);
  return answer.json();
}

async function openLink(page: Page, account: OwnAccount): Promise<{ id: string; paymentLink: string }> {
  const { id: merchantId } = await api<{ id: string }>(page, account, "/v1/merchants", {
    name: "Loja Azul",
    mcc: "5411",
    providers: [{ name: "SANDBOX", priority: 1, credentials: { type: "SANDBOX" } }],
  });
  return api(page, account, "/v1/sessions", {
    merchantId,
    name: "Sinal da encomenda",
    createLink: true,
    items: [{ name: "Sinal", unitPrice: 15_000, quantity: 1 }],
    paymentMethods: [
      { paymentType: "credit", installments: 3 },
      { paymentType: "pix", expiresIn: 3_600 },
    ],
  });
}

test("the list tells how many who opened a link paid, and that its cards are closed", async ({ page, context }) => {
  const owner = aPerson("Lia Prado");
  const account = await anAccount(owner);
  await acceptInvitation(page, account.invitation, owner);
  const { id, paymentLink } = await openLink(page, account);
  const buyer = await context.newPage();
  await buyer.goto(paymentLink);
  await expect(buyer.getByText("Loja Azul").first()).toBeVisible();
  await buyer.close();

  await page.goto(LIST);
  const row = page.getByRole("table").getByRole("row").filter({ hasText: "Sinal da encomenda" });
  await expect(row).toContainText("0%");
  await expect(row).not.toContainText("Cards closed");

  await row.getByRole("link").click();
  await expect(page).toHaveURL(new RegExp(`/links/${id}$`));
  await page.getByRole("link", { name: "Close cards", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Reason").fill("A list of stolen cards is about");
  await dialog.getByRole("button", { name: "Close cards" }).click();
  await expect(page.getByText("A list of stolen cards is about").first()).toBeVisible();
  await expect(page.getByText("Closed by Lia Prado.")).toBeVisible();
  await expect(page.getByText("Cards closed by Lia Prado")).toBeVisible();
  await page.goto(LIST);
  await expect(row).toContainText("Cards closed");
  await expectAccessible(page);
});

test("what was chosen for a new link outlives two refusals, and the link offers it", async ({ page }) => {
  const owner = aPerson("Rui Costa");
  const account = await anAccount(owner);
  await acceptInvitation(page, account.invitation, owner);
  await openLink(page, account);
  await page.goto(`${LIST}/new`);
  await page.getByLabel("What is being paid").fill("Mesa de jantar");
  await page.getByLabel("Amount").fill("900.00");
  const [times, due] = [page.getByLabel("Card installments"), page.getByLabel("Due date", { exact: true })];
  const [pix, boleto] = [page.getByLabel("Pix", { exact: true }), page.getByLabel("Boleto (needs a due date)")];
  await times.selectOption("3");
  await pix.uncheck();
  await boleto.check();
  const refused = async () => {
    await page.getByRole("button", { name: "Create link" }).click();
    await expect(due).toHaveAccessibleDescription(/Choose tomorrow or a later day/);
    await expect(times).toHaveValue("3");
    await expect(pix).not.toBeChecked();
    await expect(boleto).toBeChecked();
  };
  await refused();
  await due.fill("2020-01-31");
  await refused();
  await due.fill(new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10));
  await page.getByRole("button", { name: "Create link" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Mesa de jantar" })).toBeVisible();
  await expect(page.getByText("Up to 3 times", { exact: true })).toBeVisible();
});
