import { expect, type Page, type Route, test } from "@playwright/test";
import { expectAccessible } from "@/e2e/axe";
import { newStage, PHONE } from "@/e2e/shop";
import { sandboxPan } from "@/lib/reference/sandbox-pans";
import { openLink } from "@/lib/testing/checkout-scenes";

test.use({ viewport: PHONE, locale: "pt-BR" });

async function typeCard(page: Page, cardNumber: string): Promise<void> {
  const typed = {
    cardNumber,
    cardHolderName: "ANA SOUZA",
    cardExpiration: "12/39",
    cardCvv: "123",
    document: "123.456.789-09",
  };
  for (const [name, value] of Object.entries(typed))
    await page.locator(`form[data-form=card] [name=${name}]`).fill(value);
}

test("what was typed for one method stands in the next, but for the code of a card", async ({ page }) => {
  const link = await openLink(newStage());
  await page.goto(`/pay/${link.id}?method=card`);
  const field = (form: string, name: string) => page.locator(`form[data-form=${form}] [name=${name}]`);
  await typeCard(page, sandboxPan("approve"));
  await page.locator("details[data-method=cards] > summary").click();
  for (const [name, value] of [
    ["cardNumber0", "4111 2200 0000 0002"],
    ["cardHolderName0", "ANA SOUZA"],
    ["cardExpiration0", "12/39"],
    ["cardCvv0", ""],
    ["cardNumber1", ""],
    ["document", "123.456.789-09"],
  ] as const)
    await expect(field("cards", name)).toHaveValue(value);
  await page.locator("details[data-method=boleto] > summary").click();
  await expect(field("boleto", "name")).toHaveValue("ANA SOUZA");
});

test("what is pasted with spaces, signs and marks that nobody sees is read", async ({ page }) => {
  const link = await openLink(newStage());
  await page.goto(`/pay/${link.id}?method=boleto`);
  const field = (name: string) => page.locator(`form[data-form=boleto] [name=${name}]`);
  const paste = async (name: string, text: string) => {
    await field(name).focus();
    await page.evaluate((pasted) => document.execCommand("insertText", false, pasted), text);
    await page.keyboard.press("Tab");
  };
  for (const [name, text, shown] of [
    ["document", "\u202a 12,345,678/0001\u201395 \u202c", "12.345.678/0001-95"],
    ["zipCode", " 01.310 - 100 ", "01310-100"],
    ["name", "Ana \u202eSouza", "Ana Souza"],
  ] as const) {
    await paste(name, text);
    await expect(field(name)).toHaveValue(shown);
    await expect(field(name)).not.toHaveAttribute("aria-invalid", "true");
  }
  await expect(field("city")).toHaveValue("São Paulo");
  await expect(page.locator("#polite")).toHaveText("Estado: SP, Cidade: São Paulo");
});

test("asked whether to pay once more, a buyer answers where the question stands", async ({ page }) => {
  const link = await openLink(newStage(), { maxPayments: -1 });
  const press = async () => {
    await typeCard(page, sandboxPan("approve"));
    await page.locator("form[data-form=card] button[type=submit]").click();
  };
  await page.goto(`/pay/${link.id}?method=card`);
  await press();
  await expect(page.locator("body")).toHaveAttribute("data-state", "paid", { timeout: 30_000 });
  const first = page.url();
  await page.goto(`/pay/${link.id}?method=card`);
  await expect(page.getByRole("heading", { level: 1, name: "Você pagou R$ 100,01" })).toBeVisible();
  await expectAccessible(page, "paid here");
  await page.getByRole("link", { name: "Pagar de novo" }).click();
  await page.locator("details[data-method=card] > summary").click();
  await press();
  const question = page.getByRole("alert").filter({ hasText: "Você já pagou R$ 100,01" });
  await expect(question.getByRole("link", { name: "Ver comprovante" })).toBeFocused({ timeout: 30_000 });
  await question.getByRole("button", { name: "Pagar de novo" }).click();
  await expect(page.locator("body")).toHaveAttribute("data-state", "paid", { timeout: 30_000 });
  expect(page.url()).not.toBe(first);
});

test("what is begun under a refusal before the scripts have come goes on where it was begun", async ({ page }) => {
  const link = await openLink(newStage());
  let letThrough = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    letThrough = resolve;
  });
  await page.route(/\.js(\?|$)/, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(`/pay/${link.id}?method=card`, { waitUntil: "commit" });
  await typeCard(page, sandboxPan("decline:insufficient_funds"));
  await page.locator("form[data-form=card] button[type=submit]").click({ noWaitAfter: true });
  await expect(page.locator("#alert [role=alert]")).toBeVisible();
  // The way out that the page opens, with what it knows already.
  const field = (of: string) => page.locator(`form[data-form=pix] [name=${of}]`);
  await expect(field("name")).toHaveValue("ANA SOUZA");
  await field("email").focus();
  await page.keyboard.type("ana@");
  letThrough();
  await page.waitForLoadState("load");
  await page.keyboard.type("example.com");
  await expect(field("email")).toHaveValue("ana@example.com");
});

test("one way to pay is open at a time, in browsers that know no groups of details too", async ({ page }) => {
  const link = await openLink(newStage());
  await page.goto(`/pay/${link.id}`);
  await page.evaluate(() => {
    for (const details of document.querySelectorAll("details[name]")) details.removeAttribute("name");
  });
  const open = page.locator("details[data-method][open]");
  for (const method of ["card", "boleto", "pix"]) {
    await page.locator(`details[data-method=${method}] > summary`).click();
    await expect(open).toHaveCount(1);
    await expect(open).toHaveAttribute("data-method", method);
  }
});

test("a third card comes and goes on the page itself: nothing typed is lost, and the amounts add up", async ({
  page,
}) => {
  const link = await openLink(newStage());
  await page.goto(`/pay/${link.id}?method=cards`);
  let loads = 0;
  page.on("load", () => loads++);
  const field = (name: string) => page.locator(`form[data-form=cards] [name=${name}]`);
  const typed = [
    ["cardNumber0", "4111 2200 0000 0002"],
    ["cardCvv0", "123"],
    ["cardHolderName1", "ANA SOUZA"],
    ["document", "123.456.789-09"],
  ] as const;
  for (const [name, value] of typed) await field(name).fill(value);
  await expect(field("amount2")).toBeHidden();
  await page.getByRole("link", { name: "3 cartões" }).click();
  await expect(field("amount2")).toHaveValue("33,33");
  await expect(page.locator("form[data-form=cards] button[type=submit]")).toContainText("3 cartões");
  await field("cardHolderName2").fill("RUI SOUZA");
  await page.getByRole("link", { name: "2 cartões" }).click();
  await expect(field("amount1")).toHaveValue("50,00");
  await expect(field("amount2")).toBeDisabled();
  await page.getByRole("link", { name: "3 cartões" }).click();
  for (const [name, value] of [...typed, ["cardHolderName2", "RUI SOUZA"]] as const)
    await expect(field(name)).toHaveValue(value);
  expect(loads).toBe(0);
  // Loaded anew, the page keeps the number of cards.
  await page.reload();
  await expect(field("amount2")).toBeVisible();
});

test("when one of two cards is declined, the page says what a new try holds, and one card alone is a way out", async ({
  page,
}) => {
  const link = await openLink(newStage());
  await page.goto(`/pay/${link.id}?method=cards`);
  const field = (form: string, name: string) => page.locator(`form[data-form=${form}] [name=${name}]`);
  for (const [index, number] of [sandboxPan("decline:generic"), sandboxPan("approve", "mastercard")].entries()) {
    await field("cards", `cardNumber${index}`).fill(number);
    await field("cards", `cardHolderName${index}`).fill("ANA SOUZA");
    await field("cards", `cardExpiration${index}`).fill("12/39");
    await field("cards", `cardCvv${index}`).fill("123");
  }
  await field("cards", "document").fill("123.456.789-09");
  await page.locator("form[data-form=cards] button[type=submit]").click();
  const refusal = page.getByRole("alert").filter({ hasText: "O cartão 1 foi recusado" });
  await expect(refusal).toContainText("o valor é reservado outra vez em cada cartão", { timeout: 30_000 });
  await refusal.getByRole("button", { name: "Pagar com um cartão só" }).click();
  // Not the one that was declined.
  await expect(field("card", "cardNumber")).toHaveValue("5200 0000 0000 0007");
  await expect(field("card", "cardCvv")).toHaveValue("");
  await expect(page.locator("form[data-form=card] button[type=submit]")).not.toHaveAttribute("aria-disabled", "true");
});

test("a script that somebody put into the page does not run; the browser reports it, and the report is taken", async ({
  page,
}) => {
  const link = await openLink(newStage());
  const devtools = await page.context().newCDPSession(page);
  const reports: { type: string; destination: string; body: object }[] = [];
  devtools.on("Network.reportingApiReportAdded", ({ report }) => reports.push(report));
  await devtools.send("Network.enable");
  await devtools.send("Network.enableReportingApi", { enable: true });
  await page.route(`**/pay/${link.id}`, async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text()).replace("</main>", "<script>window.stolen = 1</script></main>");
    await route.fulfill({ response: answer, body });
  });
  const headers = (await page.goto(`/pay/${link.id}`))?.headers() ?? {};
  await expect(page.locator("main script")).toHaveCount(1);
  expect(await page.evaluate(() => "stolen" in window)).toBe(false);
  // Chromium sends reports when it likes: what it will send, and where, is known at once.
  await expect
    .poll(() => reports.map(({ type, destination }) => [type, destination]))
    .toEqual([["csp-violation", "csp"]]);
  const [, receiver = ""] = /^csp="([^"]+)"$/.exec(headers["reporting-endpoints"] ?? "") ?? [];
  const sent = reports.map(({ type, body }) => ({ age: 0, type, url: page.url(), user_agent: "Chromium", body }));
  expect(sent).toMatchObject([{ body: { effectiveDirective: "script-src-elem", blockedURL: "inline" } }]);
  const told = await page.request.post(receiver, {
    headers: { "content-type": "application/reports+json" },
    data: sent,
  });
  expect([told.status(), await told.text()]).toEqual([204, ""]);
});

test("answers carry their policy, and an unknown link says nothing", async ({ page }) => {
  const paymentLink = `/pay/${(await openLink(newStage())).id}`;
  const headers = (await page.request.get(paymentLink)).headers();
  expect(headers["content-security-policy"]).toMatch(
    /default-src 'none'; script-src 'nonce-[^']+' 'strict-dynamic'; .*frame-ancestors 'none'.*require-trusted-types-for 'script'.*; report-to csp$/,
  );
  expect(headers).toMatchObject({
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
    "content-encoding": "gzip",
  });
  const forged = await page.request.post(`${paymentLink}/pix`, {
    form: { attempt: "x" },
    headers: { origin: "https://evil.example" },
  });
  expect(await forged.text()).toMatch(
    /ficou aberta por muito|was open for too long|não disse de onde|did not say where/,
  );
  const one = await page.request.get("/pay/0192f1c0-1111-7aaa-8bbb-000000000001");
  const two = await page.request.get("/pay/nothing-at-all");
  const bare = async (response: typeof one) => (await response.text()).replace(/nonce="[^"]+"/g, "");
  expect([one.status(), await bare(one)]).toEqual([404, await bare(two)]);
});

test("a summary of mistakes and a decline go once the form is sent again", async ({ page }) => {
  const link = await openLink(newStage());
  await page.goto(`/pay/${link.id}?method=card`);
  const card = page.locator("form[data-form=card]");
  const pay = card.locator("button[type=submit]");
  await pay.click();
  await expect(page.locator("#alert")).toContainText("Confira 5 campos");
  const held: Route[] = [];
  await page.route("**/card", (route) => void held.push(route));
  // The page says that it sends before the request has reached the test.
  const answer = async () => {
    await expect.poll(() => held.length).toBe(1);
    await held.pop()?.continue();
  };
  const expectSending = async () => {
    await expect(card).toHaveAttribute("data-busy");
    await expect(page.locator("#alert > *")).toHaveCount(0);
  };
  await typeCard(page, sandboxPan("decline:try_again"));
  await pay.click();
  await expectSending();
  await answer();
  await page.locator("#alert [data-action=retry]").click();
  await expectSending();
  // What was pressed is gone with its box: the button that shows the progress has its place.
  await expect(pay).toBeFocused();
  await expect(pay).toBeInViewport();
  await answer();
  await expect(page.locator("#alert [role=alert]")).toBeVisible();
});

test("a summary of mistakes goes when another method is opened; a decline stays", async ({ page }) => {
  const link = await openLink(newStage());
  await page.goto(`/pay/${link.id}?method=card`);
  const open = (method: string) => page.locator(`details[data-method=${method}] > summary`).click();
  await page.locator("form[data-form=card] button[type=submit]").click();
  await expect(page.locator("#alert")).toContainText("Confira 5 campos");
  await open("pix");
  await expect(page.locator("#alert > *")).toHaveCount(0);
  await open("card");
  await typeCard(page, sandboxPan("decline:issuer_not_available"));
  await page.locator("form[data-form=card] button[type=submit]").click();
  const retry = page.locator("#alert [data-action=retry]");
  await expect(retry).toHaveAttribute("aria-disabled", "true");
  const border = (button: typeof retry) => button.evaluate((each) => getComputedStyle(each).borderTopStyle);
  // It looks as if it could not be pressed, and cannot.
  expect(await border(retry)).toBe("dashed");
  expect(await border(page.locator("#alert [data-action=pix]"))).toBe("solid");
  await open("pix");
  await expect(page.locator("#alert [data-refused]")).toBeVisible();
});

test("a declined security code is told by its own field", async ({ page }) => {
  const link = await openLink(newStage());
  await page.goto(`/pay/${link.id}?method=card`);
  await typeCard(page, sandboxPan("decline:invalid_cvv"));
  await page.locator("form[data-form=card] button[type=submit]").click();
  const cvv = page.locator("form[data-form=card] [name=cardCvv]");
  await expect(cvv).toHaveAttribute("aria-invalid", "true");
  await expect(cvv).toHaveAttribute("aria-describedby", /card-cardCvv-error/);
  await expect(page.locator("#card-cardCvv-error")).toContainText("O código de segurança não confere.");
  await expect(page.locator("#card-cardCvv-error")).toBeInViewport();
});

test("while several cards run no other form can be pressed, and the panel says what is waited for", async ({
  page,
}) => {
  const link = await openLink(newStage());
  await page.goto(`/pay/${link.id}?method=cards`);
  const cards = page.locator("form[data-form=cards]");
  for (const [card, number] of [
    sandboxPan("approve"),
    sandboxPan("timeout_authorised_at_provider", "mastercard"),
  ].entries())
    for (const [name, value] of [
      ["cardNumber", number],
      ["cardHolderName", "ANA SOUZA"],
      ["cardExpiration", "12/39"],
      ["cardCvv", "120"],
    ] as const)
      await cards.locator(`[name=${name}${card}]`).fill(value);
  await cards.locator("[name=document]").fill("123.456.789-09");
  await cards.locator("button[type=submit]").click();
  const panel = page.locator("#alert .box");
  await expect(panel).toContainText(
    "Um cartão por vez. A cobrança só é feita depois que o valor estiver reservado em todos.",
  );
  await page.locator("details[data-method=pix] > summary").click();
  const pix = page.locator("form[data-form=pix] button[type=submit]");
  await expect(pix).toHaveAttribute("aria-disabled", "true");
  await expect(pix.locator(".spin")).toBeHidden();
  await expect(panel).toContainText("Ainda confirmando com o banco", { timeout: 15_000 });
});

test("what failed on our side is no longer called on its way to the bank", async ({ page }) => {
  const link = await openLink(newStage());
  await page.goto(`/pay/${link.id}?method=card`);
  let fail = (): void => undefined;
  const isSlow = new Promise<void>((resolve) => {
    fail = resolve;
  });
  await page.route(`**/pay/${link.id}/card`, async (route) => {
    await isSlow;
    await route.fulfill({ status: 500, contentType: "text/html", body: "" });
  });
  await typeCard(page, sandboxPan("approve"));
  const button = page.locator("form[data-form=card] button[type=submit]");
  await button.click();
  const slow = page.locator("form[data-form=card] [data-captcha=status]");
  await expect(slow).toContainText("Ainda confirmando com o banco", { timeout: 15_000 });
  fail();
  await expect(button).toHaveAttribute("aria-disabled", "false", { timeout: 30_000 });
  await expect(page.locator("#alert .box")).toBeVisible();
  await expect(slow).toBeHidden();
});

test("a card of a brand that the shop does not take is told so in its field, and is not sent", async ({ page }) => {
  const link = await openLink(newStage());
  await page.route(`**/pay/${link.id}?*`, async (route) => {
    const body = (await (await route.fetch()).text()).replace(/"taken":\[[^\]]*\]/, '"taken":["Elo"]');
    await route.fulfill({ contentType: "text/html", body });
  });
  let sent = 0;
  page.on("request", (request) => (sent += request.method() === "POST" ? 1 : 0));
  await page.goto(`/pay/${link.id}?method=card`);
  const number = page.locator("form[data-form=card] [name=cardNumber]");
  await typeCard(page, sandboxPan("approve"));
  const told = page.locator("#card-cardNumber-error");
  await expect(told).toHaveText("Esta loja não aceita Visa aqui. Use outro cartão.");
  await page.locator("form[data-form=card] button[type=submit]").click();
  await expect(page.locator("#alert")).toContainText("Esta loja não aceita Visa aqui.");
  expect(sent).toBe(0);
  await number.fill(sandboxPan("approve", "elo"));
  await expect(told).toBeHidden();
  await page.locator("form[data-form=card] button[type=submit]").click();
  await expect(page.getByRole("heading", { name: "Pagamento aprovado" })).toBeVisible({ timeout: 30_000 });
});
