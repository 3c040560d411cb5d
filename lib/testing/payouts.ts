import { nextBankDay, saoPauloDay, saoPauloWallTime } from "@/lib/brazil/bank-calendar";
import { openClient, type TestClient } from "@/lib/testing/api";
import { payByPix, withMerchant } from "@/lib/testing/payments";
import { openSellers } from "@/lib/testing/sellers";

export const to = (client: TestClient, day: string, time: string): Promise<unknown> =>
  client.make("POST", "/v1/sandbox/clock", { body: { to: `${day}T${time}-03:00` } });

export const available = async (client: TestClient, sellerId: string): Promise<number> =>
  (await client.make<{ available: number }>("GET", `/v1/payouts/balance?sellerId=${sellerId}`)).available;

/** Invariants that are broken. */
export const broken = async (client: TestClient): Promise<unknown[]> =>
  (await client.make<{ invariants: { id: string; violations: number }[] }>("GET", "/v1/invariants")).invariants.filter(
    ({ violations }) => violations > 0,
  );

export const PAYOUT_ACCOUNT = {
  bank: "237",
  agreement: "C0NV 123",
  branchNumber: "1234",
  branchCheckDigit: "5",
  accountNumber: "67890",
  accountCheckDigit: "1",
  holderName: "Mercado São João Ltda",
  holderDocument: "11222333000181",
};

/** An account on whose clock the bank day's morning is over: what is paid before 05:00 is available on that very day. */
export async function openPastNoon(): Promise<TestClient> {
  const client = await openClient();
  const time = saoPauloWallTime(new Date());
  const today = time.slice(0, "YYYY-MM-DD".length);
  if (time < `${today}T12`) await to(client, today, "12:00:00");
  return client;
}

/** Each seller is owed 100.00 that becomes available at 05:00 of a day, which has come to `time`. */
export async function onPayday(
  rail: "sandbox" | "file" | "none",
  sellers: number,
  {
    time = "12:00:00",
    of,
    before,
  }: { time?: string; of?: TestClient; before?: (ids: readonly string[]) => Promise<unknown> } = {},
) {
  const shop = await withMerchant(of ?? (await openPastNoon()));
  const { client, merchant } = shop;
  await client.make("PATCH", `/v1/merchants/${merchant.id}`, {
    body: { payoutRail: rail, ...(rail === "file" ? { payoutAccount: PAYOUT_ACCOUNT } : {}) },
  });
  const transferPolicy = { transferInterval: "daily", transferDay: 0, transferEnabled: true };
  const ids = await openSellers(client, merchant.id, sellers, { transferPolicy });
  const splitRules = ids.map((sellerId) => ({ sellerId, amount: 10_000 }));
  const { body } = await payByPix(shop, { amount: 10_000 * sellers, changes: { splitRules } });
  await client.make("POST", `/v1/sandbox/pix/${body.id}/pay`, { body: {} });
  const { now } = await client.make<{ now: string }>("GET", "/v1/sandbox/clock");
  const day = nextBankDay(saoPauloDay(new Date(now)));
  await before?.(ids);
  await to(client, day, time);
  return { client, merchant, ids, day };
}
