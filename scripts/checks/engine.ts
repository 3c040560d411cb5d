import { createHash } from "node:crypto";
import postgres from "postgres";
import { readEngineLink } from "@/lib/engine/inngest/link";
import { faultSaid, linkFaultOf } from "@/lib/engine/inngest/standing";
import type { Env } from "@/lib/env";
import type { Finding } from "@/scripts/checks/checks";

const ANSWER_LIMIT_MS = 5_000;
const CONNECT_TIMEOUT_SECONDS = 5;
const REFUSED: readonly number[] = [401, 403];
const CLOUD = { events: "https://inn.gs", api: "https://api.inngest.com" };

/** Asks Inngest whether it takes the keys, each by itself. */
export async function checkEngineKeys({
  INNGEST_EVENT_KEY: eventKey,
  INNGEST_SIGNING_KEY: signingKey,
  INNGEST_SIGNING_KEY_FALLBACK: fallback,
  INNGEST_BASE_URL: server,
}: Pick<
  Env,
  "INNGEST_EVENT_KEY" | "INNGEST_SIGNING_KEY" | "INNGEST_SIGNING_KEY_FALLBACK" | "INNGEST_BASE_URL"
>): Promise<Finding[]> {
  if (!eventKey || !signingKey) return [];
  const api = server ?? CLOUD.api;
  const signed = (key: string) => statusOf(`${api}/v1/events?limit=1`, { headers: { authorization: bearer(key) } });
  const [events, calls, rotated] = await Promise.all([
    statusOf(`${server ?? CLOUD.events}/e/${encodeURIComponent(eventKey)}`, { method: "POST", body: "[]" }),
    signed(signingKey),
    fallback === undefined ? undefined : signed(fallback),
  ]);
  const isRefused = (status: number | undefined) => status !== undefined && REFUSED.includes(status);
  const findings: Finding[] = [];
  if (isRefused(events))
    findings.push({
      kind: "problem",
      line: `INNGEST_EVENT_KEY: ${new URL(api).host} refuses it; take the event key that the server was started with`,
    });
  if (isRefused(calls) && (rotated === undefined || isRefused(rotated)))
    findings.push({
      kind: "problem",
      line: `INNGEST_SIGNING_KEY: ${new URL(api).host} refuses it${fallback === undefined ? "" : ", and the one of INNGEST_SIGNING_KEY_FALLBACK"}; take the signing key that the server was started with`,
    });
  else if (isRefused(calls))
    findings.push({
      kind: "warning",
      line: `INNGEST_SIGNING_KEY: ${new URL(api).host} still takes INNGEST_SIGNING_KEY_FALLBACK alone; give the server the new key`,
    });
  else if (isRefused(rotated))
    findings.push({
      kind: "warning",
      line: `INNGEST_SIGNING_KEY_FALLBACK: ${new URL(api).host} refuses it; remove it once every process has the new key`,
    });
  return findings;
}

/** What the running installation knows of its engine. */
export async function checkEngineLink(url: string): Promise<Finding[]> {
  const sql = postgres(url, { max: 1, connect_timeout: CONNECT_TIMEOUT_SECONDS, onnotice: () => {} });
  try {
    const link = await readEngineLink(sql);
    const fault = link && linkFaultOf(link);
    if (!link || !fault) return [];
    return [{ kind: "warning", line: `Inngest: ${faultSaid(fault, link)}; see /docs/inngest` }];
  } catch {
    // Before the first start there are no tables; a database that does not answer is told of by its own check.
    return [];
  } finally {
    await sql.end({ timeout: 1 });
  }
}

const KEY_PREFIX = /^signkey-\w+-/;

/** As Inngest's own library shows who it is: the digest of the key, behind its prefix. */
function bearer(key: string): string {
  const prefix = KEY_PREFIX.exec(key)?.[0] ?? "";
  const digest = createHash("sha256")
    .update(Buffer.from(key.slice(prefix.length), "hex"))
    .digest("hex");
  return `Bearer ${prefix}${digest}`;
}

async function statusOf(url: string, init: RequestInit): Promise<number | undefined> {
  try {
    const { status } = await fetch(url, { ...init, signal: AbortSignal.timeout(ANSWER_LIMIT_MS) });
    return status;
  } catch {
    return undefined;
  }
}
