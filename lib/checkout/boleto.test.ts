import { beforeAll, describe, expect, test } from "vitest";
import { stateOfCep } from "@/lib/brazil/cep";
import { parsePixCode } from "@/lib/brazil/pix-brcode";
import { boletoFile, receiptFile } from "@/lib/checkout/documents";
import { newVisit } from "@/lib/checkout/visit";
import { newId } from "@/lib/ids";
import { readPdf } from "@/lib/payment-documents/testing";
import { openSession } from "@/lib/sessions/open";
import { openClient } from "@/lib/testing/api";
import { openLink, paymentOf, pressPay, seePayment } from "@/lib/testing/checkout";
import { type ChargeReply, type Shop, withMerchant } from "@/lib/testing/payments";
import { BOLETO } from "@/lib/testing/sessions";

let shop: Shop;
beforeAll(async () => {
  shop = await withMerchant(await openClient());
});

const address = (zipCode: string) => ({
  zipCode,
  street: "Rua A",
  streetNumber: "10",
  district: "Centro",
  city: "São Paulo",
  state: stateOfCep(zipCode),
});

async function slip(more: Record<string, unknown> = {}, zipCode = "01001-000") {
  const opened = await openLink(shop, { paymentMethods: [{ ...BOLETO, ...more }] });
  const outcome = await pressPay(opened, newVisit(), "boleto", address(zipCode));
  return { opened, id: paymentOf(outcome) };
}

describe("a boleto of a link", () => {
  test("tells the fine and the interest that the shop set", async () => {
    const late = { fine: { days: 1, percentage: 2 }, interest: { days: 1, amount: 33 } };
    const { opened, id } = await slip(late);
    const { state, boleto } = await seePayment(opened, id);
    expect([state, boleto?.late]).toEqual([
      "boleto",
      { fine: { cents: null, percentage: 2, days: 1 }, interest: { cents: 33, percentage: null, days: 1 } },
    ]);
    const paper = await boletoFile(opened.ctx, opened.session, await seePayment(opened, id), "en");
    // Due on a Friday.
    expect(readPdf(paper ?? new Uint8Array()).lines).toContain(
      "Depois do vencimento, pode ser pago até 2 de jul. de 2035.",
    );
  });

  test("that is overdue tells beside its amount what is owed today", async () => {
    const own = await withMerchant(await openClient());
    // A Wednesday: it is due on Thursday, and still to be paid on Friday.
    await own.client.make("POST", "/v1/sandbox/clock", { body: { to: "2027-01-13T12:00:00-03:00" } });
    const fees = { fine: { days: 1, percentage: 2 }, interest: { days: 1, percentage: 1 } };
    const opened = await openLink(own, { paymentMethods: [{ ...BOLETO, expiresDate: "2027-01-14", ...fees }] });
    const id = paymentOf(await pressPay(opened, newVisit(), "boleto", address("01001-000")));
    expect((await seePayment(opened, id)).boleto?.owed).toBeNull();
    await own.client.make("POST", "/v1/sandbox/clock", { body: { to: "2027-01-15T12:00:00-03:00" } });
    const later = await openSession(opened.session.id, { requestId: newId(), ip: "203.0.113.7" });
    if (!later) throw new Error("the link does not open");
    const { state, amount, boleto } = await seePayment(later, id);
    expect([state, amount, boleto?.owed]).toEqual(["boletoOverdue", 10_500, 10_500 + 210 + 4]);
  });

  test("prints the CEP of its payer as it is written", async () => {
    const { opened, id } = await slip({}, "01310100");
    const paper = await boletoFile(opened.ctx, opened.session, await seePayment(opened, id), "pt-BR");
    const { lines } = readPdf(paper ?? new Uint8Array());
    expect(lines).toContain("Rua A, 10 - Centro, São Paulo, SP, 01310-100");
  });

  test("carries a Pix code of the same slip, where the provider gives one", async () => {
    const { opened, id } = await slip();
    const { boleto, method } = await seePayment(opened, id);
    expect(parsePixCode(boleto?.pix?.code ?? "")).toMatchObject({ amount: 10_500 });
    expect([method, boleto?.line.length, boleto?.pix?.qr]).toEqual(["boleto", 47, expect.stringMatching(/^\d+\|M/)]);
    const { paymentMethod } = await shop.client.make<ChargeReply>("GET", `/v1/charges/${id}`);
    expect(paymentMethod).toMatchObject({
      paymentType: "boleto",
      qrCodeData: boleto?.pix?.code,
      qrCodeImageUrl: expect.stringMatching(/\/qrcode$/),
      barcodeImageUrl: expect.stringMatching(/\/barcode$/),
    });
    await shop.client.make("POST", `/v1/sandbox/boletos/${id}/pay`, { body: {} });
    expect((await seePayment(opened, id)).boleto?.pix).toBeNull();
  });

  test.each([
    ["57400-000", 1_050],
    ["01046-010", -1_050],
    ["01001-000", 0],
  ])("paid by a buyer of %s shows the difference", async (zipCode, difference) => {
    const { opened, id } = await slip({}, zipCode);
    await shop.client.make("POST", `/v1/sandbox/boletos/${id}/pay`, { body: {} });
    const view = await seePayment(opened, id);
    const { state, amount } = view;
    expect([state, view.difference, amount]).toEqual(["paid", difference, 10_500 + difference]);
    const paper = readPdf((await receiptFile(opened.ctx, opened.session, view, "en")) ?? new Uint8Array()).lines;
    const told = difference > 0 ? "R$10.50 more than" : "R$10.50 less than";
    expect(paper.replace(/\s+/g, " ").includes(told)).toBe(difference !== 0);
  });
});
