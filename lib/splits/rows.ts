import { sql } from "drizzle-orm";
import { columnOf, columnSet, type Members } from "@/db/column-sets";
import { splitRules } from "@/db/schema/charges";
import { storedRow } from "@/db/stored";
import type { Write } from "@/db/writes";
import { newId } from "@/lib/ids";
import { percentToBps } from "@/lib/money";
import type { AskedRule } from "@/lib/splits/check";

export type SplitRow = typeof splitRules.$inferSelect;

/** A seller's own terms, which hold where a rule says nothing. */
export interface SellerTerms {
  processingFee: boolean;
  liable: boolean;
  fareMdrBps: number | null;
  fareFee: number | null;
}

export const NO_TERMS: SellerTerms = { processingFee: false, liable: false, fareMdrBps: null, fareFee: null };

type ResolvedRule = Pick<
  SplitRow,
  | "sellerId"
  | "percentageBps"
  | "amount"
  | "processingFee"
  | "liable"
  | "chargeEntireFee"
  | "chargeRemainderFee"
  | "transactionOwner"
  | "fareMdrBps"
  | "fareFee"
>;

/** The rule as it is stored and answered: what is absent is the seller's, else false or nothing (spec/settlement.md K4). */
export const resolvedRule = (rule: AskedRule, terms: SellerTerms = NO_TERMS): ResolvedRule => ({
  sellerId: rule.sellerId,
  percentageBps: bps(rule.percentage),
  amount: rule.amount ?? null,
  processingFee: rule.processingFee ?? terms.processingFee,
  liable: rule.liable ?? terms.liable,
  chargeEntireFee: rule.chargeEntireFee ?? false,
  chargeRemainderFee: rule.chargeRemainderFee ?? false,
  transactionOwner: rule.transactionOwner ?? false,
  fareMdrBps: bps(rule.fares?.mdr) ?? terms.fareMdrBps,
  fareFee: rule.fares?.fee ?? terms.fareFee,
});

const bps = (percentage: number | undefined): number | null =>
  percentage === undefined ? null : (percentToBps(percentage) ?? null);

/** As they are written with the charge. */
export function splitRowsOf(
  charge: { id: string; clientId: string; createdAt: Date },
  rules: readonly AskedRule[],
  terms: ReadonlyMap<string, SellerTerms>,
): SplitRow[] {
  const { id: chargeId, clientId, createdAt } = charge;
  const written = { clientId, chargeId, createdAt, updatedAt: createdAt };
  return rules.map((rule, position) =>
    storedRow(splitRules, { ...resolvedRule(rule, terms.get(rule.sellerId)), ...written, id: newId(), position }),
  );
}

const MEMBERS: Members = [
  ["id", "uuid"],
  ["clientId", "uuid"],
  ["chargeId", "uuid"],
  ["position", "smallint"],
  ["sellerId", "uuid"],
  ["percentageBps", "integer"],
  ["amount", "bigint"],
  ["processingFee", "boolean"],
  ["liable", "boolean"],
  ["chargeEntireFee", "boolean"],
  ["chargeRemainderFee", "boolean"],
  ["transactionOwner", "boolean"],
  ["fareMdrBps", "integer"],
  ["fareFee", "bigint"],
  ["createdAt", "timestamptz"],
  ["updatedAt", "timestamptz"],
];
const COLUMNS = MEMBERS.map(([member]) => columnOf(member)).join(", ");
const ROWS = `insert into split_rules (${COLUMNS}) select ${COLUMNS} from `;

/** Rules that nothing was captured by yet, however many, in the caller's statement. */
export const rulesKept = (rows: readonly SplitRow[]): Write[] =>
  rows.length === 0
    ? []
    : [columnSet("split rules", ROWS, "s", MEMBERS, rows, (gate) => sql`where ${gate} returning 1`)];
