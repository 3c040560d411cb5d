import { setImmediate as nextTurn } from "node:timers/promises";
import { appDb, type Database } from "@/db/client";
import { runText } from "@/db/driver/run-text";
import { isRefused } from "@/db/losses";
import { type Write, writeAlone, writeTogether } from "@/db/writes";
import { pipelined } from "@/lib/pipeline";
import { type AccountClock, nowOn, realNow } from "@/lib/time";
import { pause } from "@/lib/wait";

export interface Account {
  readonly id: string;
  readonly mode: "sandbox" | "live";
  readonly clock: AccountClock;
  readonly autoSettleSeconds: number | null;
}

/** What a restricted secret key may do, by the first segment of a path after /v1; a segment left out is closed to it. */
export type KeyRights = Readonly<Record<string, "read" | "write">>;

export type Principal =
  | { readonly kind: "secret"; readonly keyId: string; readonly rights: KeyRights | null }
  | {
      readonly kind: "public";
      readonly publicKey: string;
      /** The first key of the chain that minted it, or itself: what they do is counted together. */
      readonly rootKey: string;
      readonly scopes: readonly string[];
    }
  | {
      readonly kind: "session";
      readonly publicKey: string;
      readonly sessionId: string;
      /** The saved buyer the session is bound to. */
      readonly customerId: string | null;
      /** The public key that made the session; null when the shop's server did. */
      readonly madeBy: string | null;
      /** Canceled or voided: the key only reads. */
      readonly isOver: boolean;
    }
  | { readonly kind: "operator"; readonly operatorId: string }
  /** Somebody who opened a seller's own page. */
  | { readonly kind: "seller"; readonly accessId: string }
  | { readonly kind: "system" };

/** The key of one write, and what it was used for; the body itself is not kept (spec/reliability.md 2.1). */
export interface IdempotencyKey {
  /** Keys of the shop's server, of a public key and of a session never meet: `namespaceOf`. */
  readonly namespace: string;
  readonly key: string;
  readonly method: string;
  readonly path: string;
  readonly fingerprint: Buffer;
  /** What was asked for, by which its answer is made: `charge.create`; elsewhere the declared route. */
  readonly kind: string;
  /** A repeat is known as long as what the request made; else for a month. */
  readonly isKept: boolean;
}

/** Who asks, on which account, over which connection. The same service serves REST, a form action and a workflow step. */
export interface Context {
  readonly account: Account;
  readonly principal: Principal;
  /** Inside `inTransaction` the transaction; outside it row security shows no rows. */
  readonly db: Database;
  readonly isInTransaction: boolean;
  /** What a rollback would leave behind, such as a record of the vault: done when the work of the transaction fails. */
  readonly undo?: (() => Promise<unknown>)[];
  /** What leaves together with the commit: `leaveWithCommit`. */
  readonly leaving?: Leaving;
  /** Of a member limited to some merchants: the database shows them nothing else, and lets them write nothing. */
  readonly merchants?: readonly string[];
  readonly requestId: string;
  readonly ip?: string;
  /** X-Sandbox-Scenario of this request, checked; sandbox accounts only. */
  readonly scenario?: string;
  readonly idempotency?: IdempotencyKey;
  /** X-Plan-Hash of this request: it does what was planned, or nothing. */
  readonly planHash?: string;
  /** The operator who asked for the same before, where two people are needed: the audit log names both. */
  readonly secondPerson?: string;
  /** Why, in the words of the person who asks; the audit log keeps it. */
  readonly reason?: string;
}

export const now = (ctx: Context): Date => nowOn(ctx.account.clock);

/** A moment of the machines' own time as the account's clock would have told it: as long ago as it is. */
export const onAccountClock = (ctx: Context, at: Date): Date =>
  new Date(now(ctx).getTime() - (realNow().getTime() - at.getTime()));

/** The public or session key that asks, if one does: lists show it only what it created (spec/contract.md 1.4). */
export const publicKeyOf = (ctx: Context): string | undefined =>
  ctx.principal.kind === "public" || ctx.principal.kind === "session" ? ctx.principal.publicKey : undefined;

/** Where the buyer's browser asks from; with a secret key it is the shop's server that asks. */
export const buyerIpOf = (ctx: Context): string | undefined => (publicKeyOf(ctx) === undefined ? undefined : ctx.ip);

/** All secret keys of an account share one; a public key has one with those it minted; a session's key its own. */
export function namespaceOf({ id }: Pick<Account, "id">, principal: Principal): string {
  if (principal.kind === "public") return principal.rootKey;
  return principal.kind === "session" ? principal.publicKey : id;
}

export const systemContext = (account: Account, requestId: string): Context => ({
  account,
  principal: { kind: "system" },
  db: appDb(),
  isInTransaction: false,
  requestId,
});

const RETRIES = 3;
const RETRY_JITTER_MS = 40;
const TRANSIENT = new Set(["40001", "40P01"]);

/** Runs in the transaction already open, or in a new one that sees this client's rows alone. */
export async function inTransaction<T>(ctx: Context, run: (ctx: Context) => Promise<T>): Promise<T> {
  if (ctx.isInTransaction) return run(ctx);
  return retried(async () => {
    const undo: NonNullable<Context["undo"]> = [];
    const leaving: Leaving = { sent: [] };
    let isWorkDone = false;
    try {
      const done = await begin(ctx.account.id, limitOf(ctx), async (db) => {
        const made = await run({ ...ctx, db, isInTransaction: true, undo, leaving });
        // By the next turn the driver has what was asked for in this one: the commit stands behind it.
        if (leaving.sent.length > 0) await nextTurn();
        isWorkDone = true;
        return made;
      });
      await pipelined(leaving.sent);
      return done;
    } catch (thrown) {
      // Only what failed before the commit is certainly rolled back: a commit without an answer may have happened.
      const isRolledBack = !isWorkDone || leaving.isRefused;
      if (isRolledBack) await Promise.allSettled(undo.map((one) => one()));
      throw leaving.failed ?? thrown;
    }
  });
}

interface Leaving {
  readonly sent: Promise<unknown>[];
  /** Why the first of them failed: what came behind it failed because of it. */
  failed?: unknown;
  /** The database said so itself. */
  isRefused?: boolean;
}

/**
 * The last writes of a transaction: its commit leaves with them, in one round trip. Nothing may be decided by what became
 * of them, so each must write (`isMust`) or need not. Should they fail, the commit is a rollback, and `inTransaction`
 * throws what `meaning` makes of it.
 */
export function leaveWithCommit(
  ctx: Context,
  writes: readonly Write[],
  meaning = (thrown: unknown): unknown => thrown,
): void {
  const { leaving } = ctx;
  if (!leaving) throw new Error("outside of a transaction nothing leaves with its commit");
  const sent = writeTogether(ctx.db, writes).catch((thrown: unknown) => {
    leaving.isRefused ??= isRefused(thrown);
    leaving.failed ??= meaning(thrown);
    throw leaving.failed;
  });
  // Waited for with the commit.
  sent.catch(() => undefined);
  leaving.sent.push(sent);
}

/** Of a part of a transaction that is taken back by itself: what it left is done before that, and fails with it alone. */
export async function leavingApart<T>(ctx: Context, run: (ctx: Context) => Promise<T>): Promise<T> {
  const leaving: Leaving = { sent: [] };
  try {
    const done = await run({ ...ctx, leaving });
    await pipelined(leaving.sent);
    return done;
  } catch (thrown) {
    await Promise.allSettled(leaving.sent);
    throw leaving.failed ?? thrown;
  }
}

/** Reads everything from one snapshot: a page and its total agree, whatever is written meanwhile. */
export async function inSnapshot<T>(ctx: Context, run: (ctx: Context) => Promise<T>): Promise<T> {
  return asClient(ctx.account.id, (db) => run({ ...ctx, db, isInTransaction: true }), limitOf(ctx), [SNAPSHOT]);
}

const SNAPSHOT = "set transaction isolation level repeatable read read only";

const NAME_CLIENT = "select set_config('app.client_id', $1, true)";

/** Row security shows and takes the rows of this client alone until the transaction ends. */
const nameClient = (tx: Database, clientId: string): Promise<unknown> => runText(tx, NAME_CLIENT, [clientId]);

/** Who reads, where row security shows them some merchants alone (db/policies). */
export interface Limit {
  readonly merchants: readonly string[];
  readonly operatorId: string;
}

export const limitOf = ({ merchants, principal }: Context): Limit | undefined =>
  merchants && { merchants, operatorId: principal.kind === "operator" ? principal.operatorId : "" };

/**
 * One statement that is a transaction: nothing is read before it or decided after it. Answers how many rows each write
 * wrote, or undefined when one that must write did not.
 */
export const inOneStatement = (ctx: Context, writes: readonly Write[]): Promise<number[] | undefined> =>
  retried(() => writeAlone(ctx.db, ctx.account.id, writes)).catch((thrown: unknown) => {
    if (isMissedWrite(thrown)) return undefined;
    throw thrown;
  });

const DIVIDED_BY_ZERO = "22012";

/** How a statement fails in which a write that must write did not (db/writes.ts). */
export const isMissedWrite = (thrown: unknown): boolean => sqlState(thrown) === DIVIDED_BY_ZERO;

const NAME_LIMIT = `${NAME_CLIENT}, set_config('app.merchants', $2, true), set_config('app.operator', $3, true),
  set_config('role', 'trilho_limited', true)`;

/** Until the transaction ends, like the client's name. */
const nameLimit = (tx: Database, clientId: string, { merchants, operatorId }: Limit): Promise<unknown> =>
  runText(tx, NAME_LIMIT, [clientId, `{${merchants.join(",")}}`, operatorId]);

export async function asClient<T>(
  clientId: string,
  run: (db: Database) => Promise<T>,
  limit?: Limit,
  /** What the transaction is to be, in front of everything. */
  settings: readonly string[] = [],
): Promise<T> {
  return retried(() => begin(clientId, limit, run, settings));
}

function begin<T>(
  clientId: string,
  limit: Limit | undefined,
  run: (db: Database) => Promise<T>,
  settings: readonly string[] = [],
): Promise<T> {
  return appDb().transaction(async (tx) => {
    // Sent with the transaction's begin and the first statement of `run`, in one round trip.
    const set = settings.map((setting) => runText(tx, setting, []));
    const name = limit ? nameLimit(tx, clientId, limit) : nameClient(tx, clientId);
    const [, result] = await pipelined([pipelined([...set, name]), run(tx)]);
    return result;
  });
}

async function retried<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tried = 0; ; tried++) {
    try {
      return await attempt();
    } catch (thrown) {
      if (tried >= RETRIES || !TRANSIENT.has(sqlState(thrown) ?? "")) throw thrown;
      await pause(Math.ceil(RETRY_JITTER_MS * (tried + 1)));
    }
  }
}

/** The SQLSTATE of a database error, looked for through Drizzle's wrapping. */
export function sqlState(thrown: unknown): string | undefined {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if ("code" in error && typeof error.code === "string" && error.code.length === 5) return error.code;
  }
  return undefined;
}

/** The constraint a database error names. */
export function violatedConstraint(thrown: unknown): string | undefined {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if ("constraint_name" in error && typeof error.constraint_name === "string") return error.constraint_name;
  }
  return undefined;
}
