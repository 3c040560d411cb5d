import { describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { type ChargeReply, openShop, type Shop, THREE_DS, withAnalyst } from "@/lib/providers/sandbox/api/testing";
import {
  SANDBOX_BRANDS,
  SANDBOX_OUTCOMES,
  type SandboxBrand,
  type SandboxOutcome,
  sandboxPan,
} from "@/lib/reference/sandbox-pans";

const AMOUNT = 10_001;
const HALF = 5_000;

/** What is done after the creation, in order. A number is the amount; nothing means all. */
type Act = { capture: number | null } | { void: number | null } | { advance: string };

interface Trial {
  outcome: SandboxOutcome;
  /** Which of several stories of one outcome. */
  story?: string;
  capture?: boolean;
  changes?: Record<string, unknown>;
  /** The merchant has an anti-fraud provider. */
  analysed?: boolean;
  /** Status in the creating answer. */
  created: string;
  acts?: [act: Act, status: string][];
  /** requestType and requestStatus, newest first. */
  requests: string[];
  events: string[];
  declinedCode?: string;
  review?: string;
  /** The state of the simulator's own record, when it has one. */
  simulator: string | null;
}

const captured = ["capture success", "pre_authorization success"];
const held = ["pre_authorization success"];

const declines: Trial[] = SANDBOX_OUTCOMES.filter((name) => name.startsWith("decline:")).map((outcome) => ({
  outcome,
  created: "failed",
  requests: ["pre_authorization failed"],
  events: ["failed"],
  declinedCode: outcome.slice("decline:".length),
  simulator: "declined",
}));

/** Unknown at first, then found approved by a query: as approve. */
const foundApproved = (outcome: SandboxOutcome): Trial => ({
  outcome,
  created: "pending",
  acts: [[{ advance: "PT10S" }, "authorized"]],
  requests: captured,
  events: ["pending", "authorized"],
  simulator: "captured",
});

const TRIALS: Trial[] = [
  { outcome: "approve", created: "authorized", requests: captured, events: ["authorized"], simulator: "captured" },
  {
    outcome: "approve",
    story: "held, captured in part, refunded in parts",
    capture: false,
    created: "pre_authorized",
    acts: [
      [{ capture: 8_000 }, "authorized"],
      [{ void: 3_000 }, "authorized"],
      [{ void: null }, "voided"],
    ],
    requests: ["void success", "void success", ...captured],
    events: ["pre_authorized", "authorized", "partially_voided", "voided"],
    simulator: "captured",
  },
  {
    outcome: "approve",
    story: "held and released",
    capture: false,
    created: "pre_authorized",
    acts: [[{ void: null }, "voided"]],
    requests: ["void success", ...held],
    events: ["pre_authorized", "voided"],
    simulator: "voided",
  },
  {
    outcome: "approve",
    story: "held until six hours before the hold ends",
    capture: false,
    created: "pre_authorized",
    acts: [
      [{ advance: "P6DT17H" }, "pre_authorized"],
      [{ advance: "PT2H" }, "voided"],
    ],
    requests: ["void success", ...held],
    events: ["pre_authorized", "voided"],
    simulator: "voided",
  },
  ...declines,
  foundApproved("pending_then_approved"),
  {
    outcome: "pending_then_declined",
    created: "pending",
    acts: [[{ advance: "PT10S" }, "failed"]],
    requests: ["pre_authorization failed"],
    events: ["pending", "failed"],
    declinedCode: "generic",
    simulator: "pending",
  },
  {
    outcome: "pending_forever",
    created: "pending",
    acts: [
      [{ advance: "PT1H" }, "pending"],
      [{ advance: "P1D" }, "pending"],
    ],
    requests: ["pre_authorization processing"],
    events: ["pending"],
    review: "reconciliation_failed",
    simulator: "pending",
  },
  foundApproved("timeout_authorised_at_provider"),
  {
    outcome: "timeout_not_found_at_provider",
    created: "pending",
    acts: [
      [{ advance: "PT1M" }, "pending"],
      [{ advance: "PT10M" }, "failed"],
      [{ advance: "P29D" }, "failed"],
    ],
    requests: ["pre_authorization failed"],
    events: ["pending", "failed"],
    declinedCode: "timeout",
    simulator: null,
  },
  {
    outcome: "timeout_declined_at_provider",
    created: "pending",
    acts: [[{ advance: "PT10S" }, "failed"]],
    requests: ["pre_authorization failed"],
    events: ["pending", "failed"],
    declinedCode: "generic",
    simulator: "declined",
  },
  {
    outcome: "connection_reset_before_send",
    created: "authorized",
    requests: captured,
    events: ["authorized"],
    simulator: "captured",
  },
  foundApproved("http500_then_ok_same_key"),
  {
    outcome: "http429_retry_after",
    created: "authorized",
    requests: captured,
    events: ["authorized"],
    simulator: "captured",
  },
  foundApproved("malformed_body_authorised"),
  foundApproved("replay_differs"),
  {
    outcome: "amount_mismatch_minus_1",
    created: "pending",
    acts: [[{ advance: "P1D" }, "pending"]],
    requests: ["pre_authorization processing"],
    events: ["pending"],
    review: "amount_mismatch",
    simulator: "held",
  },
  {
    outcome: "capture_refused",
    capture: false,
    created: "pre_authorized",
    acts: [[{ capture: null }, "pre_authorized"]],
    requests: ["capture failed", ...held],
    events: ["pre_authorized"],
    simulator: "held",
  },
  {
    outcome: "capture_refused",
    story: "asked with the creation",
    created: "voided",
    requests: ["void success", "capture failed", ...held],
    events: ["voided"],
    simulator: "voided",
  },
  {
    outcome: "capture_timeout_captured",
    capture: false,
    created: "pre_authorized",
    acts: [
      [{ capture: null }, "capture_pending"],
      [{ advance: "PT10S" }, "authorized"],
    ],
    requests: captured,
    events: ["pre_authorized", "capture_pending", "authorized"],
    simulator: "captured",
  },
  {
    outcome: "capture_timeout_not_captured",
    capture: false,
    created: "pre_authorized",
    acts: [
      [{ capture: null }, "capture_pending"],
      [{ advance: "PT15M" }, "authorized"],
    ],
    requests: captured,
    events: ["pre_authorized", "capture_pending", "authorized"],
    simulator: "captured",
  },
  {
    outcome: "partial_capture_unsupported",
    capture: false,
    created: "pre_authorized",
    acts: [
      [{ capture: HALF }, "pre_authorized"],
      [{ capture: null }, "authorized"],
    ],
    requests: ["capture success", "capture failed", ...held],
    events: ["pre_authorized", "authorized"],
    simulator: "captured",
  },
  {
    outcome: "authorisation_expired",
    capture: false,
    created: "pre_authorized",
    acts: [[{ capture: null }, "voided"]],
    requests: ["capture failed", ...held],
    events: ["pre_authorized", "voided"],
    simulator: "expired",
  },
  {
    outcome: "void_refused_settled",
    created: "authorized",
    acts: [[{ void: null }, "voided"]],
    requests: ["void success", "void failed", ...captured],
    events: ["authorized", "voided"],
    simulator: "captured",
  },
  {
    outcome: "void_refused_settled",
    story: "a hold",
    capture: false,
    created: "pre_authorized",
    acts: [[{ void: null }, "voided"]],
    requests: ["void success", ...held],
    events: ["pre_authorized", "voided"],
    simulator: "voided",
  },
  {
    outcome: "void_timeout_voided",
    capture: false,
    created: "pre_authorized",
    acts: [
      [{ void: null }, "refund_pending"],
      [{ advance: "PT10S" }, "voided"],
    ],
    requests: ["void success", ...held],
    events: ["pre_authorized", "refund_pending", "voided"],
    simulator: "voided",
  },
  {
    outcome: "void_timeout_voided",
    story: "of captured money",
    created: "authorized",
    acts: [
      [{ void: null }, "refund_pending"],
      [{ advance: "PT10S" }, "voided"],
    ],
    requests: ["void success", ...captured],
    events: ["authorized", "refund_pending", "voided"],
    simulator: "captured",
  },
  {
    outcome: "refund_refused_insufficient_balance",
    created: "authorized",
    acts: [[{ void: HALF }, "authorized"]],
    requests: ["void failed", ...captured],
    events: ["authorized"],
    simulator: "captured",
  },
  {
    outcome: "refund_refused_insufficient_balance",
    story: "on a later day, in full",
    created: "authorized",
    acts: [
      [{ advance: "P2D" }, "authorized"],
      [{ void: null }, "authorized"],
    ],
    requests: ["void failed", ...captured],
    events: ["authorized"],
    simulator: "captured",
  },
  {
    outcome: "refund_pending_done",
    story: "a part",
    created: "authorized",
    acts: [
      [{ void: HALF }, "refund_pending"],
      [{ advance: "PT23H" }, "refund_pending"],
      [{ advance: "PT2H" }, "authorized"],
    ],
    requests: ["void success", ...captured],
    events: ["authorized", "refund_pending", "partially_voided"],
    simulator: "captured",
  },
  {
    outcome: "refund_pending_done",
    created: "authorized",
    acts: [
      [{ advance: "P2D" }, "authorized"],
      [{ void: null }, "refund_pending"],
      [{ advance: "P1DT1M" }, "voided"],
    ],
    requests: ["void success", ...captured],
    events: ["authorized", "refund_pending", "voided"],
    simulator: "captured",
  },
  {
    outcome: "refund_pending_failed",
    created: "authorized",
    acts: [
      [{ advance: "P2D" }, "authorized"],
      [{ void: null }, "refund_pending"],
      [{ advance: "P1DT1M" }, "authorized"],
    ],
    requests: ["revert_void failed", ...captured],
    events: ["authorized", "refund_pending", "revert_void"],
    simulator: "captured",
  },
  {
    outcome: "chargeback_full",
    created: "authorized",
    acts: [
      [{ advance: "PT23H" }, "authorized"],
      [{ advance: "PT2H" }, "charged_back"],
      [{ advance: "P30D" }, "charged_back"],
    ],
    requests: ["charge_back success", ...captured],
    events: ["authorized", "dispute", "charged_back"],
    simulator: "captured",
  },
  {
    outcome: "chargeback_then_reversed",
    created: "authorized",
    acts: [
      [{ advance: "P1DT1M" }, "charged_back"],
      [{ advance: "P9D" }, "charged_back"],
      [{ advance: "P1DT1M" }, "authorized"],
    ],
    requests: ["dispute_closed success", "charge_back success", ...captured],
    events: ["authorized", "dispute", "charged_back", "dispute_closed", "authorized"],
    simulator: "captured",
  },
  {
    outcome: "chargeback_partial",
    created: "authorized",
    acts: [[{ advance: "P1DT1M" }, "charged_back"]],
    requests: ["charge_back success", ...captured],
    events: ["authorized", "dispute", "charged_back"],
    simulator: "captured",
  },
  ...(["antifraud_review_approve", "antifraud_review_deny"] as const).map(
    (outcome): Trial => ({
      outcome,
      story: "without an analyst",
      created: "authorized",
      requests: captured,
      events: ["authorized"],
      simulator: "captured",
    }),
  ),
  {
    outcome: "antifraud_review_approve",
    analysed: true,
    created: "pre_authorized",
    acts: [[{ advance: "PT10S" }, "authorized"]],
    requests: ["anti_fraud_feeding success", "capture success", "anti_fraud success", ...held],
    events: ["pre_authorized", "authorized"],
    simulator: "captured",
  },
  {
    outcome: "antifraud_review_approve",
    story: "without a capture",
    analysed: true,
    capture: false,
    created: "pre_authorized",
    acts: [[{ advance: "PT10S" }, "pre_authorized"]],
    requests: ["anti_fraud success", ...held],
    events: ["pre_authorized"],
    simulator: "held",
  },
  {
    outcome: "antifraud_review_deny",
    analysed: true,
    created: "pre_authorized",
    acts: [[{ advance: "PT10S" }, "voided"]],
    requests: ["anti_fraud_feeding success", "void success", "anti_fraud failed", ...held],
    events: ["pre_authorized", "voided"],
    simulator: "voided",
  },
  {
    outcome: "3ds_challenge_ok",
    changes: { threeDSecure2: THREE_DS },
    created: "pending",
    acts: [[{ advance: "PT15S" }, "authorized"]],
    requests: ["capture success", "3DS_auth success", ...held],
    events: ["pending", "authorized"],
    simulator: "captured",
  },
  {
    outcome: "3ds_challenge_failed",
    changes: { threeDSecure2: THREE_DS },
    created: "pending",
    acts: [[{ advance: "PT15S" }, "failed"]],
    requests: ["3DS_auth failed", "pre_authorization failed"],
    events: ["pending", "failed"],
    simulator: "pending",
  },
  ...(["3ds_challenge_ok", "3ds_challenge_failed"] as const).map(
    (outcome): Trial => ({
      outcome,
      story: "without threeDSecure2",
      created: "failed",
      requests: ["pre_authorization failed"],
      events: ["failed"],
      declinedCode: "authentication_error",
      simulator: "declined",
    }),
  ),
];

const brandsOf = ({ outcome, story }: Trial): readonly SandboxBrand[] =>
  story === undefined && (outcome === "approve" || outcome === "decline:insufficient_funds")
    ? SANDBOX_BRANDS
    : ["visa"];

const CASES = TRIALS.flatMap((trial) => brandsOf(trial).map((brand) => ({ trial, brand })));

test("every outcome of the table is tried", () => {
  expect(new Set(TRIALS.map(({ outcome }) => outcome))).toEqual(new Set(SANDBOX_OUTCOMES));
});

describe("a charge with the outcome", () => {
  for (const { trial, brand } of CASES) {
    const { outcome, story } = trial;
    test(`${outcome}${story ? `, ${story},` : ""} of ${brand} ends as the table says`, () => prove(trial, brand));
  }
});

async function prove(trial: Trial, brand: SandboxBrand): Promise<void> {
  const shop = await openShop(trial.analysed ? withAnalyst() : {});
  const { outcome, capture = true, changes = {} } = trial;
  const reply = await shop.pay(sandboxPan(outcome, brand), { amount: AMOUNT, capture, ...changes });
  expect(reply.status, reply.text).toBe(201);
  expect(reply.body.status).toBe(trial.created);
  const { id } = reply.body;
  let charge = reply.body;
  for (const [act, status] of trial.acts ?? []) {
    charge = await perform(shop, id, act);
    expect(charge.status, JSON.stringify(act)).toBe(status);
  }
  charge = await shop.charge(id);
  expect(charge.transactionRequests.map((one) => `${one.requestType} ${one.requestStatus}`)).toEqual(trial.requests);
  expect(await eventsOf(id)).toEqual(trial.events);
  const refusal = charge.transactionRequests[0]?.providerError?.declinedCode;
  if (trial.declinedCode) expect(refusal).toBe(trial.declinedCode);
  expect(await reviewOf(id)).toBe(trial.review ?? null);
  await proveMoney(charge, trial.simulator);
}

async function perform(shop: Shop, id: string, act: Act): Promise<ChargeReply> {
  if ("advance" in act) {
    await shop.advance(act.advance);
    return shop.charge(id);
  }
  const [path, amount] = "capture" in act ? ["capture", act.capture] : ["void", act.void];
  const reply = await shop.call<ChargeReply>("POST", `/v1/charges/${id}/${path}`, {
    body: amount === null ? {} : { amount },
  });
  expect(reply.status, reply.text).toBe(201);
  return reply.body;
}

const eventsOf = async (id: string): Promise<string[]> => {
  const rows = await systemSql()<{ event: string; entity_version: number; status: string }[]>`
    select event, entity_version, convert_from(body, 'utf8')::jsonb -> 'data' ->> 'status' as status
      from events where entity_id = ${id} order by entity_version`;
  expect(rows.map((row) => row.entity_version)).toEqual(rows.map((_, index) => index + 1));
  return rows.map((row) => row.event);
};

async function reviewOf(id: string): Promise<string | null> {
  const [row] = await systemSql()<{ review_reason: string | null }[]>`
    select review_reason from charges where id = ${id}`;
  return row?.review_reason ?? null;
}

interface Sums {
  captured: number;
  refunded: number;
  charged_back: number;
}

/** Our ledger, our answer and the simulator's own log say the same of the money. */
async function proveMoney(charge: ChargeReply, simulator: string | null): Promise<void> {
  const sql = systemSql();
  const [unbalanced] = await sql`
    select j.id from journals j join postings p on p.journal_id = j.id where j.charge_id = ${charge.id}
     group by j.id having sum(p.amount) <> 0`;
  expect(unbalanced).toBeUndefined();
  const [ours] = await sql<(Sums & { held: number })[]>`
    select coalesce(sum(p.amount) filter (where j.event_type = 'capture' and p.amount > 0), 0)::int as captured,
           coalesce(sum(p.amount) filter (where j.event_type = 'refund' and p.amount > 0), 0)::int as refunded,
           (coalesce(sum(p.amount) filter (where j.event_type = 'chargeback' and p.amount > 0), 0)
            - coalesce(sum(p.amount) filter (where j.event_type = 'chargeback_refund' and p.amount > 0), 0))::int as charged_back,
           coalesce(sum(p.amount) filter (where a.kind = 'memo:hold'), 0)::int as held
      from journals j join postings p on p.journal_id = j.id join ledger_accounts a on a.id = p.account_id
     where j.charge_id = ${charge.id}`;
  const [theirs] = await sql<Sums[]>`
    select coalesce(sum(m.amount) filter (where m.kind in ('capture', 'payment')), 0)::int as captured,
           coalesce(sum(m.amount) filter (where m.kind = 'refund'), 0)::int as refunded,
           coalesce(sum(case m.kind when 'chargeback' then m.amount when 'reversal' then -m.amount end), 0)::int as charged_back
      from sandbox_movements m join sandbox_transactions t on t.id = m.transaction_id
     where t.charge_id = ${charge.id} and m.at <= (select max(at) from sandbox_calls where charge_id = ${charge.id})`;
  const { held: stillHeld, ...sums } = ours ?? { held: 0, captured: 0, refunded: 0, charged_back: 0 };
  expect(sums).toEqual(theirs);
  expect(charge.capturedAmount).toBe(sums.captured);
  expect(charge.refundedAmount).toBe(sums.refunded);
  expect(charge.isDispute).toBe(sums.charged_back > 0);
  expect(stillHeld).toBe(charge.status === "pre_authorized" ? AMOUNT : 0);
  const states = await sql<{ state: string }[]>`select state from sandbox_transactions where charge_id = ${charge.id}`;
  expect(states.map(({ state }) => state)).toEqual(simulator === null ? [] : [simulator]);
}
