import { expect, test } from "@playwright/test";
import { acceptInvitation, anAccount, aPerson } from "@/e2e/accounts";
import { expectAccessible } from "@/e2e/axe";
import { open } from "@/e2e/patience";

const PAGE = "/dashboard/notices";

test.use({ locale: "en-US", viewport: { width: 1360, height: 860 } });

test("a new key rings the bell and is e-mailed; it is read, and turned off", async ({ page }) => {
  const owner = aPerson("Ana Prado");
  const account = await anAccount(owner);
  await acceptInvitation(page, account.invitation, owner);
  await page.goto("/dashboard/developers/keys?do=create");
  await page.getByRole("dialog").getByLabel("Access", { exact: true }).selectOption("all");
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /create/i })
    .click();
  await expect(page.getByRole("dialog").getByText(/sk_sandbox_/)).toBeVisible();
  await page.goto("/dashboard/payments");
  const notice = page.getByRole("menuitem", { name: /A secret key was created/ });
  await open(page.getByRole("button", { name: /^Notices, [1-9] new$/ }), notice);
  await page.getByRole("menuitem", { name: "All notices" }).click();
  await expect(page).toHaveURL(new RegExp(`${PAGE}$`));
  await expect(page.getByRole("link", { name: "A secret key was created" }).first()).toBeVisible();
  await expectAccessible(page);
  await expect(async () => {
    const mails = await (await page.request.get("/dev/mail")).text();
    expect(mails).toContain(`${account.name}: `);
  }).toPass();
  await page.getByRole("button", { name: "Mark all as read" }).click();
  await expect(page.getByText("All marked as read.")).toBeVisible();
  await page.goto("/dashboard/payments");
  await expect(page.getByRole("button", { name: "Notices, 0 new" })).toBeVisible();
  await page.goto(`${PAGE}/choices`);
  await expectAccessible(page);
  await page.getByLabel("New secret key: Dashboard").uncheck();
  await page.getByRole("button", { name: "Save choices" }).click();
  await expect(page.getByText("Choices saved.")).toBeVisible();
  await expect(page.getByLabel("New secret key: Dashboard")).not.toBeChecked();
  await page.goto(PAGE);
  await expect(page.getByRole("link", { name: "A secret key was created" })).toHaveCount(0);
});
