import { expect, test } from "@playwright/test";
import { newStage, PHONE } from "@/e2e/shop";
import { sandboxPan } from "@/lib/reference/sandbox-pans";
import { openLink } from "@/lib/testing/checkout-scenes";

test.use({ viewport: PHONE, locale: "pt-BR" });

test("in another language the open form stands as it was filled in, but for a card's number and code", async ({
  page,
}) => {
  const link = await openLink(newStage());
  await page.goto(`/pay/${link.id}?method=pix`);
  const field = (form: string, name: string) => page.locator(`form[data-form=${form}] [name=${name}]`);
  // Another form than the one that the page came with is open by now.
  await page.locator("details[data-method=boleto] > summary").click();
  for (const [name, value] of [
    ["name", "Ana Souza"],
    ["street", "Rua A"],
  ] as const)
    await field("boleto", name).fill(value);
  await page.getByRole("button", { name: "English" }).click();
  await expect(page.locator("html")).toHaveAttribute("lang", "en");
  await expect(page.locator("details[data-method=boleto]")).toHaveAttribute("open", "");
  await expect(field("boleto", "street")).toHaveValue("Rua A");
  await expect(field("pix", "name")).toHaveValue("Ana Souza");
  await page.locator("details[data-method=card] > summary").click();
  await field("card", "cardNumber").fill(sandboxPan("approve"));
  await field("card", "cardHolderName").fill("ANA SOUZA");
  await page.getByRole("button", { name: "Português" }).click();
  await expect(page.locator("html")).toHaveAttribute("lang", "pt-BR");
  await expect(field("card", "cardHolderName")).toHaveValue("ANA SOUZA");
  await expect(field("card", "cardNumber")).toHaveValue("");
  await expect(page.getByText("Por segurança, digite de novo o número do cartão e o CVV.")).toBeVisible();
  await expect(page.locator("body")).toHaveAttribute("data-state", "open");
  // The way back to it sends no form again.
  const address = new RegExp(`/pay/${link.id}\\?method=card&lang=pt-BR$`);
  await expect(page).toHaveURL(address);
  await page.goto(`/pay/${link.id}?method=pix`);
  await page.goBack();
  await expect(page).toHaveURL(address);
  await expect(page.locator("details[data-method=card]")).toHaveAttribute("open", "");
  await expect(field("card", "cardNumber")).toBeEditable();
});

test("what a slip of the fingers made of an e-mail, and what a CEP contradicts, is said at the field", async ({
  page,
}) => {
  const link = await openLink(newStage());
  await page.goto(`/pay/${link.id}?method=boleto`);
  const field = (name: string) => page.locator(`form[data-form=boleto] [name=${name}]`);
  await field("email").fill("ana@gmial.com");
  await page.keyboard.press("Tab");
  await page.getByRole("button", { name: "Você quis dizer ana@gmail.com?" }).click();
  await expect(field("email")).toHaveValue("ana@gmail.com");
  await expect(page.getByRole("button", { name: /Você quis dizer/ })).toHaveCount(0);
  await field("state").selectOption("RJ");
  await field("zipCode").fill("01310100");
  await page.keyboard.press("Tab");
  const told = page.getByText("Este CEP é de SP. Confira o estado ou o CEP.");
  await expect(told).toBeVisible();
  await field("state").selectOption("SP");
  await expect(told).toBeHidden();
  await field("name").fill("Ana");
  await field("document").fill("123.456.789-09");
  await page.keyboard.press("Tab");
  await expect(page.getByText("Preencha nome e sobrenome.")).toBeVisible();
  await field("document").fill("12.345.678/0001-95");
  await expect(page.getByText("Preencha nome e sobrenome.")).toBeHidden();
});
