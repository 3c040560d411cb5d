import { beforeAll, describe, expect, test, vi } from "vitest";
import type { AlertText } from "@/components/checkout/island-data";
import { inTransaction } from "@/lib/context";
import { DECLINED_CODES } from "@/lib/declines/decline-codes";
import { newMerchant, newProvider, openClient } from "@/lib/testing/api";
import {
  type Buyer,
  cardFields,
  PERSON,
  pathOf,
  type Shown,
  severalCards,
  textOf,
  valuesOf,
} from "@/lib/testing/buyer";
import { newBuyer } from "@/lib/testing/checkout-routes";
import { TOLD } from "@/lib/testing/decline-texts";
import { type Shop, withMerchant } from "@/lib/testing/payments";
import { work } from "@/lib/testing/purchases";
import { BOLETO, CREDIT, openSession, PIX, type SessionReply } from "@/lib/testing/sessions";
import { setProtection } from "@/lib/velocity/protection";

/** Several pages and payments each, beside whatever else the machine does. */
vi.setConfig({ testTimeout: 60_000 });

const LABELS: Record<"pt" | "en", Record<string, string>> = {
  pt: {
    retry: "Tentar de novo",
    card: "Usar outro cartão",
    split: "Dividir em 2 cartões",
    pix: "Pagar com Pix",
    boleto: "Gerar boleto",
    parts: "Mudar as parcelas",
  },
  en: {
    retry: "Try again",
    card: "Use another card",
    split: "Split over 2 cards",
    pix: "Pay with Pix",
    boleto: "Get a boleto",
    parts: "Change the installments",
  },
};
const NOTHING = { pt: "Nada foi cobrado.", en: "You have not been charged." };
const LANGUAGES = { pt: "pt-BR", en: "en" } as const;
type Language = keyof typeof LANGUAGES;
/** Reproves documents that end in 9, before anything is sent to a card's bank. */
const ANTIFRAUD = {
  ...newProvider({ name: "Analysis", credentials: { type: "SANDBOX_ANTIFRAUD", apiKey: "any text" } }),
  options: { type: "ANTIFRAUD", runBeforeCharge: true },
};

/** Five different cards, each refused. */
const TRIED = ["generic", "insufficient_funds", "not_permitted", "invalid_pin", "restricted_card"] as const;
const EVERYTHING = [CREDIT, PIX, BOLETO];

interface Answer {
  attempt: string;
  alert?: AlertText;
  next?: string;
  message?: string;
}

const alertOf = ({ html }: Shown): string =>
  /<div class="box bad" role="alert"[\s\S]*?<\/div><\/div>|<div class="box bad" role="alert"[\s\S]*?<\/div>/.exec(
    html,
  )?.[0] ?? "";
const actionsOf = (shown: Shown): string[] =>
  [...alertOf(shown).matchAll(/data-action="(\w+)"[^>]*>([^<]*)</g)].map(([, , label = ""]) => textOf(label));

describe.each(["pt", "en"] as const)("a declined card, told in %s", (language) => {
  let shop: Shop;
  let link: SessionReply;
  beforeAll(async () => {
    shop = await withMerchant(await openClient());
    link = await openSession(shop, { maxPayments: -1, paymentMethods: EVERYTHING });
  });

  test.each(DECLINED_CODES)("%s: its text, its first action, its focus and the fields that stay", async (code) => {
    const told = TOLD[code];
    const labels = told.first.map((action) => LABELS[language][action]);
    const buyer = await newBuyer({ language: LANGUAGES[language] });
    const page = await buyer.open(pathOf(link, "?method=card"));
    const { alert } = await buyer.sendByScript<Answer>(page, "card", cardFields(`decline:${code}`));
    expect(alert?.lines).toEqual([told[language], NOTHING[language]]);
    expect(alert?.actions.map(({ label }) => label)).toEqual(labels);
    expect([alert?.focus, alert?.empties]).toEqual([told.focus ?? null, told.empties ?? null]);
    const waits = alert?.actions.map(({ kind, opensInSeconds }) => (kind === "retry" ? opensInSeconds : 0)) ?? [];
    expect(Math.max(...waits)).toBe(told.opensIn ?? 0);
    if (language === "en") return;

    // Without scripts the server says the same, and gives back all but the number and the code of the card.
    const again = await buyer.send(page, "card", {
      ...cardFields(`decline:${code}`, { brand: "elo" }),
      installments: "3",
      attempt: (await buyer.open(pathOf(link, "?method=card"))).html.match(/name="attempt" value="([^"]*)"/)?.[1] ?? "",
    });
    expect(textOf(alertOf(again))).toContain(told[language]);
    // A card would need a proof that only a script gives: what is offered can be done.
    expect(actionsOf(again)).toEqual(
      told.first.filter((action) => action === "pix" || action === "boleto").map((action) => LABELS[language][action]),
    );
    expect(valuesOf(again, "card")).toMatchObject({
      cardHolderName: "ANA SOUZA",
      cardExpiration: "12/39",
      document: PERSON.document,
      installments: code === "invalid_installment" ? "1" : "3",
      cardNumber: "",
      cardCvv: "",
    });
  });

  test.each(["lost_card", "stolen_card", "fraud_confirmed"] as const)("%s: never again on this link", async (code) => {
    const own = await openSession(shop, { maxPayments: -1, paymentMethods: EVERYTHING });
    const texts: string[] = [];
    for (let visit = 0; visit < 2; visit++) {
      const buyer = await newBuyer({ language: LANGUAGES[language] });
      const page = await buyer.open(pathOf(own, "?method=card"));
      texts.push(textOf(alertOf(await buyer.send(page, "card", cardFields(`decline:${code}`, { brand: "diners" })))));
    }
    expect(texts[1]).toContain(
      {
        pt: "Este cartão já foi recusado nesta loja. Use outro cartão.",
        en: "This card has already been declined at this shop. Use another card.",
      }[language],
    );
  });
});

describe.each(["pt", "en"] as const)("other refusals, told in %s", (language) => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await withMerchant(await openClient());
  });
  const buyerOf = () => newBuyer({ language: LANGUAGES[language] });
  const cardPage = async (buyer: Buyer, changes: object = {}) =>
    buyer.open(pathOf(await openSession(shop, { paymentMethods: EVERYTHING, ...changes }), "?method=card"));
  const say = (texts: Record<Language, string>) => texts[language];

  test("from the third decline on, a neutral text whatever the code", async () => {
    const buyer = await buyerOf();
    let page = await cardPage(buyer);
    for (const code of ["insufficient_funds", "generic", "expired_card"] as const)
      page = await buyer.send(page, "card", cardFields(`decline:${code}`));
    expect(textOf(alertOf(page))).toContain(TOLD.lost_card[language]);
    expect(textOf(alertOf(page))).not.toContain(TOLD.expired_card[language]);
    expect(actionsOf(page)).toEqual(["pix", "boleto"].map((action) => LABELS[language][action]));
  });

  test("offers that the link does not have are left out, and the next one moves up", async () => {
    const buyer = await buyerOf();
    const page = await cardPage(buyer, { paymentMethods: [{ ...CREDIT, installments: 1 }], splitRules: undefined });
    const no = await buyer.send(page, "card", cardFields("decline:transaction_not_allowed"));
    expect(actionsOf(no)).toEqual([LABELS[language].card]);
  });

  test("somebody else paid meanwhile: it is said, and a new link can be asked for", async () => {
    const [first, second, third] = [await buyerOf(), await buyerOf(), await buyerOf()];
    const link = await openSession(shop, { paymentMethods: EVERYTHING });
    const open = async (buyer: Buyer) => buyer.open(pathOf(link, "?method=card"));
    const [one, two, three] = [await open(first), await open(second), await open(third)];
    expect((await first.send(one, "card", cardFields())).state).toBe("paid");
    const taken = say({
      pt: "Outra pessoa pagou este link enquanto você preenchia.",
      en: "Somebody else paid this link while you were filling it in.",
    });
    const late = await second.send(two, "card", cardFields());
    expect(late.text).toContain(taken);
    const asked = await second.send(late, "new-link", { name: "Ana", email: "ana@example.com" });
    expect(asked.text).toContain(
      say({
        pt: "Solicitação enviada. A loja foi avisada, e a resposta vai para ana@example.com.",
        en: "Request sent. The shop has been told, and its answer goes to ana@example.com.",
      }),
    );
    const { next = "" } = await third.sendByScript<Answer>(three, "card", cardFields());
    expect((await third.open(next)).text).toContain(taken);
  });

  test("a captcha that is missing", async () => {
    const buyer = await buyerOf();
    const page = await cardPage(buyer, { captchaEnabled: true });
    const no = await buyer.send(page, "card", { ...cardFields(), captcha: "" });
    expect(textOf(alertOf(no))).toContain(
      say({
        pt: "Não conseguimos confirmar que você é uma pessoa.",
        en: "We could not confirm that you are a person.",
      }),
    );
  });

  test("nobody takes it: the shop is told, another method comes first", async () => {
    const { id } = await shop.client.make("POST", "/v1/merchants", {
      body: { ...newMerchant({ providers: [newProvider()] }) },
    });
    const buyer = await buyerOf();
    const page = await cardPage(buyer, { merchantId: id });
    await shop.client.make("PATCH", `/v1/merchants/${id}`, { body: { status: false } });
    const no = await buyer.send(page, "card", cardFields());
    expect(textOf(alertOf(no))).toContain(
      say({
        pt: "A loja não conseguiu receber agora. Ela já foi avisada.",
        en: "The shop could not take the payment right now. It has been told.",
      }),
    );
    expect(actionsOf(no)[0]).toBe(LABELS[language].pix);
  });

  test("an anti-fraud that says no offers no other card", async () => {
    const { id } = await shop.client.make("POST", "/v1/merchants", {
      body: newMerchant({ providers: [newProvider(), ANTIFRAUD] }),
    });
    const buyer = await buyerOf();
    const page = await cardPage(buyer, { merchantId: id, antifraud: true });
    const no = await buyer.send(page, "card", cardFields());
    expect(textOf(alertOf(no))).toContain(
      say({ pt: "Não foi possível aprovar este pagamento.", en: "We could not approve this payment." }),
    );
    expect(actionsOf(no)).toEqual([LABELS[language].pix, LABELS[language].boleto]);
  });

  test("too many cards: until when, and what else there is", async () => {
    const guarded = await withMerchant(await openClient());
    await inTransaction(await guarded.client.context(), (ctx) => setProtection(ctx, true));
    const buyer = await buyerOf();
    const link = await openSession(guarded, { paymentMethods: EVERYTHING });
    const page = await buyer.open(pathOf(link, "?method=card"));
    let { attempt } = valuesOf(page, "card");
    let told: Answer | undefined;
    for (const code of [...TRIED, "generic"] as const) {
      told = await buyer.sendByScript<Answer>(page, "card", {
        ...cardFields(`decline:${code}`),
        attempt: attempt ?? "",
      });
      attempt = told.attempt;
    }
    expect(told?.alert?.lines[0]).toBe(
      say({
        pt: "Muitas tentativas com cartão. Volte em 24 horas ou use outro meio.",
        en: "Too many card attempts. Come back in 24 hours or use another method.",
      }),
    );
    expect(told?.alert?.actions.map(({ kind }) => kind)).toEqual(["pix", "boleto"]);
    expect((await buyer.open(pathOf(link))).text).toContain(
      say({
        pt: "Cartões estão indisponíveis neste momento. Você pode pagar de outra forma.",
        en: "Cards are unavailable right now. You can pay another way.",
      }),
    );
  });

  test("one of several cards is declined: which, why, and that none was charged", async () => {
    const buyer = await buyerOf();
    const page = await buyer.open(pathOf(await openSession(shop, { paymentMethods: EVERYTHING }), "?method=cards"));
    const running = await buyer.send(page, "cards", severalCards(["approve", "decline:insufficient_funds"]));
    expect(running.state).toBe("running");
    const { body } = await buyer.json<{ body: string }>(`${running.path.split("?")[0]}/status?watch=1`);
    expect(running.text).toContain(body);
    await work(shop.client);
    const released = await buyer.open(running.path);
    expect(released.heading).toBe(
      say({
        pt: "Nada foi cobrado. As reservas foram liberadas.",
        en: "Nothing was charged. The holds were released.",
      }),
    );
    expect(released.text).toContain(
      say({
        pt: "O cartão 2 foi recusado. O limite do cartão não cobre este valor. Nenhum cartão foi cobrado.",
        en: "Card 2 was declined. The card's limit does not cover this amount. No card was charged.",
      }),
    );
    expect(released.text).toContain(
      say({
        pt: "Se você tentar de novo, o valor é reservado outra vez em cada cartão.",
        en: "If you try again, the amount is held again on each card.",
      }),
    );
    const { answer } = await buyer.json<{ answer: Answer }>(`${running.path.split("?")[0]}/status?watch=1`);
    expect([answer.alert?.card, answer.alert?.actions.map(({ label }) => label)]).toEqual([
      1,
      {
        pt: ["Trocar o cartão 2", "Mudar os valores", "Pagar com um cartão só", "Pagar com Pix", "Gerar boleto"],
        en: ["Replace card 2", "Change the amounts", "Pay with one card", "Pay with Pix", "Get a boleto"],
      }[language],
    ]);
    const [repair] = /href="([^"]+)" data-action="card"/.exec(released.html)?.slice(1) ?? [];
    expect(repair).toMatch(/method=cards/);
  });
});
