import { and, eq, inArray, sql } from "drizzle-orm";
import { payoutFiles } from "@/db/schema/payout-files";
import { payoutBatches, payoutTransfers } from "@/db/schema/payouts";
import { type CivilDate, isBankDay, isCivilDate, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { type Context, now } from "@/lib/context";
import { FILE_HEADER } from "@/lib/payouts/cnab240/layout";
import { readRecord } from "@/lib/payouts/cnab240/records";
import { BadReturn, type ReturnedPayment, type ReturnFile, readReturn } from "@/lib/payouts/cnab240/return-file";
import type { TransferRow } from "@/lib/payouts/results";
import type { StatementDifference } from "@/lib/settlement/breaks";

/** What becomes of a line of a return. */
export const RETURN_VERDICTS = ["contradicts", "paid", "failed", "returned", "unknown", "known", "elsewhere"] as const;
export type ReturnVerdict = (typeof RETURN_VERDICTS)[number];

export interface JudgedPayment {
  payment: ReturnedPayment;
  /** Of another merchant that has the same agreement there is none. */
  transfer: TransferRow | undefined;
  verdict: ReturnVerdict;
  /** Of a line that says something else than the books: it changes nothing, and somebody finds out. */
  difference?: StatementDifference;
}

interface Known {
  transfer: TransferRow;
  paymentDate: CivilDate;
  header: string;
}

/**
 * Every line of a return with what would become of it. A file that is no return of this agreement, is cut, adds up
 * wrongly, or tells of nothing that was sent is a `BadReturn`. Who does not see the other merchants of an agreement
 * takes theirs for `foreign`.
 */
export async function judgeReturn(
  ctx: Context,
  merchantId: string,
  content: string,
  { lock, foreign }: { lock?: "update"; foreign?: "elsewhere" } = {},
): Promise<JudgedPayment[]> {
  const file = readReturn(content);
  const seen = new Set<string>();
  for (const { ourNumber, line } of file.payments) {
    if (seen.has(ourNumber)) throw new BadReturn("doubled", line);
    seen.add(ourNumber);
  }
  const known = await knownOf(ctx, [...seen], lock);
  const today = saoPauloDay(now(ctx));
  return file.payments.map((payment) => {
    const row = known.get(payment.ourNumber);
    if (!row && foreign) return { payment, transfer: undefined, verdict: foreign };
    if (!row || !isOfAgreement(file, row)) throw new BadReturn("foreign", row ? 1 : payment.line);
    const { transfer } = row;
    if (transfer.merchantId !== merchantId) return { payment, transfer: undefined, verdict: "elsewhere" };
    const difference = differenceOf(payment, row, today);
    if (difference) return { payment, transfer, verdict: "contradicts", difference };
    return { payment, transfer, verdict: newsOf(payment, transfer) ?? "known" };
  });
}

/** Of every merchant of the account: a bank answers an agreement, whoever has it. */
async function knownOf(ctx: Context, numbers: readonly string[], lock?: "update"): Promise<Map<string, Known>> {
  const asked = ctx.db
    .select({
      transfer: payoutTransfers,
      paymentDate: payoutBatches.paymentDate,
      header: sql<string>`left(${payoutFiles.content}, 240)`,
    })
    .from(payoutTransfers)
    .innerJoin(payoutBatches, eq(payoutBatches.id, payoutTransfers.batchId))
    .innerJoin(payoutFiles, eq(payoutFiles.id, payoutTransfers.fileId))
    .where(and(eq(payoutTransfers.clientId, ctx.account.id), inArray(payoutTransfers.fileNumber, [...numbers, ""])))
    .orderBy(payoutTransfers.id);
  const rows = await (lock ? asked.for(lock, { of: payoutTransfers }) : asked);
  return new Map(rows.map((row) => [row.transfer.fileNumber ?? "", row]));
}

function isOfAgreement({ bank, payerDocument, agreement }: ReturnFile, { header }: Known): boolean {
  const sent = readRecord(FILE_HEADER, header);
  return sent.bank === bank && sent.payerDocument === payerDocument && sent.agreement === agreement;
}

const isOpen = ({ status }: TransferRow): boolean => status === "sent" || status === "unknown";

/** What is learned of it, by the machine's own ways; undefined: what is known already stays. */
export function newsOf(
  { said }: ReturnedPayment,
  transfer: TransferRow,
): "paid" | "failed" | "returned" | "unknown" | undefined {
  if (said.kind === "paid" && isOpen(transfer)) return "paid";
  if ((said.kind === "failed" || said.kind === "returned") && isOpen(transfer)) return "failed";
  if (said.kind === "returned" && transfer.status === "settled") return "returned";
  return said.kind === "unknown" && transfer.status === "sent" ? "unknown" : undefined;
}

/** Another amount, a day on which it cannot have been paid, or another end than the books have. */
function differenceOf(
  payment: ReturnedPayment,
  { transfer, paymentDate }: Known,
  today: CivilDate,
): StatementDifference | undefined {
  const { said, amount, paidAmount, paidOn } = payment;
  const of = { subject: transfer.id, chargeId: null, day: transfer.sentOn ?? paymentDate };
  const isPaidThere = said.kind === "paid" || said.kind === "returned";
  if (amount !== transfer.amount) return { ...of, expected: transfer.amount, found: amount };
  if (isPaidThere && paidAmount !== 0 && paidAmount !== transfer.amount)
    return { ...of, expected: transfer.amount, found: paidAmount };
  const isSure = isPaidThere || said.kind === "failed";
  const isPaidHere = transfer.status === "settled" || transfer.status === "returned";
  // One that came back before anybody had heard that it was paid stands in the books as never paid.
  const isBackAgain = said.kind === "returned" && transfer.status === "failed";
  if (isSure && !isOpen(transfer) && isPaidHere !== isPaidThere && !isBackAgain)
    return { ...of, expected: isPaidHere ? transfer.amount : 0, found: isPaidThere ? transfer.amount : 0 };
  const isPossible =
    paidOn === undefined || (isCivilDate(paidOn) && isBankDay(paidOn) && paidOn >= paymentDate && paidOn <= today);
  return said.kind === "paid" && isOpen(transfer) && !isPossible ? { ...of, expected: 0, found: amount } : undefined;
}
