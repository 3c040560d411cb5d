import { systemSql } from "@/db/client";
import { networkOf } from "@/lib/addresses";
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
  /** Of one browser's key, and of one address whatever keys it uses. */
  browser: { perSecond: 20, burst: 20 },
  failedAuthentication: perMinute(30),
  providerTest: perMinute(6),
  /** Of an account: the whole of it is looked through. */
  proof: perMinute(30),
  /** Of sellers who ask for a link to their page, from one address. */
  sellerLinks: { perSecond: 20 / 3_600, burst: 20 },
  /** Of files that one invited seller sends: what reviews ask for is a handful. */
  sellerFiles: { perSecond: 20 / 86_400, burst: 20 },
  /** Of people who forgot their password, from one address. */
  passwordResets: { perSecond: 20 / 3_600, burst: 20 },
} as const satisfies Record<string, Rate>;
export type KeyLimit = "payments" | "tokens";

const AT_A_TIME = 20;
/** Of the web processes that share a port each has its part: a connection carries one request at a time. */
const ownPlaces = (factor: number): number => Math.ceil(AT_A_TIME / (env().WEB_PROCESSES ?? 1)) * factor;
/** What of an account's rate and places the keys of browsers may use; the rest is always left to its server. */
const BROWSERS_SHARE = 0.5;
/** Of the browsers' places those that one key may take from one address. */
const CALLER_SHARE = 0.5;
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

export interface LimitedCaller {
  account: Account;
  principal: Principal;
  ip?: string;
}

/** A key that a browser holds; keys that a public key minted are counted with it. */
const browserKeyOf = (principal: Principal): string | undefined =>
  principal.kind === "public" ? principal.rootKey : principal.kind === "session" ? principal.publicKey : undefined;

/**
 * The account's rate. A browser's key is stopped by its own rate and its address's before it costs the account
 * anything, and all of them together by their share: what they do never takes the server's.
 */
export async function limitCaller(
  { account, principal, ip = "unknown" }: LimitedCaller,
  limit?: KeyLimit,
): Promise<void> {
  const key = browserKeyOf(principal);
  const rate = RATES[account.mode];
  if (key !== undefined) {
    const network = networkOf(ip);
    await takeOrRefuse(`key:${key}`, RATES.browser);
    await takeOrRefuse(`address:${account.id}:${network}`, RATES.browser);
    if (limit) await takeOrRefuse(`${limit}:${key}:${network}`, RATES[limit]);
    await takeOrRefuse(`browsers:${account.id}`, shareOf(rate));
  }
  await takeOrRefuse(`client:${account.id}`, rate);
}

const shareOf = ({ perSecond, burst }: Rate): Rate => ({
  perSecond: perSecond * BROWSERS_SHARE,
  burst: burst * BROWSERS_SHARE,
});

export const limitFailedAuthentication = (ip: string): Promise<void> =>
  takeOrRefuse(`auth:${ip}`, RATES.failedAuthentication);

/** False when the address has asked too often: it is answered like any other, and nothing is done. */
export const mayAskForReset = async (ip: string): Promise<boolean> =>
  (await take(`resets:${ip}`, RATES.passwordResets)) === undefined;

/** As for a reset. */
export const mayAskForSellerLink = async (ip: string): Promise<boolean> =>
  (await take(`seller-links:${ip}`, RATES.sellerLinks)) === undefined;

/** Each is drawn anew and kept for days, whether its review is answered or not. */
export const limitSellerFiles = (accessId: string): Promise<void> =>
  takeOrRefuse(`seller-files:${accessId}`, RATES.sellerFiles);

/** A test is a real call to somebody else's system. */
export const limitProviderTest = (providerId: string): Promise<void> =>
  takeOrRefuse(`provider-test:${providerId}`, RATES.providerTest);

export const limitProof = ({ id }: Account): Promise<void> => takeOrRefuse(`proof:${id}`, RATES.proof);

const running = new Map<string, number>();

interface Places {
  of: string;
  most: number;
}

function placesOf({ account, principal, ip = "unknown" }: LimitedCaller, factor: number): Places[] {
  const key = browserKeyOf(principal);
  const all = { of: account.id, most: ownPlaces(factor) };
  if (key === undefined) return [all];
  const browsers = { of: `${account.id} browsers`, most: all.most * BROWSERS_SHARE };
  return [all, browsers, { of: `${key} ${networkOf(ip)}`, most: browsers.most * CALLER_SHARE }];
}

const isFull = ({ of, most }: Places): boolean => (running.get(of) ?? 0) >= most;

function count({ of }: Places, one: 1 | -1): void {
  const left = (running.get(of) ?? 0) + one;
  if (left <= 0) running.delete(of);
  else running.set(of, left);
}

/** At most 20 requests of a client at a time in the processes of this port, half of them browsers'; the next ones wait up to two seconds. */
export async function inTurn<T>(caller: LimitedCaller, run: () => Promise<T>): Promise<T> {
  const factor: number = env().RATE_LIMITS;
  if (!Number.isFinite(factor)) return run();
  const places = placesOf(caller, factor);
  for (let waited = 0; places.some(isFull); waited += WAIT_STEP_MS) {
    if (waited >= LONGEST_WAIT_MS) throw tooMany(1);
    await pause(WAIT_STEP_MS);
  }
  for (const place of places) count(place, 1);
  try {
    return await run();
  } finally {
    for (const place of places) count(place, -1);
  }
}
