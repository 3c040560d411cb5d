import { join } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { expectAccessible, expectReadable } from "@/e2e/axe";
import { DESKTOP, lost, newStage, PHONE, recordShifts, shiftsOf, speakPseudo, watch } from "@/e2e/shop";
import { LINK_SCENES, openLink, PAYMENT_SCENES, type Scene } from "@/lib/testing/checkout-scenes";
import { INJECTIONS } from "@/lib/testing/injections";

/** A folder for pictures, to be looked at by people: `SCREENS=/tmp/screens npx playwright test …`. */
const FOLDER = process.env.SCREENS;
/** A phone of ten years ago, 1280 px at 200 %, and a desk. */
const WIDTHS = [320, 640, 1280];

/** Each screen in two languages, light and dark, on a phone and at a desk, magnified, in forced colours, and longer. */
async function visit(page: Page, { state }: Scene, path: string): Promise<void> {
  const bare = path.split("?")[0] ?? "";
  const query = path.split("?")[1]?.replace(/lang=[^&]*&?/, "") ?? "";
  await page.setViewportSize(PHONE);
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce", forcedColors: "none" });
  await page.goto(`${bare}?lang=pt-BR&${query}`);
  await expect(page.locator("body")).toHaveAttribute("data-state", state);
  expect(await shiftsOf(page), `${state} moves while it loads`).toEqual([]);
  await expectAccessible(page, `${state} pt light phone`);
  await picture(page, `${state}-pt-light-phone`);
  await page.emulateMedia({ forcedColors: "active" });
  await expectReadable(page, `${state} pt forced colours`);
  await page.setViewportSize(DESKTOP);
  await page.emulateMedia({ colorScheme: "dark", forcedColors: "none" });
  await page.goto(`${bare}?lang=en&${query}`);
  expect(await shiftsOf(page), `${state} moves while it loads at a desk`).toEqual([]);
  await expectReadable(page, `${state} en dark desktop`);
  await picture(page, `${state}-en-dark-desktop`);
  for (const isPseudo of [false, true]) {
    if (isPseudo) await speakPseudo(page);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      expect(await lost(page), `${state} at ${width} px${isPseudo ? ", longer" : ""}`).toEqual([]);
    }
  }
}

const picture = async (page: Page, name: string): Promise<void> => {
  if (FOLDER) await page.screenshot({ path: join(FOLDER, `${name}.png`), fullPage: true });
};

const SCENES: readonly Scene[] = [
  ...LINK_SCENES,
  ...PAYMENT_SCENES,
  ...["card", "cards", "cards&cards=3", "boleto"].map(
    (method): Scene => ({
      state: "open",
      pt: "",
      en: "",
      reach: async (stage) => `/pay/${(await openLink(stage)).id}?method=${method}`,
    }),
  ),
].filter(({ isTimed, isOwn }) => !isTimed && !isOwn);
const PARTS = 10;

for (let part = 0; part < PARTS; part++) {
  const scenes = SCENES.filter((_, index) => index % PARTS === part);
  test(`screens read well whoever reads them: ${scenes.map(({ state }) => state).join(", ")}`, async ({ page }) => {
    test.setTimeout(180_000);
    const seen = watch(page);
    await recordShifts(page);
    for (const scene of scenes) await visit(page, scene, await scene.reach(newStage()));
    // A link that is unknown or that nobody serves says so with its status, which the browser repeats in the console.
    expect(seen.filter((text) => !/status of (404|503)/.test(text))).toEqual([]);
  });
}

test("on a small phone nothing touches what stands above it, and no room is left over", async ({ page }) => {
  test.setTimeout(180_000);
  await page.setViewportSize({ width: 360, height: 780 });
  const stage = newStage();
  const box = async (selector: string) =>
    (await page.locator(selector).first().boundingBox()) ?? { y: Number.NaN, height: 0, width: 0 };
  /** Pixels from the end of one to the beginning of the other. */
  const between = async (upper: string, lower: string) => {
    const [above, below] = [await box(upper), await box(lower)];
    return below.y - above.y - above.height;
  };
  const reach = async (state: string) => {
    const scene = PAYMENT_SCENES.find((each) => each.state === state);
    await page.goto((await scene?.reach(stage)) ?? "");
    await expect(page.locator("body")).toHaveAttribute("data-state", state);
  };
  await reach("declined");
  expect(await between("#heading", "#heading + [role=alert] p")).toBeGreaterThanOrEqual(8);
  await reach("released");
  const marks = await page.locator(".slots li > svg").evaluateAll((all) => all.map((one) => one.clientWidth));
  expect([marks.length >= 2, new Set(marks)]).toEqual([true, new Set([38])]);
  const link = await openLink(stage);
  for (const method of ["card", "cards"]) {
    await page.goto(`/pay/${link.id}?method=${method}`);
    const form = await box(`form[data-form=${method}]`);
    const button = await box(`form[data-form=${method}] button[type=submit]`);
    expect(form.y + form.height - button.y - button.height, method).toBeLessThanOrEqual(1);
  }
  await reach("pix");
  await page.goto(`${new URL(page.url()).pathname.split("/p/")[0]}?other=1`);
  expect(await between("#running", "#running + details")).toBeGreaterThanOrEqual(8);
  await page.locator("#running + details summary").click();
  expect(await between("#running + details summary", "#running + details form")).toBeGreaterThanOrEqual(8);
});

test("what is read follows the order of the page: shop, amount, what it is for, how to pay, the rest", async ({
  page,
}) => {
  const link = await openLink(newStage());
  await page.goto(`/pay/${link.id}?lang=pt-BR`);
  const spoken = await page.locator("body").ariaSnapshot();
  const order = [
    "Ir para o pagamento",
    "Ambiente de testes",
    "100,01",
    "Tênis de corrida",
    "Como você quer pagar?",
    "Pix",
    "Nome completo",
    "CPF ou CNPJ",
    "E-mail",
    "Gerar Pix de",
    "Cartão de crédito",
    "Boleto",
    "Pagamento seguro",
    "English",
  ];
  const places: number[] = [];
  for (const text of order) places.push(spoken.indexOf(text, places.at(-1) ?? 0));
  expect(
    places.filter((place) => place < 0),
    `${order}\n${spoken}`,
  ).toEqual([]);
  await expect(page.locator("[tabindex]:not([tabindex='-1'])")).toHaveCount(0);
});

test("80 texts that want to be more stay text in the browser: nothing runs, loads or is reported", async ({ page }) => {
  const seen = watch(page);
  const stage = newStage();
  const shop = await stage.call("POST", "/v1/merchants", {
    mcc: "5411",
    name: INJECTIONS[0],
    merchantName: INJECTIONS[0],
    providers: [{ name: "Simulator", priority: 1, credentials: { type: "SANDBOX", apiKey: "any text" } }],
  });
  const link = await openLink(
    { ...stage, merchantId: shop.id },
    {
      name: INJECTIONS[3],
      items: INJECTIONS.map((name) => ({ name, unitPrice: 100, quantity: 1 })),
    },
  );
  await page.goto(`/pay/${link.id}?method=pix`);
  await page.locator(".more:has(.items) > summary").click();
  await expect(page.locator(".items li")).toHaveCount(INJECTIONS.length);
  const squeezed = (text: string) => text.replace(/\s+/g, " ").trim();
  const shown = squeezed(await page.locator(".items").innerText());
  expect(INJECTIONS.filter((text) => !shown.includes(squeezed(text)))).toEqual([]);
  await page.locator("form[data-form=pix] [name=name]").fill(INJECTIONS[4] ?? "");
  await page.locator("form[data-form=pix] [name=document]").fill("123.456.789-09");
  await page.locator("form[data-form=pix] button[type=submit]").click();
  await page.getByRole("button", { name: /Simular pagamento|Simulate payment/ }).click();
  await expect(page.locator("body")).toHaveAttribute("data-state", "paid", { timeout: 30_000 });
  expect(await page.evaluate(() => "planted" in window)).toBe(false);
  expect(seen).toEqual([]);
});

test("whatever is pressed is at least 44 by 44 pixels, but for links inside a text", async ({ page }) => {
  test.setTimeout(120_000);
  await page.setViewportSize(PHONE);
  const scenes = [
    ...SCENES.filter(({ state }) => ["open", "pix", "boleto", "declined", "in_use", "paid"].includes(state)),
  ];
  for (const scene of scenes) {
    await page.goto(await scene.reach(newStage()));
    const small = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>("a,button,select,summary,input:not([type=hidden]),.choice")]
        .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.closest("p,li,.skip,label"))
        .map((each) => ({ box: each.getBoundingClientRect(), told: each.outerHTML.slice(0, 80) }))
        .filter(({ box }) => box.width > 0 && (box.height < 44 || box.width < 44))
        .map(({ box, told }) => `${Math.round(box.width)} × ${Math.round(box.height)}: ${told}`),
    );
    expect(small, scene.state).toEqual([]);
  }
});
