import { expect, test } from "@playwright/test";
import { acceptInvitation, anAccount, aPerson } from "@/e2e/accounts";
import { expectAccessible } from "@/e2e/axe";

const PAGE = "/dashboard/settings/alerts";

test.use({ locale: "en-US", viewport: { width: 1360, height: 860 } });

test("a monitor is made of a suggestion, tested, muted with an end, changed and deleted", async ({ page }) => {
  const owner = aPerson("Ana Prado");
  const account = await anAccount(owner);
  await acceptInvitation(page, account.invitation, owner);
  await page.goto(PAGE);
  await expect(page.getByRole("heading", { name: "No alerts yet" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Use Payments with an unknown outcome" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toBeVisible();
  await expectAccessible(page);
  await dialog.getByLabel("Limit").fill("none");
  await dialog.getByRole("button", { name: "Create alert" }).click();
  await expect(dialog.getByText("Enter a number above 0, up to")).toBeVisible();
  await dialog.getByLabel("Limit").fill("7");
  await dialog.getByRole("button", { name: "Create alert" }).click();
  await expect(page.getByText("Alert created.")).toBeVisible();
  await expect(page.getByText("Attempts with an unknown outcome: 7 or more in 15 minutes")).toBeVisible();
  await page.getByRole("link", { name: "Test", exact: true }).click();
  await expect(page.getByText("It would have triggered 0 times.")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Mute", exact: true }).click();
  await dialog.getByLabel("For").selectOption({ label: "1 day" });
  await dialog.getByRole("button", { name: "Mute" }).click();
  await expect(page.getByText("Alert muted.")).toBeVisible();
  await expect(page.getByText("Muted until")).toBeVisible();
  await page.getByRole("button", { name: "Unmute" }).click();
  await expect(page.getByText("Alert unmuted.")).toBeVisible();
  await page.getByRole("link", { name: "Edit", exact: true }).click();
  await dialog.getByLabel("Name").fill("No answer");
  await dialog.getByLabel("Also notify by webhook").check();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("heading", { name: "No answer" })).toBeVisible();
  await expect(page.getByText("on the dashboard, by e-mail, and by webhook")).toBeVisible();
  await expect(page.getByRole("link", { name: "No webhook subscribes to monitor.fired yet" })).toBeVisible();
  await page.getByRole("link", { name: "Delete", exact: true }).click();
  await dialog.getByRole("button", { name: "Delete alert" }).click();
  await expect(page.getByText("Alert deleted.")).toBeVisible();
  await expect(page.getByRole("heading", { name: "No alerts yet" })).toBeVisible();
});
