import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, type Page, test } from "@playwright/test";
import { demo, signIn } from "@/e2e/operator";
import { pressUntil } from "@/e2e/patience";

test.use({ locale: "en-US", viewport: { width: 1360, height: 860 }, reducedMotion: "reduce" });

async function make<T>(page: Page, path: string, data: unknown): Promise<T> {
  const headers = { "x-client-id": demo.clientId, "x-api-key": demo.apiKey, "x-idempotency-key": randomUUID() };
  const answer = await page.request.post(path, { data, headers });
  expect(answer.ok(), await answer.text()).toBe(true);
  return answer.json();
}

/** A list of its own, the newest first: 10, 9, 8… reais. */
async function ownList(page: Page, count: number): Promise<string> {
  const { id: merchantId } = await make<{ id: string }>(page, "/v1/merchants", {
    name: `Loja ${randomUUID().slice(0, 8)}`,
    mcc: "5411",
    providers: [{ name: "SANDBOX", priority: 1, credentials: { type: "SANDBOX" } }],
  });
  for (let nth = 1; nth <= count; nth++) {
    await make(page, "/v1/charges", {
      merchantId,
      amount: nth * 100,
      capture: true,
      paymentMethod: { paymentType: "credit" },
      paymentSource: {
        sourceType: "card",
        card: {
          cardHolderName: "Ana Souza",
          cardNumber: "4111220000000002",
          cardExpirationDate: "12/2031",
          cardCvv: "120",
        },
      },
    });
  }
  return `/dashboard/payments?merchant=${merchantId}`;
}

const rows = (page: Page) => page.locator("a[data-row]:visible");
/** The first key may come before the page listens. */
const begin = (page: Page) => pressUntil(page, ["j"], () => expect(rows(page).first()).toBeFocused({ timeout: 1_000 }));

test("whoever comes back to a list stands on the row that they left it by", async ({ page }) => {
  const list = await ownList(page, 4);
  await page.setViewportSize({ width: 1360, height: 500 });
  await signIn(page, list);
  await begin(page);
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "R$2.00" }).waitFor();
  await page.goBack();
  await expect(rows(page).nth(2)).toBeFocused();
  await expect(rows(page).nth(2)).toBeInViewport();
  await page.keyboard.press("j");
  await expect(rows(page).nth(3)).toBeFocused();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "R$1.00" }).waitFor();
  await page.getByRole("main").getByRole("link", { name: "Payments", exact: true }).click();
  await expect(rows(page).nth(3)).toBeFocused();
  await expect(rows(page).nth(3)).toBeInViewport();
});

test("what is chosen in a list is reached by b, exported alone by e, and can be let go of", async ({ page }) => {
  const list = await ownList(page, 3);
  await signIn(page, list);
  await begin(page);
  await page.keyboard.press("x");
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  await expect(page.getByText("2 selected", { exact: true })).toBeVisible();
  await page.keyboard.press("b");
  await expect(page.getByRole("button", { name: "Check with provider" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(rows(page).nth(1)).toBeFocused();
  const [file] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("e")]);
  const lines = readFileSync(await file.path(), "utf8")
    .trim()
    .split("\n");
  expect(lines).toHaveLength(3);
  expect(lines.join()).not.toContain("1.00,0.00");
  await expect(page.getByText("The file has only the 2 selected payments.")).toBeVisible();
  await page.keyboard.press(".");
  await page.getByRole("menuitem", { name: "Deselect" }).press("Enter");
  await expect(page.getByText("1 selected", { exact: true })).toBeVisible();
  await rows(page).nth(1).focus();
  await page.keyboard.press(".");
  await page.getByRole("menuitem", { name: "Refund…" }).press("Enter");
  await expect(page.getByRole("dialog", { name: "Refund the buyer" })).toBeVisible();
});

test("at 200 % rows are still chosen and sorted, and the list of shortcuts is read by keys", async ({ page }) => {
  const list = await ownList(page, 2);
  await page.setViewportSize({ width: 720, height: 450 });
  await signIn(page, list);
  await begin(page);
  await page.keyboard.press("x");
  await expect(page.getByText("1 selected", { exact: true })).toBeVisible();
  await page.keyboard.press(".");
  await page.getByRole("menuitem", { name: "Deselect" }).press("Escape");
  await page.getByRole("link", { name: "Amount" }).click();
  await expect(page).toHaveURL(/sort=highest/);
  const shortcuts = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await pressUntil(page, ["?"], () => expect(shortcuts).toBeVisible({ timeout: 2_000 }));
  const text = shortcuts.getByRole("group", { name: "Keyboard shortcuts" });
  await expect(text).toBeFocused();
  await page.keyboard.press("PageDown");
  await expect.poll(() => text.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(0);
});

test("the focused entry of a menu has an outline, and with the system's colours a ground of its own", async ({
  page,
}) => {
  await signIn(page, "/dashboard/payments");
  const button = page.getByRole("button", { name: "Language" });
  const here = page.getByRole("menuitemradio", { name: "Português" });
  await expect(async () => {
    await button.press("Enter");
    await expect(here).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await page.keyboard.press("Home");
  await expect(here).toBeFocused();
  const look = (of: typeof here) =>
    of.evaluate((element) => {
      const { outlineStyle, outlineWidth, backgroundColor } = getComputedStyle(element);
      return { outline: [outlineWidth, outlineStyle].join(" "), backgroundColor };
    });
  expect((await look(here)).outline).toBe("2px solid");
  await page.emulateMedia({ forcedColors: "active" });
  const other = page.getByRole("menuitemradio", { name: "English" });
  expect((await look(here)).backgroundColor).not.toBe((await look(other)).backgroundColor);
  await page.keyboard.press("Escape");
  const tabs = page.getByRole("navigation", { name: "Status" });
  const current = tabs.locator("[aria-current=page]");
  expect((await look(current)).backgroundColor).not.toBe(
    (await look(tabs.locator("a:not([aria-current])").first())).backgroundColor,
  );
  const search = page.getByRole("button", { name: "Search", exact: true });
  expect(await search.evaluate((element) => getComputedStyle(element).borderTopWidth)).toBe("1px");
});

test("sign-in begins in the e-mail and goes on to the password", async ({ page }) => {
  await page.goto("/sign-in");
  await expect(page.getByLabel("E-mail")).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.getByLabel("Password", { exact: true })).toBeFocused();
});

test("the bar of a long form covers no field with the focus, and its preview is no stop", async ({ page }) => {
  await page.setViewportSize({ width: 1360, height: 600 });
  await signIn(page, "/dashboard/settings/brand");
  await page.waitForLoadState("networkidle");
  const seen: string[] = [];
  await page.getByRole("main").getByRole("textbox").first().focus();
  for (let nth = 0; nth < 25; nth++) {
    await page.keyboard.press("Tab");
    const found = await page.evaluate(() => {
      const bar = document.querySelector("[data-bar]");
      const { activeElement: at } = document;
      if (!bar || !at) return "gone";
      if (at.tagName === "IFRAME") return "preview";
      if (bar.contains(at) || !bar.parentElement?.contains(at)) return "beside";
      return at.getBoundingClientRect().bottom <= bar.getBoundingClientRect().top ? "clear" : `covered ${at.outerHTML}`;
    });
    seen.push(found);
  }
  expect(seen.filter((each) => !["clear", "beside"].includes(each))).toEqual([]);
  expect(seen).toContain("clear");
});

test("what the sandbox's clock did earlier takes no focus", async ({ page }) => {
  await signIn(page, "/dashboard/developers/sandbox");
  await page.waitForLoadState("networkidle");
  expect(await page.evaluate(() => document.activeElement?.hasAttribute("data-outcome"))).toBe(false);
});

test.describe("by touch", () => {
  test.use({ viewport: { width: 375, height: 780 }, isMobile: true, hasTouch: true });

  test("buttons are high enough for a finger, and the search is closed by one", async ({ page }) => {
    await signIn(page, await ownList(page, 1));
    const low = await page
      .locator("header button:visible, main button:visible, main a[download]:visible")
      .evaluateAll((all) =>
        all.filter((each) => each.getBoundingClientRect().height < 44).map((each) => each.outerHTML.slice(0, 120)),
      );
    expect(low).toEqual([]);
    const dialog = page.getByRole("dialog", { name: "Search everything" });
    await expect(async () => {
      await page.getByRole("button", { name: "Search everything" }).tap();
      await expect(dialog).toBeVisible({ timeout: 2_000 });
    }).toPass();
    await expect(dialog.getByText("Enter to open")).toBeHidden();
    await dialog.getByRole("button", { name: "Close" }).tap();
    await expect(dialog).toBeHidden();
  });
});
