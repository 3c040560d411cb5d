import { type CivilDate, creditSettlementDay, isCivilDate, nextBankDay, saoPauloDay } from "@/lib/brazil/bank-calendar";
import type { MirrorReply, MirrorRequest } from "@/lib/testing/mirror/acquirer";
import { earlyPayments, type WireLine } from "@/lib/testing/mirror/wire";

/** A transaction as far as it is settled. */
export interface Sold {
  id: string;
  account: string;
  method: string;
  installments: number;
  captured: number;
  capturedAt?: Date;
  refunds: readonly { id: string; amount: number; at: Date }[];
}

interface Planned extends WireLine {
  day: CivilDate;
}

const COST_PERCENT = 2;

/** What MIRROR pays: a statement for each day, what does not divide on the last installment, refunds on lines of their own. */
export function openSettlement(transactions: readonly Sold[]) {
  const early = new Map<string, { amount: number; cost: number; paidOn: CivilDate }>();
  const nameOf = (transactionId: string, installment: number) => `${transactionId}-${installment}`;
  const refuse = (code: string): MirrorReply => ({ status: 422, body: { error: { code } } });

  function linesOf({ id, method, captured, installments, capturedAt, refunds }: Sold): Planned[] {
    if (!capturedAt) return [];
    const soldOn = saoPauloDay(capturedAt);
    const cost = Math.floor((captured * COST_PERCENT) / 100);
    const each = Math.floor((captured - cost) / installments);
    const settled = Array.from({ length: installments }, (_, index): Planned[] => {
      const installment = index + 1;
      const amount = installment === installments ? captured - cost - each * index : each;
      const day = method === "debit" ? nextBankDay(soldOn) : creditSettlementDay(soldOn, installment);
      const name = nameOf(id, installment);
      const told = { transactionId: id, kind: "settlement", installment } as const;
      const usual = { ...told, id: name, amount, cost: index === 0 ? cost : 0, day };
      const own = early.get(name);
      if (!own) return [usual];
      const { paidOn } = own;
      if (own.amount >= amount) return [{ ...usual, amount: amount - own.cost, day: paidOn }];
      return [
        { ...told, id: `${name}-early`, amount: own.amount - own.cost, cost: 0, day: paidOn },
        { ...usual, amount: amount - own.amount },
      ];
    }).flat();
    const returned = refunds.map((one): Planned => {
      const line = { id: one.id, transactionId: id, kind: "refund", installment: 1, cost: 0 } as const;
      return { ...line, amount: -one.amount, day: saoPauloDay(one.at) };
    });
    return [...settled, ...returned];
  }

  return {
    tell({ account, at }: MirrorRequest, asked: string): MirrorReply {
      if (!isCivilDate(asked) || asked >= saoPauloDay(at)) return refuse("day_not_over");
      const lines = transactions
        .filter((one) => one.account === account)
        .flatMap(linesOf)
        .filter(({ day }) => day === asked)
        .map(({ day: _day, ...line }) => line);
      return { status: 200, body: { lines } };
    },
    /** The first that is asked for an installment stands. */
    payEarly({ account, body }: MirrorRequest): MirrorReply {
      const read = earlyPayments.safeParse(body);
      if (!read.success) return refuse("invalid_request");
      for (const { transactionId, installment, ...terms } of read.data.payments) {
        const isOwn = transactions.some((one) => one.id === transactionId && one.account === account);
        const name = nameOf(transactionId, installment);
        if (isOwn && !early.has(name)) early.set(name, terms);
      }
      return { status: 201, body: { status: "taken" } };
    },
  };
}
