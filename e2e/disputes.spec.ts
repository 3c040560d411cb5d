import { randomUUID } from "node:crypto";
import { expect, type Page, test } from "@playwright/test";
import { acceptInvitation, anAccount, aPerson, type OwnAccount } from "@/e2e/accounts";
import { expectAccessible } from "@/e2e/axe";
import { pressUntil } from "@/e2e/patience";

const PAGE = "/dashboard/disputes";

async function makes<T>(page: Page, { clientId, apiKey }: OwnAccount, path: string, data: unknown): Promise<T> {
  const answer = await page.request.post(path, {
    data,
    headers: { "x-client-id": clientId, "x-api-key": apiKey, "x-idempotency-key": randomUUID() },
  });
  expect(answer.ok(), await answer.text()).toBe(true);
  // Guarantee: the caller names what the path answers.
  return (await answer.json()) as T;
}

const aMerchant = (page: Page, account: OwnAccount) =>
  makes<{ id: string }>(page, account, "/v1/merchants", {
    name: "Loja Azul",
    mcc: "5411",
    providers: [{ name: "SANDBOX", priority: 1, credentials: { type: "SANDBOX" } }],
  });

/** A paid Pix that its payer's bank took back in part. */
async function aReturnedPix(page: Page, account: OwnAccount): Promise<void> {
  const merchant = await aMerchant(page, account);
  const { id } = await makes<{ id: string }>(page, account, "/v1/charges", {
    merchantId: merchant.id,
    amount: 8_000,
    paymentMethod: { paymentType: "pix", expiresIn: 3_600 },
    paymentSource: {
      sourceType: "customer",
      customer: {
        name: "Ana Souza",
        email: "ana@example.com",
        phoneNumber: "+5511999990000",
        document: { type: "cpf", number: "52998224725" },
      },
    },
  });
  await makes(page, account, `/v1/sandbox/pix/${id}/pay`, {});
  await makes(page, account, `/v1/sandbox/pix/${id}/med`, { amount: 3_000 });
}

/** A payment of the account that its card holder's bank took back. */
async function aChargeback(page: Page, account: OwnAccount): Promise<void> {
  const merchant = await aMerchant(page, account);
  const charge = await makes<{ id: string }>(page, account, "/v1/charges", {
    merchantId: merchant.id,
    amount: 12_990,
    capture: true,
    paymentMethod: { paymentType: "credit" },
    paymentSource: {
      sourceType: "card",
      card: {
        cardHolderName: "Ana Souza",
        cardNumber: "4111220000000002",
        cardExpirationDate: "12/2031",
        cardCvv: "120",
      },
    },
  });
  await makes(page, account, `/v1/sandbox/charges/${charge.id}/chargeback`, {
    amount: 9_990,
    reason: "product_not_received",
  });
}

test.use({ locale: "en-US", viewport: { width: 1360, height: 860 } });

test("a new chargeback is on home, is opened, noted and called handled, and then waits for nobody", async ({
  page,
}) => {
  const owner = aPerson("Ana Prado");
  const account = await anAccount(owner);
  await acceptInvitation(page, account.invitation, owner);
  await page.goto(PAGE);
  await expect(page.getByRole("heading", { name: "No disputes" })).toBeVisible();
  await expectAccessible(page);
  await aChargeback(page, account);
  await page.goto("/dashboard");
  await page.getByRole("link", { name: /1 unhandled dispute/ }).click();
  await expect(page.getByText("1 of 1 payment (100%)")).toBeVisible();
  await expectAccessible(page);
  await page.locator("a[data-row]:visible").click();
  await expect(page.getByRole("heading", { name: "Dispute of R$99.90" })).toBeVisible();
  await expect(page.getByText("Product or service not received")).toBeVisible();
  await page.getByRole("link", { name: "Add a note" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toBeVisible();
  await expectAccessible(page);
  await dialog.getByLabel("Note").fill("The parcel was signed for.");
  await dialog.getByRole("button", { name: "Save note" }).click();
  await expect(page.getByText("Note saved.")).toBeVisible();
  await expect(page.getByText("The parcel was signed for.")).toBeVisible();
  await expect(page.getByText("Not handled yet")).toBeVisible();
  await page.getByRole("button", { name: "Mark as handled" }).click();
  await expect(page.getByText("Marked as handled. It no longer waits for anyone.")).toBeVisible();
  await page.getByRole("link", { name: "Open payment" }).click();
  await expect(page).toHaveURL(/\/dashboard\/payments\//);
  await page.goto("/dashboard");
  await expect(page.getByText("Nothing needs your attention right now.")).toBeVisible();
  await pressUntil(page, ["g", "i"], () => expect(page).toHaveURL(new RegExp(`${PAGE}$`), { timeout: 2_000 }));
});

test("a Pix that the payer's bank took back stands among the disputes, as what it is", async ({ page }) => {
  const owner = aPerson("Rui Prado");
  const account = await anAccount(owner);
  await acceptInvitation(page, account.invitation, owner);
  await aReturnedPix(page, account);
  await page.goto("/dashboard");
  await page.getByRole("link", { name: /1 unhandled dispute/ }).click();
  await page.getByRole("link", { name: "Pix returned: 1 (R$30.00)" }).click();
  await expect(page.locator("a[data-row]:visible")).toHaveCount(1);
  await page.locator("a[data-row]:visible").click();
  await expect(page.getByText(/^The payer’s bank took R\$30\.00 of this Pix back/)).toBeVisible();
  await expect(page.getByText("Not told by the provider")).toBeVisible();
  await expectAccessible(page);
});
