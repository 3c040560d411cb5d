import { journals, ledgerAccounts, postings } from "@/db/schema/ledger";
import { insertReturning, insertRows } from "@/db/statements";
import { saoPauloDay } from "@/lib/brazil/bank-calendar";
import { type Context, now } from "@/lib/context";
import { derivedId } from "@/lib/ids";
import type { Cents } from "@/lib/money";
import { pipelined } from "@/lib/pipeline";

/** What a journal is evidence of: spec/money.md section 10. The pair (type, id) is posted at most once. */
export type EvidenceType =
  | "hold"
  | "hold_release"
  | "capture"
  | "refund"
  | "chargeback"
  | "chargeback_refund"
  | "suspense";

export interface AccountName {
  kind: "memo:hold" | "memo:hold_contra" | "provider_receivable" | "merchant_pending" | "bank" | "suspense";
  arrangement?: string;
}

export interface Journal {
  merchantId: string;
  chargeId: string;
  currency: string;
  type: EvidenceType;
  eventId: string;
  /** Debit +, credit −; they sum to 0. */
  lines: readonly (readonly [AccountName, Cents])[];
}

const isMemo = (name: AccountName): boolean => name.kind.startsWith("memo:");

/** An account's id is made from its dimensions, so no look-up comes before a posting. */
const accountId = ({ merchantId, currency }: Journal, { kind, arrangement }: AccountName): string =>
  derivedId("ledger", merchantId, kind, arrangement ?? "", currency);

/** Posts in the transaction that records the evidence; evidence already posted is left alone. */
export async function post(ctx: Context, drafts: readonly Journal[]): Promise<void> {
  if (drafts.length === 0) return;
  const clientId = ctx.account.id;
  const at = now(ctx);
  const accounts = new Map<string, typeof ledgerAccounts.$inferInsert>();
  for (const draft of drafts) {
    for (const [name] of draft.lines) {
      const id = accountId(draft, name);
      const { merchantId, currency } = draft;
      accounts.set(id, {
        id,
        clientId,
        merchantId,
        kind: name.kind,
        arrangement: name.arrangement ?? null,
        currency,
        memo: isMemo(name),
      });
    }
  }
  const [, written] = await pipelined([
    insertRows(ctx.db, ledgerAccounts, [...accounts.values()], { skip: true }),
    insertReturning(
      ctx.db,
      journals,
      drafts.map((draft) => ({
        id: derivedId("journal", draft.type, draft.eventId),
        clientId,
        merchantId: draft.merchantId,
        eventType: draft.type,
        eventId: draft.eventId,
        currency: draft.currency,
        memo: draft.lines.every(([name]) => isMemo(name)),
        civilDate: saoPauloDay(at),
        chargeId: draft.chargeId,
        createdAt: at,
      })),
      { skip: true },
    ),
  ]);
  const fresh = new Set(written.map((row) => row.id));
  const lines = drafts
    .filter((draft) => fresh.has(derivedId("journal", draft.type, draft.eventId)))
    .flatMap((draft) =>
      draft.lines.map(([name, amount], index) => ({
        journalId: derivedId("journal", draft.type, draft.eventId),
        line: index + 1,
        clientId,
        accountId: accountId(draft, name),
        merchantId: draft.merchantId,
        currency: draft.currency,
        memo: isMemo(name),
        amount,
      })),
    );
  if (lines.length > 0) await insertRows(ctx.db, postings, lines);
}
