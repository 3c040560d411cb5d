import QRCode from "qrcode";
import { describe, expect, test } from "vitest";
import { composeBoleto, maskBoletoLine } from "@/lib/brazil/boleto";
import { LOCALES } from "@/lib/i18n/locales";
import { bankCode, boletoPdf } from "@/lib/payment-documents/boleto-pdf";
import { elementsOf } from "@/lib/payment-documents/interleaved";
import { receiptPdf } from "@/lib/payment-documents/receipt-pdf";
import { A4, MARGIN } from "@/lib/payment-documents/sheet";
import { barsOf, type Drawn, readPdf, scan } from "@/lib/payment-documents/testing";
import type { BoletoView, ReceiptView } from "@/lib/payment-documents/views";

const slip = composeBoleto({
  bank: "000",
  dueOn: "2026-11-27",
  amount: 25_990,
  freeField: "1234567890123456789012345",
});
const boleto = (changes: Partial<BoletoView> = {}): BoletoView => ({
  barcode: slip.barcode,
  line: slip.line,
  pixCode: null,
  amount: slip.amount,
  dueOn: "2026-11-27",
  issuedAt: new Date("2026-11-20T14:03:00Z"),
  beneficiary: { name: "Loja Azul Comércio Ltda", document: "12.ABC.345/01DE-35", address: null },
  payer: {
    name: "José Antônio Conceição",
    document: "529.982.247-25",
    address: "Rua das Flores, 10 - Sé - 01001-000 São Paulo/SP",
  },
  documentNumber: "A-1001",
  ourNumber: "0192f1c6",
  instructions: ["Não receber após o vencimento", "Multa de 2,00 % após o vencimento"],
  items: [{ name: "Tênis", quantity: 2, unitPrice: 12_995 }],
  isSandbox: true,
  ...changes,
});

const receipt = (changes: Partial<ReceiptView> = {}): ReceiptView => ({
  shop: { name: "Loja Azul", document: "12.345.678/0001-95" },
  status: "paid",
  amount: 10_000,
  currency: "BRL",
  at: new Date("2026-11-20T17:02:00Z"),
  method: "cards",
  cards: [
    { brand: "Visa", last4: "4242", amount: 6_000, installments: 1, authorizationCode: "A1B2C3", nsu: "000123" },
    { brand: "Elo", last4: "0001", amount: 4_000, installments: 3, authorizationCode: "D4E5F6", nsu: "000124" },
  ],
  endToEndId: null,
  line: null,
  asked: 10_000,
  difference: 0,
  lateFees: 0,
  notCharged: 0,
  orderId: "A-1001",
  title: "Uniforme do time",
  about: null,
  statement: null,
  paymentId: "0192f1c6-0a10-7c3e-9b55-0d2f6a7e1c03",
  items: [{ name: "Tênis", quantity: 1, unitPrice: 10_000 }],
  adjustment: 0,
  refunds: [{ amount: 1_500, at: new Date("2026-11-25T12:00:00Z") }],
  disputes: [],
  holdUntil: null,
  isSandbox: false,
  ...changes,
});

const plain = (text: string): string => text.replace(/[\u00a0\u202f]/g, " ");
const linesOf = (drawn: Drawn): string[] => plain(drawn.lines).split("\n");

function expectOnPage(drawn: Drawn): void {
  expect(drawn.pages).toBe(1);
  for (const { text, x, y } of drawn.texts) {
    expect(x, text).toBeGreaterThanOrEqual(MARGIN - 1);
    expect(x, text).toBeLessThan(A4.width);
    expect(y, text).toBeGreaterThan(MARGIN / 2);
    expect(y, text).toBeLessThan(A4.height);
  }
}

describe("the slip", () => {
  test.each(LOCALES)("in %s says who pays whom how much until when, and its bars are its digits", async (locale) => {
    const drawn = readPdf(await boletoPdf(boleto(), locale));
    expectOnPage(drawn);
    expect(scan(drawn)).toBe(slip.barcode);
    const lines = linesOf(drawn);
    for (const text of [
      maskBoletoLine(slip.line),
      "000-0",
      "Loja Azul Comércio Ltda - 12.ABC.345/01DE-35",
      "José Antônio Conceição - 529.982.247-25",
      "Rua das Flores, 10 - Sé - 01001-000 São Paulo/SP",
      "R$ 259,90",
      "27/11/2026",
      "20/11/2026",
      "A-1001",
      "Não receber após o vencimento",
      "Multa de 2,00 % após o vencimento",
      "2 × Tênis",
      "SIMULAÇÃO: este boleto não pode ser pago",
    ]) {
      expect(lines).toContain(text);
    }
    expect(lines).toContain(
      locale === "en" ? "R$259.90 due on Nov 27, 2026" : "R$ 259,90 com vencimento em 27 de nov. de 2026",
    );
  });

  test("its barcode has the size that banks read", async () => {
    const { areas } = readPdf(await boletoPdf(boleto(), "pt-BR"));
    const left = Math.min(...areas.map(({ x }) => x));
    const right = Math.max(...areas.map(({ x, width }) => x + width));
    const millimetres = (points: number) => (points * 25.4) / 72;
    expect(millimetres(right - left)).toBeCloseTo(103, 1);
    expect(new Set(areas.map(({ height }) => millimetres(height).toFixed(1)))).toEqual(new Set(["13.0"]));
  });

  test("of a slip that Pix pays too, the code stands apart from the bars, module by module", async () => {
    const pixCode = "00020126360014BR.GOV.BCB.PIX0114+5511999990000520400005303986540510.005802BR6304ABCD";
    const drawn = readPdf(await boletoPdf(boleto({ pixCode }), "pt-BR"));
    expectOnPage(drawn);
    expect(scan(drawn)).toBe(slip.barcode);
    const bars = new Set(barsOf(drawn.areas));
    const dark = drawn.areas.filter((area) => !bars.has(area));
    const { modules } = QRCode.create(pixCode, { errorCorrectionLevel: "M" });
    const one = dark[0]?.width ?? 0;
    const [left, top] = [Math.min(...dark.map(({ x }) => x)), Math.max(...dark.map(({ y }) => y))];
    const drawnAt = new Set(dark.map(({ x, y }) => `${Math.round((top - y) / one)}:${Math.round((x - left) / one)}`));
    const places = Array.from({ length: modules.size ** 2 }, (_, at) => [
      Math.floor(at / modules.size),
      at % modules.size,
    ]);
    expect([...drawnAt].sort()).toEqual(
      places
        .filter(([row = 0, column = 0]) => modules.get(row, column))
        .map((place) => place.join(":"))
        .sort(),
    );
    expect(one * modules.size).toBeCloseTo(85, 0);
    expect(linesOf(drawn)).toContain("Ou pague com Pix");
  });

  test("the same slip is the same bytes", async () => {
    expect(Buffer.from(await boletoPdf(boleto(), "pt-BR"))).toEqual(Buffer.from(await boletoPdf(boleto(), "pt-BR")));
  });

  test("a real slip names its bank and says nothing of a simulation", async () => {
    const real = composeBoleto({ bank: "341", dueOn: "2026-11-27", amount: 100, freeField: "1".repeat(25) });
    const drawn = readPdf(await boletoPdf(boleto({ ...real, isSandbox: false }), "pt-BR"));
    expect(scan(drawn)).toBe(real.barcode);
    expect(drawn.lines).toContain("Itaú");
    expect(drawn.lines).toContain("341-7");
    expect(drawn.lines.toLowerCase()).not.toContain("simula");
  });

  test.each([
    ["001", "001-9"],
    ["033", "033-7"],
    ["104", "104-0"],
    ["237", "237-2"],
    ["341", "341-7"],
    ["748", "748-X"],
  ])("bank %s is printed %s", (bank, printed) => expect(bankCode(bank)).toBe(printed));

  test("texts of any length and in any script stay inside", async () => {
    const long = "Ünïcödé 測試 🎉 <script>alert(1)</script> ".repeat(30);
    const party = { name: long, document: "529.982.247-25", address: long };
    const view = boleto({
      beneficiary: party,
      payer: party,
      documentNumber: long,
      ourNumber: "9".repeat(80),
      instructions: Array.from({ length: 40 }, () => long),
      items: Array.from({ length: 60 }, () => ({ name: long, quantity: 3, unitPrice: 1 })),
    });
    for (const locale of LOCALES) {
      const drawn = readPdf(await boletoPdf(view, locale));
      expectOnPage(drawn);
      expect(scan(drawn)).toBe(slip.barcode);
      expect(drawn.lines).toContain(maskBoletoLine(slip.line));
    }
  });

  test("odd digits have no bars", () => expect(() => elementsOf("123")).toThrow());
});

describe("the receipt", () => {
  test("in Portuguese", async () => {
    const drawn = readPdf(await receiptPdf(receipt(), "pt-BR"));
    expectOnPage(drawn);
    expect(linesOf(drawn)).toEqual([
      "Loja Azul",
      "Comprovante de pagamento",
      "R$ 100,00",
      "Pagamento aprovado",
      "Loja",
      "Loja Azul - 12.345.678/0001-95",
      "Data",
      "20 de nov. de 2026, 14:02 (horário de São Paulo)",
      "Meio de pagamento",
      "2 cartões",
      "Cartão 1",
      "Visa final 4242 - R$ 60,00",
      "Parcelas",
      "À vista",
      "Código de autorização",
      "A1B2C3",
      "NSU",
      "000123",
      "Cartão 2",
      "Elo final 0001 - R$ 40,00",
      "Parcelas",
      "3x: 1ª de R$ 13,34 e 2 de R$ 13,33",
      "Código de autorização",
      "D4E5F6",
      "NSU",
      "000124",
      "Pedido",
      "A-1001",
      "Descrição",
      "Uniforme do time",
      "Devolução",
      "R$ 15,00 em 25 de nov. de 2026",
      "ID do pagamento",
      "0192f1c6-0a10-7c3e-9b55-0d2f6a7e1c03",
      "Itens",
      "1 × Tênis",
      "R$ 100,00",
    ]);
  });

  test("in English, of a Pix", async () => {
    const view = receipt({ method: "pix", cards: [], endToEndId: "E0000000020261120170212345678901", refunds: [] });
    const drawn = readPdf(await receiptPdf(view, "en"));
    expectOnPage(drawn);
    expect(linesOf(drawn)).toEqual(
      expect.arrayContaining([
        "Payment receipt",
        "R$100.00",
        "Payment approved",
        "Nov 20, 2026, 2:02 PM (São Paulo time)",
        "Pix",
        "E0000000020261120170212345678901",
      ]),
    );
  });

  test("of a hold says until when; of a boleto its digits", async () => {
    const held = await receiptPdf(receipt({ status: "authorized", holdUntil: new Date("2026-11-27T03:00:00Z") }), "en");
    expect(linesOf(readPdf(held))).toContain("The hold lasts until Nov 27, 2026.");
    const paid = await receiptPdf(receipt({ method: "boleto", cards: [], line: slip.line }), "pt-BR");
    expect(readPdf(paid).lines).toContain(maskBoletoLine(slip.line));
  });

  test.each([
    [
      1_050,
      /^R\$10\.50 more than the order's R\$100\.00 was paid/m,
      /^Foram pagos R\$ 10,50 a mais que os R\$ 100,00 do pedido/m,
    ],
    [
      -1_050,
      /^R\$10\.50 less than the order's R\$100\.00 was paid/m,
      /^Foram pagos R\$ 10,50 a menos que os R\$ 100,00 do pedido/m,
    ],
  ])("of a boleto that was paid with another amount says so: %i", async (difference, en, pt) => {
    const view = receipt({ method: "boleto", cards: [], line: slip.line, difference });
    expect(linesOf(readPdf(await receiptPdf(view, "en"))).join("\n")).toMatch(en);
    expect(linesOf(readPdf(await receiptPdf(view, "pt-BR"))).join("\n")).toMatch(pt);
  });

  test("of many refunds the last row has the sum of those that do not fit", async () => {
    const refunds = Array.from({ length: 15 }, (_, index) => ({
      amount: 100 + index,
      at: new Date("2026-11-25T12:00:00Z"),
    }));
    const drawn = readPdf(await receiptPdf(receipt({ refunds }), "pt-BR"));
    const lines = linesOf(drawn);
    expect(lines.filter((line) => line === "Devolução")).toHaveLength(12);
    expect(lines).toContain("mais 4 devoluções, R$ 4,50 no total");
  });

  test("of a dispute of a part says how much of what, on which card", async () => {
    const at = new Date("2026-11-25T12:00:00Z");
    const disputes = [{ amount: 2_501, at, card: { brand: "Visa", last4: "4242" } }];
    const paper = async (locale: "en" | "pt-BR") =>
      linesOf(readPdf(await receiptPdf(receipt({ status: "partly_disputed", disputes }), locale)));
    expect(await paper("en")).toEqual(
      expect.arrayContaining([
        "Payment approved, disputed in part by the buyer",
        "R$25.01 of R$100.00 was disputed with the bank on Nov 25, 2026.",
        "R$25.01 on Nov 25, 2026, Visa ending in 4242",
      ]),
    );
    expect(await paper("pt-BR")).toContain("R$ 25,01 de R$ 100,00 foram contestados no banco em 25 de nov. de 2026.");
  });

  test("stays on its page with three cards, many refunds, many items and long texts", async () => {
    const long = "Café com açúcar 🎉 ".repeat(40);
    const [card] = receipt().cards;
    const view = receipt({
      shop: { name: long, document: null },
      orderId: long,
      cards: card ? [card, card, card] : [],
      items: Array.from({ length: 99 }, () => ({ name: long, quantity: 1, unitPrice: 1 })),
      refunds: Array.from({ length: 40 }, () => ({ amount: 1, at: new Date("2026-11-25T12:00:00Z") })),
      disputes: Array.from({ length: 3 }, () => ({ amount: 1, at: new Date("2026-11-25T12:00:00Z") })),
      status: "partly_disputed",
      adjustment: 1,
      isSandbox: true,
    });
    for (const locale of LOCALES) {
      const drawn = readPdf(await receiptPdf(view, locale));
      expectOnPage(drawn);
      expect(drawn.lines).toMatch(locale === "en" ? /and \d+ more items/ : /e mais \d+ itens/);
    }
  });
});

test("a receipt on paper says what the shop wrote of the order and the name on the card's statement", async () => {
  const paper = readPdf(await receiptPdf(receipt({ about: "Size 42, blue", statement: "LOJA AZUL" }), "en"));
  expect(paper.lines).toContain("Size 42, blue");
  expect(paper.lines).toContain("On the card's statement the purchase shows as LOJA AZUL.");
  const plain = readPdf(await receiptPdf(receipt({ isSandbox: true }), "en"));
  expect(plain.lines).not.toContain("statement");
  expect(plain.lines).toContain("Test environment: no real money moves.");
});
