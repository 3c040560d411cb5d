import { expect, test } from "@playwright/test";
import { acceptInvitation, anAccount, aPerson, linkTo, type OwnAccount } from "@/e2e/accounts";
import { expectGoodScreen } from "@/e2e/operator";
import { aSeller } from "@/e2e/seller";
import { nextBankDay, saoPauloDay } from "@/lib/brazil/bank-calendar";

const PAYOUTS = "/dashboard/payouts";
const FINANCE = "/dashboard/finance";
const DESKTOP = { width: 1360, height: 860 };

/** The simulator approves both by their last digits. */
const CARD = {
  cardHolderName: "Ana Souza",
  cardNumber: "4111220000000002",
  cardCvv: "120",
  cardExpirationDate: "12/2039",
};
const DOCUMENT = "87623286030";
const BUYER = {
  name: "Ana Souza",
  email: "ana@cliente.example",
  phoneNumber: "+5511999990000",
  document: { type: "cpf", number: "52998224725" },
};

test.use({ locale: "en-US", viewport: DESKTOP });

/** A call of the API with the account's own key. */
const caller =
  ({ clientId, apiKey }: OwnAccount) =>
  async <T = { id: string }>(method: string, path: string, body?: object): Promise<T> => {
    const answer = await fetch(`http://localhost:${process.env.E2E_PORT}${path}`, {
      method,
      headers: { "x-client-id": clientId, "x-api-key": apiKey, "content-type": "application/json" },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await answer.text();
    expect(answer.ok, `${method} ${path}: ${answer.status} ${text}`).toBe(true);
    // Guarantee: the caller asserts what it reads.
    return JSON.parse(text) as T;
  };

/** A sale by Pix, shared with a seller, that stands in batches, and one in instalments that is still to come. */
async function sold(account: OwnAccount): Promise<void> {
  const call = caller(account);
  const clock = (body: object) => call<{ now: string }>("POST", "/v1/sandbox/clock", body);
  const { id: merchantId } = await call("POST", "/v1/merchants", {
    name: "Loja Um",
    mcc: "5732",
    providers: [{ name: "Acquirer", priority: 1, credentials: { type: "SANDBOX" } }],
  });
  const { id: sellerId } = await call("POST", "/v1/sellers", {
    ...aSeller(merchantId, { name: "Bruno Tavares", cpf: DOCUMENT }),
    transferPolicy: { transferInterval: "daily", transferDay: 0, transferEnabled: true },
  });
  await clock({ advance: "PT10S" });
  const { id: pix } = await call("POST", "/v1/charges", {
    merchantId,
    amount: 10_000,
    paymentMethod: { paymentType: "pix", expiresIn: 3600 },
    paymentSource: { sourceType: "customer", customer: BUYER },
    splitRules: [{ sellerId, percentage: 70 }],
  });
  await call("POST", `/v1/sandbox/pix/${pix}/pay`, {});
  const { tokenId } = await call<{ tokenId: string }>("POST", "/v1/tokens", CARD);
  await call("POST", "/v1/charges", {
    merchantId,
    amount: 30_000,
    capture: true,
    paymentMethod: { paymentType: "credit", installments: 3 },
    paymentSource: { sourceType: "token", tokenId },
  });
  const { now } = await call<{ now: string }>("GET", "/v1/sandbox/clock");
  const cut = nextBankDay(saoPauloDay(new Date(now)));
  // In the middle of a bank day, where it stays: the statements of the day before are in.
  await clock({ to: `${nextBankDay(cut)}T10:00:00-03:00`, freeze: true });
}

test("money: what is to come, a batch that adds up, a prepayment, a reconciled day and its journal", async ({
  page,
}) => {
  test.setTimeout(300_000);
  const owner = aPerson("Rita Lima");
  const account = await anAccount(owner);
  await sold(account);
  await acceptInvitation(page, account.invitation, owner);
  await expect(page.getByText("Next settlement")).toBeVisible();

  await test.step("what is to come, by day", async () => {
    await expectGoodScreen(page, PAYOUTS);
    await page.setViewportSize(DESKTOP);
    await page.getByRole("table").getByRole("link").first().click();
    await expect(page.getByRole("heading", { name: /^Due on/ })).toBeVisible();
  });

  await test.step("a batch adds up, and says where it went", async () => {
    await expectGoodScreen(page, `${PAYOUTS}/batches`);
    await page.setViewportSize(DESKTOP);
    await page.goto(`${PAYOUTS}/batches?whose=sellers`);
    await page
      .getByRole("link", { name: /Bruno Tavares/ })
      .first()
      .click();
    await expect(page.getByRole("row", { name: /^Payout 2/ })).toBeVisible();
    await expect(page.getByText("Confirmed").first()).toBeVisible();
    await expectGoodScreen(page, page.url());
    await expectGoodScreen(page, `${PAYOUTS}/holds`);
  });

  await test.step("receivables are chosen, priced and paid early", async () => {
    await page.setViewportSize(DESKTOP);
    await page.goto(`${PAYOUTS}/prepayments/new`);
    await page.getByRole("link", { name: "Next 60 days" }).click();
    await expect(page).toHaveURL(/until=/);
    await expectGoodScreen(page, page.url());
    await page.setViewportSize(DESKTOP);
    await page.getByRole("button", { name: "Lock in this price" }).click();
    await page.getByRole("link", { name: "Confirm", exact: true }).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /^Prepay/ })
      .click();
    await expect(page.getByText("Confirmed: these receivables are now locked.")).toBeVisible();
    await expectGoodScreen(page, page.url());
    await expectGoodScreen(page, `${PAYOUTS}/prepayments`);
  });

  await test.step("a day is reconciled, and a journal opens its evidence", async () => {
    await expectGoodScreen(page, FINANCE);
    await page.setViewportSize(DESKTOP);
    await expect(page.getByText("1 matched").first()).toBeVisible();
    await page.getByRole("table").getByRole("link").first().click();
    await page.getByRole("link", { name: /^All ?\d/ }).click();
    await expect(page.getByRole("table").getByText("Matched")).toBeVisible();
    await expectGoodScreen(page, page.url());
    await expectGoodScreen(page, `${FINANCE}/breaks`);
    await expectGoodScreen(page, `${FINANCE}/statements?do=upload`);
    await expectGoodScreen(page, `${FINANCE}/credits`);
    await expectGoodScreen(page, `${FINANCE}/ledger`);
    await page.setViewportSize(DESKTOP);
    await page.getByRole("link", { name: "Payouts in transit" }).click();
    await page.getByRole("link", { name: /Bruno Tavares/ }).click();
    await page.getByRole("link", { name: "Payout paid" }).click();
    await expect(page.getByText("Sum: zero")).toBeVisible();
    await expectGoodScreen(page, page.url());
    await page.setViewportSize(DESKTOP);
    await page.getByRole("link", { name: "Open", exact: true }).click();
    await expect(page.getByRole("heading", { name: "How it adds up" })).toBeVisible();
    await expect(page).toHaveTitle(/^Payout of R\$[\d.,]+ on .+ · .+/);
  });
});

test("money: what one person asks for, a second one finds from home and decides on", async ({ page, browser }) => {
  test.setTimeout(300_000);
  const [owner, colleague] = [aPerson("Rita Lima"), aPerson("Bruno Prado")];
  const account = await anAccount(owner);
  await sold(account);
  await acceptInvitation(page, account.invitation, owner);
  await page.goto("/dashboard/settings/team?do=invite");
  await page.getByLabel("E-mail").fill(colleague.email);
  await page.getByLabel("Role").selectOption("finance");
  await page.getByRole("button", { name: "Send invitation" }).click();
  await expect(page.getByText("Invitation sent.")).toBeVisible();
  const theirs = await (await browser.newContext({ locale: "en-US", viewport: DESKTOP })).newPage();
  await acceptInvitation(theirs, await linkTo(theirs, colleague.email, "join"), colleague);

  await page.goto("/dashboard/sellers");
  await page.getByRole("link", { name: /Bruno Tavares/ }).click();
  await page.getByRole("link", { name: "Adjust balance" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Amount in reais").fill("0");
  await dialog.getByLabel("Reason").fill("A late delivery");
  await dialog.getByRole("button", { name: "Request it" }).click();
  await expect(dialog.getByText("Enter an amount above zero.")).toBeVisible();
  await dialog.getByLabel("Amount in reais").fill("12,34");
  await dialog.getByRole("button", { name: "Request it" }).click();
  await expect(page.getByText("Adjustment requested.", { exact: false })).toBeVisible();
  await expect(page.getByRole("button", { name: "Withdraw" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Confirm" })).toBeHidden();

  await theirs.goto("/dashboard");
  await theirs.getByRole("link", { name: /seller adjustment is waiting/ }).click();
  await expect(theirs.getByRole("heading", { name: "Waiting for a second person" })).toBeVisible();
  await theirs.getByRole("link", { name: /Seller adjustment/ }).click();
  await theirs.getByRole("button", { name: "Confirm" }).click();
  await expect(theirs.getByText("Booked. The balance has changed.")).toBeVisible();
  await expect(theirs.getByText("R$12.34").first()).toBeVisible();
  // Nothing waits any more, and the navigation says so at once.
  await expect(
    theirs
      .getByRole("navigation")
      .getByRole("link", { name: /^Sellers/ })
      .first(),
  ).not.toContainText("1");
});
