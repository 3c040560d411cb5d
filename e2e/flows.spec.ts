import { readFile } from "node:fs/promises";
import { expect, test } from "@playwright/test";
import { acceptInvitation, anAccount, aPerson, type OwnAccount } from "@/e2e/accounts";
import { expectGoodScreen } from "@/e2e/operator";
import { pressUntil } from "@/e2e/patience";

const LIST = "/dashboard/flows";

/** The simulator approves it; a CVV that ends in 0 validates. */
const CARD = {
  cardHolderName: "Ana Souza",
  cardNumber: "4111220000000002",
  cardCvv: "120",
  cardExpirationDate: "12/2031",
};

test.use({ locale: "en-US", viewport: { width: 1360, height: 860 } });

/** A call of the API with the account's own key. */
const caller =
  ({ clientId, apiKey }: OwnAccount) =>
  async <T = { id: string }>(method: string, path: string, body: object): Promise<T> => {
    const answer = await fetch(`http://localhost:${process.env.E2E_PORT}${path}`, {
      method,
      headers: { "x-client-id": clientId, "x-api-key": apiKey, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(answer.ok, `${method} ${path}: ${answer.status}`).toBe(true);
    // Guarantee: the caller asserts what it reads.
    return (await answer.json()) as T;
  };

test("a flow is drafted, replayed, activated, seen on a payment, changed, compared and restored", async ({ page }) => {
  test.setTimeout(150_000);
  const owner = aPerson("Rita Lima");
  const account = await anAccount(owner);
  const call = caller(account);
  const provider = (name: string, priority: number) => ({ name, priority, credentials: { type: "SANDBOX" } });
  const merchant = await call("POST", "/v1/merchants", {
    name: "Loja Um",
    mcc: "5732",
    providers: [provider("Adyen", 1), provider("Pagar.me", 2)],
  });
  const pay = async () => {
    const { tokenId } = await call<{ tokenId: string }>("POST", "/v1/tokens", CARD);
    return call("POST", "/v1/charges", {
      merchantId: merchant.id,
      amount: 60_000,
      capture: true,
      paymentMethod: { paymentType: "credit", installments: 8 },
      paymentSource: { sourceType: "token", tokenId },
    });
  };
  await pay();
  await acceptInvitation(page, account.invitation, owner);

  await test.step("drafted, with the sentence it reads as", async () => {
    await page.goto(`${LIST}?do=create`);
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Cards");
    await dialog.getByRole("button", { name: "Create draft" }).click();
    await expect(page.getByRole("heading", { name: "Edit Cards" })).toBeVisible();
    await page.waitForLoadState("networkidle");
    // Chosen by its letters, like in every menu: nothing is added before Enter.
    const before = await page.getByRole("button", { name: /^Remove: / }).count();
    await page.getByRole("button", { name: "Add a step to: Steps" }).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.type("Cond");
    await expect(page.getByRole("menuitem", { name: "Condition" })).toBeFocused();
    await expect(page.getByRole("button", { name: /^Remove: / })).toHaveCount(before);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("combobox", { name: "Field" })).toBeFocused();
    await expect(page.getByRole("combobox", { name: "Field" })).toBeInViewport();
    await page.getByLabel("Value").fill("500,00");
    await page.getByRole("button", { name: "Add a comparison" }).click();
    // A group inside the group, with comparisons of its own.
    await page.getByRole("button", { name: "Add a group" }).click();
    const group = page.getByRole("group", { name: "Group 3" });
    await group.getByRole("button", { name: "Add a comparison" }).click();
    await expect(group.getByRole("combobox", { name: "Field" })).toHaveCount(3);
    await page.getByRole("button", { name: "Remove comparison 3" }).last().click();
    await expect(group).toHaveCount(0);
    await page.getByRole("button", { name: "Add a step to: If so" }).click();
    await page.getByRole("menuitem", { name: "Provider", exact: true }).click();
    await page.getByRole("combobox", { name: "Provider", exact: true }).selectOption({ label: "Pagar.me" });
    // By keyboard alone, to the top.
    for (const _ of [1, 2]) {
      await page.getByRole("button", { name: /^Move up: Visa/ }).focus();
      await page.keyboard.press("Enter");
    }
    await expect(page.getByRole("listitem").filter({ hasText: /^Visa from R\$500\.00: Pagar\.me$/ })).toBeVisible();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("button", { name: "Redo" }).click();
    // By pointer: the last step before the first.
    const [steps, condition] = [page.getByRole("list", { name: "Steps" }), page.getByText(/^Visa from/).first()];
    await page.locator("[draggable=true]").last().dragTo(condition);
    await expect(steps.getByRole("listitem").first()).toHaveText(/^Pagar\.me/);
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(steps.getByRole("listitem").first()).toHaveText(/^Visa from/);
    await page.getByRole("button", { name: "Save draft" }).click();
    await expect(page.getByText("Draft saved.")).toBeVisible();
    await expectGoodScreen(page, page.url());
  });

  const draft = new URL(page.url()).pathname.replace(/\/edit$/, "");
  await test.step("replayed against what was paid", async () => {
    await expectGoodScreen(page, `${draft}/replay`);
    await page.getByRole("button", { name: "Start replay" }).click();
    await expect(
      page.getByText("1 payment was decided by priority order, without a flow: there was no version to decide again."),
    ).toBeVisible({
      timeout: 30_000,
    });
    const [csv] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Differences as CSV" }).click(),
    ]);
    const [head, line] = (await readFile(await csv.path(), "utf8")).split("\r\n");
    expect(head).toContain("payment id");
    expect(line).toContain("Adyen > Pagar.me,Pagar.me > Adyen");
  });

  await test.step("activated, with its effect told before", async () => {
    await page.getByRole("link", { name: "Activate" }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByText("Loja Um leaves its priority order.")).toBeVisible();
    await expect(dialog.getByText("Of the last 1 payment, 1 would have gone to another provider first.")).toBeVisible();
    await dialog.getByLabel("Why").fill("Large amounts apart");
    await dialog.getByRole("button", { name: "Activate" }).click();
    await expect(page.getByText("Flow activated.")).toBeVisible();
    await expect(page.getByText("Large amounts apart")).toBeVisible();
  });

  await test.step("seen on a payment that it decided", async () => {
    const { id } = await pay();
    await page.goto(`/dashboard/payments/${id}`);
    await expect(page.getByText(/^Flow Cards, version 1\.0\.\d+, decided\.$/)).toBeVisible();
    await page.getByRole("link", { name: "Open flow" }).click();
    await expect(page.getByText("That is the order decided at the time.")).toBeVisible();
    await page.getByRole("link", { name: "Elo, R$59.90, subscription renewal" }).click();
    await expect(page.getByLabel("Amount")).toHaveValue("59.90");
    await expect(page.getByLabel("Card brand")).toHaveValue("elo");
    await expect(page.getByText("It would have been tried at Adyen → Pagar.me.")).toBeVisible();
    await page.getByLabel("Amount").fill("499,99");
    await page.getByLabel("Card brand").selectOption("visa");
    await page.getByRole("button", { name: "Try it" }).click();
    await page.waitForURL(/amount=499/);
    await expect(page.getByText("It would have been tried at Adyen → Pagar.me.")).toBeVisible();
    await expectGoodScreen(page, page.url());
  });

  await test.step("what it makes of a described payment is kept as a test", async () => {
    await page.setViewportSize({ width: 1360, height: 860 });
    await page.getByLabel("Name of the test").fill("Small ones at Adyen");
    await page.getByRole("button", { name: "Save as a test" }).click();
    await expect(page.getByText("Test saved. Versions that fail it can't be activated.")).toBeVisible();
    await expect(page.getByRole("row", { name: /Small ones at Adyen.*Adyen → Pagar\.me.*Passes/ })).toBeVisible();
  });

  await test.step("changed as a next version, and compared", async () => {
    await page.setViewportSize({ width: 1360, height: 860 });
    await page.getByRole("link", { name: "Edit as a new version" }).click();
    await expect(page.getByRole("button", { name: /^Remove: Adyen/ })).toBeVisible();
    await page.waitForLoadState("networkidle");
    await page.getByRole("button", { name: /^Remove: Adyen/ }).click();
    // Whoever would lose it by a link, by the palette or by keys is asked, and stays.
    const staysWhen = async (goes: () => Promise<void>) => {
      const question = page.getByRole("alertdialog");
      await goes();
      await expect(question).toContainText("Discard your changes?");
      await question.getByRole("button", { name: "Keep editing" }).click();
      await expect(question).toHaveCount(0);
      await expect(page).toHaveURL(/\/edit$/);
      await expect(page.getByText("Unsaved changes")).toBeVisible();
    };
    await staysWhen(() => page.getByRole("link", { name: "Cards", exact: true }).first().click());
    const palette = page.getByRole("dialog").getByRole("combobox");
    await pressUntil(page, ["Control+k"], () => expect(palette).toBeFocused({ timeout: 3_000 }));
    await palette.fill("Customers");
    await staysWhen(() => page.getByRole("option", { name: "Customers", exact: true }).first().click());
    await expect(palette).toHaveCount(0);
    await staysWhen(async () => {
      await page.keyboard.press("g");
      await page.keyboard.press("k");
    });
    await page.getByRole("button", { name: "Save as a new draft" }).click();
    await expect(page.getByText("Draft saved.")).toBeVisible();
    const next = new URL(page.url()).pathname.replace(/\/edit$/, "");
    await expectGoodScreen(page, `${next}/compare`);
    await expect(page.getByRole("cell", { name: /removed/ }).first()).toBeVisible();
    await page.setViewportSize({ width: 1360, height: 860 });
    await page.goto(`${next}?do=activate`);
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByText(/^1 saved test fails.*: Small ones at Adyen\./)).toBeVisible();
    await expect(dialog.getByRole("button", { name: "Activate" })).toHaveCount(0);
  });

  await test.step("a provider is paused, with its effect told before, and taken back", async () => {
    await page.setViewportSize({ width: 1360, height: 860 });
    await page.goto(LIST);
    await page
      .getByRole("row", { name: /Pagar\.me/ })
      .getByRole("link", { name: "Pause" })
      .click();
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByText("Active flows that use it: Cards.")).toBeVisible();
    await dialog.getByRole("button", { name: "Pause now" }).click();
    await expect(page.getByText("Provider paused.")).toBeVisible();
    await page
      .getByRole("row", { name: /Pagar\.me/ })
      .getByRole("link", { name: "Resume" })
      .click();
    await dialog.getByRole("button", { name: "Resume now" }).click();
    await expect(page.getByText("Provider resumed.")).toBeVisible();
  });

  await test.step("archived and restored", async () => {
    await page.goto(`${draft}?do=archive`);
    await page.getByRole("dialog").getByRole("button", { name: "Archive" }).click();
    await expect(page.getByText("Flow archived.")).toBeVisible();
    await page.getByRole("link", { name: "Restore" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Restore as a draft" }).click();
    await expect(page.getByText("Restored as a draft.")).toBeVisible();
    await expectGoodScreen(page, LIST);
  });
});
