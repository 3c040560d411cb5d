import { systemSql } from "@/db/client";
import { type ChainHead, headOf } from "@/lib/audit-trail/chain";
import type { Context } from "@/lib/context";
import { INVARIANTS, type Root } from "@/lib/invariants/catalogue";
import { documentSignature, publicKeyFor } from "@/lib/signed-documents";
import { addSeconds, realNow } from "@/lib/time";

/** The audit runs every minute: one that has not for so long says nothing of now. */
const LATE_AFTER_SECONDS = 300;
const MOST_VIOLATIONS = 50;

/** `late` is a failure: what was not looked at is not known to hold. */
export type InvariantState = "holds" | "broken" | "late";

export interface ProvedInvariant {
  id: string;
  text: string;
  state: InvariantState;
  /** Of this account alone. */
  violations: number;
  /** Of the last run, over all accounts. */
  checked: number;
  durationMs: number;
  ranAt: string | null;
  /** When a pass over every row last ended. */
  passEndedAt: string | null;
}

export interface AccountProof {
  accountId: string;
  writtenAt: string;
  invariants: ProvedInvariant[];
  breaks: { invariant: string; object: Root; id: string; foundAt: string }[];
  /** The longest wait for an outcome that is not known yet. */
  oldestUnknownAt: string | null;
  /** Payments given up as not found, looked for until their hold could no longer exist. */
  orphanWatches: number;
  auditHead: ChainHead | null;
}

interface Run {
  invariant: string;
  ran_at: Date;
  duration_ms: number;
  checked: number;
  pass_ended_at: Date | null;
}

/** What is known of one account's invariants now; the audit itself runs beside it and repairs nothing. */
export async function accountProof({ account }: Context): Promise<AccountProof> {
  const sql = systemSql();
  const [runs, open, [unknown], head] = await Promise.all([
    sql<Run[]>`select invariant, ran_at, duration_ms, checked, pass_ended_at from invariant_runs`,
    sql<{ invariant: string; row_id: string; found_at: Date }[]>`
      select invariant, row_id, found_at from invariant_violations
       where client_id = ${account.id} and closed_at is null order by found_at`,
    sql<{ at: Date | null; watches: number }[]>`
      select (select min(created_at) from transaction_requests
               where client_id = ${account.id} and state in ('sent', 'undetermined') and kind <> 'notice') as at,
             (select count(*)::int from due_jobs where client_id = ${account.id} and kind = 'orphan.watch') as watches`,
    headOf(account.id),
  ]);
  const lateBefore = addSeconds(realNow(), -LATE_AFTER_SECONDS);
  const known = new Map(runs.map((run) => [run.invariant, run]));
  return {
    accountId: account.id,
    writtenAt: realNow().toISOString(),
    invariants: INVARIANTS.map(({ id, text }) => {
      const run = known.get(id);
      const violations = open.filter(({ invariant }) => invariant === id).length;
      const isLate = !run || run.ran_at < lateBefore;
      return {
        id,
        text,
        state: violations > 0 ? "broken" : isLate ? "late" : "holds",
        violations,
        checked: run?.checked ?? 0,
        durationMs: run?.duration_ms ?? 0,
        ranAt: run?.ran_at.toISOString() ?? null,
        passEndedAt: run?.pass_ended_at?.toISOString() ?? null,
      };
    }),
    breaks: open.slice(0, MOST_VIOLATIONS).flatMap(({ invariant, row_id, found_at }) => {
      const root = INVARIANTS.find(({ id }) => id === invariant)?.root;
      return root ? [{ invariant, object: root, id: row_id, foundAt: found_at.toISOString() }] : [];
    }),
    oldestUnknownAt: unknown?.at?.toISOString() ?? null,
    orphanWatches: unknown?.watches ?? 0,
    auditHead: head ?? null,
  };
}

export interface SignedProof {
  proof: AccountProof;
  algorithm: "Ed25519";
  /** Base64, over `proof` in canonical form (RFC 8785). */
  signature: string;
  /** PEM; the same for every proof of this installation. */
  publicKey: string;
}

export function signed(proof: AccountProof): SignedProof {
  return {
    proof,
    algorithm: "Ed25519",
    signature: documentSignature("proof", proof),
    publicKey: publicKeyFor("proof"),
  };
}
