import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import { expect, type Page, test } from "@playwright/test";
import { acceptInvitation, anAccount, aPerson, enter, type OwnAccount } from "@/e2e/accounts";
import { expectAccessible, expectGoodDialog } from "@/e2e/axe";

const ACCOUNT = "/dashboard/settings/account";
const SECURITY = "/dashboard/settings/security";
const KEYS = "/dashboard/developers/keys";

const statusOf = async (page: Page, { clientId, apiKey }: OwnAccount): Promise<number> =>
  (await page.request.get("/v1/merchants", { headers: { "x-client-id": clientId, "x-api-key": apiKey } })).status();

test.use({ locale: "en-US", viewport: { width: 1360, height: 860 } });

test("an account is renamed, taken along, closed with its name and a password, and opened again", async ({ page }) => {
  test.slow();
  const owner = aPerson("Ana Prado");
  const account = await anAccount(owner);
  await acceptInvitation(page, account.invitation, owner);
  await page.goto(ACCOUNT);
  await expect(page.getByText(/This installation has not published its addresses/)).toBeVisible();
  const name = `Padaria ${account.clientId.slice(-6)}`;
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("Time zone").selectOption("America/Manaus");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Account saved.")).toBeVisible();
  await expect(page.getByText(name).first()).toBeVisible();

  await page.getByRole("link", { name: "Export" }).click();
  await page.getByLabel("Password", { exact: true }).fill("not the password at all");
  await page.getByRole("button", { name: "Prepare" }).click();
  await expect(page.getByText(/The password or the code is wrong/)).toBeVisible();
  await page.getByLabel("Password", { exact: true }).fill(owner.password);
  await page.getByRole("button", { name: "Prepare" }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download" }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^trilho-[0-9a-f]{8}-\d{4}-\d{2}-\d{2}\.jsonl\.gz$/);
  const lines = gunzipSync(await readFile(await file.path()))
    .toString("utf8")
    .trimEnd()
    .split("\n");
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ kind: "export", account: account.clientId, name });
  expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ kind: "end", rows: { clients: 1, members: 1 } });

  await page.goto(ACCOUNT);
  await page.getByRole("link", { name: "Close account" }).click();
  await expect(page.getByText("1 secret key stops working.")).toBeVisible();
  await page.getByLabel("Account name").fill("another name");
  await page.getByLabel("Password", { exact: true }).fill(owner.password);
  await page.getByRole("button", { name: "Close account" }).click();
  await expect(page.getByText("This is not the account name.")).toBeVisible();
  expect(await statusOf(page, account)).toBe(200);
  await page.getByLabel("Account name").fill(name);
  await page.getByLabel("Password", { exact: true }).fill(owner.password);
  await page.getByRole("button", { name: "Close account" }).click();
  await expect(page.getByText("Account closed.")).toBeVisible();
  await expect(page.getByText(/^This account is closed: nothing is charged/)).toBeVisible();
  expect(await statusOf(page, account)).toBe(401);
  await expect(page.getByRole("link", { name: "Keys", exact: true })).toHaveCount(0);
  await expectAccessible(page);

  await page.getByRole("link", { name: "Reopen" }).click();
  await expectGoodDialog(page, "settings/account?reopen");
  await page.getByLabel("Password", { exact: true }).fill(owner.password);
  await page.getByRole("button", { name: "Reopen account" }).click();
  await expect(page.getByText("Account reopened.")).toBeVisible();
  expect(await statusOf(page, account)).toBe(200);
});

test("addresses: of the dashboard without shutting oneself out, and of a key, whose calls from elsewhere are refused", async ({
  page,
}) => {
  test.slow();
  const owner = aPerson("Bia Reis");
  const account = await anAccount(owner);
  await acceptInvitation(page, account.invitation, owner);
  await page.goto(SECURITY);
  await expect(page.getByText("Webhook deliveries")).toBeVisible();
  await page.getByRole("link", { name: "Change addresses" }).click();
  const list = page.getByRole("textbox", { name: "Addresses" });
  await list.fill("the office");
  await page.getByRole("button", { name: "Save addresses" }).click();
  await expect(page.getByText("“the” is neither an IP address nor a network.")).toBeVisible();
  await list.fill("203.0.113.0/24");
  await page.getByRole("button", { name: "Save addresses" }).click();
  const refused = page.getByText(/is not on the list: you would lock yourself out/);
  await expect(refused).toBeVisible();
  const own = /Your own address, (\S+), is not/.exec((await refused.textContent()) ?? "")?.[1] ?? "";
  await list.fill(`203.0.113.0/24\n${own}`);
  await page.getByRole("button", { name: "Save addresses" }).click();
  await expect(page.getByText("Addresses saved.")).toBeVisible();
  await expect(page.getByRole("listitem").filter({ hasText: "203.0.113.0/24" })).toBeVisible();

  await page.goto(KEYS);
  await page
    .getByRole("link", { name: /^Addresses/ })
    .first()
    .click();
  await page.getByRole("textbox", { name: "Allowed from" }).fill("203.0.113.7, 2001:db8::/32");
  await page.getByRole("button", { name: "Save addresses" }).click();
  await expect(page.getByText("Addresses saved. They apply from the next call.")).toBeVisible();
  await expect(page.getByText("203.0.113.7, 2001:db8::/32").first()).toBeVisible();
  await expect.poll(() => statusOf(page, account)).toBe(403);
  await page
    .getByRole("link", { name: /^Addresses/ })
    .first()
    .click();
  await page.getByRole("textbox", { name: "Allowed from" }).fill("");
  await page.getByRole("button", { name: "Save addresses" }).click();
  await expect.poll(() => statusOf(page, account)).toBe(200);
  await expect(page.getByText("anywhere", { exact: true }).first()).toBeVisible();
});

test("where no sign-in of a company is configured, nothing speaks of one", async ({ page }) => {
  await page.goto("/sign-in");
  await expect(page.getByRole("button", { name: "Sign in", exact: true })).toBeVisible();
  await expect(page.getByRole("link", { name: /company/i })).toHaveCount(0);
  for (const path of ["/sign-in/company", "/sign-in/company/return"])
    expect((await page.request.get(path)).status()).toBe(404);
});

test.describe("em português", () => {
  test.use({ locale: "pt-BR", viewport: { width: 375, height: 780 } });

  test("uma conta com pagamento em andamento não se encerra, e diz por quê", async ({ page }) => {
    test.slow();
    const owner = aPerson("Caio Lima");
    const account = await anAccount(owner);
    await acceptInvitation(page, account.invitation, owner);
    const headers = { "x-client-id": account.clientId, "x-api-key": account.apiKey };
    const merchant = await page.request.post("/v1/merchants", {
      headers,
      data: {
        name: "Loja",
        mcc: "5411",
        providers: [{ name: "SANDBOX", priority: 1, credentials: { type: "SANDBOX" } }],
      },
    });
    const { id: merchantId } = await merchant.json();
    const card = {
      cardHolderName: "Ana",
      cardNumber: "4111220000000002",
      cardExpirationDate: "12/2031",
      cardCvv: "120",
    };
    const held = await page.request.post("/v1/charges", {
      headers,
      data: {
        merchantId,
        amount: 5_000,
        capture: false,
        paymentMethod: { paymentType: "credit" },
        paymentSource: { sourceType: "card", card },
      },
    });
    expect(held.ok()).toBe(true);
    await page.goto(`${ACCOUNT}?do=close`);
    await expect(page.getByRole("heading", { name: "A conta não pode ser encerrada agora" })).toBeVisible();
    await expect(page.getByText("1 pré-autorização não foi capturada nem liberada.")).toBeVisible();
    await expectAccessible(page);
    await page.context().clearCookies();
    await enter(page, owner);
    await expect(page).toHaveURL(/\/dashboard$/);
  });
});
