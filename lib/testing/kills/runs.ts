import { systemSql } from "@/db/client";
import { loadAccount } from "@/lib/accounts/service";
import { systemContext } from "@/lib/context";
import { newId } from "@/lib/ids";
import { sweepOperations } from "@/lib/purchases/sweep";
import { driveOperation } from "@/lib/purchases/work";
import type { SandboxOutcome } from "@/lib/reference/sandbox-pans";
import { aKey, type TestClient } from "@/lib/testing/api";
import type { Cell } from "@/lib/testing/kills/cells";
import { cardData, openToken, type Shop } from "@/lib/testing/payments";
import { advance, changePurchase, type PurchaseReply } from "@/lib/testing/purchases";

/** Every query schedule and every refund has ended by then, those that take a day too; a hold has not. */
const STEPS = ["PT1M", "PT1H", "P1D", "P2D"];
const MOST_ROUNDS = 20;

/** A purchase in the middle of the operation that is going to be interrupted. */
export interface Run {
  cell: Cell;
  purchaseId: string;
  operationId: string;
}

export const cellAt = (all: readonly Cell[], index: number): Cell => {
  const cell = all[index % all.length];
  if (!cell) throw new Error("no cell");
  return cell;
};

export const environment = () => ({ ...process.env, SANDBOX_TRANSPORT: "in-process", DATABASE_POOL: "6" });

export const described = (begun: readonly Run[], wrong: string): string => {
  const run = begun.find(({ purchaseId }) => wrong.startsWith(purchaseId));
  return JSON.stringify(run?.cell);
};

/** What a provider tells by itself arrives: without it nothing asynchronous ends. */
export type Tell = () => Promise<void>;
const NOTHING_TOLD: Tell = async () => undefined;

/** One saved card for each outcome, which the simulator reads from its number; a stand-in reads the holder's name. */
export function keptCards(
  client: TestClient,
  holderOf: (outcome: SandboxOutcome) => string = () => cardData().cardHolderName,
): (outcome: SandboxOutcome) => Promise<string> {
  const kept = new Map<SandboxOutcome, Promise<string>>();
  const make = async (outcome: SandboxOutcome): Promise<string> => {
    const tokenId = await openToken(client, { ...cardData(outcome), cardHolderName: holderOf(outcome) });
    return (await client.make("POST", "/v1/cards", { body: { tokenId } })).id;
  };
  return (outcome) => {
    const card = kept.get(outcome) ?? make(outcome);
    kept.set(outcome, card);
    return card;
  };
}

/** Up to the operation that is going to be interrupted. */
export async function begin(
  { client, merchant }: Shop,
  cardOf: (outcome: SandboxOutcome) => Promise<string>,
  cell: Cell,
  { tell = NOTHING_TOLD, splitRules }: { tell?: Tell | undefined; splitRules?: readonly object[] | undefined } = {},
): Promise<Run | undefined> {
  const payments = [];
  for (const [index, outcome] of cell.outcomes.entries()) {
    const paymentSource = { sourceType: "card", cardId: await cardOf(outcome) };
    payments.push({ amount: 5_000 + index, paymentMethod: { paymentType: "credit" }, paymentSource });
  }
  const amount = payments.reduce((sum, payment) => sum + payment.amount, 0);
  const body = {
    merchantId: merchant.id,
    amount,
    capture: cell.capture,
    payments,
    ...(splitRules ? { splitRules } : {}),
  };
  const made = await client.make<PurchaseReply>("POST", "/v1/purchases", { body, idempotencyKey: aKey() });
  const operationId = made.operation?.id ?? "";
  if (cell.operation === "authorize") return { cell, purchaseId: made.id, operationId };
  await driveOperation(systemContext(await loadAccount(client.clientId), newId()), operationId);
  await tell();
  const verb = cell.operation === "capture" ? "capture" : "void";
  const changed = await changePurchase(client, made.id, verb);
  // On a busy machine the simulated acquirer may have been too slow to hold every card at once: nothing to interrupt.
  if (changed.status !== 202) return undefined;
  return { cell, purchaseId: made.id, operationId: changed.body.operation?.id ?? "" };
}

/**
 * Waits for whoever writes at this moment: what a killed worker holds is given up a little later, and its lease must end
 * all the same. In one order, so that two of these never wait for each other.
 */
export const endLeases = (clientId: string) =>
  systemSql()`update purchase_operations set lease_until = now() - interval '1 second'
               where id in (select id from purchase_operations where client_id = ${clientId} and lease_until is not null
                             order by id for update)`;

/** Another worker finds what is left by its lease; its real end is brought forward. */
export async function recover(client: TestClient, tell = NOTHING_TOLD): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS; round++) {
    await endLeases(client.clientId);
    if ((await sweepOperations()) === 0) break;
    await tell();
  }
  // What is asked for on the way is told of on the way.
  for (const step of STEPS) {
    await tell();
    await advance(client, step);
  }
}
