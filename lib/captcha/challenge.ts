import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { serverSecret } from "@/lib/secrets";
import { addSeconds, realNow } from "@/lib/time";

export const LEVELS = ["normal", "hard"] as const;
export type CaptchaLevel = (typeof LEVELS)[number];

/** A challenge lives on real time: it is the buyer's browser that works on it, not the account. */
export const CHALLENGE_SECONDS = 300;
/** The number sought is anywhere up to here: half of it are hashed on average. */
export const MOST_HASHES: Readonly<Record<CaptchaLevel, number>> = { normal: 40_000, hard: 400_000 };

const ALGORITHM = "SHA-256";
const SALT_BYTES = 12;
const LONGEST_TOKEN = 1_000;

/** In ALTCHA's form: the browser looks for the number that gives the challenge behind the salt. */
export interface Challenge {
  algorithm: typeof ALGORITHM;
  challenge: string;
  maxnumber: number;
  salt: string;
  signature: string;
}

const digest = (salt: string, number: number): string => createHash("sha256").update(`${salt}${number}`).digest("hex");
const sign = (challenge: string): Buffer =>
  createHmac("sha256", serverSecret("captcha challenge")).update(challenge).digest();

export function newChallenge(
  { sessionId, level }: { sessionId: string; level: CaptchaLevel },
  at: Date = realNow(),
): Challenge {
  const expires = Math.floor(addSeconds(at, CHALLENGE_SECONDS).getTime() / 1000);
  const random = randomBytes(SALT_BYTES).toString("hex");
  // The sign at the end keeps the number's digits apart from the salt's.
  const salt = `${random}?expires=${expires}&level=${level}&session=${sessionId}&`;
  const challenge = digest(salt, randomInt(MOST_HASHES[level] + 1));
  return {
    algorithm: ALGORITHM,
    challenge,
    maxnumber: MOST_HASHES[level],
    salt,
    signature: sign(challenge).toString("hex"),
  };
}

const solution = z.object({
  algorithm: z.literal(ALGORITHM),
  challenge: z.string().regex(/^[0-9a-f]{64}$/),
  number: z.int().min(0),
  salt: z.string(),
  signature: z.string().regex(/^[0-9a-f]{64}$/),
});

const SALT = /^[0-9a-f]{24}\?expires=(\d{10})&level=(normal|hard)&session=([0-9a-f-]{36})&$/;

export interface SolvedChallenge {
  level: CaptchaLevel;
  /** The same for the same challenge: it is spent once. */
  key: string;
}

/** Undefined for anything that is not a right answer to a challenge of ours, for this session, in time. */
export function checkSolution(token: string, sessionId: string, at: Date = realNow()): SolvedChallenge | undefined {
  const parsed = solution.safeParse(decoded(token));
  if (!parsed.success) return undefined;
  const { challenge, number, salt, signature } = parsed.data;
  const [, expires, level, session] = SALT.exec(salt) ?? [];
  if (session !== sessionId || Number(expires) * 1000 < at.getTime()) return undefined;
  if (level !== "normal" && level !== "hard") return undefined;
  if (!timingSafeEqual(sign(challenge), Buffer.from(signature, "hex"))) return undefined;
  return digest(salt, number) === challenge ? { level, key: `pow:${challenge}` } : undefined;
}

function decoded(token: string): unknown {
  if (token.length > LONGEST_TOKEN) return undefined;
  try {
    return JSON.parse(Buffer.from(token, "base64").toString("utf8"));
  } catch {
    return undefined;
  }
}
