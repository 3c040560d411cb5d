import { beforeAll, describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { newId } from "@/lib/ids";
import { operationMachine, purchaseMachine, slotMachine } from "@/lib/purchases/machine";
import { openClient } from "@/lib/testing/api";
import { withMerchant } from "@/lib/testing/payments";
import { bought, buy, type PurchaseReply } from "@/lib/testing/purchases";

const sql = systemSql();
let open: PurchaseReply;
let paid: PurchaseReply;
let clientId: string;
beforeAll(async () => {
  const client = await openClient();
  clientId = client.clientId;
  const shop = await withMerchant(client);
  paid = await bought(shop, { capture: true });
  open = (await buy(shop)).body;
});

describe("typed by hand, the database refuses", () => {
  const refused: [what: string, run: () => Promise<unknown>, why: RegExp][] = [
    [
      "a purchase that becomes pending again",
      () => sql`update purchases set status = 'pending' where id = ${paid.id}`,
      /may not go/,
    ],
    [
      "a card that is captured out of nothing",
      () => sql`update purchase_payments set status = 'authorized' where purchase_id = ${open.id}`,
      /may not go/,
    ],
    [
      "an operation that skips its work",
      () => sql`update purchase_operations set status = 'completed' where purchase_id = ${open.id}`,
      /may not go/,
    ],
    ["another amount", () => sql`update purchases set amount = amount + 1 where id = ${open.id}`, /never changes/],
    [
      "a card whose amount no longer fits",
      () => sql`update purchase_payments set amount = amount + 1 where purchase_id = ${open.id} and slot_index = 0`,
      /do not make/,
    ],
    [
      "a second operation at the same time",
      () => sql`
        insert into purchase_operations (id, client_id, purchase_id, type, requested_by, created_at, updated_at)
        values (${newId()}, ${clientId}, ${open.id}, 'void', 'client', now(), now())`,
      /purchase_operations_one_active/,
    ],
    [
      "a purchase without cards",
      () => sql`
        insert into purchases (id, client_id, merchant_id, amount, currency, capture, created_at, updated_at)
        values (${newId()}, ${clientId}, ${newId()}, 1000, 'BRL', true, now(), now())`,
      /do not make/,
    ],
    [
      "a purchase that is born paid",
      () => sql`
        insert into purchases (id, client_id, merchant_id, status, amount, currency, capture, created_at, updated_at)
        values (${newId()}, ${clientId}, ${newId()}, 'paid', 1000, 'BRL', true, now(), now())`,
      /begins as pending/,
    ],
    [
      "an end of its history",
      () => sql`delete from purchase_operations where purchase_id = ${open.id}`,
      /permission denied/,
    ],
  ];
  test.for(refused)("%s", async ([_, run, why]) => {
    await expect(run()).rejects.toThrow(why);
  });
});

test("the rows the trigger asks are the rows of the tables", async () => {
  for (const machine of [slotMachine, operationMachine, purchaseMachine]) {
    const rows = await sql<{ row: string }[]>`
      select row_id || ' ' || from_status || ' ' || to_status as row from legal_transitions where machine = ${machine.name}`;
    const wanted = new Set(machine.rows.map(([id, from, , to]) => `${id} ${from} ${to}`));
    expect(new Set(rows.map(({ row }) => row))).toEqual(wanted);
  }
});

test("the tables hold every row of their numbers, and the final states have no way out but a refund that failed", () => {
  const numbers = (rows: readonly (readonly [string, ...unknown[]])[]) =>
    [...new Set(rows.map(([id]) => Number(id.slice(1))))].toSorted((a, b) => a - b);
  expect(numbers(slotMachine.rows)).toEqual(Array.from({ length: 25 }, (_, index) => index + 1));
  expect(numbers(operationMachine.rows)).toEqual(Array.from({ length: 10 }, (_, index) => index + 2));
  expect(numbers(purchaseMachine.rows)).toEqual(Array.from({ length: 9 }, (_, index) => index + 2));
  const ends = ["failed", "canceled", "voided"];
  expect(slotMachine.rows.filter(([, from]) => ends.includes(from))).toEqual([
    ["S25", "voided", "refund.reversed", "authorized"],
  ]);
});
