import { createHash } from "node:crypto";
import * as oidc from "openid-client";
import { z } from "zod";
import type { Database } from "@/db/client";
import { providerReturns } from "@/db/schema/operators";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { PASSING } from "@/lib/purposes";
import { openText, sealText } from "@/lib/secrets";
import { addSeconds } from "@/lib/time";

/** Where people of this installation sign in outside it: an OpenID Connect provider. */
export interface Company {
  issuer: string;
  clientId: string;
  clientSecret: string;
}

/** Absent where none is configured: then nothing on any page speaks of it. */
export function ourCompany(): Company | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = env();
  return issuer && clientId && clientSecret ? { issuer, clientId, clientSecret } : undefined;
}

export const COMPANY_PATH = "/sign-in/company";
const returnAddress = (): string => `${env().BASE_URL}${COMPANY_PATH}/return`;

/** Time to type a password over there. */
export const RETURN_SECONDS = 15 * 60;
const ANSWER_SECONDS = 8;
const SCOPE = "openid email profile";
const BOUND = "way back";

/** What the way back is held against; it waits in the browser, sealed. */
const departure = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  returnTo: z.string(),
  until: z.number(),
});

export interface Departure {
  url: string;
  /** For a cookie of this browser. */
  sealed: string;
}

/** Undefined while the company's sign-in does not answer. */
export async function leaveForCompany(company: Company, returnTo: string, now: Date): Promise<Departure | undefined> {
  const config = await known(company).catch(() => undefined);
  if (!config) return undefined;
  const [state, nonce, verifier] = [oidc.randomState(), oidc.randomNonce(), oidc.randomPKCECodeVerifier()];
  const url = oidc.buildAuthorizationUrl(config, {
    redirect_uri: returnAddress(),
    scope: SCOPE,
    response_type: "code",
    state,
    nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  });
  const until = addSeconds(now, RETURN_SECONDS).getTime();
  const sealed = sealText(PASSING.companySignIn, JSON.stringify({ state, nonce, verifier, returnTo, until }), BOUND);
  return { url: url.href, sealed: sealed.toString("base64url") };
}

export interface CompanyClaims {
  issuer: string;
  subject: string;
  /** Only one that the company has verified. */
  email: string | undefined;
  name: string | undefined;
  /** More than a password was asked for over there. */
  isMultiFactor: boolean;
}

export type Returned =
  | { kind: "back"; claims: CompanyClaims; returnTo: string }
  /** Not what this browser left with, too late, or a second time. */
  | { kind: "stale" }
  /** The company said no, or said something that does not hold. */
  | { kind: "refused" }
  | { kind: "unreachable" };

/** A way back counts once, in the browser that left; what the company says is believed by its signature. */
export async function backFromCompany(
  db: Database,
  company: Company,
  given: { query: string; sealed: string },
  now: Date,
): Promise<Returned> {
  const left = opened(given.sealed);
  const here = new URL(returnAddress());
  here.search = given.query;
  if (!left || left.until < now.getTime() || here.searchParams.get("state") !== left.state) return { kind: "stale" };
  if (!(await isFirst(db, left.state, new Date(left.until)))) return { kind: "stale" };
  try {
    const config = await known(company);
    const tokens = await oidc.authorizationCodeGrant(config, here, {
      expectedState: left.state,
      expectedNonce: left.nonce,
      pkceCodeVerifier: left.verifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    return claims ? { kind: "back", claims: claimsOf(claims), returnTo: left.returnTo } : { kind: "refused" };
  } catch (thrown) {
    log.warn({ error: thrown }, "the company's sign-in was not taken");
    return { kind: isOutage(thrown) ? "unreachable" : "refused" };
  }
}

const MULTI_FACTOR_CLASSES = new Set(["mfa", "http://schemas.openid.net/pape/policies/2007/06/multi-factor"]);

function claimsOf(claims: oidc.IDToken): CompanyClaims {
  const { iss, sub, email, email_verified, name, amr, acr } = claims;
  const methods = Array.isArray(amr) ? amr : [];
  return {
    issuer: iss,
    subject: sub,
    email: typeof email === "string" && email_verified === true ? email : undefined,
    name: typeof name === "string" ? name : undefined,
    isMultiFactor: methods.includes("mfa") || (typeof acr === "string" && MULTI_FACTOR_CLASSES.has(acr)),
  };
}

function opened(sealed: string): z.output<typeof departure> | undefined {
  try {
    const text = openText(PASSING.companySignIn, Buffer.from(sealed, "base64url"), BOUND);
    return departure.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

async function isFirst(db: Database, state: string, expiresAt: Date): Promise<boolean> {
  const digest = createHash("sha256").update(state).digest();
  const taken = await db
    .insert(providerReturns)
    .values({ digest, expiresAt })
    .onConflictDoNothing()
    .returning({ digest: providerReturns.digest });
  return taken.length > 0;
}

const configurations = new Map<string, Promise<oidc.Configuration>>();

/** Read once; an answer that failed is asked for again. */
function known(company: Company): Promise<oidc.Configuration> {
  const key = `${company.issuer} ${company.clientId}`;
  const kept = configurations.get(key);
  if (kept) return kept;
  const asked = discover(company);
  configurations.set(key, asked);
  asked.catch(() => configurations.delete(key));
  return asked;
}

async function discover({ issuer, clientId, clientSecret }: Company): Promise<oidc.Configuration> {
  const url = new URL(issuer);
  const execute = [oidc.enableNonRepudiationChecks];
  // lib/env.ts takes plain http on this machine alone.
  if (url.protocol === "http:") execute.push(oidc.allowInsecureRequests);
  const found = await oidc.discovery(url, clientId, clientSecret, undefined, { execute, timeout: ANSWER_SECONDS });
  const metadata = found.serverMetadata();
  if (metadata.token_endpoint_auth_methods_supported?.includes("client_secret_post")) return found;
  // What every provider takes that says nothing else.
  const basic = new oidc.Configuration(metadata, clientId, clientSecret, oidc.ClientSecretBasic(clientSecret));
  basic.timeout = ANSWER_SECONDS;
  for (const each of execute) each(basic);
  return basic;
}

/** A network that fails is told of in other words than a refusal. */
function isOutage(thrown: unknown): boolean {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if (error.name === "TimeoutError" || error.message === "fetch failed") return true;
    if ("code" in error && (error.code === "OAUTH_TIMEOUT" || error.code === "ECONNREFUSED")) return true;
  }
  return false;
}
