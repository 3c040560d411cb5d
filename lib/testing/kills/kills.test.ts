import { rmSync } from "node:fs";
import postgres from "postgres";
import { expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { loadAccount } from "@/lib/accounts/service";
import { systemContext } from "@/lib/context";
import { together } from "@/lib/flights";
import { newId } from "@/lib/ids";
import { sweepOperations } from "@/lib/purchases/sweep";
import { driveOperation } from "@/lib/purchases/work";
import type { SandboxOutcome } from "@/lib/reference/sandbox-pans";
import { aKey, openClient, type TestClient } from "@/lib/testing/api";
import { type Cell, cells, FAULTS, type KillFault } from "@/lib/testing/kills/cells";
import { wrongsOf } from "@/lib/testing/kills/judge";
import { POINTS } from "@/lib/testing/kills/seams";
import { startWorker, type Worker } from "@/lib/testing/kills/worker";
import { cardData, openToken, type Shop, withMerchant } from "@/lib/testing/payments";
import { isProof, proofFrom, proofRuns, proofTimeout, recordProof } from "@/lib/testing/proof";
import { advance, changePurchase, type PurchaseReply } from "@/lib/testing/purchases";
import { bundled } from "@/lib/testing/simulator/bundle";
import { pause } from "@/lib/wait";

const IN_SUITE = 50;
const AT_ONCE = 10;
/** Every query schedule and every refund has ended by then; a hold has not. */
const SETTLED_AFTER = "P3D";
const MOST_ROUNDS = 20;
/** Longer than the lease of an operation; the suite brings the lease's end forward instead. */
const STOPPED_MS = isProof() ? 60_000 : 500;

interface Run {
  cell: Cell;
  purchaseId: string;
  operationId: string;
}

test("workers die, stall and lose their connections at every step: the acquirer's record and ours agree", {
  retry: 0,
  timeout: proofTimeout(600_000),
}, async () => {
  const program = await bundled("lib/testing/kills/worker-program.ts", "kill-worker", POINTS);
  const client = await openClient();
  const shop = await withMerchant(client);
  const cardOf = keptCards(client);
  const all = cells();
  const first = proofFrom();
  const runs = proofRuns(IN_SUITE);
  const violations: string[] = [];
  const counts: Record<string, number> = {};
  const points = new Set<string>();
  let next = startWorker(program, environment());
  for (let done = 0; done < runs; done += AT_ONCE) {
    const batch = Math.floor((first + done) / AT_ONCE);
    const fault = FAULTS[batch % FAULTS.length] ?? "kill";
    const chosen = Array.from({ length: Math.min(AT_ONCE, runs - done) }, (_, index) =>
      cellAt(all, first + done + index),
    );
    const worker = await next;
    next = startWorker(program, environment());
    const begun = (await together(chosen.map((cell) => begin(shop, cardOf, cell)))).filter((run) => run !== undefined);
    await interrupt(fault, client, worker, begun);
    for (const { id, at } of worker.told) if (at !== undefined && id !== "process") points.add(at);
    await recover(client);
    const ids = begun.map(({ purchaseId }) => purchaseId);
    violations.push(...(await wrongsOf(ids)).map((wrong) => `${fault}: ${wrong} ${described(begun, wrong)}`));
    // A short operation ends before its step comes.
    const held = begun.filter(({ operationId }) =>
      worker.told.some(({ id, at }) => id === operationId && at !== undefined),
    );
    counts[fault] = (counts[fault] ?? 0) + held.length;
  }
  (await next).child.kill("SIGKILL");
  rmSync(program, { force: true });
  const interrupted = Object.values(counts).reduce((sum, count) => sum + count, 0);
  recordProof({ ran: runs, violations, figures: { ...counts, interrupted }, met: { points: [...points] } });
  expect(violations).toEqual([]);
});

const cellAt = (all: readonly Cell[], index: number): Cell => {
  const cell = all[index % all.length];
  if (!cell) throw new Error("no cell");
  return cell;
};

const environment = () => ({ ...process.env, SANDBOX_TRANSPORT: "in-process", DATABASE_POOL: "6" });

const described = (begun: readonly Run[], wrong: string): string => {
  const run = begun.find(({ purchaseId }) => wrong.startsWith(purchaseId));
  return JSON.stringify(run?.cell);
};

/** One saved card for each outcome. */
function keptCards(client: TestClient): (outcome: SandboxOutcome) => Promise<string> {
  const kept = new Map<SandboxOutcome, Promise<string>>();
  const make = async (outcome: SandboxOutcome): Promise<string> => {
    const tokenId = await openToken(client, cardData(outcome));
    return (await client.make("POST", "/v1/cards", { body: { tokenId } })).id;
  };
  return (outcome) => {
    const card = kept.get(outcome) ?? make(outcome);
    kept.set(outcome, card);
    return card;
  };
}

/** Up to the operation that is going to be interrupted. */
async function begin(
  { client, merchant }: Shop,
  cardOf: (outcome: SandboxOutcome) => Promise<string>,
  cell: Cell,
): Promise<Run | undefined> {
  const payments = [];
  for (const [index, outcome] of cell.outcomes.entries()) {
    const paymentSource = { sourceType: "card", cardId: await cardOf(outcome) };
    payments.push({ amount: 5_000 + index, paymentMethod: { paymentType: "credit" }, paymentSource });
  }
  const amount = payments.reduce((sum, payment) => sum + payment.amount, 0);
  const body = { merchantId: merchant.id, amount, capture: cell.capture, payments };
  const made = await client.make<PurchaseReply>("POST", "/v1/purchases", { body, idempotencyKey: aKey() });
  const operationId = made.operation?.id ?? "";
  if (cell.operation === "authorize") return { cell, purchaseId: made.id, operationId };
  await driveOperation(systemContext(await loadAccount(client.clientId), newId()), operationId);
  const verb = cell.operation === "capture" ? "capture" : "void";
  const changed = await changePurchase(client, made.id, verb);
  // On a busy machine the simulated acquirer may have been too slow to hold every card at once: nothing to interrupt.
  if (changed.status !== 202) return undefined;
  return { cell, purchaseId: made.id, operationId: changed.body.operation?.id ?? "" };
}

async function interrupt(fault: KillFault, { clientId }: TestClient, worker: Worker, begun: Run[]): Promise<void> {
  const ids = begun.map(({ operationId }) => operationId);
  for (const { operationId, cell } of begun) {
    worker.give({
      id: operationId,
      clientId,
      operationId,
      stopAt: cell.stopAt,
      holdsLocks: fault !== "stop" && fault !== "second",
    });
  }
  await worker.settled(ids);
  const { child } = worker;
  switch (fault) {
    case "kill":
      child.kill("SIGKILL");
      return;
    case "stop":
      child.kill("SIGSTOP");
      await pause(STOPPED_MS);
      if (!isProof()) await endLeases(clientId);
      await sweepOperations();
      child.kill("SIGCONT");
      break;
    case "second":
      await sweepOperations();
      await endLeases(clientId);
      await sweepOperations();
      break;
    case "reset":
      await resetConnections();
      break;
  }
  worker.go();
  await worker.settled(ids, true);
  child.kill("SIGKILL");
}

/** Every connection of every process breaks, as when PostgreSQL starts again; only its owner may do that. */
async function resetConnections(): Promise<void> {
  const owner = postgres(process.env.DATABASE_URL ?? "", { max: 1, onnotice: () => undefined });
  await owner`
    select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`;
  await owner.end({ timeout: 5 });
}

const endLeases = (clientId: string) =>
  systemSql()`update purchase_operations set lease_until = now() - interval '1 second'
               where client_id = ${clientId} and lease_until is not null`;

/** Another worker finds what is left by its lease; its real end is brought forward. */
async function recover(client: TestClient): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS; round++) {
    await endLeases(client.clientId);
    if ((await sweepOperations()) === 0) break;
  }
  await advance(client, SETTLED_AFTER);
}
