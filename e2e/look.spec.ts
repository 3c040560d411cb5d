import { readFileSync } from "node:fs";
import { type BrowserContextOptions, expect, type Page, test } from "@playwright/test";
import { expectAccessible, expectNoSidewaysScroll, expectReadable } from "@/e2e/axe";
import { choose, open } from "@/e2e/patience";

interface Demo {
  dashboard: { email: string; password: string };
}

/** Written by the installation under test when it first started. */
const demo: Demo = JSON.parse(readFileSync(process.env.E2E_DEMO_FILE ?? ".data/demo.json", "utf8"));

const PHONE = { width: 375, height: 780 };
const SMALLEST = { width: 320, height: 640 };
const DESKTOP = { width: 1360, height: 860 };

/** Each colour scheme, size and language once: they do not depend on each other. */
const LOOKS: [string, BrowserContextOptions, isWhole: boolean][] = [
  ["light, desktop, Portuguese", { colorScheme: "light", viewport: DESKTOP, locale: "pt-BR" }, true],
  ["dark, phone, English", { colorScheme: "dark", viewport: PHONE, locale: "en-US" }, false],
];

/** Complaints of the browser and requests that leave the installation. */
function watch(page: Page): string[] {
  const seen: string[] = [];
  const own = new URL(test.info().project.use.baseURL ?? "http://localhost").origin;
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) seen.push(`${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => seen.push(`threw: ${error.message}`));
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(`${own}/`) && !/^(data|blob):/.test(url)) seen.push(`left: ${url}`);
  });
  return seen;
}

async function signIn(page: Page, password = demo.dashboard.password): Promise<void> {
  await page.goto("/sign-in");
  await page.getByLabel("E-mail").fill(demo.dashboard.email);
  await page.getByLabel(/^(Senha|Password)$/).fill(password);
  await page.getByRole("button", { name: /^(Entrar|Sign in)$/ }).click();
}

for (const [look, options, isWhole] of LOOKS) {
  const expectGood = (page: Page, isOurs = true): Promise<void> =>
    isWhole ? expectAccessible(page, look, isOurs) : expectReadable(page, look);

  test.describe(look, () => {
    test.use({ ...options, reducedMotion: "reduce" } as BrowserContextOptions);

    for (const path of ["/", "/sign-in", "/no-such-page"]) {
      test(`${path} is accessible, quiet and fits`, async ({ page }) => {
        const seen = watch(page);
        await page.goto(path, { waitUntil: "networkidle" });
        await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
        await expectGood(page);
        await expectNoSidewaysScroll(page);
        // A page that does not exist says so with its status, which the browser repeats in the console.
        expect(seen.filter((line) => path !== "/no-such-page" || !line.includes("404"))).toEqual([]);
      });
    }

    test("the dashboard is quiet and fits", async ({ page }) => {
      const seen = watch(page);
      await signIn(page);
      await expect(page).toHaveURL(/\/dashboard$/);
      await page.waitForLoadState("networkidle");
      await expect(page.getByText(/Sandbox/).first()).toBeAttached();
      await expectNoSidewaysScroll(page);
      expect(seen).toEqual([]);
    });

    test("the API reference loads from here alone and shows our document", async ({ page, request }) => {
      const document: { info: { title: string }; tags: { name: string }[] } = await (
        await request.get("/openapi.json")
      ).json();
      const seen = watch(page);
      await page.goto("/docs");
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(document.info.title, { timeout: 30_000 });
      await expect(page.getByText(document.tags[0]?.name ?? "").first()).toBeAttached();
      await page.waitForLoadState("networkidle");
      await expectNoSidewaysScroll(page);
      await expectGood(page, false);
      expect(seen).toEqual([]);
    });
  });
}

test.describe("small and zoomed", () => {
  test.use({ viewport: SMALLEST });
  for (const path of ["/", "/sign-in"]) {
    test(`${path} reflows at 320 px`, async ({ page }) => {
      await page.goto(path);
      await expectNoSidewaysScroll(page);
    });
  }
});

test.describe("signing in", () => {
  test.use({ locale: "en-US", viewport: DESKTOP });

  test("a wrong password is refused in words, keeps the e-mail and moves the focus to the reason", async ({ page }) => {
    await signIn(page, "not the password at all");
    const reason = page.getByRole("alert").filter({ hasText: "Wrong e-mail or password" });
    await expect(reason).toBeFocused();
    await expect(page.getByLabel("E-mail")).toHaveValue(demo.dashboard.email);
    await expect(page.getByLabel("Password")).toHaveValue("");
    await expectAccessible(page);
  });

  test("an incomplete form names the field", async ({ page }) => {
    await page.goto("/sign-in");
    await page.getByLabel("E-mail").fill("someone");
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByLabel("E-mail")).toHaveAccessibleDescription(/Enter an e-mail/);
    await expect(page.getByLabel("E-mail")).toHaveAttribute("aria-invalid", "true");
  });

  test("the right password leads to where one was going, and signing out ends the session for good", async ({
    page,
    context,
  }) => {
    await page.goto("/dashboard");
    await expect(page).toHaveURL(/\/sign-in\?return=%2Fdashboard/);
    await signIn(page);
    await expect(page).toHaveURL(/\/dashboard$/);
    const kept = await context.cookies();
    const session = kept.find(({ name }) => name.endsWith("trilho.session"));
    expect(session).toMatchObject({ httpOnly: true, sameSite: "Lax", path: "/" });

    const signOut = page.getByRole("menuitem", { name: "Sign out" });
    await open(page.getByRole("button", { name: /^Menu of/ }), signOut);
    await signOut.click();
    await expect(page.getByText("You are signed out")).toBeVisible();

    await context.addCookies(kept);
    await page.goto("/dashboard");
    await expect(page).toHaveURL(/\/sign-in/);
  });

  test("works without scripts", async ({ browser }) => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await signIn(page);
    await expect(page).toHaveURL(/\/dashboard$/);
    await context.close();
  });

  test("a form sent from another site is refused", async ({ request }) => {
    const answer = await request.post("/api/auth/callback/credentials", {
      headers: { origin: "https://evil.example" },
      form: { email: demo.dashboard.email, password: demo.dashboard.password },
      maxRedirects: 0,
    });
    expect(answer.status()).toBe(403);
  });
});

for (const locale of ["pt-BR", "en-US"])
  test.describe(`in ${locale}`, () => {
    test.use({ locale });

    test("the three ways to begin stand in one row on every desktop", async ({ page }) => {
      for (const width of [1024, 1280, 1440]) {
        await page.setViewportSize({ width, height: 800 });
        await page.goto("/");
        await page.evaluate(() => document.fonts.ready);
        const row = page.locator("main h1 ~ div").getByRole("link");
        await expect(row).toHaveCount(3);
        const tops = await row.evaluateAll((links) => links.map((link) => link.getBoundingClientRect().top));
        expect(new Set(tops).size, `at ${width}`).toBe(1);
      }
    });
  });

test.describe("preferences", () => {
  test.use({ locale: "en-US", viewport: DESKTOP, colorScheme: "light" });

  test("language and appearance are chosen by keyboard and remembered", async ({ page }) => {
    await page.goto("/");
    const portuguese = page.getByRole("menuitemradio", { name: "Português" });
    await choose(page.getByRole("button", { name: "Language" }), portuguese, page.locator("html[lang=pt-BR]"));
    // The page comes anew in that language: a press before it is there would be of the old one.
    await page.waitForLoadState("networkidle");
    const dark = page.getByRole("menuitemradio", { name: "Escura" });
    await choose(page.getByRole("button", { name: "Aparência" }), dark, page.locator("html[data-theme=dark]"));
    await expect(page.locator("body")).toHaveCSS("background-color", "rgb(11, 15, 13)");
    // It is dark before the answer that remembers it is there.
    const kept = async () => (await page.context().cookies()).find(({ name }) => name === "trilho-theme")?.value;
    await expect.poll(kept).toBe("dark");
    await page.reload();
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
    await expect(page.locator("html")).toHaveAttribute("lang", "pt-BR");
  });

  test("the phone menu opens, is accessible and closes with Escape", async ({ page }) => {
    await page.setViewportSize(PHONE);
    await signIn(page);
    const menu = page.getByRole("button", { name: "Menu", exact: true });
    await open(menu, page.getByRole("dialog").getByRole("link", { name: "Home" }));
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await expect(menu).toBeFocused();
  });
});

test("pages carry the headers that keep them to themselves", async ({ request }) => {
  const page = await request.get("/");
  expect(page.headers()).toMatchObject({ "x-content-type-options": "nosniff", "x-frame-options": "DENY" });
  expect(page.headers()["content-security-policy"]).toContain("default-src 'none'");
  expect(page.headers()["x-powered-by"]).toBeUndefined();
  const docs = await request.get("/docs");
  expect(docs.headers()["content-security-policy"]).toContain("script-src 'self';");
});
