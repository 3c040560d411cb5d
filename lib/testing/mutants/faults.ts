import type { Rewrite } from "@/lib/testing/simulator/seams";

/** A mistake seeded into a copy of the engine: the simulator must find it. */
export interface Fault {
  name: string;
  changes: Rewrite[];
}

const fault = (name: string, file: string, find: string, put: string): Fault => ({
  name,
  changes: [{ file, find, put }],
});

const PLAN = "lib/purchases/plan.ts";
const AUTHORIZE = "lib/charges/engine/authorize.ts";
const CAPTURE = "lib/charges/engine/capture.ts";
const RELEASE = "lib/charges/engine/void-authorization.ts";
const REFUND = "lib/charges/engine/refund.ts";
const INQUIRE = "lib/charges/engine/on-query.ts";

const UNKNOWN_AUTHORIZATION =
  "return undetermined(situation, { requestStatusReason: outcome.cause, ...rawOf(outcome.raw) });";
const UNKNOWN = "  undetermined,\n  mismatch:";

export const FAULTS: readonly Fault[] = [
  fault(
    "gives up on an unknown authorisation",
    AUTHORIZE,
    UNKNOWN_AUTHORIZATION,
    'return declined({ ...situation, alternative: undefined }, { declinedCode: "generic", retry: "never" }, {});',
  ),
  {
    name: "fails over on an unknown authorisation",
    changes: [
      {
        file: AUTHORIZE,
        find: UNKNOWN_AUTHORIZATION,
        put: 'return declined(situation, { declinedCode: "generic", retry: "later" }, {});',
      },
      { file: "lib/charges/engine/failover.ts", find: "if (!other || isUnsent) return other;", put: "return other;" },
    ],
  },
  fault(
    "captures card by card",
    PLAN,
    '  const pending = first(slots, "pending");\n',
    '  const pending = first(slots, "pending");\n  const now = first(slots, "pre_authorized");\n  if (pending && now) return { do: "capture", slot: now };\n',
  ),
  fault(
    "shows failed before the holds are released",
    PLAN,
    'return held ? again(operation, held, "void") : { do: "finish", fact: "authorize.failed" };',
    'return { do: "finish", fact: "authorize.failed" };',
  ),
  {
    name: "believes the first not found and watches no orphan",
    changes: [
      { file: INQUIRE, find: "  if (!agrees) {", put: "  if (!agrees && now.getTime() < 0) {" },
      {
        file: INQUIRE,
        find: 'jobs: [...failed.jobs, { kind: "orphan.watch", at: addSeconds(now, DANGLING_STEP_SECONDS) }],',
        put: "jobs: failed.jobs,",
      },
    ],
  },
  fault("leaves out row P8", PLAN, 'return status === "pending" ? "void" : undefined;', "return undefined;"),
  fault("goes on while a card is undetermined", PLAN, '["processing", "undetermined"];', '["processing"];'),
  fault(
    "overlooks a refused capture",
    PLAN,
    'slot.status === "voided" || isRefused(operation, slot));',
    'slot.status === "voided");',
  ),
  fault("rolls nothing back", PLAN, 'return fact === "capture.failed" ? "rollback" : undefined;', "return undefined;"),
  fault(
    "forgets to capture",
    PLAN,
    'if (fact === "authorize.completed" && isCapturedAtOnce) return "capture";',
    'if (fact === "authorize.failed" && isCapturedAtOnce) return "capture";',
  ),
  fault(
    "does not give back what was captured",
    PLAN,
    'return captured ? again(operation, captured, "refund") : { do: "finish", fact };',
    'return captured && operation.type === "refund" ? again(operation, captured, "refund") : { do: "finish", fact };',
  ),
  fault(
    "calls a purchase failed that took money",
    PLAN,
    "return slots.some(({ wasCaptured }) => wasCaptured)",
    "return slots.every(({ wasCaptured }) => wasCaptured)",
  ),
  fault(
    "calls a purchase cancelled that still keeps money",
    PLAN,
    "  slots.every(({ status, disputedInPart }) => GIVEN_BACK",
    "  slots.some(({ status, disputedInPart }) => GIVEN_BACK",
  ),
  fault(
    "takes a hold that is gone for one that stands",
    "lib/purchases/facts.ts",
    'return charge.status === "voided" ? "capture.hold_gone" : "capture.refused";',
    'return "capture.refused";',
  ),
  fault(
    "sends again what a dead worker may have sent",
    "lib/purchases/work.ts",
    "  const decided = interrupted(ctx, charge, attempt);",
    '  if (open.status === "processing")\n    return { next: { held, task: { do: "send", charge, attempt, provider } }, spare: [] };\n  const decided = interrupted(ctx, charge, attempt);',
  ),
  fault(
    "asks no more about what a dead worker sent again",
    "lib/purchases/work.ts",
    'if (attempt.state !== "sent") {',
    'if (attempt.state !== "approved") {',
  ),
  fault(
    "lets a stale worker write",
    "lib/purchases/claim.ts",
    "{ id: claimed.id, epoch: claimed.epoch, status",
    "{ id: claimed.id, status",
  ),
  fault(
    "leaves what a dead worker held",
    "lib/purchases/sweep.ts",
    "(lease_until is null or lease_until < now())",
    "lease_until is null",
  ),
  fault("forgets what was captured", "lib/purchases/slots.ts", "slot.wasCaptured || row.capturedAmount > 0", "false"),
  fault(
    "shows no refund on the card",
    "lib/purchases/slots.ts",
    "    refundedAmount: row.refundedAmount,\n    wasCaptured",
    "    wasCaptured",
  ),
  fault(
    "tells nobody how it ended",
    "lib/purchases/finish.ts",
    "ended.event ? leaveNews(ctx, moved, ended.event)",
    "!ended.fact ? leaveNews(ctx, moved, ended.event)",
  ),
  fault(
    "takes a void of a purchase under review",
    "lib/purchases/change.ts",
    'if (row.reviewReason || (row.status !== "pending"',
    'if ((row.status !== "pending"',
  ),
  fault(
    "begins a second operation beside the first",
    "lib/purchases/change.ts",
    "  if (purchase.active) throw inProgress(OPERATION_RETRY_SECONDS);\n",
    "",
  ),
  fault(
    "makes a second purchase of one key",
    "lib/idempotency.ts",
    "  if (claimed === 1) return;",
    "  if (claimed !== undefined) return;",
  ),
  fault("holds what was approved for another amount", INQUIRE, "        found.authorized !== attempt.amount ||\n", ""),
  fault(
    "takes a capture whose answer is lost for done",
    CAPTURE,
    UNKNOWN,
    "  undetermined: (situation) => done(situation, situation.attempt.amount, {}),\n  mismatch:",
  ),
  fault("overlooks a capture that a query found", INQUIRE, "if (found.captured > 0) {", "if (found.captured < 0) {"),
  fault(
    "keeps a hold in the books after its capture",
    CAPTURE,
    "holdReleaseMovement(charge, attempt.id, row.amount),",
    "",
  ),
  fault(
    "takes a void whose answer is lost for done",
    RELEASE,
    UNKNOWN,
    "  undetermined: (situation) => done(situation, {}),\n  mismatch:",
  ),
  fault(
    "takes a refund whose answer is lost for done",
    REFUND,
    UNKNOWN,
    "  undetermined: (situation) => done(situation, {}),\n  mismatch:",
  ),
  fault(
    "takes a refused refund for done",
    REFUND,
    "  declined: refused,\n  received: accepted,",
    "  declined: (situation, _error, changes) => done(situation, changes),\n  received: accepted,",
  ),
  fault(
    "adds no refund to those before it",
    REFUND,
    "const refundedAmount = row.refundedAmount + attempt.amount;",
    "const refundedAmount = attempt.amount;",
  ),
  fault(
    "stops asking",
    "lib/charges/engine/decision.ts",
    "    queryAt: nextQuery,\n",
    "    queryAt: isReviewDue ? nextQuery : undefined,\n",
  ),
  fault(
    "lets holds end by themselves",
    AUTHORIZE,
    'jobs: [...answered.jobs, { kind: "charge.hold_ends", at: addSeconds(holdEndsAt, -SAFETY_SECONDS) }],',
    "jobs: answered.jobs,",
  ),
  fault(
    "posts a refund the wrong way round",
    "lib/ledger/journals/charges.ts",
    "transfer(account, owedIn(arrangement), amount)",
    "transfer(owedIn(arrangement), account, amount)",
  ),
  fault(
    "gives two events one version",
    "lib/charges/writers/outcome.ts",
    "eventVersion: from.eventVersion + decision.events.length,",
    "eventVersion: from.eventVersion + Math.min(decision.events.length, 0),",
  ),
  fault(
    "keeps working under review",
    "lib/purchases/slots.ts",
    "const reason = decision.charge.reviewReason ??",
    "const reason = undefined ??",
  ),
];
