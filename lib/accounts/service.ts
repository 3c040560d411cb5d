import { and, asc, eq } from "drizzle-orm";
import { type Database, systemDb } from "@/db/client";
import { clients } from "@/db/schema/accounts";
import { type AccountStatus, accountMachine } from "@/lib/accounts/machine";
import { type IssuedSecretKey, issueKey, rotateSecretKeys } from "@/lib/accounts/secret-keys";
import { audit } from "@/lib/audit";
import { type Account, type Context, systemContext } from "@/lib/context";
import { invalid, notFound, RequestError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { insertDefaultPlan } from "@/lib/sale-plans/initial";
import { REAL_CLOCK, realNow } from "@/lib/time";

export interface NewAccount {
  name: string;
  /** For good: an account never changes from one to the other (spec/contract.md 1.6). */
  mode: "sandbox" | "live";
}

export interface CreatedAccount extends IssuedSecretKey {
  clientId: string;
  name: string;
  mode: "sandbox" | "live";
}

export interface AccountSummary {
  clientId: string;
  name: string;
  mode: "sandbox" | "live";
  status: AccountStatus;
  createdAt: Date;
}

/** Who asks for a change of an account: an operator, or the command line. */
export type AccountActor = Pick<Context, "principal" | "requestId" | "ip">;
const systemActor = (): AccountActor => ({ principal: { kind: "system" }, requestId: newId() });

const LONGEST_NAME = 200;

/** The secret key is in the answer and nowhere else. */
export async function createAccount(
  input: NewAccount,
  actor: AccountActor = systemActor(),
  connection: Database = systemDb(),
): Promise<CreatedAccount> {
  const name = input.name.trim();
  if (name.length === 0 || name.length > LONGEST_NAME) throw invalid(`name: 1 to ${LONGEST_NAME} characters`);
  const account: Account = { id: newId(), mode: input.mode, clock: REAL_CLOCK, autoSettleSeconds: null };
  return connection.transaction(async (db) => {
    await db.insert(clients).values({ id: account.id, name, mode: account.mode, createdAt: realNow() });
    await insertDefaultPlan(db, account, realNow());
    const key = await issueKey(db, account);
    await audit(acting(account, actor, db), {
      action: "account.create",
      object: "account",
      objectId: account.id,
      after: { name, mode: account.mode, keyHint: key.hint },
    });
    return { clientId: account.id, name, mode: account.mode, ...key };
  });
}

const acting = (account: Account, actor: AccountActor, db: Database): Context => ({
  ...systemContext(account, actor.requestId),
  ...actor,
  db,
  isInTransaction: true,
});

export async function listAccounts(): Promise<AccountSummary[]> {
  return systemDb()
    .select({
      clientId: clients.id,
      name: clients.name,
      mode: clients.mode,
      status: clients.status,
      createdAt: clients.createdAt,
    })
    .from(clients)
    .orderBy(asc(clients.createdAt), asc(clients.id));
}

/** Whether real money moves here. */
export async function hasLiveAccounts(): Promise<boolean> {
  const [live] = await systemDb().select({ id: clients.id }).from(clients).where(eq(clients.mode, "live")).limit(1);
  return live !== undefined;
}

/** A disabled account is loaded too: its money still settles. */
export async function loadAccount(clientId: string): Promise<Account> {
  const [row] = await systemDb()
    .select({
      id: clients.id,
      mode: clients.mode,
      offsetSeconds: clients.clockOffsetSeconds,
      frozenAt: clients.clockFrozenAt,
      autoSettleSeconds: clients.autoSettleSeconds,
    })
    .from(clients)
    .where(eq(clients.id, clientId));
  if (!row) throw notFound("account");
  const { offsetSeconds, frozenAt, ...account } = row;
  return { ...account, clock: { offsetSeconds, frozenAt } };
}

/** A new secret key; the keys before it stay valid for 24 hours. */
export async function rotateAccountKeys(
  clientId: string,
  actor: AccountActor = systemActor(),
): Promise<IssuedSecretKey> {
  const account = await loadAccount(clientId);
  return rotateSecretKeys({ ...systemContext(account, actor.requestId), ...actor });
}

/** Every key of the account stops at once; what is under way still settles. */
export const disableAccount = (clientId: string, actor?: AccountActor): Promise<void> =>
  turn(clientId, "disabled", actor);

export const enableAccount = (clientId: string, actor?: AccountActor): Promise<void> =>
  turn(clientId, "enabled", actor);

/** Whether receivables are paid early, and the language of its documents: what the operator of the installation decides. */
export async function setAccount(
  clientId: string,
  changes: Partial<Pick<typeof clients.$inferSelect, "isPrepaymentOn" | "locale">>,
  actor: AccountActor = systemActor(),
): Promise<Pick<typeof clients.$inferSelect, "isPrepaymentOn" | "locale">> {
  const account = await loadAccount(clientId);
  return systemDb().transaction(async (db) => {
    const shown = { isPrepaymentOn: clients.isPrepaymentOn, locale: clients.locale };
    const [before] = await db.select(shown).from(clients).where(eq(clients.id, clientId)).for("update");
    const [after] = await db.update(clients).set(changes).where(eq(clients.id, clientId)).returning(shown);
    if (!before || !after) throw new Error(`No account ${clientId}`);
    const entry = { object: "account", objectId: clientId, before, after };
    await audit(acting(account, actor, db), { action: "account.update", ...entry });
    return after;
  });
}

const TURNS = {
  disabled: { to: "disabled", action: "account.disable" },
  enabled: { to: "active", action: "account.enable" },
} as const;

/** Asking for what is already so changes nothing. */
async function turn(clientId: string, fact: keyof typeof TURNS, actor: AccountActor = systemActor()): Promise<void> {
  const { to, action } = TURNS[fact];
  const account = await loadAccount(clientId);
  await systemDb().transaction(async (db) => {
    const [before] = await db
      .select({ status: clients.status })
      .from(clients)
      .where(eq(clients.id, clientId))
      .for("update");
    if (!before || before.status === to) return;
    if (!accountMachine.can(before.status, fact))
      throw new RequestError(409, "conflict", `the account is ${before.status}: its owners open it again`);
    await db
      .update(clients)
      .set({ status: accountMachine.next(before.status, fact) })
      .where(and(eq(clients.id, clientId), eq(clients.status, before.status)));
    await audit(acting(account, actor, db), {
      action,
      object: "account",
      objectId: clientId,
      before,
      after: { status: to },
    });
  });
}
