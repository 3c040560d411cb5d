import { expect, test } from "vitest";
import { FILE_HEADER, FILE_TRAILER, LOT_HEADER, LOT_TRAILER, SEGMENT_A, SEGMENT_B } from "@/lib/payouts/cnab240/layout";
import { saidBy } from "@/lib/payouts/cnab240/occurrences";
import {
  type RemittancePayer,
  type RemittancePayment,
  unfitOf,
  writeRemittance,
} from "@/lib/payouts/cnab240/remittance";

/** First and last position of what stands there, as FEBRABAN publishes it (layout of 240 positions, 2.2 and 3.1.2). */
const at = (record: string | undefined, from: number, to: number): string => (record ?? "").slice(from - 1, to);

const payer: RemittancePayer = {
  bank: "237",
  bankName: "Bradesco",
  agreement: "123456",
  branchNumber: "1234",
  branchCheckDigit: "5",
  accountNumber: "67890",
  accountCheckDigit: "36",
  holderName: "Mercado São João Ltda",
  holderDocument: "11222333000181",
};
const ted: RemittancePayment = {
  ourNumber: "TR00000700001",
  amount: 123_456,
  method: "ted",
  holderName: "Bruno Conceição",
  holderDocument: "87623286030",
  bank: "341",
  ispb: "60701190",
  branchNumber: "987",
  branchCheckDigit: "X",
  accountNumber: "55555",
  accountCheckDigit: "7",
  isSavings: true,
};
const pix: RemittancePayment = {
  ...ted,
  ourNumber: "TR00000700002",
  amount: 999,
  method: "pix",
  pixKey: "ana@example.com",
};
const inside: RemittancePayment = { ...ted, ourNumber: "TR00000700003", amount: 1, bank: "237", isSavings: false };

test("every position of a record belongs to one field", () => {
  for (const fields of [FILE_HEADER, LOT_HEADER, SEGMENT_A, SEGMENT_B, LOT_TRAILER, FILE_TRAILER]) {
    let next = 1;
    for (const { name, from, to } of fields) {
      expect([name, from]).toEqual([name, next]);
      expect(to).toBeGreaterThanOrEqual(from);
      next = to + 1;
    }
    expect(next).toBe(241);
  }
});

test("a remittance stands where the published layout has it", () => {
  const file = writeRemittance({
    payer,
    sequence: 7,
    madeOn: "23112026",
    madeAt: "120000",
    payOn: "24112026",
    payments: [pix, ted, inside],
  });
  const lines = file.split("\r\n");
  expect(lines.pop()).toBe("");
  expect(lines.map((line) => line.length)).toEqual(Array(14).fill(240));
  // Records by type: the file, three lots of two segments, and the end.
  expect(lines.map((line) => at(line, 8, 8)).join("")).toBe("01335133513359");
  expect(lines.map((line) => at(line, 4, 7))).toEqual([
    "0000",
    ...Array(4).fill("0001"),
    ...Array(4).fill("0002"),
    ...Array(4).fill("0003"),
    "9999",
  ]);
  const [head, lot, account, , end, tedLot, a, b, , pixLot, pixA, pixB, pixEnd, last] = lines;
  expect([at(head, 1, 3), at(head, 18, 18), at(head, 19, 32), at(head, 33, 52).trim()]).toEqual([
    "237",
    "2",
    "11222333000181",
    "123456",
  ]);
  expect([at(head, 53, 57), at(head, 58, 58), at(head, 59, 70), at(head, 71, 71), at(head, 72, 72)]).toEqual([
    "01234",
    "5",
    "000000067890",
    "3",
    "6",
  ]);
  expect([at(head, 73, 102).trim(), at(head, 103, 132).trim()]).toEqual(["MERCADO SAO JOAO LTDA", "Bradesco"]);
  expect([at(head, 143, 143), at(head, 144, 151), at(head, 152, 157)]).toEqual(["1", "23112026", "120000"]);
  expect([at(head, 158, 163), at(head, 164, 166)]).toEqual(["000007", "103"]);
  expect(
    [lot, tedLot, pixLot].map((each) => [at(each, 9, 9), at(each, 10, 11), at(each, 12, 13), at(each, 14, 16)]),
  ).toEqual([
    ["C", "20", "01", "046"],
    ["C", "20", "41", "046"],
    ["C", "20", "45", "046"],
  ]);
  expect(
    [account, a, pixA].map((each) => [at(each, 9, 13), at(each, 14, 17), at(each, 18, 20), at(each, 21, 23)]),
  ).toEqual([
    ["00001", "A000", "000", "237"],
    ["00001", "A000", "018", "341"],
    ["00001", "A000", "009", "341"],
  ]);
  expect([at(a, 24, 28), at(a, 29, 29), at(a, 30, 41), at(a, 42, 42)]).toEqual(["00987", "X", "000000055555", "7"]);
  expect([at(a, 44, 73).trim(), at(a, 74, 93).trim()]).toEqual(["BRUNO CONCEICAO", "TR00000700001"]);
  expect([at(a, 94, 101), at(a, 102, 104), at(a, 120, 134)]).toEqual(["24112026", "BRL", "000000000123456"]);
  expect([at(a, 220, 224), at(a, 225, 226), at(a, 231, 240)]).toEqual(["00010", "PP", " ".repeat(10)]);
  expect([at(b, 9, 13), at(b, 14, 14), at(b, 15, 17), at(b, 18, 18), at(b, 19, 32)]).toEqual([
    "00002",
    "B",
    "   ",
    "1",
    "00087623286030",
  ]);
  expect([at(pixB, 15, 17), at(pixB, 128, 226).trim(), at(pixB, 233, 240)]).toEqual([
    "02 ",
    "ana@example.com",
    "60701190",
  ]);
  expect([end, pixEnd].map((each) => [at(each, 18, 23), at(each, 24, 41)])).toEqual([
    ["000004", "000000000000000001"],
    ["000004", "000000000000000999"],
  ]);
  expect([at(last, 18, 23), at(last, 24, 29)]).toEqual(["000003", "000014"]);
});

test("nothing is shortened that says who is paid, or how much", () => {
  expect([ted, pix, inside].map((payment) => unfitOf(payer, payment))).toEqual([undefined, undefined, undefined]);
  expect(unfitOf(payer, { ...ted, accountNumber: "1234567890123" })).toBe("payeeAccount");
  expect(unfitOf(payer, { ...ted, branchNumber: "123456" })).toBe("payeeBranch");
  expect(unfitOf(payer, { ...ted, holderDocument: "12ABC34501DE35" })).toBe("document");
  expect(unfitOf(payer, { ...ted, bank: undefined, ispb: undefined })).toBe("bank");
  expect(unfitOf(payer, { ...pix, pixKey: "not a key" })).toBe("pixKey");
  const keys = { "+5511999990000": "01 ", "52998224725": "03 ", "123e4567-e89b-42d3-a456-426614174000": "04 " };
  for (const [pixKey, initiation] of Object.entries(keys)) {
    const one = { payer, sequence: 1, madeOn: "23112026", madeAt: "120000", payOn: "24112026" };
    const file = writeRemittance({ ...one, payments: [{ ...pix, pixKey }] }).split("\r\n");
    expect([at(file[3], 15, 17), at(file[3], 128, 226).trim()]).toEqual([initiation, pixKey]);
  }
});

test("a bank's codes say what is certain, and nothing else", () => {
  expect(saidBy("00", "0")).toEqual({ kind: "paid" });
  expect(saidBy("00ZA", "0")).toEqual({ kind: "paid" });
  expect(saidBy("BD", "0")).toEqual({ kind: "accepted" });
  expect(saidBy("AN", "0")).toEqual({ kind: "failed", reason: "invalid_account" });
  expect(saidBy("PCPF", "0")).toEqual({ kind: "failed", reason: "account_closed" });
  expect(saidBy("00", "3")).toEqual({ kind: "returned", reason: "unknown" });
  expect(saidBy("PF", "3")).toEqual({ kind: "returned", reason: "holder_mismatch" });
  // Said of what the bank had before, mixed, without a code, or not of the layout.
  for (const codes of ["HA", "AA", "BB", "00AN", "BDAN", "", "7X", "ANHA"])
    expect(saidBy(codes, "0")).toEqual({ kind: "unknown" });
});
