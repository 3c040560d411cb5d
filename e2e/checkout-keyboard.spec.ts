import { expect, type Locator, type Page, test } from "@playwright/test";
import { call, newStage, PHONE, watch } from "@/e2e/shop";
import { sandboxPan } from "@/lib/reference/sandbox-pans";
import { openLink } from "@/lib/testing/checkout-scenes";

test.use({ viewport: PHONE, locale: "pt-BR", reducedMotion: "reduce", permissions: ["clipboard-write"] });

const MOST_TABS = 60;

/** Goes on by Tab until the control is reached: each stop on the way can be seen, and none of them holds the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let tabs = 0; tabs < MOST_TABS; tabs++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
    const lostFocus = await page.evaluate(() => {
      const focused = document.activeElement;
      if (!focused || focused === document.body) return "";
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(focused);
      const { top, bottom } = focused.getBoundingClientRect();
      const isMarked = (outlineStyle !== "none" && outlineWidth !== "0px") || boxShadow !== "none";
      return isMarked && bottom > 0 && top < innerHeight ? "" : focused.outerHTML.slice(0, 120);
    });
    expect(lostFocus, "a stop that cannot be seen").toBe("");
  }
  throw new Error(`${MOST_TABS} times Tab did not reach it`);
}

async function type(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.type(text);
}

async function press(page: Page, target: Locator, key = "Enter"): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

const state = (page: Page, name: string) =>
  expect(page.locator("body")).toHaveAttribute("data-state", name, { timeout: 30_000 });
const within = (page: Page, form: string, name: string) => page.locator(`form[data-form=${form}] [name=${name}]`);

async function typeCard(page: Page, form: string, number: string, suffix = ""): Promise<void> {
  await type(page, within(page, form, `cardNumber${suffix}`), number);
  await type(page, within(page, form, `cardHolderName${suffix}`), "ANA SOUZA");
  await type(page, within(page, form, `cardExpiration${suffix}`), "1239");
  await type(page, within(page, form, `cardCvv${suffix}`), "120");
}

test("by keyboard alone: an error is corrected, a Pix is copied and paid, and the result has the focus", async ({
  page,
}) => {
  const seen = watch(page);
  await page.goto(`/pay/${(await openLink(newStage())).id}`);
  await type(page, within(page, "pix", "name"), "Ana Souza");
  await type(page, within(page, "pix", "document"), "123");
  await press(page, page.locator("form[data-form=pix] button[type=submit]"));
  await expect(within(page, "pix", "document")).toBeFocused();
  await expect(page.getByRole("alert").getByRole("link", { name: "Este CPF ou CNPJ não confere." })).toBeVisible();
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("12345678909");
  await page.keyboard.press("Enter");
  await state(page, "pix");
  await press(page, page.locator("[data-copy=code]"));
  await expect(page.locator("#polite")).toHaveText("Código copiado");
  await press(page, page.getByRole("button", { name: "Simular pagamento" }));
  await state(page, "paid");
  await expect(page.getByRole("heading", { name: "Pagamento aprovado" })).toBeFocused();
  expect(seen).toEqual([]);
});

test("by keyboard alone: a Pix that has run out is renewed and paid", async ({ page }) => {
  const stage = newStage();
  await page.goto(`/pay/${(await openLink(stage, { paymentMethods: [{ paymentType: "pix", expiresIn: 2 }] })).id}`);
  await type(page, within(page, "pix", "name"), "Ana Souza");
  await type(page, within(page, "pix", "document"), "12345678909");
  await page.keyboard.press("Enter");
  await state(page, "pixExpired");
  const [before] = page.url().split("?");
  await press(page, page.getByRole("button", { name: "Gerar novo Pix" }));
  await page.waitForURL((url) => !url.href.startsWith(before ?? ""));
  await expect(page.locator("#heading")).toBeFocused();
});

test("by keyboard alone: three cards, their amounts moved by arrows, one of them corrected", async ({ page }) => {
  const link = await openLink(newStage());
  await page.goto(`/pay/${link.id}?method=cards`);
  await press(page, page.getByRole("link", { name: "Usar 3 cartões" }));
  await expect(page.locator("[data-card='2']")).toBeVisible();
  const amounts = page.locator("form[data-form=cards] [data-field=amount]");
  await expect(page.locator("[data-slider]").first()).toBeVisible();
  const sliders = page.locator("[data-slider]");
  await press(page, sliders.nth(0), "PageUp");
  await page.keyboard.press("ArrowRight");
  await expect(amounts.nth(0)).toHaveValue("44,35");
  const numbers = [
    sandboxPan("approve"),
    sandboxPan("decline:insufficient_funds", "mastercard"),
    sandboxPan("approve", "elo"),
  ];
  for (const [index, number] of numbers.entries()) await typeCard(page, "cards", number, String(index));
  await type(page, within(page, "cards", "document"), "12345678909");
  const sum = await amounts.evaluateAll((all) =>
    all.reduce(
      (total, input) => total + Number((input as HTMLInputElement).value.replace(",", "").replace(".", "")),
      0,
    ),
  );
  expect(sum).toBe(10_001);
  await press(page, page.locator("form[data-form=cards] button[type=submit]"));
  const refusal = page.getByRole("alert").filter({ hasText: "O cartão 2 foi recusado" });
  await expect(refusal).toBeVisible({ timeout: 30_000 });
  await press(page, refusal.getByRole("button", { name: /^Trocar o cartão \d$/ }));
  await expect(within(page, "cards", "cardNumber1")).toBeFocused();
  await expect(within(page, "cards", "cardNumber1")).toBeInViewport();
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type(sandboxPan("approve", "mastercard"));
  await type(page, within(page, "cards", "cardExpiration1"), "1239");
  await type(page, within(page, "cards", "cardCvv1"), "120");
  await press(page, page.locator("form[data-form=cards] button[type=submit]"));
  await state(page, "paid");
  const { items } = await call<{ items: { status: string }[] }>("GET", `/v1/purchases?sessionId=${link.id}`);
  expect(items.map(({ status }) => status).sort()).toEqual(["failed", "paid"]);
});
