import { randomUUID } from "node:crypto";
import { expect, test } from "@playwright/test";
import { acceptInvitation, anAccount, aPerson } from "@/e2e/accounts";
import { expectAccessible } from "@/e2e/axe";

const PAGE = "/dashboard/developers/events";

test.use({ locale: "en-US", viewport: { width: 1360, height: 860 } });

test("the events inbox waits for the first event, shows it by itself, and stands still when paused", async ({
  page,
}) => {
  const owner = aPerson("Ana Prado");
  const { clientId, apiKey, invitation } = await anAccount(owner);
  await acceptInvitation(page, invitation, owner);
  await page.goto(PAGE);
  await expect(page.getByRole("heading", { name: "Waiting for the first event" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Trigger one in the sandbox" })).toBeVisible();
  await expectAccessible(page);
  const token = await page.request.post("/v1/tokens", {
    headers: { "x-client-id": clientId, "x-api-key": apiKey, "x-idempotency-key": randomUUID() },
    data: {
      cardHolderName: "Ana Souza",
      cardNumber: "4111220000000002",
      cardCvv: "120",
      cardExpirationDate: "12/2031",
    },
  });
  const { tokenId } = await token.json();
  const made = await page.request.post("/v1/cards", {
    headers: { "x-client-id": clientId, "x-api-key": apiKey, "x-idempotency-key": randomUUID() },
    data: { tokenId },
  });
  expect(made.ok(), await made.text()).toBe(true);
  const event = page.locator("a[data-row]:visible").filter({ hasText: "card." }).first();
  await expect(event).toBeVisible();
  await page.getByRole("link", { name: "Pause" }).click();
  await expect(page.getByText("Paused", { exact: true })).toBeVisible();
  await event.click();
  const sheet = page.getByRole("dialog");
  await expect(sheet.getByText('"apiVersion"')).toBeVisible();
  await expect(sheet.getByRole("link", { name: "Deliveries" })).toBeVisible();
  await expectAccessible(page);
});
