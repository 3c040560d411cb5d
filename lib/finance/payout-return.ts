import { and, asc, eq, inArray } from "drizzle-orm";
import { merchants } from "@/db/schema/merchants";
import { sellers } from "@/db/schema/sellers";
import { settlementBreaks } from "@/db/schema/settlement";
import { type Context, inSnapshot } from "@/lib/context";
import { notFound } from "@/lib/errors";
import { type WaitingFile, waitingFile } from "@/lib/finance/payout-files";
import { isUuid } from "@/lib/ids";
import { demand, may } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";
import { type JudgedPayment, judgeReturn, RETURN_VERDICTS, type ReturnVerdict } from "@/lib/payouts/judged-return";
import { isStaleReturn, type ReturnRow, returnAt } from "@/lib/payouts/returns";
import { openProposals } from "@/lib/proposals/service";
import { shownSeller } from "@/lib/sellers/operator-queries";

/** Lines of a return that its page shows, those that want a look first. */
const LINES_SHOWN = 100;

export interface ReturnView {
  file: ReturnRow;
  merchant: string | null;
  /** As they are judged now; of one that was taken, what it told. */
  counts: Partial<Record<ReturnVerdict, number>>;
  lines: ShownReturnLine[];
  /** Of all its lines. */
  total: number;
  waiting: WaitingFile | undefined;
}

export interface ShownReturnLine extends JudgedPayment {
  seller: string | undefined;
  /** That it opened by contradicting the books. */
  breakId: string | undefined;
}

/**
 * A bank's answer with what would become of each line, before anything of it is booked. What it says of the other
 * merchants of an agreement is nothing for who is limited to some.
 */
export async function returnView(ctx: Context, role: OperatorRole, id: string): Promise<ReturnView> {
  demand(role, "payouts.see");
  if (!isUuid(id)) throw notFound("return file");
  return inSnapshot(ctx, async (inside) => {
    const file = await returnAt(inside, id);
    const [merchant] = await inside.db
      .select({ name: merchants.name })
      .from(merchants)
      .where(eq(merchants.id, file.merchantId));
    const found = await judgeReturn(inside, file.merchantId, file.content, { foreign: "elsewhere" });
    const judged = (file.takenAt ? found.map(asTaken) : found).filter(
      ({ verdict }) => !ctx.merchants || verdict !== "elsewhere",
    );
    const counts: ReturnView["counts"] = {};
    for (const { verdict } of judged) counts[verdict] = (counts[verdict] ?? 0) + 1;
    const weight = ({ verdict }: JudgedPayment): number => RETURN_VERDICTS.indexOf(verdict);
    const [proposal] = may(role, "payouts.mark") ? await openProposals(inside, { subjectId: id }) : [];
    return {
      file,
      merchant: merchant?.name ?? null,
      counts,
      lines: await shownLines(inside, role, [...judged].sort((a, b) => weight(a) - weight(b)).slice(0, LINES_SHOWN)),
      total: judged.length,
      waiting: proposal && (await waitingFile(ctx, proposal, isStaleReturn(proposal, judged))),
    };
  });
}

async function shownLines(
  { db, account }: Context,
  role: OperatorRole,
  lines: readonly JudgedPayment[],
): Promise<ShownReturnLine[]> {
  const transfers = lines.flatMap(({ transfer }) => transfer ?? []);
  const people = await db
    .select()
    .from(sellers)
    .where(
      and(
        eq(sellers.clientId, account.id),
        inArray(
          sellers.id,
          transfers.map(({ sellerId }) => sellerId),
        ),
      ),
    );
  const names = new Map(people.map((seller) => [seller.id, shownSeller(role, seller).name]));
  const opened = await db
    .select({ id: settlementBreaks.id, subject: settlementBreaks.subject })
    .from(settlementBreaks)
    .where(
      and(
        eq(settlementBreaks.clientId, account.id),
        eq(settlementBreaks.kind, "transfer_contradicted"),
        inArray(
          settlementBreaks.subject,
          transfers.map(({ id }) => id),
        ),
      ),
    )
    .orderBy(asc(settlementBreaks.openedAt));
  const breaks = new Map(opened.map(({ id, subject }) => [subject, id]));
  return lines.map((line) => ({
    ...line,
    seller: names.get(line.transfer?.sellerId ?? ""),
    breakId: line.difference && breaks.get(line.difference.subject),
  }));
}

/** All of a file that was taken is known by now: what its lines said is what became of them. */
function asTaken(judged: JudgedPayment): JudgedPayment {
  const { kind } = judged.payment.said;
  return judged.verdict === "known" && kind !== "accepted" ? { ...judged, verdict: kind } : judged;
}
