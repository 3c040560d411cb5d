import { expect, type Page, test } from "@playwright/test";
import { newStage, PHONE, recordShifts, shiftsOf } from "@/e2e/shop";
import { sandboxPan } from "@/lib/reference/sandbox-pans";
import { openLink, PAYMENT_SCENES } from "@/lib/testing/checkout-scenes";

const VISA = sandboxPan("approve");
const NO_FUNDS = sandboxPan("decline:insufficient_funds");
const TALL = { width: 1280, height: 2_000 };

const form = (page: Page, name: string) => page.locator(`form[data-form=${name}]`);

async function typeCard(page: Page, name: string, number: string, suffix = ""): Promise<void> {
  const within = form(page, name);
  await within.locator(`[name=cardNumber${suffix}]`).fill(number);
  await within.locator(`[name=cardHolderName${suffix}]`).fill("ANA SOUZA");
  await within.locator(`[name=cardExpiration${suffix}]`).fill("12/39");
  await within.locator(`[name=cardCvv${suffix}]`).fill("123");
}

/** Presses Pay and holds the answer back until it can be said what moved because of it, and not because of the press. */
async function sendAndWait(page: Page, name: string): Promise<number> {
  const gate: { open?: () => void } = {};
  const opened = new Promise<void>((resolve) => {
    gate.open = resolve;
  });
  const isSent = new Promise<void>((resolve) => {
    void page.route(
      `**/pay/*/${name}`,
      async (route) => {
        resolve();
        await opened;
        await route.continue();
      },
      { times: 1 },
    );
  });
  await form(page, name).locator("button[type=submit]").click();
  await isSent;
  const since = await page.evaluate(
    () =>
      new Promise<number>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now())))),
  );
  gate.open?.();
  return since;
}

for (const [screen, viewport] of [
  ["a phone", PHONE],
  ["a screen that shows it all", TALL],
] as const) {
  test.describe(`nothing moves by itself on ${screen}`, () => {
    test.use({ viewport, locale: "pt-BR", reducedMotion: "reduce" });
    test.beforeEach(({ page }) => recordShifts(page));

    for (const [what, number] of [
      ["a declined card", NO_FUNDS],
      ["a wrong security code", sandboxPan("decline:invalid_cvv")],
      ["a bank that may be asked again in half a minute", sandboxPan("decline:issuer_not_available")],
    ] as const) {
      test(`when the bank says no: ${what}`, async ({ page }) => {
        const link = await openLink(newStage());
        await page.goto(`/pay/${link.id}?method=card`);
        await typeCard(page, "card", number);
        await form(page, "card").locator("[name=document]").fill("123.456.789-09");
        expect(await shiftsOf(page)).toEqual([]);
        const since = await sendAndWait(page, "card");
        // A field that is to be corrected says the reason itself: a small screen shows no box beside it.
        const reason = what === "a wrong security code" ? "#card-cardCvv-error" : "#alert [role=alert] p";
        await expect(page.locator(reason).first()).toBeInViewport({ ratio: 0.8 });
        await expect(page.locator(":focus")).toBeInViewport({ ratio: 1 });
        // Without a touch: whoever presses to try again at once has no other field to enter.
        await expect(page.locator("form[data-form=card] [data-captcha=status]")).toHaveText("Verificação concluída");
        expect(await shiftsOf(page, since)).toEqual([]);
      });
    }

    test("while several cards run, and when one of them is declined", async ({ page }) => {
      const link = await openLink(newStage());
      await page.goto(`/pay/${link.id}?method=cards`);
      await typeCard(page, "cards", VISA, "0");
      await typeCard(page, "cards", NO_FUNDS, "1");
      await form(page, "cards").locator("[name=document]").fill("123.456.789-09");
      const since = await sendAndWait(page, "cards");
      await expect(page.locator("#alert [role=alert] button").first()).toBeVisible({ timeout: 30_000 });
      expect(await shiftsOf(page, since)).toEqual([]);
    });
  });
}

test("a bank that takes its time is told of in a place that was kept for it", async ({ page }) => {
  await recordShifts(page);
  const stage = newStage();
  const scene = PAYMENT_SCENES.find(({ state }) => state === "processing");
  await page.goto((await scene?.reach(stage)) ?? "");
  const since = await page.evaluate(() => performance.now());
  await page.locator("#slow").evaluate((line) => line.removeAttribute("hidden"));
  await expect(page.locator("#slow")).toBeVisible();
  expect(await shiftsOf(page, since)).toEqual([]);
});
