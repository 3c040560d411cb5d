import { systemSql } from "@/db/client";
import type { Account, Principal } from "@/lib/context";
import { env } from "@/lib/env";
import { RequestError } from "@/lib/errors";
import { pause } from "@/lib/wait";

/** Tokens a second and the most a bucket holds: spec/contract.md 1.10. */
interface Rate {
  perSecond: number;
  burst: number;
}
const perMinute = (n: number): Rate => ({ perSecond: n / 60, burst: n });

export const RATES = {
  live: { perSecond: 100, burst: 100 },
  sandbox: { perSecond: 25, burst: 25 },
  payments: perMinute(10),
  tokens: perMinute(60),
  failedAuthentication: perMinute(30),
  providerTest: perMinute(6),
  /** Of an account: the whole of it is looked through. */
  proof: perMinute(30),
  /** Of people who forgot their password, from one address. */
  passwordResets: { perSecond: 20 / 3_600, burst: 20 },
} as const satisfies Record<string, Rate>;
export type KeyLimit = "payments" | "tokens";

const AT_A_TIME = 20;
const LONGEST_WAIT_MS = 2_000;
const WAIT_STEP_MS = 10;

export const tooMany = (seconds: number): RequestError =>
  new RequestError(429, "api_error", "too many requests", { retryAfterSeconds: seconds });

/**
 * Takes a token by one upsert; answers the seconds until the next one when the bucket is empty. A refused call takes
 * nothing: whoever asks too often still gets the rate, and whoever waits as told gets a token.
 */
async function take(bucket: string, { perSecond, burst }: Rate): Promise<number | undefined> {
  const factor: number = env().RATE_LIMITS;
  if (!Number.isFinite(factor)) return undefined;
  const speed = perSecond * factor;
  const most = Math.max(1, burst * factor);
  const sql = systemSql();
  const available = sql`least(${most}::float8,
    b.tokens + greatest(0, extract(epoch from now() - b.updated_at)) * ${speed}::float8)`;
  const taken = await sql`
    insert into rate_buckets as b (key, tokens, updated_at) values (${bucket}, ${most - 1}, now())
    on conflict (key) do update set tokens = ${available} - 1, updated_at = greatest(b.updated_at, now())
      where ${available} >= 1
    returning key`;
  if (taken.length > 0) return undefined;
  const [row] = await sql<{ available: number }[]>`
    select ${available} as available from rate_buckets b where key = ${bucket}`;
  return (1 - (row?.available ?? 0)) / speed;
}

async function takeOrRefuse(bucket: string, rate: Rate): Promise<void> {
  const seconds = await take(bucket, rate);
  if (seconds !== undefined) throw tooMany(seconds);
}

export const limitClient = (account: Account): Promise<void> =>
  takeOrRefuse(`client:${account.id}`, RATES[account.mode]);

/** Browsers hold public and session keys: those are counted by key and address. */
export async function limitKey(principal: Principal, limit: KeyLimit, ip: string): Promise<void> {
  if (principal.kind !== "public" && principal.kind !== "session") return;
  await takeOrRefuse(`${limit}:${principal.publicKey}:${ip}`, RATES[limit]);
}

export const limitFailedAuthentication = (ip: string): Promise<void> =>
  takeOrRefuse(`auth:${ip}`, RATES.failedAuthentication);

/** False when the address has asked too often: it is answered like any other, and nothing is done. */
export const mayAskForReset = async (ip: string): Promise<boolean> =>
  (await take(`resets:${ip}`, RATES.passwordResets)) === undefined;

/** A test is a real call to somebody else's system. */
export const limitProviderTest = (providerId: string): Promise<void> =>
  takeOrRefuse(`provider-test:${providerId}`, RATES.providerTest);

export const limitProof = ({ id }: Account): Promise<void> => takeOrRefuse(`proof:${id}`, RATES.proof);

const running = new Map<string, number>();

/** At most 20 requests of a client at a time in this process; the next ones wait up to two seconds. */
export async function inTurn<T>(account: Account, run: () => Promise<T>): Promise<T> {
  const factor: number = env().RATE_LIMITS;
  if (!Number.isFinite(factor)) return run();
  for (let waited = 0; (running.get(account.id) ?? 0) >= AT_A_TIME * factor; waited += WAIT_STEP_MS) {
    if (waited >= LONGEST_WAIT_MS) throw tooMany(1);
    await pause(WAIT_STEP_MS);
  }
  running.set(account.id, (running.get(account.id) ?? 0) + 1);
  try {
    return await run();
  } finally {
    const left = (running.get(account.id) ?? 1) - 1;
    if (left <= 0) running.delete(account.id);
    else running.set(account.id, left);
  }
}
