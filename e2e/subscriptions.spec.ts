import { randomUUID } from "node:crypto";
import { expect, type Page, test } from "@playwright/test";
import { acceptInvitation, anAccount, aPerson, type OwnAccount } from "@/e2e/accounts";
import { expectAccessible, expectNoSidewaysScroll, expectReadable } from "@/e2e/axe";
import { watch } from "@/e2e/shop";
import { sandboxPan } from "@/lib/reference/sandbox-pans";

const LIST = "/dashboard/subscriptions";
const PHONE = { width: 375, height: 780 };

test.use({ locale: "en-US", viewport: { width: 1360, height: 860 } });

interface Shop {
  account: OwnAccount;
  merchantId: string;
  customerId: string;
  cardId: string;
  email: string;
  api<T = { id: string }>(path: string, data: object): Promise<T>;
}

/** A shop of the test's own, with a customer who has a card. */
async function openShop(page: Page, owner: ReturnType<typeof aPerson>): Promise<Shop> {
  const account = await anAccount(owner);
  const api = async <T = { id: string }>(path: string, data: object): Promise<T> => {
    const headers = { "x-client-id": account.clientId, "x-api-key": account.apiKey, "x-idempotency-key": randomUUID() };
    const answer = await page.request.post(path, { data, headers });
    const text = await answer.text();
    expect(answer.ok(), `${path} ${text}`).toBe(true);
    // Guarantee: the caller asserts what it reads.
    return (text ? JSON.parse(text) : {}) as T;
  };
  const provider = { name: "SANDBOX", priority: 1, credentials: { type: "SANDBOX" } };
  const merchant = await api("/v1/merchants", { name: "Academia Azul", mcc: "7997", providers: [provider] });
  const email = `ana.${randomUUID().slice(0, 8)}@cliente.example`;
  const customer = await api("/v1/customers", {
    name: "Ana Souza",
    email,
    phoneNumber: "+5511999990000",
    document: { type: "cpf", number: "52998224725" },
  });
  const { tokenId } = await api<{ tokenId: string }>("/v1/tokens", {
    cardHolderName: "Ana Souza",
    cardNumber: sandboxPan("approve", "visa"),
    cardCvv: "120",
    cardExpirationDate: "12/2039",
  });
  const card = await api("/v1/cards", { tokenId });
  await api(`/v1/customers/${customer.id}/cards`, { cardId: card.id });
  return { account, merchantId: merchant.id, customerId: customer.id, cardId: card.id, email, api };
}

test("an operator creates a subscription, and edits it, told before what will happen", async ({ page }) => {
  const owner = aPerson("Lia Prado");
  const shop = await openShop(page, owner);
  await acceptInvitation(page, shop.account.invitation, owner);
  await page.goto(LIST);
  await page.getByRole("link", { name: "New subscription" }).click();
  await expect(page.getByText("Choose the customer who pays it.")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Ana Souza" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Plano Ouro");
  await page.getByLabel("Amount of each charge").fill("none");
  await page.getByRole("button", { name: "Review" }).click();
  await expect(
    page.getByText("Enter the amount with two digits after the point, such as 40.00 or 1,234.00."),
  ).toBeVisible();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Plano Ouro");
  await page.getByLabel("Amount of each charge").fill("49.90");
  await page.getByLabel("Number of charges").fill("12");
  // Each way to pay has its own fields.
  const method = page.getByLabel("Payment method");
  const [installments, retry] = [page.getByLabel("Installments"), page.getByLabel("If it isn’t paid on the day")];
  await method.selectOption({ label: "Pix Automático: authorize by code" });
  await expect(installments).toBeHidden();
  await expect(retry).toBeVisible();
  await method.selectOption({ index: 0 });
  await expect(retry).toBeHidden();
  await expect(installments).toBeVisible();
  await page.getByRole("button", { name: "Review" }).click();
  const plan = page.getByRole("status", { name: "What will happen" });
  await expect(plan).toContainText("R$49.90 is charged to the card now.");
  await expect(plan).toContainText("It ends after 12 charges.");
  await expectAccessible(page);
  // Another form is told of anew before anything is done.
  await page.getByLabel("Number of charges").fill("6");
  await page.getByRole("button", { name: "Create subscription" }).click();
  await expect(plan).toContainText("It ends after 6 charges.");
  await page.setViewportSize(PHONE);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectReadable(page);
  await expectNoSidewaysScroll(page);
  await page.getByRole("button", { name: "Create subscription" }).dblclick();
  await expect(page.getByText("Subscription created.")).toBeVisible();
  await expect(page.getByText("1 of 6")).toBeVisible();
  await expect(page).toHaveTitle(/^Plano Ouro, Ana Souza · Subscriptions/);
  await page.getByRole("link", { name: "Edit", exact: true }).click();
  await page.getByLabel("Amount of each charge").fill("59.90");
  await page.getByRole("button", { name: "Review" }).click();
  await expect(plan).toContainText("R$59.90 is charged instead of R$49.90.");
  await expectReadable(page);
  await expectNoSidewaysScroll(page);
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("Changes saved.")).toBeVisible();
  await expect(page.getByText("R$59.90 a month").first()).toBeVisible();
  await page.goto(LIST);
  await expect(page.getByRole("link", { name: /Plano Ouro/ }).and(page.locator(":visible"))).toHaveCount(1);
});

test("a buyer whose card was declined pays with another one from the link in the e-mail", async ({ page }) => {
  const shop = await openShop(page, aPerson("Rui Prado"));
  const target = { cardId: shop.cardId };
  await shop.api("/v1/sandbox/scenarios", { target, scenario: "outcome=106" });
  await shop.api("/v1/subscriptions", {
    name: "Plano Ouro",
    merchantId: shop.merchantId,
    customerId: shop.customerId,
    items: [{ name: "Ouro", amount: 4_990, quantity: 1 }],
    recurrence: { interval: "monthly" },
    paymentMethod: { type: "credit", card: target },
  });
  const path = await linkTo(page, shop.email);
  const seen = watch(page);
  await page.setViewportSize(PHONE);
  await page.goto(path);
  await expect(page.getByRole("heading", { name: /Plano Ouro/ })).toBeVisible();
  await expect(page.getByText("The last payment was declined.")).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  const form = page.locator("form[data-form=card]");
  await form.locator("[name=cardNumber]").fill(sandboxPan("approve", "mastercard"));
  await form.locator("[name=cardHolderName]").fill("ANA SOUZA");
  await form.locator("[name=cardExpiration]").fill("12/39");
  await form.locator("[name=cardCvv]").fill("120");
  const document = form.locator("[name=document]");
  if (await document.count()) await document.fill("529.982.247-25");
  await form.getByRole("button", { name: "Save card and pay R$49.90" }).click();
  await expect(page.getByText("Payment approved.")).toBeVisible({ timeout: 20_000 });
  await expect(page.getByText("The next charge is on")).toBeVisible();
  await page.emulateMedia({ colorScheme: "dark" });
  await expectReadable(page);
  expect(seen).toEqual([]);
});

/** The path of the page in the newest e-mail to somebody, once the worker has written it. */
async function linkTo(page: Page, email: string): Promise<string> {
  let path = "";
  await expect(async () => {
    const list = await (await page.request.get("/dev/mail")).text();
    const rows = list.split("<tr").filter((row) => row.includes(email));
    const mails = rows.flatMap((row) => /\/dev\/mail\/[0-9a-f-]{36}/.exec(row)?.[0] ?? []);
    for (const mail of mails) {
      const text = await (await page.request.get(mail)).text();
      path = /\/pay\/s\/[0-9a-f-]{36}\?t=[\w.%=-]+/.exec(text)?.[0] ?? path;
    }
    expect(path).not.toBe("");
  }).toPass();
  return path;
}
