import { randomUUID } from "node:crypto";
import { expect, type Page, test } from "@playwright/test";
import sharp from "sharp";
import { acceptInvitation, anAccount, aPerson, linkTo, type OwnAccount } from "@/e2e/accounts";
import { expectGoodScreen } from "@/e2e/operator";
import { aSeller } from "@/e2e/seller";

const PHONE = { width: 375, height: 780 };
/** As a phone makes them: one alone is more than a document may have, and three are far more than one form. */
const photo = (): Promise<Buffer> =>
  sharp({
    create: {
      width: 2_600,
      height: 1_950,
      channels: 3,
      background: "gray",
      noise: { type: "gaussian", mean: 128, sigma: 60 },
    },
  })
    .blur(1.5)
    .jpeg({ quality: 100, chromaSubsampling: "4:4:4" })
    .toBuffer();

test.use({ locale: "en-US", viewport: { width: 1440, height: 900 } });

async function api<T = { id: string }>(page: Page, account: OwnAccount, path: string, data: unknown): Promise<T> {
  const answer = await page.request.post(path, {
    data,
    headers: { "x-client-id": account.clientId, "x-api-key": account.apiKey, "x-idempotency-key": randomUUID() },
  });
  expect(answer.ok(), await answer.text()).toBe(true);
  return answer.json();
}

test("an invited seller sees its money, sends what is asked for, and is out once the shop says so", async ({
  page,
  browser,
  baseURL,
}) => {
  const owner = aPerson("Lia Prado");
  const account = await anAccount(owner);
  await acceptInvitation(page, account.invitation, owner);
  const { id: merchantId } = await api(page, account, "/v1/merchants", {
    name: "Feira Azul",
    mcc: "5411",
    providers: [{ name: "SANDBOX", priority: 1, credentials: { type: "SANDBOX" } }],
  });
  const { id } = await api(page, account, "/v1/sellers", aSeller(merchantId));
  await api(page, account, "/v1/sandbox/clock", { advance: "PT10S" });
  const email = `ana-${randomUUID().slice(0, 8)}@vendas.example`;

  await page.goto(`/dashboard/sellers/${id}?do=invite`);
  await expect(page).toHaveTitle(/^Ana Souza · Sellers/);
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("E-mail", { exact: true }).fill(email);
  await dialog.getByRole("button", { name: "Send invitation" }).click();
  await expect(page.getByText("Invitation sent.")).toBeVisible();
  await api(page, account, `/v1/sellers/${id}/registration-reviews`, {
    requestedFields: ["documents.SELFIE", "documents.RG_FRONT", "documents.RG_BACK"],
    reason: "The pictures are blurred",
  });

  const habits = { ...(baseURL ? { baseURL } : {}), locale: "en-US", viewport: PHONE };
  // Whoever presses before the scripts are there, or has none, is let in as well.
  const plain = await browser.newContext({ ...habits, javaScriptEnabled: false });
  const door = await plain.newPage();
  await door.goto(await linkTo(page, email, "seller/enter"));
  await door.getByRole("button", { name: "Open my page" }).click();
  await expect(door.getByRole("heading", { name: "Ana Souza" })).toBeVisible();
  await expect(door.getByText("Feira Azul")).toBeVisible();
  const phone = await browser.newContext({ ...habits, storageState: await plain.storageState() });
  await plain.close();
  const own = await phone.newPage();
  await expectGoodScreen(own, "/seller");

  await own.getByRole("link", { name: "Answer", exact: true }).click();
  await expect(own.getByText("Larger photos are made smaller before they are sent.").first()).toBeVisible();
  const file = { name: "IMG_0001.jpg", mimeType: "image/jpeg", buffer: await photo() };
  expect(file.buffer.length).toBeGreaterThan(5_000_000);
  const fields = own.locator("input[type=file]");
  await expect(fields).toHaveCount(3);
  for (const field of await fields.all()) await field.setInputFiles(file);
  await own.getByRole("button", { name: "Send", exact: true }).click();
  await expect(own.getByText("Your answer is under review")).toBeVisible();

  // What lets a seller in opens nothing of the shop's.
  await own.goto("/dashboard");
  await expect(own).toHaveURL(/\/sign-in/);

  await page.goto(`/dashboard/sellers/${id}`);
  await page.getByRole("button", { name: "Remove access" }).click();
  await expect(page.getByText("Access removed")).toBeVisible();
  await own.goto("/seller");
  await expect(own.getByRole("button", { name: "Send me a link" })).toBeVisible();
  await phone.close();
});
