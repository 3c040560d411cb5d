import { createHmac, timingSafeEqual } from "node:crypto";
import { addDays, type CivilDate, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { env } from "@/lib/env";
import type { BatchRow } from "@/lib/payouts/queries";
import { serverSecret } from "@/lib/secrets";

const LASTS_DAYS = 30;

type Linked = Pick<BatchRow, "id" | "clientId">;

/** 256 bits, of one batch of one account until the end of one day. */
const tokenOf = ({ id, clientId }: Linked, lastDay: CivilDate): Buffer =>
  createHmac("sha256", serverSecret("payment batch link")).update(`${clientId}:${id}:${lastDay}`).digest();

export function isTokenOfBatch(batch: Linked, lastDay: CivilDate, token: string): boolean {
  const [given, expected] = [Buffer.from(token, "base64url"), tokenOf(batch, lastDay)];
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** Opens the lines of a batch as CSV, without a key, until the end of the 30th day from now. */
export function linkToBatch(batch: Linked, at: Date): string {
  const lastDay = addDays(saoPauloDay(at), LASTS_DAYS);
  const token = tokenOf(batch, lastDay).toString("base64url");
  return `${env().BASE_URL}/files/payment-batches/${batch.id}?until=${lastDay}&token=${token}`;
}
