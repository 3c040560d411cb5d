import { expect } from "vitest";
import { BRANDS as ALL_BRANDS, type Brand } from "@/lib/brazil/card-brand";
import { DECLINED_CODES } from "@/lib/declines/decline-codes";
import { all, type Case, needsCard } from "@/lib/testing/provider-conformance/case";
import { aCall, aPayment, captured, expectKind, found, held } from "@/lib/testing/provider-conformance/rig";

const INSTALLMENTS = 3;
const CARD_METHODS = ["credit", "debit", "voucher"] as const;
const BRANDS: readonly Brand[] = ["visa", "mastercard", "elo", "hipercard", "amex", "diners"];

export const AUTHORIZE_CASES: readonly Case[] = [
  {
    number: 1,
    title: "approves and captures",
    notApplicable: needsCard,
    async run(rig) {
      const { approved, call } = await captured(rig);
      expect(approved).toMatchObject({ amount: 100_00, data: { captured: true } });
      expect(await found(rig, call)).toMatchObject({ state: "authorized", captured: 100_00 });
    },
  },
  {
    number: 2,
    title: "holds without capturing",
    notApplicable: all(needsCard, ({ card }) => (card && !card.authOnly ? "captures at once" : undefined)),
    async run(rig) {
      const { approved, call } = await held(rig);
      expect(approved).toMatchObject({ amount: 100_00, data: { captured: false } });
      expect(approved.data.expiresAt).toBeDefined();
      expect(await found(rig, call)).toMatchObject({ state: "pre_authorized", authorized: 100_00, captured: 0 });
    },
  },
  {
    number: 3,
    title: "approves in instalments",
    notApplicable: all(needsCard, ({ card }) =>
      card && card.maxInstallments < INSTALLMENTS ? "no instalments" : undefined,
    ),
    async run(rig) {
      const { approved } = await captured(rig, "approve", { installments: INSTALLMENTS });
      expect(approved.data.installments).toBe(INSTALLMENTS);
    },
  },
  {
    number: 4,
    title: "refuses more instalments than it declares before sending",
    notApplicable: needsCard,
    async run(rig) {
      const { card } = rig.provider.capabilities;
      const call = aCall(rig, "authorize");
      const installments = (card ? card.maxInstallments : 0) + 1;
      expectKind(await rig.provider.authorize(call, aPayment(rig, { installments })), "rejected");
      expect(await rig.received(call.chargeId)).toEqual([]);
    },
  },
  {
    number: 5,
    title: "takes the smallest amount",
    notApplicable: needsCard,
    run: async (rig) => expect((await captured(rig, "approve", { amount: 1 })).approved.amount).toBe(1),
  },
  {
    number: 6,
    title: "takes the largest amount without losing a cent",
    notApplicable: needsCard,
    async run(rig, { mostCents = Number.MAX_SAFE_INTEGER }) {
      const amount = mostCents;
      const { approved, call } = await held(rig, "approve", { amount });
      expect(approved.amount).toBe(amount);
      expect((await found(rig, call)).authorized).toBe(amount);
    },
  },
  {
    number: 7,
    title: "folds accents and emoji of names and descriptors",
    notApplicable: needsCard,
    async run(rig) {
      const { call } = await held(rig, "approve", {
        holder: { name: "José Ñandú 😀 Conceição" },
        statementDescriptor: "Pão e Café ☕ da Praça muito longo",
      });
      const sent = JSON.stringify(await rig.received(call.chargeId));
      // Some take a name in two parts.
      expect(sent).toMatch(/Jose.*Nandu Conceicao/);
      expect(sent).toContain("Pao e Cafe");
      expect(sent).toMatch(/^[\x20-\x7e]*$/);
    },
  },
  {
    number: 8,
    title: "takes a buyer with an alphanumeric CNPJ",
    notApplicable: needsCard,
    async run(rig) {
      const document = { type: "CNPJ", number: "12ABC34501DE35", country: "BR" };
      const { call } = await held(rig, "approve", { holder: { name: "Loja Nova", document } });
      expect(JSON.stringify(await rig.received(call.chargeId))).toContain(document.number);
    },
  },
  {
    number: 9,
    title: "maps a sample of each of the 24 declined codes",
    notApplicable: (capabilities, { lacks }) => needsCard(capabilities) ?? lacks?.networkCodes,
    async run(rig) {
      const mapped = new Set<string>();
      for (const code of DECLINED_CODES) {
        for (const brand of BRANDS) {
          const card = rig.card(`decline:${code}`, brand);
          const outcome = await rig.provider.authorize(aCall(rig, "authorize"), aPayment(rig, { card }));
          mapped.add(expectKind(outcome, "declined").declinedCode);
          if (mapped.has(code)) break;
        }
      }
      expect([...mapped].sort()).toEqual([...DECLINED_CODES].sort());
    },
  },
  {
    number: 10,
    title: "reads an unknown network code as generic and keeps it",
    notApplicable: (capabilities, { lacks }) => needsCard(capabilities) ?? lacks?.networkCodes,
    run: async (rig) =>
      expect(rig.read("visa", "ZZ")).toMatchObject({
        declinedCode: "generic",
        retry: "never",
        networkResponseCode: "ZZ",
      }),
  },
  {
    number: 11,
    title: "reads one number differently for different brands",
    notApplicable: (capabilities, { lacks }) => needsCard(capabilities) ?? lacks?.networkCodes,
    async run(rig) {
      for (const code of ["04", "12", "57", "62", "63"]) {
        const meanings = BRANDS.map((brand) => rig.read(brand, code)).map(
          ({ declinedCode, retry }) => `${declinedCode}/${retry}`,
        );
        expect(new Set(meanings).size, code).toBeGreaterThan(1);
      }
    },
  },
  {
    number: 12,
    title: "carries the network's advice into the earliest retry",
    notApplicable: (capabilities, { lacks }) => needsCard(capabilities) ?? lacks?.networkCodes,
    async run(rig) {
      const card = rig.card("decline:restricted_card", "mastercard");
      const declined = expectKind(
        await rig.provider.authorize(aCall(rig, "authorize"), aPayment(rig, { card })),
        "declined",
      );
      const inAnHour = new Date(rig.clock.now().getTime() + 3_600_000).toISOString();
      expect(declined).toMatchObject({ networkAdviceCode: "24", retry: "later", retryNotBefore: inAnHour });
    },
  },
  {
    number: 86,
    title: "takes cards of the brands that it declares by each method, and refuses the others before sending",
    notApplicable: needsCard,
    async run(rig) {
      const { card } = rig.provider.capabilities;
      if (!card) throw new Error("the case needs cards");
      for (const method of CARD_METHODS) {
        for (const brand of ALL_BRANDS) {
          const call = aCall(rig, "authorize");
          const used = { ...rig.card("approve"), brand };
          const payment = aPayment(rig, { card: used, method, capture: true });
          const { kind } = await rig.provider.authorize(call, payment);
          const isDeclared = card.brands[method].includes(brand);
          expect([method, brand, kind]).toEqual([method, brand, isDeclared ? "approved" : "rejected"]);
          if (!isDeclared) expect(await rig.received(call.chargeId)).toEqual([]);
        }
      }
    },
  },
  {
    number: 87,
    title: "checks a card without an amount where it declares so, and refuses that before sending elsewhere",
    notApplicable: needsCard,
    async run(rig) {
      const { card } = rig.provider.capabilities;
      if (!card) throw new Error("the case needs cards");
      for (const brand of BRANDS.filter((one) => card.brands.credit.includes(one))) {
        const call = aCall(rig, "authorize");
        const outcome = await rig.provider.authorize(
          call,
          aPayment(rig, { amount: 0, card: rig.card("approve", brand) }),
        );
        if (card.zeroAmount.includes(brand)) {
          expect(expectKind(outcome, "approved")).toMatchObject({ amount: 0, data: { captured: false } });
        } else {
          expect(expectKind(outcome, "rejected").problem).toBe("unsupported");
          expect(await rig.received(call.chargeId)).toEqual([]);
        }
      }
    },
  },
];
