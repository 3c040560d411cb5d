import { describe, expect, test, vi } from "vitest";
import { guarded } from "@/app/(checkout)/link";
import { visitorOf } from "@/app/(checkout)/visitor";
import { openClient } from "@/lib/testing/api";
import { formsOf, textOf } from "@/lib/testing/buyer";
import { newBuyer } from "@/lib/testing/checkout-routes";
import { LINK_SCENES, openLink, PAYMENT_SCENES, type Scene, type Stage } from "@/lib/testing/checkout-scenes";
import { withMerchant } from "@/lib/testing/payments";
import { work } from "@/lib/testing/purchases";

/** Several pages and payments each, beside whatever else the machine does. */
vi.setConfig({ testTimeout: 60_000 });

const SHOP = "Mercado Central";
/** States in which paying once more could take money twice. */
const NOT_AGAIN = new Set(["processing", "confirming", "review", "running", "refunding"]);
const PAYS = ["pix", "card", "cards", "boleto", "renew"];

async function newStage(): Promise<Stage> {
  const { client, merchant } = await withMerchant(await openClient());
  const buyer = await newBuyer();
  return {
    merchantId: merchant.id,
    buyer,
    call: (method, path, body) => client.make(method, path, body ? { body } : {}),
    until: () => work(client),
    advance: (duration) => client.make("POST", "/v1/sandbox/clock", { body: { advance: duration } }),
  };
}

describe.each([...LINK_SCENES, ...PAYMENT_SCENES])("$state", (scene: Scene) => {
  test("has its heading in both languages, one main, one first heading, and says what changes aloud", async () => {
    const stage = await newStage();
    const path = await scene.reach(stage);
    for (const [language, heading] of [
      ["pt-BR", scene.pt],
      ["en", scene.en],
    ] as const) {
      const shown = await stage.buyer.open(`${path.split("?")[0]}?lang=${language}`);
      expect([shown.state, shown.status, shown.heading]).toEqual([
        scene.state,
        scene.status ?? 200,
        expect.stringContaining(heading.replace("{shop}", SHOP)),
      ]);
      const count = (pattern: RegExp) => [...shown.html.matchAll(pattern)].length;
      expect([
        count(/<h1\b/g),
        count(/<main\b/g),
        count(/aria-live="polite"/g),
        count(/aria-live="assertive"/g),
      ]).toEqual([1, 1, 1, 1]);
      expect(shown.html).toContain(`<html lang="${language}"`);
      expect(textOf(/<title>([^<]*)/.exec(shown.html)?.[1] ?? "")).not.toBe("");
      // A message that is missing shows its own name.
      expect(shown.text).not.toMatch(/checkout\.|\{\w+\}|undefined|null|NaN/);
      if (NOT_AGAIN.has(scene.state)) expect(formsOf(shown).filter((form) => PAYS.includes(form))).toEqual([]);
    }
  });
});

test("while a card's bank has not answered, no page of the link offers to pay again", async () => {
  const stage = await newStage();
  const scene = PAYMENT_SCENES.find(({ state }) => state === "confirming");
  const path = (await scene?.reach(stage)) ?? "";
  const link = await stage.buyer.open(/^\/pay\/[^/?]+/.exec(path)?.[0] ?? "");
  expect([link.state, formsOf(link)]).toEqual(["confirming", []]);
});

test("our own failure says so, with a reference and a way to try again", async () => {
  const stage = await newStage();
  const link = await openLink(stage);
  const visitor = visitorOf(new Request(`http://trilho.test/pay/${link.id}`, { headers: { "accept-language": "en" } }));
  const answer = await guarded(visitor, link.id, () => Promise.reject(new Error("planted")));
  const html = await answer.text();
  expect([answer.status, textOf(html)]).toEqual([500, expect.stringContaining("Something failed on our side")]);
  expect(html).toContain(visitor.requestId);
  expect(html).not.toContain("planted");
});
