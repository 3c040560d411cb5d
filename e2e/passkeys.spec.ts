import { expect, type Page, test } from "@playwright/test";
import { acceptInvitation, anAccount, aPerson, enter } from "@/e2e/accounts";
import { expectAccessible, expectGoodDialog } from "@/e2e/axe";

test.use({ locale: "en-US" });

/** A device that holds passkeys and always agrees, as Chromium plays it. */
async function withDevice(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

test("a passkey: added with the password, opens a live account's actions, asked for at the door, renamed and removed", async ({
  page,
  context,
}) => {
  test.slow();
  const owner = aPerson("Ana Prado");
  await acceptInvitation(page, (await anAccount(owner, { live: true })).invitation, owner);
  await withDevice(page);
  await page.goto("/dashboard/settings/security?do=add-passkey");
  await expectAccessible(page);
  await page.getByLabel("Passkey name").fill("Notebook");
  await page.getByLabel("Password", { exact: true }).fill("not the password at all");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText("The current password is wrong.")).toBeVisible();
  await page.getByLabel("Password", { exact: true }).fill(owner.password);
  await page.getByRole("button", { name: "Continue" }).click();
  const codes = page.getByRole("status").filter({ hasText: "Recovery codes" }).locator("code");
  await expect(codes).toBeVisible();
  const [first = ""] = (await codes.innerText()).split("\n");
  await page.goto("/dashboard/settings/security");
  await expect(page.getByText("Not used yet.")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Add an authenticator app" }).click();
  await expectGoodDialog(page, "settings/security?begin-app");
  await page.getByLabel("Password", { exact: true }).fill("not the password at all");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText("The current password is wrong.")).toBeVisible();
  await page.getByLabel("Password", { exact: true }).fill(owner.password);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("img", { name: /QR/ })).toBeVisible();

  await page.goto("/dashboard/developers/keys?do=create");
  await page.getByRole("dialog").getByLabel("Access", { exact: true }).selectOption("all");
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Your secret key" }).locator("code")).toHaveText(/^sk_live_/);

  await context.clearCookies();
  await enter(page, owner);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  await page.goto("/dashboard/settings/security");
  await expect(page.getByText(/Last used/)).toBeVisible();
  await page.getByRole("link", { name: "Rename Notebook" }).click();
  await expectGoodDialog(page, "settings/security?name-passkey");
  await page.getByLabel("Passkey name").fill("Phone");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Passkey renamed.")).toBeVisible();
  await page.getByRole("link", { name: "Remove Phone" }).click();
  await expectGoodDialog(page, "settings/security?remove-passkey");
  await page.getByLabel("Password", { exact: true }).fill(owner.password);
  await page.getByLabel("Code", { exact: true }).fill(first);
  await page.getByRole("button", { name: "Remove passkey" }).click();
  await expect(page.getByText("Passkey removed.")).toBeVisible();
  await context.clearCookies();
  await enter(page, owner);
  // Without a second factor a live account shows the page that adds one, and nothing else.
  await expect(page).toHaveURL(/\/dashboard\/settings\/security$/);
});
