import { describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { loadAccount } from "@/lib/accounts/service";
import type { ProviderTruth } from "@/lib/charges/review/statement";
import { type Context, systemContext } from "@/lib/context";
import type { RequestError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import type { FollowUp } from "@/lib/purchases/review/choices";
import { readReview } from "@/lib/purchases/review/read";
import {
  type AskedResolution,
  planResolution,
  proposeResolution,
  resolveReview,
  withdrawResolution,
} from "@/lib/purchases/review/service";
import type { SandboxOutcome } from "@/lib/reference/sandbox-pans";
import { openClient, type TestClient } from "@/lib/testing/api";
import { withMerchant } from "@/lib/testing/payments";
import { advance, bought, changePurchase, type NewPurchase, readPurchase, work } from "@/lib/testing/purchases";

const sql = systemSql();

const operator = async (client: TestClient, operatorId = newId()): Promise<Context> => ({
  ...systemContext(await loadAccount(client.clientId), newId()),
  principal: { kind: "operator", operatorId },
});

/** The call gets lost, and no query about this card is answered any more: after ten of them people must look. */
const silence = (purchaseId: string, slot: number) => sql`
  update charges set scenario = 'fault=drop_request;step=query;times=0'
   where id = (select charge_id from purchase_payments where purchase_id = ${purchaseId} and slot_index = ${slot})`;

async function reviewed(given: NewPurchase, act?: "capture" | "void") {
  const client = await openClient();
  const shop = await withMerchant(client);
  const first = await bought(shop, given);
  if (act) {
    await changePurchase(client, first.id, act);
    await work(client);
  }
  await advance(client, "P1D");
  const purchase = await readPurchase(client, first.id);
  expect(purchase.pendingReview, JSON.stringify(purchase)).toBeDefined();
  return { client, purchase, ctx: await operator(client) };
}

const TX = "tx-read-by-a-person";
const say = (slotIndex: number, truth: ProviderTruth) => ({ slotIndex, truth, providerTransactionId: TX });

interface Story {
  story: string;
  outcomes: SandboxOutcome[];
  capture?: boolean;
  truth: ProviderTruth;
  slot: number;
  followUp?: FollowUp;
  choices: FollowUp[];
  operation: string | null;
  status: string;
  slots: string[];
}

const NEVER = "pending_forever";
const OTHER = "amount_mismatch_minus_1";
/** Of an authorisation that nobody ever answered. */
const STORIES: Story[] = [
  {
    story: "it holds after all: the client may capture",
    outcomes: ["approve", NEVER],
    truth: "held",
    slot: 1,
    choices: ["leave", "undo"],
    operation: null,
    status: "pending",
    slots: ["pre_authorized", "pre_authorized"],
  },
  {
    story: "it is not there: the other hold is released",
    outcomes: ["approve", NEVER, "approve"],
    truth: "absent",
    slot: 1,
    choices: ["continue"],
    operation: "authorize",
    status: "failed",
    slots: ["voided", "failed", "canceled"],
  },
  {
    story: "captured where nothing was to be captured, and given back there: the rest is given back too",
    outcomes: ["approve", NEVER, "approve"],
    truth: "refunded",
    slot: 1,
    choices: ["undo"],
    operation: "rollback",
    status: "cancelled",
    slots: ["voided", "voided", "canceled"],
  },
  {
    story: "another amount, released by hand at the provider",
    outcomes: ["approve", OTHER],
    capture: true,
    truth: "absent",
    slot: 1,
    choices: ["continue"],
    operation: "authorize",
    status: "failed",
    slots: ["voided", "failed"],
  },
];

describe("a person resolves a review", () => {
  test.for(STORIES)("$story", async ({ outcomes, capture = false, truth, slot, followUp, ...wanted }) => {
    const { client, purchase, ctx } = await reviewed({ outcomes, capture });
    const asked: AskedResolution = { purchaseId: purchase.id, slots: [say(slot, truth)], followUp };
    const plan = await planResolution(ctx, asked);
    expect(await readPurchase(client, purchase.id), "a plan changes nothing").toEqual(purchase);
    expect({ choices: plan.choices, operation: plan.operation?.type ?? null, status: plan.status }).toEqual({
      choices: wanted.choices,
      operation: wanted.operation,
      status: wanted.status,
    });
    const done = await resolveReview(ctx, { ...asked, plan: plan.plan, key: newId(), aloneUpTo: null });
    expect(done.repeated).toBe(false);
    expect(done.purchase?.payments.map(({ status }) => status)).toEqual(plan.slots.map(({ to }) => to));
    await work(client);
    const after = await readPurchase(client, purchase.id);
    expect({ status: after.status, slots: after.payments.map((one) => one.status) }).toEqual({
      status: wanted.status,
      slots: wanted.slots,
    });
    expect(after).not.toHaveProperty("pendingReview");
    expect(after.activeOperation).toBeUndefined();
    const [row] = await sql`
      select count(*)::int as n from audit_log where object_id = ${purchase.id} and action = 'purchase.resolve'`;
    expect(row?.n).toBe(1);
    await booksAgree(after.payments);
  });

  const CHANGES: (Pick<Story, "truth" | "choices" | "status" | "slots" | "operation"> & {
    story: string;
    outcome: SandboxOutcome;
    act: "capture" | "void";
    capture?: boolean;
  })[] = [
    {
      story: "a capture that was done: paid, and the other card is given back, since the capture was interrupted",
      outcome: "capture_timeout_captured",
      act: "capture",
      truth: "captured",
      choices: ["undo"],
      operation: "rollback",
      status: "cancelled",
      slots: ["voided", "voided"],
    },
    {
      story: "a capture that was not done: all is held, the client may ask again, or all is released",
      outcome: "capture_timeout_not_captured",
      act: "capture",
      truth: "held",
      choices: ["undo", "leave"],
      operation: "rollback",
      status: "failed",
      slots: ["voided", "voided"],
    },
    {
      story: "a hold that is gone when it is captured",
      outcome: "capture_timeout_not_captured",
      act: "capture",
      truth: "absent",
      choices: ["undo"],
      operation: "rollback",
      status: "failed",
      slots: ["voided", "voided"],
    },
    {
      story: "a hold released after all",
      outcome: "void_timeout_voided",
      act: "void",
      truth: "absent",
      choices: ["continue"],
      operation: "void",
      status: "cancelled",
      slots: ["voided", "voided"],
    },
    {
      story: "money given back after all",
      outcome: "refund_pending_done",
      act: "void",
      capture: true,
      truth: "refunded",
      choices: ["continue", "leave"],
      operation: "refund",
      status: "cancelled",
      slots: ["voided", "voided"],
    },
    {
      story: "money that was not given back: what is left is refunded by a new operation",
      outcome: "refund_pending_failed",
      act: "void",
      capture: true,
      truth: "captured",
      choices: ["continue", "leave"],
      operation: "refund",
      status: "cancelled",
      slots: ["authorized", "voided"],
    },
  ];
  test.for(CHANGES)("$story", async ({ outcome, act, capture = false, truth, ...wanted }) => {
    const client = await openClient();
    const shop = await withMerchant(client);
    const { id } = await bought(shop, { outcomes: [outcome, "approve"], capture });
    if (capture) await advance(client, "P1D");
    await silence(id, 0);
    await changePurchase(client, id, act);
    await work(client);
    // A refund that was taken is waited for as long as anybody asks.
    await advance(client, capture ? "P14D" : "P2D");
    expect((await readPurchase(client, id)).pendingReview?.reason).toBe("reconciliation_failed");
    const ctx = await operator(client);
    const asked: AskedResolution = { purchaseId: id, slots: [say(0, truth)] };
    const plan = await planResolution(ctx, asked);
    expect({ choices: plan.choices, operation: plan.operation?.type ?? null, status: plan.status }).toEqual({
      choices: wanted.choices,
      operation: wanted.operation,
      status: wanted.status,
    });
    await resolveReview(ctx, { ...asked, plan: plan.plan, key: newId(), aloneUpTo: null });
    await sql`update charges set scenario = null where client_id = ${client.clientId}`;
    await work(client);
    await advance(client, "P4D");
    const after = await readPurchase(client, id);
    expect(after.payments.map((one) => one.status)).toEqual(wanted.slots);
    expect(after.activeOperation).toBeUndefined();
    await booksAgree(after.payments);
  });
});

/** Nothing is held in the books but what is held, and refunds are the ledger's; what statements said is apart. */
async function booksAgree(payments: { chargeId?: string; refundedAmount: number; status: string; amount: number }[]) {
  for (const { chargeId, refundedAmount, status, amount } of payments) {
    if (!chargeId) continue;
    const [books] = await sql<{ held: number; refunded: number; left: number }[]>`
      select coalesce(sum(p.amount) filter (where a.kind = 'memo:hold'), 0)::int as held,
             coalesce(-sum(p.amount) filter (where a.kind = 'provider_receivable' and j.event_type = 'refund'), 0)::int as refunded,
             coalesce(sum(p.amount) filter (where a.kind = 'provider_receivable'
                                               and j.event_type not in ('settlement', 'provider_cost')), 0)::int as left
        from journals j join postings p on p.journal_id = j.id join ledger_accounts a on a.id = p.account_id
       where j.charge_id = ${chargeId}`;
    expect(books).toEqual({
      held: status === "pre_authorized" ? amount : 0,
      refunded: refundedAmount,
      left: status === "authorized" ? amount - refundedAmount : 0,
    });
  }
}

describe("what a resolution asks for", () => {
  test("a word for each card of unknown outcome, a possible one, with the provider's id", async () => {
    const { ctx, purchase } = await reviewed({ outcomes: ["approve", NEVER] });
    const { slots, reason, interrupted } = await readReview(ctx, purchase.id);
    expect(reason).toBe("reconciliation_failed");
    expect(interrupted).toMatchObject({ type: "authorize", error: "reconciliation_failed" });
    expect(slots[1]).toMatchObject({ isToBeStated: true, call: "authorize", queries: expect.any(Number) });
    expect(slots[0]).toMatchObject({ isToBeStated: false, truths: ["held", "absent"] });
    const refused = async (asked: Partial<AskedResolution>) =>
      planResolution(ctx, { purchaseId: purchase.id, slots: [say(1, "held")], ...asked }).then(
        () => undefined,
        (thrown: RequestError) => [thrown.status, ...thrown.details],
      );
    expect(await refused({ slots: [] })).toEqual([400, "slots: card 1 needs a statement"]);
    expect(await refused({ slots: [{ slotIndex: 1, truth: "held" }] })).toEqual([
      400,
      "slots.0.providerTransactionId: the provider's id is needed",
    ]);
    expect(await refused({ slots: [say(1, "held"), say(0, "captured")] })).toEqual([
      400,
      "slots.1.truth: must be held, absent",
    ]);
    expect(await refused({ slots: [say(1, "held"), say(1, "absent")] })).toEqual([
      400,
      "slots.1.slotIndex: each card of the purchase once",
    ]);
    expect(await refused({ followUp: "continue" })).toEqual([400, "followUp: must be one of leave, undo"]);
  });

  test("the plan that was shown, once for each key, and nothing when the review is over", async () => {
    const { ctx, client, purchase } = await reviewed({ outcomes: ["approve", NEVER] });
    const asked: AskedResolution = { purchaseId: purchase.id, slots: [say(1, "absent")] };
    const { plan } = await planResolution(ctx, asked);
    const key = newId();
    const confirm = (changes: Partial<AskedResolution> = {}, withKey = key) =>
      resolveReview(ctx, { ...asked, ...changes, plan, key: withKey, aloneUpTo: null });
    await expect(confirm({ slots: [say(1, "held")] })).rejects.toMatchObject({
      businessCode: "purchase_invalid_state",
    });
    const done = await Promise.all(Array.from({ length: 5 }, () => confirm()));
    expect(done.filter(({ repeated }) => !repeated)).toHaveLength(1);
    await expect(confirm({}, newId())).rejects.toThrow();
    await work(client);
    expect(await confirm()).toEqual({ repeated: true });
    await expect(confirm({}, newId())).rejects.toMatchObject({ businessCode: "purchase_invalid_state" });
    expect((await readPurchase(client, purchase.id)).status).toBe("failed");
    await expect(readReview(ctx, purchase.id)).rejects.toMatchObject({ businessCode: "purchase_invalid_state" });
  });

  test("above the limit a second person, later than the first, with the same plan", async () => {
    const { ctx, client, purchase } = await reviewed({ outcomes: ["approve", NEVER] });
    const asked: AskedResolution = { purchaseId: purchase.id, slots: [say(1, "absent")] };
    const { plan } = await planResolution(ctx, asked);
    const confirm = (by: Context) => resolveReview(by, { ...asked, plan, key: newId(), aloneUpTo: 1_000 });
    await expect(confirm(ctx)).rejects.toThrow(/second person/);
    await proposeResolution(ctx, { ...asked, plan });
    await expect(confirm(ctx)).rejects.toThrow(/second person/);
    expect((await readPurchase(client, purchase.id)).pendingReview).toBeDefined();
    const other = await operator(client);
    expect([await withdrawResolution(other, purchase.id), await withdrawResolution(ctx, purchase.id)]).toEqual([
      false,
      true,
    ]);
    expect(
      await sql`select 1 from notices where path = ${`/dashboard/reviews/${purchase.id}`} and kind = 'review_waiting'`,
    ).toHaveLength(0);
    await expect(confirm(other)).rejects.toThrow(/second person/);
    await proposeResolution(ctx, { ...asked, plan });
    await confirm(other);
    const [resolved, proposed] = await sql`
      select actor, second_actor from audit_log
       where object_id = ${purchase.id} and action in ('purchase.resolve', 'purchase.resolve.propose')
       order by at desc limit 2`;
    expect(resolved?.actor).not.toBe(proposed?.actor);
    expect(resolved?.second_actor).toBe(proposed?.actor);
  });

  test("given up by hand, it is watched: a hold that shows up later is released", async () => {
    const { ctx, client, purchase } = await reviewed({ outcomes: ["approve", NEVER] });
    const asked: AskedResolution = { purchaseId: purchase.id, slots: [say(1, "absent")] };
    const { plan } = await planResolution(ctx, asked);
    await resolveReview(ctx, { ...asked, plan, key: newId(), aloneUpTo: null });
    await work(client);
    const chargeId = purchase.payments[1]?.chargeId ?? "";
    await sql`
      update sandbox_transactions set state = 'held', authorized = amount, resolves_at = null, resolves_to = null, plain = true
       where charge_id = ${chargeId}`;
    await advance(client, "PT7H");
    const [at] = await sql`select state from sandbox_transactions where charge_id = ${chargeId}`;
    expect(at?.state).toBe("voided");
    expect(await readPurchase(client, purchase.id)).toMatchObject({
      status: "failed",
      payments: [{ status: "voided" }, { status: "failed" }],
    });
  });
});
