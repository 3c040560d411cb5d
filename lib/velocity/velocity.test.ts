import { createHash, randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { networkOf } from "@/lib/addresses";
import { newChallenge } from "@/lib/captcha/challenge";
import { type Context, inTransaction, now } from "@/lib/context";
import { newId } from "@/lib/ids";
import { openClient } from "@/lib/testing/api";
import { payByCard, readCharge, withMerchant } from "@/lib/testing/payments";
import { addSeconds } from "@/lib/time";
import { visitDigest } from "@/lib/velocity/address";
import { admitCards } from "@/lib/velocity/admit";
import { liftAlarms, listAlarms } from "@/lib/velocity/alarms";
import { checkVelocity, type VelocityStanding } from "@/lib/velocity/check";
import { openGate } from "@/lib/velocity/gate";
import { setProtection } from "@/lib/velocity/protection";
import { mayUseCardAgain } from "@/lib/velocity/retry";
import type { CardSubject } from "@/lib/velocity/subject";

let ctx: Context;
let subject: CardSubject;
beforeEach(async () => {
  ctx = await (await openClient({ mode: "live" })).context();
  subject = newSubject();
});

const newSubject = (changes: Partial<CardSubject> = {}): CardSubject => ({
  sessionId: newId(),
  merchantId: newId(),
  visit: randomUUID(),
  ip: "203.0.113.7",
  amount: 10_500,
  captchaEnabled: false,
  ...changes,
});

interface Given extends Partial<CardSubject> {
  count?: number;
  outcome?: "approved" | "declined" | "other" | null;
  agoSeconds?: number;
  card?: string;
  bin?: string;
}

/** Tries of the past, written as `admitCards` and the trigger write them. */
async function tries({ count = 1, outcome = "declined", agoSeconds = 1, card, bin, ...changes }: Given) {
  const { sessionId, merchantId, visit, ip, amount } = { ...subject, ...changes };
  const rows = Array.from({ length: count }, () => ({
    id: newId(),
    client_id: ctx.account.id,
    merchant_id: merchantId,
    session_id: sessionId,
    visit: visitDigest(visit),
    ip: networkOf(ip),
    fingerprint: card ?? randomUUID(),
    bin: bin ?? randomUUID(),
    amount,
    charge_id: newId(),
    outcome,
    at: addSeconds(now(ctx), -agoSeconds),
  }));
  await systemSql()`insert into card_tries ${systemSql()(rows)}`;
}

const check = (changes: Partial<CardSubject> = {}): Promise<VelocityStanding> =>
  checkVelocity(ctx, { ...subject, ...changes });
const elsewhere = { visit: "another visit", ip: "198.51.100.1" };

describe("a buyer on a link", () => {
  test("whose cards were never refused pays without a captcha, unless the link asks for one", async () => {
    expect(await check()).toEqual({ captcha: "none", cards: "open", isNeutral: false });
    await tries({ outcome: "approved" });
    expect(await check({ captchaEnabled: true })).toEqual({ captcha: "normal", cards: "open", isNeutral: false });
  });

  test("solves a captcha after the first decline; others do not", async () => {
    await tries({});
    expect((await check()).captcha).toBe("normal");
    expect((await check(elsewhere)).captcha).toBe("none");
    expect((await check({ sessionId: newId() })).captcha).toBe("none");
  });

  test("is told no reason from the third decline of the visit on, on whatever links", async () => {
    await tries({ count: 2 });
    expect((await check()).isNeutral).toBe(false);
    await tries({ sessionId: newId() });
    expect((await check()).isNeutral).toBe(true);
    expect((await check(elsewhere)).isNeutral).toBe(false);
  });

  test("has five declines on one link in one visit", async () => {
    await tries({ count: 4 });
    expect((await check()).cards).toBe("open");
    await tries({ agoSeconds: 0 });
    expect(await check()).toMatchObject({ cards: "visit_closed", retryAfterSeconds: expect.any(Number) });
    expect((await check(elsewhere)).cards).toBe("open");
    expect((await check({ sessionId: newId() })).cards).toBe("open");
  });

  test("failures of ours are not declines", async () => {
    await tries({ count: 40, outcome: "other" });
    expect(await check()).toEqual({ captcha: "none", cards: "open", isNeutral: false });
  });
});

describe("an address", () => {
  const manyVisits = async (count: number, given: Given = {}) => {
    for (let i = 0; i < count; i++) await tries({ visit: randomUUID(), sessionId: newId(), ...given });
  };

  test("solves a hard captcha after ten declines in an hour, and has no cards after twenty", async () => {
    await manyVisits(9);
    expect((await check()).captcha).toBe("none");
    await manyVisits(1);
    expect(await check()).toMatchObject({ captcha: "hard", cards: "open" });
    await manyVisits(10, { agoSeconds: 600 });
    expect(await check()).toMatchObject({ cards: "too_many", retryAfterSeconds: expect.any(Number) });
    const { retryAfterSeconds = 0 } = await check();
    expect(retryAfterSeconds).toBeGreaterThan(2_900);
    expect(retryAfterSeconds).toBeLessThanOrEqual(3_000);
    expect((await check({ ip: "203.0.113.8" })).cards).toBe("open");
  });

  test("of an hour ago is forgotten", async () => {
    await manyVisits(20, { agoSeconds: 3_601 });
    expect(await check()).toMatchObject({ captcha: "none", cards: "open" });
  });

  test("of version 6 is its /64", async () => {
    await manyVisits(20, { ip: "2001:db8:1:2:aaaa::1" });
    expect((await check({ ip: "2001:db8:1:2::ffff" })).cards).toBe("too_many");
    expect((await check({ ip: "2001:db8:1:3::1" })).cards).toBe("open");
  });

  test.each([
    ["203.0.113.7", "203.0.113.7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["2001:DB8::1", "2001:db8:0:0::/64"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["::1", "0:0:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["unknown", "unknown"],
  ])("%s is counted as %s", (ip, network) => expect(networkOf(ip)).toBe(network));
});

describe("a link", () => {
  const fromAnywhere = { visit: "v", ip: "192.0.2.1" };

  test("with twenty declines in ten minutes, more than half of its tries, asks everybody for a hard captcha", async () => {
    await tries({ count: 19, ...fromAnywhere });
    expect((await check()).captcha).toBe("none");
    await tries({ count: 20, outcome: "approved", ...fromAnywhere });
    await tries({ ...fromAnywhere });
    expect((await check()).captcha, "half of them are not more than half").toBe("none");
    await tries({ ...fromAnywhere });
    expect(await check()).toEqual({ captcha: "hard", cards: "open", isNeutral: true });
    expect(await check({ sessionId: newId(), merchantId: newId() })).toMatchObject({ captcha: "none" });
    const alarms = await inTransaction(ctx, (inside) => listAlarms(inside, 10));
    expect(alarms).toContainEqual(
      expect.objectContaining({ scope: "link", refId: subject.sessionId, cause: "link_declines", declined: 21 }),
    );
  });

  test("of ten minutes ago asks nobody", async () => {
    await tries({ count: 25, agoSeconds: 601, ...fromAnywhere });
    expect((await check()).captcha).toBe("none");
  });

  test("an alarm stands after its cause is over, until its time or until somebody lifts it", async () => {
    await tries({ count: 20, ...fromAnywhere });
    await check();
    await systemSql()`update card_tries set at = at - interval '1 hour' where session_id = ${subject.sessionId}`;
    expect((await check()).captcha).toBe("hard");
    await inTransaction(ctx, (inside) => liftAlarms(inside, subject.sessionId));
    expect((await check()).captcha).toBe("none");
  });

  test("tried with eight cards of one BIN and one amount asks for a hard captcha", async () => {
    const others = { outcome: "approved", visit: "v", ip: "192.0.2.1", sessionId: newId() } as const;
    const bin = "411111";
    await tries({ count: 30, bin, card: "the same card", ...others });
    await tries({ count: 7, bin, amount: 999, ...others });
    await tries({ count: 7, bin: "522222", ...others });
    await tries({ count: 6, bin, ...others });
    expect((await check()).captcha).toBe("none");
    await tries({ bin, ...others });
    expect((await check()).captcha).toBe("hard");
  });
});

describe("a merchant", () => {
  const onManyLinks = async (count: number, given: Given = {}) => {
    for (let i = 0; i < count; i++)
      await tries({ sessionId: newId(), visit: randomUUID(), ip: `192.0.2.${i}`, ...given });
  };

  test("with more than half declines of thirty has a hard captcha on all links; after thirty more, no cards", async () => {
    await onManyLinks(14, { outcome: "approved" });
    await onManyLinks(15);
    expect((await check()).captcha).toBe("none");
    await onManyLinks(1);
    expect(await check()).toMatchObject({ captcha: "hard", cards: "open" });
    expect(await check({ merchantId: newId(), sessionId: newId() })).toMatchObject({ captcha: "none" });
    await onManyLinks(29, { agoSeconds: -1 });
    expect((await check()).cards).toBe("open");
    await onManyLinks(1, { agoSeconds: -1 });
    expect(await check()).toMatchObject({ cards: "paused", retryAfterSeconds: 3_600, isNeutral: true });
    await inTransaction(ctx, (inside) => liftAlarms(inside, subject.merchantId));
    expect((await check()).cards).toBe("open");
  });
});

describe("a sandbox account", () => {
  test("counts, asks for the captcha after a decline, and acts once it is switched on", async () => {
    ctx = await (await openClient()).context();
    await tries({ count: 25 });
    expect(await check()).toEqual({ captcha: "normal", cards: "open", isNeutral: false });
    await inTransaction(ctx, (inside) => setProtection(inside, true));
    expect(await check()).toMatchObject({ captcha: "hard", cards: "visit_closed", isNeutral: true });
    await inTransaction(ctx, (inside) => setProtection(inside, false));
    expect((await check()).cards).toBe("open");
  });
});

describe("the moment a payment is accepted", () => {
  /** A charge on a card, as the API makes it, put on the link and set back to where nothing is known. */
  async function pendingCharges(count: number): Promise<string[]> {
    const shop = await withMerchant(await openClient());
    ctx = await shop.client.context();
    subject = { ...subject, merchantId: shop.merchant.id };
    await inTransaction(ctx, (inside) => setProtection(inside, true));
    const { body } = await payByCard(shop);
    const { id } = await readCharge(shop.client, body.id);
    const ids = Array.from({ length: count }, newId);
    await systemSql()`
      insert into charges select (jsonb_populate_record(c, jsonb_build_object(
        'id', copy.id, 'status', 'pending', 'session_id', ${subject.sessionId}::uuid))).*
        from charges c, unnest(${ids}::uuid[]) as copy (id) where c.id = ${id}`;
    return ids;
  }

  const admit = (chargeId: string, changes: Partial<CardSubject> = {}) =>
    inTransaction(ctx, (inside) => admitCards(inside, { ...subject, ...changes }, { chargeId }));

  const outcomes = async () =>
    (await systemSql()`select outcome from card_tries where session_id = ${subject.sessionId} order by id`).map(
      ({ outcome }) => outcome,
    );

  test("its cards are counted, and a hundred at once are a hundred", async () => {
    const ids = await pendingCharges(100);
    const results = await Promise.allSettled(ids.map((id) => admit(id)));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
    const refused = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
    expect(refused.every(({ status, retryAfterSeconds }) => status === 429 && retryAfterSeconds > 0)).toBe(true);
    expect(await outcomes()).toHaveLength(5);
  });

  test("twenty of one address, from however many visits", async () => {
    const ids = await pendingCharges(30);
    const links = ids.map(() => newId());
    await systemSql()`update cards set fingerprint = id::text where client_id = ${ctx.account.id}`;
    const results = await Promise.allSettled(
      ids.map((id, i) => admit(id, { visit: randomUUID(), sessionId: i < 3 ? links[i]! : subject.sessionId })),
    );
    expect(results.filter(({ status }) => status === "fulfilled").length).toBeLessThanOrEqual(20);
  });

  test("a card that was tried on three links within the hour is refused on the fourth", async () => {
    const [first = "", second = ""] = await pendingCharges(2);
    const [card] = await systemSql()`
      select k.fingerprint from charges c join cards k on k.id = c.card_id where c.id = ${first}`;
    const elsewhereTried = { visit: "v", ip: "192.0.2.1", card: card?.fingerprint, outcome: "approved" } as const;
    for (let i = 0; i < 2; i++) await tries({ sessionId: newId(), ...elsewhereTried });
    await admit(first);
    await tries({ sessionId: newId(), ...elsewhereTried });
    await expect(admit(second)).rejects.toMatchObject({ status: 429 });
  });

  test("the answer of the payment is the answer of the try", async () => {
    const [declined = "", approved = "", broken = ""] = await pendingCharges(3);
    for (const id of [declined, approved, broken]) await admit(id);
    const sql = systemSql();
    await sql.begin(async (tx) => {
      await tx`update charges set status = 'failed' where id = ${declined}`;
      await tx`
        insert into transaction_requests select (jsonb_populate_record(r, jsonb_build_object(
          'id', gen_random_uuid(), 'charge_id', ${declined}::uuid, 'reference', gen_random_uuid(), 'state', 'declined'))).*
          from transaction_requests r where r.client_id = ${ctx.account.id} and r.kind = 'authorize' limit 1`;
    });
    await sql`update charges set status = 'pre_authorized' where id = ${approved}`;
    await sql`update charges set status = 'failed' where id = ${broken}`;
    expect(await outcomes()).toEqual(["declined", "approved", "other"]);
  });

  test("a payment that is not by card is not counted", async () => {
    ctx = await (await openClient()).context();
    await admit(newId());
    expect(await outcomes()).toEqual([]);
  });
});

describe("the gate", () => {
  const solved = (): string => {
    const { challenge, salt, algorithm, signature } = newChallenge({ sessionId: subject.sessionId, level: "normal" });
    let number = 0;
    while (createHash("sha256").update(`${salt}${number}`).digest("hex") !== challenge) number += 1;
    return btoa(JSON.stringify({ algorithm, challenge, number, salt, signature }));
  };
  const asSession = (): Context => ({
    ...ctx,
    principal: {
      kind: "session",
      publicKey: newId(),
      sessionId: subject.sessionId,
      customerId: null,
      madeBy: null,
      isOver: false,
    },
  });
  const pass = async (who: Context, changes: Partial<Parameters<typeof openGate>[1]> = {}) => {
    const gate = await openGate(who, { ...subject, isCard: true, captcha: null, ...changes });
    await inTransaction(who, (inside) => gate.pass(inside, { chargeId: newId() }));
  };

  test("lets a first card through and asks after a decline", async () => {
    await pass(asSession());
    await tries({});
    await expect(pass(asSession())).rejects.toMatchObject({ businessCode: "captcha_required" });
    await expect(pass(asSession(), { captcha: "wrong" })).rejects.toMatchObject({ businessCode: "captcha_invalid" });
    await pass(asSession(), { captcha: solved() });
  });

  test("asks Pix only where the link does", async () => {
    await tries({ count: 30 });
    await pass(asSession(), { isCard: false });
    await expect(pass(asSession(), { isCard: false, captchaEnabled: true })).rejects.toMatchObject({
      businessCode: "captcha_required",
    });
  });

  test("says for how long cards are closed", async () => {
    await tries({ count: 5 });
    await expect(pass(asSession(), { captcha: solved() })).rejects.toMatchObject({
      status: 429,
      retryAfterSeconds: expect.any(Number),
    });
  });

  test("stands open for a shop's secret key", async () => {
    await tries({ count: 30 });
    await pass({ ...ctx, principal: { kind: "secret", keyId: newId(), rights: null } }, { captchaEnabled: true });
  });
});

describe("the same card again", () => {
  test("is refused on the link that it was declined on for good, and taken on another", async () => {
    const shop = await withMerchant(await openClient());
    ctx = await shop.client.context();
    const { body } = await payByCard(shop, { outcome: "decline:expired_card" });
    const [row] = await systemSql()`select card_id from charges where id = ${body.id}`;
    await systemSql()`update charges set session_id = ${subject.sessionId} where id = ${body.id}`;
    const again = { merchantId: shop.merchant.id, cardId: row?.card_id, amount: 10_500 };
    const may = (sessionId: string) => inTransaction(ctx, (inside) => mayUseCardAgain(inside, { ...again, sessionId }));
    expect(await may(subject.sessionId)).toMatchObject({ allowed: false });
    expect(await may(newId())).toEqual({ allowed: true });
  });
});
