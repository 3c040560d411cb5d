import { headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { DASHBOARD } from "@/app/(auth)/return-path";
import { findSignedIn, requireSignedIn } from "@/app/(auth)/signed-in";
import { addressOf, isSameOrigin } from "@/app/request-origin";
import { appDb } from "@/db/client";
import { loadAccount } from "@/lib/accounts/service";
import type { Context } from "@/lib/context";
import { RequestError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { may, type Right } from "@/lib/operators/permissions";
import type { OperatorAccount, OperatorRole, SignedIn } from "@/lib/operators/sessions";

export interface OnAccount {
  ctx: Context;
  role: OperatorRole;
  account: OperatorAccount;
}

/** Who looks at the page, on which account; a page they may not see does not exist for them. */
export async function requireRight(path: string, right: Right): Promise<OnAccount> {
  const signedIn = await requireSignedIn(path);
  if (!signedIn.account) redirect(DASHBOARD);
  if (!may(signedIn.account.role, right)) notFound();
  return onAccount(signedIn, signedIn.account);
}

/** For a form that was sent: the sender's session is alive and the form is one of our own pages'. */
export async function senderOf(): Promise<OnAccount | undefined> {
  const signedIn = await findSignedIn();
  if (!signedIn?.account || !isSameOrigin(await headers())) return undefined;
  return onAccount(signedIn, signedIn.account);
}

export interface Person {
  operator: SignedIn["operator"];
  /** That they look at, if any. */
  account: OperatorAccount | undefined;
  /** Who does it and from where, as the audit log says it. */
  doer: { operatorId: string; sessionId: string; address: string | null };
}

/** For a form about oneself: nothing but a living session and one of our own pages is asked for. */
export async function personOf(): Promise<Person | undefined> {
  const signedIn = await findSignedIn();
  const given = await headers();
  if (!signedIn || !isSameOrigin(given)) return undefined;
  const { operator, account, sessionId } = signedIn;
  return { operator, account, doer: { operatorId: operator.id, sessionId, address: addressOf(given) } };
}

/** Of a live account nothing is read and nothing done with a password alone. */
export const lacksFactor = async (): Promise<boolean> => (await findSignedIn())?.withoutFactor !== undefined;

/** For what a page asks the server to show: who asks, without sending them anywhere. */
export async function memberOf(): Promise<OnAccount | undefined> {
  const signedIn = await findSignedIn();
  return signedIn?.account ? onAccount(signedIn, signedIn.account) : undefined;
}

/** What is no page answers this to whom `memberOf` does not know. */
export const notMember = async (): Promise<Response> =>
  new Response(null, { status: (await lacksFactor()) ? 403 : 401 });

async function onAccount({ operator }: SignedIn, account: OperatorAccount): Promise<OnAccount> {
  const ip = addressOf(await headers());
  const ctx: Context = {
    account: await loadAccount(account.id),
    principal: { kind: "operator", operatorId: operator.id },
    db: appDb(),
    isInTransaction: false,
    requestId: newId(),
    ...(account.merchants ? { merchants: account.merchants } : {}),
    ...(ip ? { ip } : {}),
  };
  return { ctx, role: account.role, account };
}

/** An object that is not there, or not theirs, is answered like an unknown address. */
export async function orNotFound<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (thrown) {
    if (thrown instanceof RequestError && thrown.status === 404) notFound();
    throw thrown;
  }
}
