import { describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { loadAccount } from "@/lib/accounts/service";
import { type Context, inTransaction, systemContext } from "@/lib/context";
import { newId } from "@/lib/ids";
import { attentionOf } from "@/lib/insights/attention";
import { openClient, openMerchant } from "@/lib/testing/api";
import {
  blockedCards,
  extendAlarm,
  inForceOn,
  liftAlarms,
  liftPauses,
  listActing,
  pauseCards,
} from "@/lib/velocity/alarms";
import { checkVelocity } from "@/lib/velocity/check";
import { ADJUSTABLE, limitsWith } from "@/lib/velocity/limits";
import { protectionOf, setLimits, setProtection } from "@/lib/velocity/protection";

async function link() {
  const client = await openClient();
  const { id: merchantId } = await openMerchant(client);
  const session = await client.make("POST", "/v1/sessions", {
    body: {
      merchantId,
      items: [{ name: "A", unitPrice: 5_000, quantity: 1 }],
      paymentMethods: [{ paymentType: "credit", installments: 1 }],
    },
  });
  const ctx = systemContext(await loadAccount(client.clientId), newId());
  return { client, ctx, merchantId, sessionId: String(session.id) };
}

const standing = (ctx: Context, { sessionId, merchantId }: { sessionId: string; merchantId: string }) =>
  checkVelocity(ctx, { sessionId, merchantId, visit: "v", ip: "203.0.113.9", amount: 5_000, captchaEnabled: false });

const auditOf = (clientId: string, action: string) =>
  systemSql()`select before, after, reason from audit_log where client_id = ${clientId} and action = ${action}`;

describe("limits of an account", () => {
  test("can be stricter than the product's own, never looser, whatever is stored", async () => {
    const { ctx, client } = await link();
    await setLimits(ctx, { visitDeclined: 2 });
    expect((await protectionOf(ctx)).limits.visit.declined).toBe(2);
    await expect(setLimits(ctx, { visitDeclined: ADJUSTABLE.visitDeclined + 1 })).rejects.toThrow();
    await expect(setLimits(ctx, { visitDeclined: 0 })).rejects.toThrow();
    expect(limitsWith({ visitDeclined: 999, linkDeclined: -3 })).toMatchObject({
      visit: { declined: ADJUSTABLE.visitDeclined },
      link: { declined: 1 },
    });
    const [row] = await auditOf(client.clientId, "card_testing.limits");
    expect([row?.before, row?.after]).toEqual([{}, { visitDeclined: 2 }]);
  });

  test("given back to the product's own they are nobody's any more, and the switch stays as it was", async () => {
    const { ctx } = await link();
    await setProtection(ctx, true);
    await setLimits(ctx, { cardSessions: 1 });
    await setLimits(ctx, {});
    expect(await protectionOf(ctx)).toMatchObject({ isOn: true, stricter: {} });
  });
});

describe("cards of a link closed by hand", () => {
  test("stay closed whether or not the limits act, and Pix is asked for nothing more", async () => {
    const of = await link();
    await inTransaction(of.ctx, (inside) => pauseCards(inside, of.sessionId, 3_600, "stolen list"));
    expect(await standing(of.ctx, of)).toMatchObject({ cards: "paused", captcha: "none", isNeutral: false });
    await setProtection(of.ctx, true);
    expect(await standing(of.ctx, of)).toMatchObject({ cards: "paused", captcha: "none", isNeutral: false });
    await inTransaction(of.ctx, (inside) => liftPauses(inside, of.sessionId));
    expect(await standing(of.ctx, of)).toMatchObject({ cards: "open" });
    const [row] = await auditOf(of.client.clientId, "card_testing.paused");
    expect(row?.reason).toBe("stolen list");
  });
});

describe("what card testing set off", () => {
  const raised = async () => {
    const of = await link();
    await systemSql()`insert into card_alarms
      (id, client_id, scope, ref_id, kind, cause, tried, declined, raised_at, until)
      values (${newId()}, ${of.client.clientId}, 'merchant', ${of.merchantId}, 'cards_paused', 'merchant_declines',
              60, 50, now(), now() + interval '1 hour')`;
    return of;
  };

  test("can be extended with a reason, which stands in the audit log with the moments before and after", async () => {
    const of = await raised();
    const [alarm] = await inTransaction(of.ctx, (inside) => listActing(inside, 10));
    if (!alarm) throw new Error("an alarm acts");
    expect(await inTransaction(of.ctx, (inside) => extendAlarm(inside, alarm.id, 7_200, "still going on"))).toBe(true);
    const [later] = await inTransaction(of.ctx, (inside) => listActing(inside, 10));
    expect((later?.until.getTime() ?? 0) - alarm.until.getTime()).toBe(7_200_000);
    const [row] = await auditOf(of.client.clientId, "card_testing.extended");
    expect(row).toMatchObject({ reason: "still going on", before: { until: alarm.until.toISOString() } });
  });

  test("can be lifted with a reason, and is over then", async () => {
    const of = await raised();
    await inTransaction(of.ctx, (inside) => liftAlarms(inside, of.merchantId, "our own test"));
    expect(await inTransaction(of.ctx, (inside) => listActing(inside, 10))).toEqual([]);
    const [row] = await auditOf(of.client.clientId, "card_testing.lifted");
    expect(row?.reason).toBe("our own test");
  });

  test("is in force, and needs a person, only where the limits act", async () => {
    const of = await raised();
    const inForce = () => inTransaction(of.ctx, (inside) => inForceOn(inside, [of.merchantId, of.sessionId]));
    expect(await inForce()).toEqual([]);
    expect(await attentionOf(of.ctx, "owner")).toEqual([]);
    await setProtection(of.ctx, true);
    expect(await inForce()).toMatchObject([{ kind: "cards_paused", cause: "merchant_declines" }]);
    expect(await attentionOf(of.ctx, "owner")).toMatchObject([{ kind: "card_testing", count: 1 }]);
    await setProtection(of.ctx, false);
    await inTransaction(of.ctx, (inside) => pauseCards(inside, of.sessionId, 3_600, "stolen list"));
    expect(await inForce()).toMatchObject([{ cause: "person" }]);
  });

  test("of another account is neither seen, nor extended, nor lifted", async () => {
    const [theirs, mine] = [await raised(), await link()];
    const [alarm] = await inTransaction(theirs.ctx, (inside) => listActing(inside, 10));
    expect(await inTransaction(mine.ctx, (inside) => listActing(inside, 10))).toEqual([]);
    expect(await inTransaction(mine.ctx, (inside) => extendAlarm(inside, alarm?.id ?? "", 60, "no"))).toBe(false);
    await inTransaction(mine.ctx, (inside) => liftAlarms(inside, theirs.merchantId, "no"));
    expect(await inTransaction(theirs.ctx, (inside) => listActing(inside, 10))).toHaveLength(1);
  });
});

test("a card tried on too many links is listed with its last digits unknown until it is stored", async () => {
  const { ctx, client, merchantId } = await link();
  for (const charge of [newId(), newId(), newId()]) {
    await systemSql()`insert into card_tries
      (id, client_id, merchant_id, session_id, visit, ip, fingerprint, bin, amount, charge_id, outcome, at)
      values (${newId()}, ${client.clientId}, ${merchantId}, ${newId()}, 'v', 'ip', 'print', '411122', 100, ${charge},
              'declined', now())`;
  }
  const blocked = await inTransaction(ctx, (inside) => blockedCards(inside, 3, 10));
  expect(blocked).toMatchObject([{ bin: "411122", last4: null, links: 3 }]);
});
