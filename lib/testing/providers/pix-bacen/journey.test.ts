import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { loadAccount } from "@/lib/accounts/service";
import { stillHere } from "@/lib/charges/extra-payments";
import { handBack } from "@/lib/charges/hand-back";
import { getCharge } from "@/lib/charges/queries";
import { inTransaction, systemContext } from "@/lib/context";
import { newId } from "@/lib/ids";
import { receiveNotification } from "@/lib/provider-webhooks/receive";
import { openShop, type Shop } from "@/lib/providers/sandbox/api/testing";
import { recheck, reconcileNow } from "@/lib/purchases/due";
import { type BankMock, givenBack, startBank } from "@/lib/testing/providers/pix-bacen/mock";
import { bankSecret, useBank } from "@/lib/testing/providers/pix-bacen/rig";
import { realNow } from "@/lib/time";

/** Connecting to a bank takes longer than the simulator's answers, on a busy machine much longer. */
process.env.PROVIDER_TIMEOUT_MS = "10000";

let mock: BankMock;
beforeAll(async () => {
  mock = await startBank();
  useBank("BB", mock);
});
afterAll(() => mock.close());

/** A shop whose every Pix goes to the bank. */
async function bankShop(): Promise<{ shop: Shop; providerId: string }> {
  const shop = await openShop();
  const credentials = {
    type: "BB",
    environment: "test",
    mtlsPassPhrase: "unused",
    ...bankSecret(mock, newId()).reveal(),
  };
  const { id: providerId } = await shop.make<{ id: string }>("POST", `/v1/merchants/${shop.merchantId}/providers`, {
    body: { name: "Bank", priority: 1, credentials },
  });
  await systemSql()`update providers set priority = 10 where merchant_id = ${shop.merchantId} and kind = 'SANDBOX'`;
  return { shop, providerId };
}

const newest = () => {
  const entry = mock.books.entries.at(-1);
  if (!entry) throw new Error("the bank has no charge");
  return entry;
};

test("a Pix is made, paid and refunded at a bank, by the API and its notifications", async () => {
  const { shop, providerId } = await bankShop();
  const made = await shop.pix(50_00);
  expect(made.status).toBe("pending");
  mock.books.pay(newest());
  const tell = async () => {
    for (const { body } of mock.notices.slice()) {
      await receiveNotification(newId(), providerId, new Headers(), Buffer.from(JSON.stringify(body)));
    }
    await shop.advance("PT1M");
  };
  await tell();
  expect(await shop.charge(made.id)).toMatchObject({ status: "authorized", capturedAmount: 50_00 });
  const { status } = await shop.call("POST", `/v1/charges/${made.id}/void`, { body: { amount: 20_00 } });
  expect(status).toBeLessThan(300);
  await tell();
  expect(await shop.charge(made.id)).toMatchObject({ refundedAmount: 20_00 });
  expect(mock.breaches).toEqual([]);
});

describe("a Pix that the bank made and nobody heard of", () => {
  /** Its answer is lost, and so is every notification. */
  async function lost(): Promise<{ shop: Shop; id: string; made: Record<string, unknown> }> {
    const { shop } = await bankShop();
    mock.plan("lost_after", "PUT cob");
    const { id, status, paymentMethod } = await shop.pix(50_00);
    expect(status).toBe("pending");
    return { shop, id, made: paymentMethod };
  }

  test("gives the buyer its code once it is known, and is captured when it is paid", async () => {
    const { shop, id, made } = await lost();
    expect(made.qrCodeData ?? null).toBeNull();
    await shop.advance("PT1M");
    const known = await shop.charge(id);
    expect(known.status).toBe("pending");
    expect(known.paymentMethod.qrCodeData).toContain(newest().id);
    mock.books.pay(newest());
    await shop.advance("PT1H");
    expect(await shop.charge(id)).toMatchObject({ status: "authorized", capturedAmount: 50_00 });
  });

  test("is captured when it was paid before it was known", async () => {
    const { shop, id } = await lost();
    mock.books.pay(newest());
    await shop.advance("PT1M");
    expect(await shop.charge(id)).toMatchObject({ status: "authorized", capturedAmount: 50_00 });
  });

  test("is canceled when it ended unpaid before it was known", async () => {
    const { shop, id } = await lost();
    mock.books.cancel(newest());
    await shop.advance("PT1M");
    expect(await shop.charge(id)).toMatchObject({ status: "canceled", capturedAmount: 0 });
  });

  test("stays open while the bank cannot be asked, and is never called failed", async () => {
    const { shop, id } = await lost();
    mock.books.pay(newest());
    mock.faultOf = () => "http_500";
    await shop.advance("PT30M");
    expect((await shop.charge(id)).status).toBe("pending");
    mock.faultOf = undefined;
    await shop.advance("PT1H");
    expect(await shop.charge(id)).toMatchObject({ status: "authorized", capturedAmount: 50_00 });
  });
});

describe("a Pix that was paid twice", () => {
  /** The bank cannot give the second payment back. */
  async function paidTwice(how: "away" | "no_balance") {
    const { shop } = await bankShop();
    const { id } = await shop.pix(50_00);
    const entry = newest();
    if (how === "no_balance") entry.outcome = "refund_refused_insufficient_balance";
    else mock.faultOf = ({ step }) => (step === "PUT pix" ? "http_500" : undefined);
    mock.books.pay(entry);
    mock.books.pay(entry);
    await shop.advance("PT30M");
    const gone = () => givenBack(entry, realNow());
    const keptApart = async () => {
      const [row] = await systemSql()<{ left: number }[]>`
        select abs(coalesce(sum(p.amount), 0))::int as left from journals j join postings p on p.journal_id = j.id
          join ledger_accounts a on a.id = p.account_id where j.charge_id = ${id} and a.kind = 'suspense'`;
      return row?.left;
    };
    const sale = async () => {
      const { status, capturedAmount, refundedAmount } = await shop.charge(id);
      return [status, capturedAmount, refundedAmount];
    };
    return { shop, id, entry, gone, keptApart, sale };
  }
  const SOLD = ["authorized", 50_00, 0];

  test("is tried again while the bank is away, and gives the second payment back once", async () => {
    const { shop, gone, keptApart, sale } = await paidTwice("away");
    await shop.advance("PT6H");
    expect([gone(), await keptApart(), await sale()]).toEqual([0, 50_00, SOLD]);
    mock.faultOf = undefined;
    await shop.advance("P1D");
    expect([gone(), await keptApart(), await sale()]).toEqual([50_00, 0, SOLD]);
    await shop.advance("P20D");
    expect([gone(), await keptApart(), await sale()]).toEqual([50_00, 0, SOLD]);
  });

  test("an empty account is asked for nine days, and then when an operator asks", async () => {
    const { shop, id, entry, gone, keptApart, sale } = await paidTwice("no_balance");
    const asked = () => mock.requests.filter(({ step, charge }) => step === "PUT pix" && charge === entry.id).length;
    expect(asked()).toBe(1);
    await shop.advance("P30D");
    expect(asked()).toBe(13);
    expect([gone(), await keptApart(), await sale()]).toEqual([0, 50_00, SOLD]);
    entry.outcome = "approve";
    const ctx = systemContext(await loadAccount(shop.clientId), newId());
    await reconcileNow(ctx, id);
    expect(asked()).toBe(13);
    await recheck(ctx, id);
    expect([gone(), await keptApart(), await sale()]).toEqual([50_00, 0, SOLD]);
  });

  test("what people gave back by other means is tried no more, and leaves the books once", async () => {
    const { shop, id, entry, gone, keptApart, sale } = await paidTwice("no_balance");
    const ctx = systemContext(await loadAccount(shop.clientId), newId());
    const kept = stillHere(await inTransaction(ctx, (inside) => getCharge(inside, id)))?.payment ?? "";
    await handBack(ctx, id, kept);
    expect([await keptApart(), await sale()]).toEqual([0, SOLD]);
    entry.outcome = "approve";
    await recheck(ctx, id);
    await shop.advance("P10D");
    expect([gone(), await keptApart(), await sale()]).toEqual([0, 0, SOLD]);
    // They may have meant a return of the bank's own pages, which is seen later.
    const { returned } = entry.kept as { returned: unknown[] }; // Guarantee: the stand-in enters it with every charge.
    returned.push({ id: "byhand", payment: kept, amount: 50_00, at: realNow(), ends: "at_once" });
    await shop.advance("P2D");
    expect([await keptApart(), await sale()]).toEqual([0, SOLD]);
  });

  test("what the shop gives back in its bank's own pages is no refund of the sale", async () => {
    const { shop, entry, keptApart, sale } = await paidTwice("no_balance");
    // The first to arrive is the sale; of one moment, the first by its name.
    const arrived = entry.payments.toSorted((a, b) => a.at.getTime() - b.at.getTime() || (a.id < b.id ? -1 : 1));
    const { returned } = entry.kept as { returned: unknown[] }; // Guarantee: the stand-in enters it with every charge.
    returned.push({ id: "byhand", payment: arrived[1]?.id, amount: 50_00, at: realNow(), ends: "at_once" });
    expect(await keptApart()).toBe(50_00);
    await shop.advance("P2D");
    expect([await keptApart(), await sale()]).toEqual([0, SOLD]);
  });
});
