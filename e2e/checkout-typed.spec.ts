import { expect, test } from "@playwright/test";
import { newStage, PHONE } from "@/e2e/shop";
import { sandboxPan } from "@/lib/reference/sandbox-pans";
import { openLink } from "@/lib/testing/checkout-scenes";

test.use({ viewport: PHONE, locale: "pt-BR" });

test("what was typed for one method stands in the next, but for the code of a card", async ({ page }) => {
  const link = await openLink(newStage());
  await page.goto(`/pay/${link.id}?method=card`);
  const field = (form: string, name: string) => page.locator(`form[data-form=${form}] [name=${name}]`);
  for (const [name, value] of [
    ["cardNumber", sandboxPan("approve")],
    ["cardHolderName", "ANA SOUZA"],
    ["cardExpiration", "12/39"],
    ["cardCvv", "123"],
    ["document", "123.456.789-09"],
  ] as const)
    await field("card", name).fill(value);
  await page.locator("details[data-method=cards] summary").click();
  for (const [name, value] of [
    ["cardNumber0", "4111 2200 0000 0002"],
    ["cardHolderName0", "ANA SOUZA"],
    ["cardExpiration0", "12/39"],
    ["cardCvv0", ""],
    ["cardNumber1", ""],
    ["document", "123.456.789-09"],
  ] as const)
    await expect(field("cards", name)).toHaveValue(value);
  await page.locator("details[data-method=boleto] summary").click();
  await expect(field("boleto", "name")).toHaveValue("ANA SOUZA");
});

test("a page names the place that takes reports of its policy, and it takes them", async ({ page }) => {
  const link = await openLink(newStage());
  const headers = (await page.request.get(`/pay/${link.id}`)).headers();
  const [, receiver = ""] = /^csp="([^"]+)"$/.exec(headers["reporting-endpoints"] ?? "") ?? [];
  const told = await page.request.post(receiver, {
    headers: { "content-type": "application/reports+json" },
    data: [{ type: "csp-violation", body: { effectiveDirective: "img-src", blockedURL: "https://evil.example/x" } }],
  });
  expect([told.status(), await told.text()]).toEqual([204, ""]);
});
