import { beforeAll, describe, expect, test } from "vitest";
import { openClient } from "@/lib/testing/api";
import { cardFields, pathOf, type Shown, valuesOf } from "@/lib/testing/buyer";
import { newBuyer } from "@/lib/testing/checkout-routes";
import { type Shop, withMerchant } from "@/lib/testing/payments";
import { CREDIT, openSession, PIX } from "@/lib/testing/sessions";

let shop: Shop;
beforeAll(async () => {
  shop = await withMerchant(await openClient());
});

interface Way {
  action: string;
  href: string;
  /** Shown to whoever has no scripts. */
  isPlain: boolean;
}
const waysOf = ({ html }: Shown): Way[] =>
  [...html.matchAll(/<a class="([^"]*)" href="([^"]*)" data-action="([^"]*)"/g)].map(
    ([, classes = "", href = "", action = ""]) => ({
      action,
      href: href.replaceAll("&amp;", "&"),
      isPlain: !classes.split(" ").includes("js"),
    }),
  );

/** Of a browser without scripts nothing is solved. */
const typedWith = (outcome: Parameters<typeof cardFields>[0], brand: "visa" | "elo" = "visa") => ({
  ...cardFields(outcome, { brand }),
  captcha: "",
  email: "ana@example.com",
  installments: "3",
});
const KEPT = { cardHolderName: "ANA SOUZA", email: "ana@example.com", installments: "3", cardNumber: "", cardCvv: "" };

describe("without scripts, after a card that was refused", () => {
  test("another card is a step on the same page where none has to prove anything, and it pays", async () => {
    const first = await openSession(shop, { paymentMethods: [CREDIT] });
    const one = await newBuyer();
    await one.send(await one.open(pathOf(first)), "card", typedWith("decline:lost_card"));
    const link = await openSession(shop, { paymentMethods: [CREDIT, PIX] });
    const buyer = await newBuyer();
    const refused = await buyer.send(await buyer.open(pathOf(link)), "card", typedWith("decline:lost_card"));
    expect(refused.text).toContain("Este cartão já foi recusado nesta loja.");
    expect(waysOf(refused)[0]).toEqual({ action: "card", href: "#card-cardNumber", isPlain: true });
    expect(refused.html).not.toContain("ative o JavaScript");
    expect(valuesOf(refused, "card")).toMatchObject(KEPT);
    const { cardNumber, cardCvv } = cardFields("approve", { brand: "elo" });
    const other = { cardNumber: cardNumber ?? "", cardCvv: cardCvv ?? "" };
    expect((await buyer.send(refused, "card", other)).state).toBe("paid");
  });

  test("each way that is offered finds what was typed, also the one that leads to another form", async () => {
    const link = await openSession(shop, { paymentMethods: [CREDIT, PIX] });
    const buyer = await newBuyer();
    const refused = await buyer.send(await buyer.open(pathOf(link)), "card", typedWith("decline:insufficient_funds"));
    // The bank's own no asks the next card for a proof that needs a script: it is not offered.
    expect(waysOf(refused).filter(({ isPlain }) => isPlain)).toEqual(waysOf(refused));
    expect(waysOf(refused).map(({ action }) => action)).toEqual(["pix"]);
    const again = await buyer.open(pathOf(link, "?method=pix"));
    const { email } = KEPT;
    expect(valuesOf(again, "pix")).toMatchObject({ name: "ANA SOUZA", document: "123.456.789-09", email });
    expect(valuesOf(again, "card")).toMatchObject(KEPT);
  });

  test("where cards are all that there is, it is said what they need", async () => {
    const link = await openSession(shop, { paymentMethods: [CREDIT] });
    const buyer = await newBuyer();
    const refused = await buyer.send(await buyer.open(pathOf(link)), "card", typedWith("decline:insufficient_funds"));
    expect(waysOf(refused).every(({ isPlain }) => !isPlain)).toBe(true);
    expect(refused.html).toContain("ative o JavaScript");
  });
});
