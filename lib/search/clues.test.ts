import { describe, expect, test } from "vitest";
import { readClues } from "@/lib/search/clues";

const NOW = new Date("2026-11-22T15:00:00Z");
const read = (typed: string) => readClues(typed, NOW);
const day = (text: string) => new Date(`${text}T00:00:00-03:00`);

describe("clues in any order", () => {
  test.each(["0007 459,90", "final 0007, 459,90", "0007; R$ 459,90,", "459,90 0007", "459.9 0007", "R$ 459,90 0007"])(
    "%s is a card and an amount",
    (typed) => {
      expect(read(typed)?.rest?.terms).toEqual(
        expect.arrayContaining([
          [{ kind: "amount", value: 45_990 }],
          expect.arrayContaining([{ kind: "lastFour", value: "0007" }]),
        ]),
      );
    },
  );

  test.each([
    ["reembolso", "refunded"],
    ["estornos", "refunded"],
    ["devolução", "refunded"],
    ["refund", "refunded"],
    ["expirado", "expired"],
    ["vencida", "expired"],
    ["contestação", "charged_back"],
    ["dispute", "charged_back"],
    ["em andamento", "pending"],
    ["In progress", "pending"],
  ])("%s is the state %s, and no name", (typed, state) => {
    expect(readClues(typed, new Date())).toEqual({ status: [state], rest: undefined, readAs: ["status"] });
  });

  test.each([
    ["saldo insuficiente", "insufficient_funds"],
    ["Saldo ou limite insuficiente.", "insufficient_funds"],
    ["sem saldo", "insufficient_funds"],
    ["insufficient funds", "insufficient_funds"],
    ["insufficient_funds", "insufficient_funds"],
    ["O cartão está bloqueado.", "blocked_card"],
    ["cartão vencido", "expired_card"],
    ["cartão cancelado", "canceled_card"],
    ["por cartão de crédito cancelado", "canceled_card"],
    ["o cartão foi cancelado", "canceled_card"],
    ["canceled card", "canceled_card"],
    ["cancelled card", "canceled_card"],
    ["the card was cancelled", "canceled_card"],
    ["cartão de débito bloqueado", "blocked_card"],
    ["cartão está vencido", "expired_card"],
    ["card expired", "expired_card"],
    ["suspeita de fraude", "fraud_suspect"],
    ["CVV errado", "invalid_cvv"],
    ["the security code (CVV) is wrong", "invalid_cvv"],
  ])("%s is why a payment was declined, and no name", (typed, declineCode) => {
    expect(read(typed)).toEqual({ declineCode, rest: undefined, readAs: ["decline"] });
  });

  test.each(["ana recusada ontem por saldo insuficiente", "saldo insuficiente, ana, ontem, recusada"])(
    "%s is a reason beside a buyer, a day and a state",
    (typed) => {
      expect(read(typed)).toMatchObject({
        declineCode: "insufficient_funds",
        status: ["failed"],
        from: day("2026-11-21"),
        rest: { words: "ana", terms: [] },
      });
    },
  );

  test.each(["Ana Saldo", "pedido sem saldos", "limite"])("%s says no reason", (typed) => {
    expect(read(typed)).not.toHaveProperty("declineCode");
  });

  test.each([
    "cancelado",
    "cancelled",
    "pagamento no cartão cancelado",
    "pagamentos de cartão cancelados",
    "cartão final 0007 cancelada",
    "canceled card payments",
    "card payment canceled",
  ])("%s is a payment that was canceled, and says nothing of its card", (typed) => {
    const clues = read(typed);
    expect(clues).not.toHaveProperty("declineCode");
    expect(clues).toMatchObject({ status: ["canceled", "released"] });
  });

  test.each([
    "ana ontem recusada",
    "Ana, ontem, recusada",
    "ana,ontem,recusada",
    "recusada Ana ontem",
    "declined yesterday ana",
  ])("%s is a buyer, a day and a state", (typed) => {
    expect(read(typed)).toMatchObject({
      status: ["failed"],
      from: day("2026-11-21"),
      until: day("2026-11-22"),
      rest: { words: expect.stringMatching(/^ana$/i), terms: [] },
    });
  });

  test.each([
    ["o pagamento da Ana Souza que foi recusado ontem", "Ana Souza"],
    ["the payment of Ana Souza from yesterday that was declined", "Ana Souza"],
    ["recusadas do João da Silva de ontem", "João da Silva"],
  ])("%s is heard as people say it", (typed, words) => {
    expect(read(typed)).toMatchObject({ status: ["failed"], from: day("2026-11-21"), rest: { words, terms: [] } });
  });

  test("a payment in progress is found with what else is known of it", () => {
    for (const typed of ["pix em andamento", "em andamento, pix", "in progress pix"])
      expect(read(typed)).toMatchObject({ status: ["pending"], method: "pix", rest: undefined });
  });

  test("what a number is called is no part of a name", () => {
    expect(read("cartão final 0007 da Ana")?.rest).toMatchObject({
      words: "Ana",
      terms: [[{ value: "0007" }, {}, {}, {}]],
    });
    expect(read("pagamentos recusados")).toMatchObject({ status: ["failed"], rest: undefined });
    // Alone it may be somebody's name.
    expect(read("Da")?.rest?.words).toBe("Da");
    expect(read("de da")?.rest?.words).toBe("de da");
  });

  test("a comma or a number of cards is a clue of its own", () => {
    expect(read("Souza, Ana")?.rest).toMatchObject({ words: "Souza Ana" });
    expect(read("2 cartões")).toEqual({ cards: 2, rest: undefined, readAs: ["cards"] });
    expect(read("compra em dois cartoes, paga")).toMatchObject({ cards: 2, status: ["authorized"], rest: undefined });
    expect(read("PED-10, A")?.rest).toMatchObject({ orders: expect.arrayContaining(["PED-10, A"]) });
  });

  test("an order number said without its joint is tried with it", () => {
    expect(read("ped1021")?.rest?.orders).toEqual(expect.arrayContaining(["ped1021", "PED-1021", "PED 1021"]));
  });

  test("an order number is tried as shops write it", () => {
    expect(read("PED 1010")?.rest?.orders).toEqual(expect.arrayContaining(["PED 1010", "PED-1010", "ped1010"]));
  });

  test.each([
    ["20/11", "2026-11-20"],
    ["20/11/2025", "2025-11-20"],
    ["2026-01-02", "2026-01-02"],
    ["24/12", "2025-12-24"],
  ])("%s is the day %s", (typed, wanted) => {
    expect(read(`pix ${typed}`)).toMatchObject({ method: "pix", from: day(wanted), rest: undefined });
  });

  test.each(["31/02", "99/99"])("%s is no day", (typed) => {
    expect(read(`pix ${typed}`)?.from).toBeUndefined();
  });

  test.each(["ana@example.com", "529.982.247-25", "01a1fdae-8548-7cbc-a3df-848b3f4dfb5d", "R$ 1.299,00"])(
    "%s is one thing",
    (typed) => {
      expect(read(typed)?.rest).toMatchObject({ words: "", orders: [] });
    },
  );

  test("a blank text is none", () => {
    expect(read("  ")).toBeUndefined();
  });
});

test("an NSU as a payment's page writes it is only that, and its word is nobody's name", () => {
  const now = new Date("2027-01-31T10:00:00Z");
  expect(readClues("NSU 902377", now)?.rest).toMatchObject({
    terms: [[{ kind: "code", value: "902377" }]],
    words: "",
  });
  expect(readClues("ana NSU 902377", now)?.rest).toMatchObject({ words: "ana" });
});
