import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { addDays, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { sumOf } from "@/lib/money";
import type { ProviderCall } from "@/lib/providers/provider";
import type { EarlyPayment, StatementDays, StatementLine } from "@/lib/providers/statements";
import { type Case, needsCard } from "@/lib/testing/provider-conformance/case";
import {
  aProviderCall,
  captured,
  expectKind,
  type Held,
  type Rig,
  refund,
} from "@/lib/testing/provider-conformance/rig";
import { DAY_SECONDS } from "@/lib/time";

const AMOUNT = 100_01;
const INSTALLMENTS = 3;
/** Less than an installment is. */
const PART = 10_00;
/** The last of three installments, and a weekend. */
const SETTLED_AFTER_DAYS = 100;

const today = (rig: Rig) => saoPauloDay(rig.clock.now());

/** Of the other account, at the same provider. */
const stranger = (rig: Rig): ProviderCall => ({
  ...aProviderCall(rig),
  providerId: randomUUID(),
  credentials: rig.otherSecret,
});

/** Every page of these days. */
async function told(rig: Rig, days: StatementDays, call = aProviderCall(rig)): Promise<StatementLine[]> {
  const lines: StatementLine[] = [];
  let after: string | undefined;
  do {
    const page = await rig.provider.statement?.(call, { ...days, ...(after === undefined ? {} : { after }) });
    if (page?.kind !== "page") throw new Error("the statement is not told");
    lines.push(...page.lines);
    after = page.next;
  } while (after !== undefined);
  return lines;
}

/** The days since, once everything that was sold on the first of them is settled. */
function whenSettled(rig: Rig, from: string): StatementDays {
  rig.clock.advance(SETTLED_AFTER_DAYS * DAY_SECONDS);
  return { from, to: addDays(today(rig), -1) };
}

const about = ({ providerTxId }: Held, lines: readonly StatementLine[]): StatementLine[] =>
  lines
    .filter((line) => line.providerTxId === providerTxId)
    .sort((a, b) => a.instalment - b.instalment || (a.settledOn < b.settledOn ? -1 : 1));

const soldInParts = (rig: Rig): Promise<Held> =>
  captured(rig, "approve", { amount: AMOUNT, installments: INSTALLMENTS });

const worth = (lines: readonly StatementLine[]): number => sumOf(lines.map(({ amount, cost }) => amount + cost));

/** What is paid, and when (spec/settlement.md section 1). */
export const SETTLEMENT_CASES: readonly Case[] = [
  {
    number: 88,
    title: "a statement tells each installment once on its day, net of one cost, and the same whenever it is read",
    notApplicable: (capabilities, { lacks }) => needsCard(capabilities) ?? lacks?.statement,
    async run(rig) {
      const from = today(rig);
      const sale = await soldInParts(rig);
      const returned = await captured(rig, "approve", { amount: AMOUNT });
      expectKind(await refund(rig, returned, 30_00, { captured: AMOUNT }), "approved");
      const days = whenSettled(rig, from);
      const lines = await told(rig, days);
      expect(await told(rig, days)).toEqual(lines);
      expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length);
      const own = about(sale, lines);
      expect(own.map(({ kind, instalment }) => [kind, instalment])).toEqual(
        [1, 2, 3].map((instalment) => ["settlement", instalment]),
      );
      expect(worth(own)).toBe(AMOUNT);
      expect(own.slice(1).map(({ cost }) => cost)).toEqual([0, 0]);
      const even = rig.provider.capabilities.instalmentRemainder === "first" ? own.slice(1) : own.slice(0, -1);
      expect(new Set(even.map(({ amount }) => amount)).size).toBe(1);
      const on = own.map(({ settledOn }) => settledOn);
      expect([...new Set([from, ...on])].sort()).toEqual([from, ...on]);
      const [first = ""] = on;
      expect(about(sale, await told(rig, { from: first, to: first }))).toEqual(own.slice(0, 1));
      expect(worth(about(returned, lines))).toBe(AMOUNT - 30_00);
      expect(about(sale, await told(rig, days, stranger(rig)))).toEqual([]);
      const unreached = await rig.broken("refused").statement?.(aProviderCall(rig), days);
      expect(unreached?.kind).toBe("unavailable");
    },
  },
  {
    number: 89,
    title: "what is paid early of an installment is paid once, on that day and for that price, and the rest on its own",
    notApplicable: (capabilities, { lacks }) => needsCard(capabilities) ?? lacks?.earlyPayments,
    async run(rig) {
      const from = today(rig);
      const [usual, early] = [await soldInParts(rig), await soldInParts(rig)];
      const paidOn = addDays(from, 1);
      const asked = [2, 3].map((instalment): EarlyPayment => {
        const amount = instalment === 2 ? AMOUNT : PART;
        return { providerTxId: early.providerTxId, instalment, amount, cost: 40 * instalment, paidOn };
      });
      const ask = (payments: readonly EarlyPayment[], call = aProviderCall(rig), { provider } = rig) =>
        provider.payEarly?.(call, payments);
      for (const _ of ["first", "repeated"]) expect(await ask(asked)).toEqual({ kind: "done" });
      const otherwise = { cost: 1, paidOn: addDays(from, 9) };
      await ask(asked.map((one) => ({ ...one, ...otherwise })));
      const unasked = [{ providerTxId: early.providerTxId, instalment: 1, amount: PART, ...otherwise }];
      await ask(unasked, stranger(rig));
      const broken = { ...rig, provider: rig.broken("refused") };
      expect(await ask(unasked, aProviderCall(rig), broken)).toEqual({ kind: "unavailable" });
      const lines = await told(rig, whenSettled(rig, from));
      const terms = (sale: Held) =>
        about(sale, lines).map(({ instalment, amount, cost, settledOn }) => ({ instalment, amount, cost, settledOn }));
      expect(terms(early)).toEqual(
        terms(usual).flatMap((line) => {
          const paid = asked.find(({ instalment }) => instalment === line.instalment);
          if (!paid) return [line];
          const part = Math.min(line.amount, paid.amount);
          const before = { ...line, amount: part - paid.cost, settledOn: paid.paidOn };
          return part === line.amount
            ? [before]
            : [
                { ...before, cost: 0 },
                { ...line, amount: line.amount - part },
              ];
        }),
      );
    },
  },
];
