import { expect, test } from "@playwright/test";
import { newStage, PHONE } from "@/e2e/shop";
import { openLink } from "@/lib/testing/checkout-scenes";

test.use({ viewport: PHONE, locale: "pt-BR" });

test("an amount that is limited says so by its field, until an amount changes again", async ({ page }) => {
  const link = await openLink(newStage());
  await page.goto(`/pay/${link.id}?method=cards&cards=3`);
  const amount = page.locator("[name=amount0]");
  const told = page.locator("#cards-amount0-error");
  await expect(page.locator("[data-summary]")).toBeVisible();
  await amount.fill("200");
  await expect(told).toHaveText("O máximo neste cartão é R$ 98,01.");
  await amount.blur();
  await expect(amount).toHaveValue("98,01");
  await expect(told).toBeVisible();
  await amount.fill("0,50");
  await amount.blur();
  await expect(told).toHaveText("Cada cartão precisa de pelo menos R$ 1,00.");
  await amount.fill("35");
  await amount.blur();
  await expect(told).toBeHidden();
});

test("an amount that can be read in two ways is neither, and stays to be mended", async ({ page }) => {
  const link = await openLink(newStage());
  await page.goto(`/pay/${link.id}?method=cards&cards=3`);
  const [amount, told] = [page.locator("[name=amount0]"), page.locator("#cards-amount0-error")];
  const unread = "Digite o valor com dois dígitos depois da vírgula, como 40,00 ou 1.234,00.";
  await expect(page.locator("[data-summary]")).toBeVisible();
  await amount.fill("12,345");
  await amount.blur();
  await expect(told).toHaveText(unread);
  await expect(amount).toHaveValue("12,345");
  // Nothing is said of a sum that has an amount nobody could read, and the check of the form finds that amount too.
  await expect(page.locator("[data-summary]")).toBeHidden();
  await page.locator("form[data-form=cards] button[type=submit]").click();
  await expect(page.locator("#alert li").filter({ hasText: unread })).toHaveCount(1);
  await page.locator("[name=amount1]").fill("20");
  await expect(told).toBeVisible();
  await amount.fill("12,34");
  await amount.blur();
  await expect(told).toBeHidden();
  await expect(amount).toHaveValue("12,34");
  await expect(page.locator("[name=amount2]")).toHaveValue("67,67");
});

test("an amount that was typed is not changed by another one: the rest goes to the others, and what does not add up is said", async ({
  page,
}) => {
  const link = await openLink(newStage());
  await page.goto(`/pay/${link.id}?method=cards&cards=3`);
  const amount = (card: number) => page.locator(`form[data-form=cards] [name=amount${card}]`);
  const summary = page.locator("[data-summary]");
  await expect(summary).toContainText("Cartão 3: R$ 33,33");
  await amount(0).fill("50");
  await expect(amount(2)).toHaveValue("16,68");
  await amount(2).fill("40");
  await expect(amount(1)).toHaveValue("10,01");
  // More than the one nobody typed into can give.
  await amount(2).fill("60");
  await expect(amount(1)).toHaveValue("1,00");
  await expect(summary).toHaveText("Os valores somam R$ 111,00. São R$ 10,99 a mais que R$ 100,01.");
  await amount(2).blur();
  await expect(amount(0)).toHaveValue("50,00");
  await page.getByRole("link", { name: "2 cartões" }).click();
  await expect(amount(1)).toHaveValue("50,01");
  // Of two cards one is what the other leaves: an amount that was typed does not give way without a word.
  await amount(1).fill("30");
  await expect(amount(0)).toHaveValue("70,01");
  await expect(page.locator("#cards-amount0-error")).toHaveText("Mudou para R$ 70,01, o que falta para os R$ 100,01.");
  await amount(0).fill("50");
  await expect(amount(1)).toHaveValue("50,01");
  await expect(page.locator("#cards-amount0-error")).toBeHidden();
  await expect(page.locator("#cards-amount1-error")).toHaveText("Mudou para R$ 50,01, o que falta para os R$ 100,01.");
  await page.getByRole("link", { name: "3 cartões" }).click();
  await expect(amount(0)).toHaveValue("50,00");
  await expect(amount(1)).toHaveValue("25,01");
  await expect(amount(2)).toHaveValue("25,00");
  // Emptied, it takes what the others leave; passed through, it is as it was.
  await amount(0).fill("");
  await amount(0).blur();
  await amount(1).fill("35");
  await expect(amount(0)).toHaveValue("50,00");
  await expect(amount(2)).toHaveValue("15,01");
});
