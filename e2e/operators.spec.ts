import { expect, type Page, test } from "@playwright/test";
import { acceptInvitation, anAccount, aPerson, type Call, callsOf, linkTo, shopOf } from "@/e2e/accounts";
import { expectAccessible } from "@/e2e/axe";

const VISA = "4111220000000002";

const card = { cardHolderName: "Ana Souza", cardNumber: VISA, cardExpirationDate: "12/2031", cardCvv: "120" };

const pay = (call: Call, merchantId: string, amount: number, scenario?: string) =>
  call<{ id: string }>(
    "POST",
    "/v1/charges",
    {
      merchantId,
      amount,
      capture: true,
      paymentMethod: { paymentType: "credit" },
      paymentSource: { sourceType: "card", card },
    },
    scenario,
  );

async function invite(page: Page, role: string, theirs: Page): Promise<string> {
  const person = aPerson("Bia Reis");
  await page.goto("/dashboard/settings/team?do=invite");
  await page.getByLabel("E-mail").fill(person.email);
  await page.getByLabel("Role").selectOption(role);
  await page.getByRole("button", { name: "Send invitation" }).click();
  await expect(page.getByText("Invitation sent.")).toBeVisible();
  await acceptInvitation(theirs, await linkTo(theirs, person.email, "join"), person);
  return person.name;
}

test.use({ locale: "en-US", viewport: { width: 1360, height: 860 } });

test("an outage is seen on home while it is open, names the provider and leads to its payments", async ({ page }) => {
  test.slow();
  const owner = aPerson("Ana Prado");
  const account = await anAccount(owner);
  await acceptInvitation(page, account.invitation, owner);
  const call = callsOf(account, page);
  const merchantId = await shopOf(call);
  for (let paid = 0; paid < 3; paid++) await pay(call, merchantId, 5_000);
  await page.goto("/dashboard");
  await expect(page.getByRole("row", { name: /^Sandbox/ })).toContainText("Healthy");
  for (let lost = 0; lost < 4; lost++) await pay(call, merchantId, 7_000, "fault=drop_request;times=0");
  const alert = page.getByText(/^Sandbox is not responding/);
  await expect(alert).toBeVisible({ timeout: 60_000 });
  await expectAccessible(page);
  await page.getByRole("link", { name: "Payments through Sandbox" }).click();
  await expect(page).toHaveURL(/provider=SANDBOX/);
  await expect(page.locator("a[data-row]:visible")).toHaveCount(7);
});

test("a review above the limit is proposed by one person, confirmed by another, and the log names both", async ({
  page,
  browser,
}) => {
  test.slow();
  const owner = aPerson("Ana Prado");
  const account = await anAccount(owner);
  await acceptInvitation(page, account.invitation, owner);
  const other = await browser.newContext({ locale: "en-US" });
  const theirs = await other.newPage();
  await invite(page, "operations", theirs);
  const call = callsOf(account, page);
  const merchantId = await shopOf(call);
  const slot = async (amount: number) => ({
    amount,
    paymentMethod: { paymentType: "credit" },
    paymentSource: {
      sourceType: "token",
      tokenId: (await call<{ tokenId: string }>("POST", "/v1/tokens", card)).tokenId,
    },
  });
  const { id } = await call<{ id: string }>(
    "POST",
    "/v1/purchases",
    {
      merchantId,
      amount: 200_000,
      capture: true,
      orderId: "PED-77",
      payments: [await slot(150_000), await slot(50_000)],
    },
    "outcome=pending_forever;slot=1",
  );
  const stateOf = async () => {
    const { payments } = await call<{ payments: { status: string }[] }>("GET", `/v1/purchases/${id}`);
    return payments.map(({ status }) => status);
  };
  await expect.poll(stateOf).toEqual(["pre_authorized", "undetermined"]);
  await call("POST", "/v1/sandbox/clock", { advance: "P1D" });

  await page.goto("/dashboard/reviews");
  await expect(page.getByRole("row").filter({ hasText: "Multi-card purchase" })).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole("row").filter({ hasText: "Order PED-77" })).toHaveCount(1);
  // What was asked again by itself is one operation that was begun once.
  await page.goto(`/dashboard/payments/${id}`);
  await expect(page.getByText("Purchase in review")).toBeVisible();
  await expect(page.getByText("Operation started: authorization")).toHaveCount(1);
  await page.goto(`/dashboard/payments/${id}?rows=1`);
  await expect.poll(() => page.getByText("Operation started: authorization").count()).toBeGreaterThan(5);
  await page.goto("/dashboard/reviews");
  // The card whose outcome nobody knows is the same matter, not one more.
  await page.getByRole("button", { name: "Take", exact: true }).click();
  await expect(page.getByRole("cell", { name: "you", exact: true })).toBeVisible();
  await theirs.goto("/dashboard/reviews");
  const waiting = theirs.getByRole("row").filter({ hasText: "Multi-card purchase" });
  await expect(waiting).toContainText("Ana Prado");
  await expectAccessible(theirs);
  await page.getByRole("button", { name: "Return to queue", exact: true }).click();
  await expect(waiting).toContainText("nobody", { timeout: 30_000 });
  await page.getByRole("link", { name: /Multi-card purchase/ }).click();
  await page.getByLabel("What the provider shows").last().selectOption("absent");
  await page.getByRole("button", { name: "See the outcomes" }).click();
  await expect(page.getByText(/^Card 2: SANDBOX has not confirmed the authorization of R\$500\.00/)).toBeVisible();
  await expect(page.getByText("The authorization is voided: the buyer is not charged.")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Propose to cancel the sale of R$2,000.00" }).click();
  await expect(page.getByText(/^Proposal recorded/)).toBeVisible();
  await page.goto(`/dashboard/reviews/${id}`);
  await page.getByRole("link", { name: "See the proposal" }).click();
  await expect(page.getByText(/^You proposed exactly this/)).toBeVisible();
  await expect(page.getByRole("button", { name: /the sale of/ })).toHaveCount(0);

  await theirs.goto(`/dashboard/reviews/${id}`);
  await expect(theirs.getByText(/^Ana Prado proposed an outcome/)).toBeVisible();
  await theirs.getByRole("link", { name: "See the proposal" }).click();
  await theirs.getByRole("button", { name: "Cancel the sale of R$2,000.00" }).click();
  await expect(theirs.getByText("Review resolved.")).toBeFocused();
  await expect.poll(stateOf).toEqual(["voided", "failed"]);
  await page.goto("/dashboard/audit");
  await page.getByRole("link", { name: "Review resolved" }).click();
  await expect(page.getByText("Second person")).toBeVisible();
  await expect(page.getByRole("definition").filter({ hasText: "Ana Prado" })).toBeVisible();
  await page.goto(`/dashboard/payments/${id}`);
  await expect(page.getByText("Bia Reis, approving Ana Prado’s request")).toBeVisible();

  const big = await pay(call, merchantId, 1_500_000);
  await page.goto(`/dashboard/payments/${big.id}?do=refund`);
  await expect(page.getByText(/^Refunds above R\$10,000\.00 need two people/)).toBeVisible();
  await page.getByLabel("Reason").fill("Duplicate payment");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Ask for approval of R$15,000.00" }).click();
  await expect(page.getByText(/^You asked to refund R\$15,000\.00/)).toBeVisible();
  await page.goto(`/dashboard/payments/${big.id}?do=refund`);
  await expect(page.getByText(/^You already requested R\$15,000\.00, which is waiting/)).toBeVisible();
  await page.goto(`/dashboard/payments/${big.id}`);
  await page.getByRole("button", { name: "Withdraw the request" }).click();
  await expect(page.getByText("Request withdrawn: nothing will be done.")).toBeVisible();
  await expect(page.locator("[data-outcome]")).toBeFocused();
  await expect(page.getByRole("button", { name: "Withdraw the request" })).toHaveCount(0);
  await page.goto(`/dashboard/payments/${big.id}?do=refund`);
  await page.getByRole("textbox", { name: "Amount" }).fill("12000");
  await page.getByLabel("Reason").fill("Duplicate payment");
  await page.getByRole("button", { name: "Ask for approval of R$12,000.00" }).click();
  await expect(page.getByText(/^You asked to refund R\$12,000\.00/)).toBeVisible();
  await theirs.goto("/dashboard/notices");
  await theirs
    .getByRole("link", { name: /A refund of R\$12,000\.00/ })
    .first()
    .click();
  await theirs.getByRole("link", { name: "Review and approve" }).click();
  const approval = theirs.getByRole("dialog", { name: "Approve a refund" });
  await expect(approval).toContainText("Ana Prado");
  await expect(approval).toContainText("Duplicate payment");
  await expect(approval.getByLabel("Amount")).toHaveCount(0);
  await expectAccessible(theirs);
  await approval.getByRole("button", { name: "Refund R$12,000.00" }).click();
  await expect(theirs.getByText("R$12,000.00 refunded; R$3,000.00 remaining.")).toBeVisible();
  await expect(theirs.locator("[data-outcome]")).toHaveText("R$12,000.00 refunded to the buyer.");
  await expect(theirs.locator("[data-outcome]")).toBeFocused();

  const order = { merchantId, amount: 1_200_000, capture: true, payments: [await slot(900_000), await slot(300_000)] };
  const large = await call<{ id: string }>("POST", "/v1/purchases", order);
  const statusOf = async () => (await call<{ status: string }>("GET", `/v1/purchases/${large.id}`)).status;
  await expect.poll(statusOf).toBe("paid");
  await page.goto(`/dashboard/payments/${large.id}?do=refund`);
  await expect(page.getByText(/^Refunding R\$12,000\.00 at once needs two people/)).toBeVisible();
  await page
    .getByRole("dialog")
    .getByRole("link", { name: /^Card 1, .* R\$9,000\.00$/ })
    .click();
  await expect(page.getByRole("button", { name: "Refund R$9,000.00" })).toBeVisible();
  await other.close();
});

test("a viewer finds no action, and a direct address or form changes nothing", async ({ page, browser }) => {
  test.slow();
  const owner = aPerson("Ana Prado");
  const account = await anAccount(owner);
  await acceptInvitation(page, account.invitation, owner);
  const call = callsOf(account, page);
  const { id } = await pay(call, await shopOf(call), 9_900);
  await page.goto(`/dashboard/payments/${id}?do=refund`);
  // The very fields that the owner's form would send.
  const fields = await page
    .locator("dialog form input")
    .evaluateAll((inputs) =>
      inputs.map((input) => [input.getAttribute("name") ?? "", input.getAttribute("value") ?? ""]),
    );
  const other = await browser.newContext({ locale: "en-US" });
  const theirs = await other.newPage();
  await invite(page, "viewer", theirs);
  await theirs.goto(`/dashboard/payments/${id}?do=refund`);
  await expect(theirs.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(theirs.getByRole("navigation", { name: "Actions" })).toHaveCount(0);
  await expect(theirs.getByRole("dialog")).toHaveCount(0);
  await expect(theirs.getByRole("link", { name: "Settings", exact: true })).toHaveCount(1);
  for (const path of ["settings/team", "developers/keys", "merchants", "settings/brand", "links/new", "audit"])
    expect((await theirs.request.get(`/dashboard/${path}`)).status(), path).toBe(404);
  await theirs.request.post(`/dashboard/payments/${id}?do=refund`, {
    multipart: Object.fromEntries(fields),
    headers: { origin: new URL(theirs.url()).origin },
    maxRedirects: 0,
  });
  expect(await call("GET", `/v1/charges/${id}`)).toMatchObject({ status: "authorized", amount: 9_900 });
  await other.close();
});

test("given back in parts to the very last cent, asked about again, and pressed twice without effect", async ({
  page,
}) => {
  test.slow();
  const owner = aPerson("Ana Prado");
  const account = await anAccount(owner);
  await acceptInvitation(page, account.invitation, owner);
  const call = callsOf(account, page);
  const { id } = await pay(call, await shopOf(call), 10_001);
  await page.goto(`/dashboard/payments/${id}?do=refund`);
  const dialog = page.getByRole("dialog", { name: "Refund the buyer" });
  await dialog.getByLabel("Amount").fill("33.34");
  await dialog.getByLabel("Reason").fill("Order not delivered");
  await dialog.getByRole("button", { name: /^Refund R\$33\.34$/ }).click();
  await expect(page.getByText("R$33.34 refunded; R$66.67 remaining.")).toBeVisible();
  await page.goto(`/dashboard/payments/${id}?do=refund`);
  await expect(dialog.getByLabel("Amount")).toHaveValue("66.67");
  await dialog.getByLabel("Reason").fill("Order not delivered");
  await dialog.getByRole("button", { name: /^Refund R\$66\.67$/ }).dblclick();
  await expect(page.getByText(/^Refunded in full on/)).toBeVisible();
  expect(await call("GET", `/v1/charges/${id}`)).toMatchObject({ status: "voided", refundedAmount: 10_001 });
  await expect(page.getByRole("navigation", { name: "Actions" }).getByRole("link", { name: "Refund" })).toHaveCount(0);
  await page.goto(`/dashboard/payments/${id}?why=refunded`);
  await expect(page.getByRole("dialog").getByRole("table")).toContainText("R$66.67");
});
