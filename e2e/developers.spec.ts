import { randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, type Page, test } from "@playwright/test";
import { acceptInvitation, anAccount, aPerson, linkTo, type OwnAccount } from "@/e2e/accounts";
import { expectAccessible } from "@/e2e/axe";

const WEBHOOKS = "/dashboard/developers/webhooks";
const VISA = "4111220000000002";
/** Of a delivery on a busy machine. */
const PATIENCE_MS = 30_000;

test.use({ locale: "en-US", viewport: { width: 1360, height: 860 } });

/** A shop of the journey's own, with its owner signed in. */
async function openShop(page: Page): Promise<OwnAccount> {
  const owner = aPerson("Ana Prado");
  const account = await anAccount(owner);
  await acceptInvitation(page, account.invitation, owner);
  return account;
}

function callsOf({ clientId, apiKey }: OwnAccount, page: Page) {
  return (method: "GET" | "POST", path: string, data?: unknown, key: string = randomUUID()) =>
    page.request.fetch(path, {
      method,
      ...(data === undefined ? {} : { data }),
      headers: { "x-client-id": clientId, "x-api-key": apiKey, "x-idempotency-key": key },
    });
}

const aMerchant = () => ({
  name: `Loja ${randomUUID().slice(0, 8)}`,
  mcc: "5411",
  providers: [{ name: "SANDBOX", priority: 1, credentials: { type: "SANDBOX" } }],
});

const aPayment = (merchantId: string, amount = 5_000) => ({
  merchantId,
  amount,
  capture: true,
  paymentMethod: { paymentType: "credit" },
  paymentSource: {
    sourceType: "card",
    card: { cardHolderName: "Ana Souza", cardNumber: VISA, cardExpirationDate: "12/2031", cardCvv: "120" },
  },
});

/** An endpoint on this machine, as a developer has one: says what came. */
async function openReceiver(): Promise<{ url: string; ids: string[]; server: Server }> {
  const ids: string[] = [];
  const server = createServer((request, response) => {
    ids.push(String(request.headers["webhook-id"]));
    request.resume().on("end", () => response.writeHead(200, { "content-type": "text/plain" }).end("thank you"));
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  // Guarantee: a server that listens on TCP has an address of this kind.
  const { port } = server.address() as AddressInfo;
  return { url: `http://localhost:${port}/hook`, ids, server };
}

test.describe("webhooks", () => {
  let receiver: Awaited<ReturnType<typeof openReceiver>>;
  test.beforeEach(async () => {
    receiver = await openReceiver();
  });
  test.afterEach(() => {
    receiver.server.closeAllConnections();
    receiver.server.close();
  });

  async function createEndpoint(page: Page): Promise<void> {
    await page.goto(WEBHOOKS);
    await expect(page.getByText("No webhooks")).toBeVisible();
    await page.getByRole("link", { name: "New webhook" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Endpoint").fill(receiver.url);
    await dialog.getByRole("button", { name: "Create webhook" }).click();
    await expect(page.getByText("Webhook created.")).toBeVisible();
  }

  async function sendSample(page: Page, event: string): Promise<void> {
    await page.goto(`${WEBHOOKS}/events?event=${event}`);
    await page.getByRole("dialog").getByRole("button", { name: "Send", exact: true }).click();
    await expect(page).toHaveURL(/\/webhooks\/deliveries\//);
  }

  test("create an endpoint, send it a sample of the catalogue, see what went and came, verify and resend it", async ({
    page,
  }) => {
    test.slow();
    await openShop(page);
    await createEndpoint(page);
    await page.goto(`${WEBHOOKS}/events`);
    await page.getByText("transaction.authorized", { exact: true }).first().click();
    await expectAccessible(page);
    await page.getByRole("link", { name: "Send a sample" }).and(page.locator(":visible")).click();
    await page.getByRole("dialog").getByRole("button", { name: "Send", exact: true }).click();
    await expect(page).toHaveURL(/\/webhooks\/deliveries\//);
    await expect(async () => {
      await page.reload();
      await expect(page.getByText("Delivered", { exact: true })).toBeVisible({ timeout: 1_000 });
    }).toPass();
    await expect(page.getByText("webhook-signature: v1a,").first()).toBeVisible();
    await expect(page.getByText("thank you")).toBeVisible();
    await page.getByRole("link", { name: "Verify the signature" }).click();
    await expect(page.getByText("Signed with the current key.")).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("link", { name: "Resend", exact: true }).click();
    await expectAccessible(page);
    await page.getByRole("dialog").getByRole("button", { name: "Resend" }).click();
    await expect(page.getByText("1 event is being sent.")).toBeVisible();
    await expect.poll(() => receiver.ids.length, { timeout: PATIENCE_MS }).toBe(2);
    expect(new Set(receiver.ids).size).toBe(1);
  });

  test("resend all that a filter finds, exactly as many as it says, and chosen ones", async ({ page }) => {
    test.slow();
    await openShop(page);
    await createEndpoint(page);
    for (const event of ["transaction.authorized", "transaction.authorized", "card.failed"])
      await sendSample(page, event);
    await expect.poll(() => receiver.ids.length, { timeout: PATIENCE_MS }).toBe(3);
    await page.goto(`${WEBHOOKS}/deliveries?event=transaction.authorized`);
    await expect(page.locator("a[data-row]:visible")).toHaveCount(2);
    await page.getByRole("link", { name: "Resend all results" }).click();
    await expect(page.getByRole("dialog")).toContainText("2 events are sent again");
    await page.getByRole("dialog").getByRole("button", { name: "Resend 2 events" }).click();
    await expect(page.getByText("2 events are being sent.")).toBeVisible();
    await expect.poll(() => receiver.ids.length, { timeout: PATIENCE_MS }).toBe(5);
    await page.goto(`${WEBHOOKS}/deliveries?event=card.failed`);
    await page.locator("input[name=ids]:visible").check();
    await page.getByRole("button", { name: "Resend selected" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Resend 1 event" }).click();
    await expect(page.getByText("1 event is being sent.")).toBeVisible();
    await expect.poll(() => receiver.ids.length, { timeout: PATIENCE_MS }).toBe(6);
    expect(new Set(receiver.ids).size).toBe(3);
  });

  test("turn an endpoint off and on, replay what it missed, rotate its key", async ({ page }) => {
    test.slow();
    const call = callsOf(await openShop(page), page);
    await createEndpoint(page);
    await page.getByRole("link", { name: "Turn off" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Turn off" }).click();
    await expect(page.getByText("Events aren’t queued while it is off; use Replay to send them later.")).toBeVisible();
    const merchant = await (await call("POST", "/v1/merchants", aMerchant())).json();
    expect((await call("POST", "/v1/charges", aPayment(merchant.id))).ok()).toBe(true);
    await page.getByRole("link", { name: "Turn on" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Turn on" }).click();
    await expect(page.getByText("Nothing sent yet")).toBeVisible();
    expect(receiver.ids).toEqual([]);
    await page.getByRole("link", { name: "Replay a period" }).click();
    const year = new Date().getFullYear();
    await page.getByRole("dialog").getByLabel("From").fill(`${year}-01-01T00:00`);
    await page
      .getByRole("dialog")
      .getByLabel("Until")
      .fill(`${year - 1}-01-01T00:00`);
    await page.getByRole("dialog").getByRole("button", { name: "Replay" }).click();
    const until = page.getByRole("dialog").getByLabel("Until");
    await expect(until).toHaveAccessibleDescription("The start must be before the end.");
    await expect(until).toBeFocused();
    await expectAccessible(page);
    const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 16);
    await page.getByRole("dialog").getByLabel("From").fill(day(-2));
    await page.getByRole("dialog").getByLabel("Until").fill(day(2));
    await page.getByRole("dialog").getByRole("button", { name: "Replay" }).click();
    await expect(page.getByText(/^\d+ events? (is|are) being sent\.$/)).toBeVisible();
    await expect.poll(() => receiver.ids.length, { timeout: PATIENCE_MS }).toBeGreaterThan(0);
    const key = page.getByText(/^-----BEGIN PUBLIC KEY-----/);
    const before = await key.textContent();
    await page.getByRole("link", { name: "Rotate the key" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Rotate the key" }).click();
    await expect(page.getByText("Key rotated. The previous one stays valid for 24 hours.")).toBeVisible();
    await expect(key).not.toHaveText(before ?? "");
    await expectAccessible(page);
  });
});

test("a repeated call: found in the log, compared with the first, and its idempotency key tells the story", async ({
  page,
}) => {
  test.slow();
  const call = callsOf(await openShop(page), page);
  const key = `order-${randomUUID()}`;
  const merchant = await (await call("POST", "/v1/merchants", aMerchant())).json();
  expect((await call("POST", "/v1/charges", aPayment(merchant.id), key)).ok()).toBe(true);
  expect((await call("POST", "/v1/charges", aPayment(merchant.id), key)).ok()).toBe(true);
  expect((await call("POST", "/v1/charges", aPayment(merchant.id, 1), key)).ok()).toBe(false);
  await page.goto(`/dashboard/developers/requests?q=${key}`);
  await expect(async () => {
    await page.reload();
    await expect(page.locator("a[data-row]:visible")).toHaveCount(3, { timeout: 1_000 });
  }).toPass();
  await page.locator("a[data-row]:visible").last().click();
  await expect(page.getByRole("link", { name: "Open the payment" })).toBeVisible();
  await page.getByRole("link", { name: "Open the key" }).click();
  for (const kind of ["First request", "Repeat", "Different body"])
    await expect(page.getByRole("link", { name: kind, exact: true })).toBeVisible();
  await expectAccessible(page);
});

test("the sandbox: the clock stands, moves and runs again; a fault nobody knows is refused, another stored and removed", async ({
  page,
}) => {
  test.slow();
  const call = callsOf(await openShop(page), page);
  const merchant = await (await call("POST", "/v1/merchants", aMerchant())).json();
  await page.goto("/dashboard/developers/sandbox");
  await page.getByRole("button", { name: "Freeze" }).click();
  await expect(page.getByText("Stopped: nothing falls due until you move it.")).toBeVisible();
  await page.getByRole("button", { name: "+ 1 day" }).click();
  await expect(page.getByText(/^Clock moved by 1 day: from /)).toBeVisible();
  await page.getByRole("button", { name: "Run in real time" }).click();
  await expect(page.getByText("Runs in real time and only moves forward.")).toBeVisible();
  await page.getByRole("link", { name: "New fault" }).click();
  await expectAccessible(page);
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByLabel("Merchant", { exact: true }).getByRole("option")).toHaveText([merchant.name]);
  await expect(dialog.getByLabel("ID")).toBeHidden();
  await dialog.getByLabel("Applies to").selectOption("card");
  await expect(dialog.getByLabel("Merchant", { exact: true })).toBeHidden();
  await expect(dialog.getByLabel("ID")).toBeVisible();
  await dialog.getByLabel("Applies to").selectOption("merchant");
  await dialog.getByLabel("How many times").fill("5000");
  await dialog.getByRole("button", { name: "Store fault" }).click();
  await expect(dialog.getByText("Enter a number up to 1000, such as 1.")).toBeVisible();
  await dialog.getByLabel("Outcome").selectOption("written");
  await dialog.getByLabel("Fault").fill("break=everything");
  await dialog.getByRole("button", { name: "Store fault" }).click();
  await expect(dialog.getByText("Unknown fault")).toBeVisible();
  await dialog.getByLabel("Outcome").selectOption("timeout_authorised_at_provider");
  await dialog.getByLabel("How many times").fill("5");
  await dialog.getByRole("button", { name: "Store fault" }).click();
  await expect(page.getByText("Fault stored.")).toBeVisible();
  await expect(
    page.getByText("outcome=timeout_authorised_at_provider;times=5").and(page.locator(":visible")),
  ).toBeVisible();
  await page.getByRole("button", { name: "Remove" }).and(page.locator(":visible")).click();
  await expect(page.getByText("Fault removed.")).toBeVisible();
});

test("who only sees is shown deliveries, and neither what is in them nor a way to change anything", async ({
  page,
  browser,
}) => {
  test.slow();
  const account = await openShop(page);
  const call = callsOf(account, page);
  await call("POST", "/v1/webhooks", { event: "*", endpoint: `listener:${randomUUID().slice(0, 8)}` });
  const { items } = await (await call("GET", "/v1/webhooks")).json();
  const viewer = aPerson("Bia Reis");
  await page.goto("/dashboard/settings/team?do=invite");
  await page.getByLabel("E-mail").fill(viewer.email);
  await page.getByLabel("Role").selectOption("viewer");
  await page.getByRole("button", { name: "Send invitation" }).click();
  await expect(page.getByText("Invitation sent.")).toBeVisible();
  await page.goto(`${WEBHOOKS}/events?event=card.failed`);
  await page.getByRole("dialog").getByRole("button", { name: "Send", exact: true }).click();
  await expect(page).toHaveURL(/\/webhooks\/deliveries\//);
  const delivery = new URL(page.url()).pathname;
  const context = await browser.newContext({ locale: "en-US" });
  const theirs = await context.newPage();
  await acceptInvitation(theirs, await linkTo(theirs, viewer.email, "join"), viewer);
  await theirs.goto(delivery);
  await expect(theirs.getByRole("heading", { level: 1, name: "card.failed" })).toBeVisible();
  await expect(theirs.getByText("Body sent")).toHaveCount(0);
  await expect(theirs.getByRole("link", { name: "Resend", exact: true })).toHaveCount(0);
  for (const doing of ["edit", "off", "rotate", "replay", "delete"]) {
    await theirs.goto(`${WEBHOOKS}/${items[0].id}?do=${doing}`);
    await expect(theirs.getByRole("dialog")).toHaveCount(0);
  }
  for (const closed of ["requests", "idempotency", "keys", "sandbox"])
    expect((await theirs.request.get(`/dashboard/developers/${closed}`)).status(), closed).toBe(404);
  await context.close();
});
