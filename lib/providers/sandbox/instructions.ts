import { systemSql } from "@/db/client";
import { daysBetween, saoPauloDay, saoPauloInstant } from "@/lib/brazil/bank-calendar";
import { SANDBOX_CAPABILITIES } from "@/lib/providers/sandbox/capabilities";
import { endAt, mandateById, viewed } from "@/lib/providers/sandbox/mandates";
import { openPix } from "@/lib/providers/sandbox/open-payments";
import { deliver, refuse } from "@/lib/providers/sandbox/reply";
import { transactionsByReference } from "@/lib/providers/sandbox/store";
import type { Caller, PixRequest, SimulatorReply } from "@/lib/providers/sandbox/wire";

/** What the payer's bank finds, by the amount's last two digits (spec/subscriptions.md). */
const CENTS = 100;
const SHORT_ONCE = 91;
const ALWAYS_SHORT = 92;
const REVOKED = 93;
const MOST_RETRY_DAYS = 7;
/** The bank pays in the night of the day, and tries a last time in its evening. */
const PAID_AT = "05:00:00";
const REFUSED_AT = "21:00:00";

/** A Pix; or an instruction, which the payer's bank carries out on its day. */
export const createPix = (caller: Caller, input: PixRequest, txid: string): Promise<SimulatorReply> =>
  input.instruction ? instruct(caller, input, input.instruction, txid) : openPix(caller, input, txid);

async function instruct(
  caller: Caller,
  input: PixRequest,
  { mandateId, settleOn, isRetry }: NonNullable<PixRequest["instruction"]>,
  txid: string,
): Promise<SimulatorReply> {
  const sql = systemSql();
  const [known] = await transactionsByReference(sql, caller, txid);
  if (!known) {
    const mandate = await mandateById(sql, caller, mandateId);
    if (!mandate) return deliver(refuse("not_found", "no such mandate"), {});
    if ((await viewed(sql, caller, mandate)).status !== "approved") return deliver(refuse("invalid_state"), {});
    const days = daysBetween(saoPauloDay(caller.now), settleOn);
    const { min, max } = SANDBOX_CAPABILITIES.mandates.noticeDays;
    if (isRetry ? days < 1 || days > MOST_RETRY_DAYS : days < min || days > max) {
      return deliver(refuse("invalid_request", "the day is too near or too far"), {});
    }
  }
  const ending = input.amount % CENTS;
  const isPaid = ending === SHORT_ONCE ? isRetry : ending !== ALWAYS_SHORT && ending !== REVOKED;
  const at = saoPauloInstant(settleOn, isPaid ? PAID_AT : REFUSED_AT);
  if (ending === REVOKED) await endAt(sql, { id: mandateId }, at, "payer");
  return openPix(caller, input, txid, { settleOn, at, isPaid });
}
