import { randomInt } from "node:crypto";
import { db } from "./db";
import { acquirerTransactions } from "./schema";

export interface Authorization {
  transactionId: string;
  authorizationCode: string;
}

const CODES = 1_000_000;

/** In process and without latency, as SANDBOX is measured. */
export async function authorize(reference: string, amount: number, capture: boolean): Promise<Authorization> {
  const [made] = await db
    .insert(acquirerTransactions)
    .values({ reference, amount, state: capture ? "captured" : "held" })
    .returning({ id: acquirerTransactions.id });
  if (!made) throw new Error("no row came back");
  return { transactionId: made.id, authorizationCode: String(randomInt(CODES)).padStart(6, "0") };
}
