import { createTranslator } from "next-intl";
import { beforeAll, expect, test } from "vitest";
import { actionsSaid, wordsIn } from "@/app/(dashboard)/dashboard/audit/words";
import { audit } from "@/lib/audit";
import { listAudit } from "@/lib/audit-trail/queries";
import { inTransaction } from "@/lib/context";
import { messages } from "@/lib/i18n/messages";
import { openClient } from "@/lib/testing/api";

type Words = Awaited<ReturnType<typeof wordsIn>>;
let words: Words;

beforeAll(async () => {
  const client = await openClient();
  const t = createTranslator({ locale: "en", messages: messages.en, namespace: "audit" });
  // Guarantee: the translator of a page has the same texts, and more ways to show them.
  words = await wordsIn(t as Parameters<typeof wordsIn>[0], await client.context(), []);
});

const link = (changes: object) => ({ status: "created", isActive: true, dueDate: null, maxPayments: null, ...changes });

test.each([
  [{ action: "charge.void", before: null, after: { amount: 1, kind: "refund" } }, "Payment refunded"],
  [{ action: "charge.void", before: null, after: { amount: 1, kind: "void" } }, "Authorization voided"],
  [{ action: "charge.void", before: null, after: { amount: 1, kind: "cancel_open" } }, "Open payment canceled"],
  [{ action: "charge.void", before: null, after: { amount: 1 } }, "Payment refunded or canceled"],
  [{ action: "session.update", before: link({}), after: link({ isActive: false }) }, "Link turned off"],
  [{ action: "session.update", before: link({ isActive: false }), after: link({}) }, "Link turned on"],
  [{ action: "session.update", before: link({}), after: link({ isActive: false, maxPayments: 5 }) }, "Link changed"],
  [{ action: "session.update", before: link({}), after: link({ dueDate: "2030-01-01" }) }, "Link changed"],
  [{ action: "no.such", before: null, after: null }, "no.such"],
])("a row says which of several things was done: %j", (row, said) => {
  expect(words.action(row)).toBe(said);
});

test.each([
  ["reembolso", ["refund", "begin"]],
  ["Pagamento reembolsado", ["refund"]],
  ["PAYMENT REFUNDED", ["refund"]],
  ["pre-autorizacao liberada", ["void"]],
  ["link alterado", []],
])("what the page calls an action finds it, in both languages: %s", async (search, wanted) => {
  const ctx = await (await openClient()).context();
  await inTransaction(ctx, async (inside) => {
    const act = { object: "charge", objectId: "x" } as const;
    await audit(inside, { ...act, action: "charge.void", after: { kind: "refund" } });
    await audit(inside, { ...act, action: "charge.void", after: { kind: "void" } });
    await audit(inside, { ...act, action: "charge.refund.begin", after: { kind: "begin" } });
  });
  const { items } = await listAudit(ctx, { search, said: actionsSaid(search) });
  // Guarantee: written above.
  const kinds = items.filter(({ objectId }) => objectId === "x").map(({ after }) => (after as { kind: string }).kind);
  expect(kinds.toSorted()).toEqual(wanted.toSorted());
});

test("what a buyer did on the page of a subscription is told in words; a person's own reason as it was written", () => {
  expect(words.reason("buyer_page")).toBe("By the customer, on the subscription page");
  expect(words.reason("they asked by phone")).toBe("they asked by phone");
});
