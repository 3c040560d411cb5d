import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { ENDPOINTS } from "@/app/api/endpoints";
import { dispatch } from "@/app/api/registry";
import type { EndpointSpec } from "@/lib/http/endpoint";
import { openApiDocument } from "@/lib/http/openapi";
import { log } from "@/lib/log";
import { openClient, type TestClient } from "@/lib/testing/api";
import { documentValidator } from "@/lib/testing/fuzz/document";
import { randomOf } from "@/lib/testing/fuzz/random";
import { examplesOf, type PreparedRequest, prepare } from "@/lib/testing/fuzz/requests";
import { ownerSql, rowsOf } from "@/lib/testing/fuzz/tenancy";
import { type WildRequest, wildRequest } from "@/lib/testing/fuzz/wild-request";
import { monotonicMs } from "@/lib/time";

const SEED = Number(process.env.FUZZ_SEED ?? 20_261_120);
/** Each route has its turn, so that few are enough; `FUZZ_REQUESTS=100000` for a proof. */
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 4_000);
/** Of one case alone: its number, from the message of the failure. */
const ONLY = process.env.FUZZ_CASE === undefined ? undefined : Number(process.env.FUZZ_CASE);
const AT_A_TIME = 4;
/** Not a measurement: what takes this long has hung, on the slowest machine too. */
const LONGEST_MS = 15_000;
const WATCHED = 400;
/** After so many requests the bases are made anew: tokens are used up, objects deleted. */
const RENEW_EVERY = 1_000;

const specs = ENDPOINTS.map(({ spec }) => spec);
const validator = documentValidator(openApiDocument(specs));

const envelope = z.strictObject({
  error: z.strictObject({
    type: z.string().min(1),
    code: z.int(),
    message: z.string().min(1).max(300),
    details: z.array(z.string().max(250)).max(20),
    businessCode: z.string().optional(),
    key: z.string().optional(),
    declinedCode: z.string().optional(),
    declined_code: z.string().optional(),
  }),
});
const LEAK = /postgres|drizzle|node_modules|relation "|syntax error|\.ts:\d|\bat [\w.]+ \(/i;

/** On an account of its own, where nothing is due: a move of the clock runs all that became due on the way. */
const movesTime = ({ path }: EndpointSpec): boolean => path === "/v1/sandbox/clock";
const keepsTime = (spec: EndpointSpec): boolean => !movesTime(spec);

interface Bases {
  client: TestClient;
  requests: PreparedRequest[];
}

async function basesOf(choose: (spec: EndpointSpec) => boolean): Promise<Bases> {
  const client = await openClient();
  const requests: PreparedRequest[] = [];
  for (const spec of specs.filter(choose)) {
    for (const example of examplesOf(spec)) requests.push(await prepare(client, spec, example));
  }
  return { client, requests };
}

interface Verdict {
  status: number;
  tookMs: number;
  problems: string[];
}

async function judge({ request }: WildRequest, base: PreparedRequest, errors: readonly unknown[][]): Promise<Verdict> {
  const { method } = request;
  const started = monotonicMs();
  const seen = errors.length;
  const response = await dispatch(request);
  const text = await response.text();
  const tookMs = monotonicMs() - started;
  const { status, headers } = response;
  const problems: string[] = [];
  if (status >= 500) problems.push(`answered ${status}: ${errors.slice(seen).map(said).join("\n")}`);
  if (!/^[0-9a-f-]{36}$/.test(headers.get("x-request-id") ?? "")) problems.push("no request id");
  if (status >= 400) {
    const parsed = envelope.safeParse(parse(text));
    if (!parsed.success) problems.push(`envelope: ${text.slice(0, 500)}`);
    else if (parsed.data.error.code !== status) problems.push(`code ${parsed.data.error.code} under ${status}`);
    if (LEAK.test(text)) problems.push(`tells too much: ${text.slice(0, 500)}`);
  } else if (status === base.spec.status && typeof base.spec.reply !== "string" && method === base.spec.method) {
    const wrong = validator.replyProblems(base.spec, status, parse(text)) ?? [];
    if (wrong.length > 0) problems.push(`undocumented answer: ${wrong.join("; ")}`);
  }
  return { status, tookMs, problems };
}

const said = ([fields]: unknown[]): string => {
  const error = (fields as { error?: unknown } | undefined)?.error;
  return error instanceof Error ? `${error.stack ?? error.message} ${String(error.cause ?? "")}` : String(error);
};

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const DOWNLOADS = /^GET \/v1\/reports\/[^/?]+\/files/;

interface Case {
  base: PreparedRequest;
  wild: WildRequest;
}

/** The routes in turn; a stride that shares no factor with their number lets neighbours be of different resources. */
function turnOf(requests: readonly PreparedRequest[], index: number): PreparedRequest {
  let stride = Math.floor(requests.length * 0.38) || 1;
  while (commonFactor(stride, requests.length) > 1) stride++;
  const base = requests[(index * stride) % requests.length];
  if (!base) throw new Error("no request to begin with");
  return base;
}

const commonFactor = (one: number, other: number): number => (other === 0 ? one : commonFactor(other, one % other));

/** The same number makes the same request: a body can be read once only, so a repeat is made anew. */
function caseOf(index: number, [most, clock]: readonly [Bases, Bases]): Case {
  const random = randomOf(SEED, index);
  const { client, requests } = random.chance(98) ? most : clock;
  const base = turnOf(requests, index);
  return { base, wild: wildRequest(random, client, base) };
}

describe(`requests made at random, seed ${SEED}`, () => {
  it(`${REQUESTS} of them over every route: no fault of ours, no broken envelope, none that hangs`, async () => {
    const errors = vi.spyOn(log, "error");
    const failures: string[] = [];
    const statuses = new Map<number, number>();
    const fail = (index: number, { wild }: Case, problem: string) =>
      failures.push(`FUZZ_SEED=${SEED} FUZZ_CASE=${index} ${wild.text}\n  ${problem}`);
    const clock = await basesOf(movesTime);
    for (let from = 0; from < REQUESTS && failures.length < 10; from += RENEW_EVERY) {
      const bases = [await basesOf(keepsTime), clock] as const;
      const slow: number[] = [];
      let next = from;
      const until = Math.min(from + RENEW_EVERY, REQUESTS);
      const run = async () => {
        while (next < until) {
          const index = next++;
          if (ONLY !== undefined && index !== ONLY) continue;
          const made = caseOf(index, bases);
          const { status, tookMs, problems } = await judge(made.wild, made.base, errors.mock.calls);
          if (tookMs > LONGEST_MS) slow.push(index);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          for (const problem of problems) fail(index, made, problem);
        }
      };
      await Promise.all(Array.from({ length: AT_A_TIME }, run));
      // A busy machine is slow with anything: what was slow is asked once more, alone.
      for (const index of slow) {
        const again = caseOf(index, bases);
        const { tookMs } = await judge(again.wild, again.base, errors.mock.calls);
        if (tookMs > LONGEST_MS) fail(index, again, `took ${Math.round(tookMs)} ms`);
      }
    }
    expect(failures.join("\n\n")).toBe("");
    if (ONLY !== undefined) return;
    // Refusals of every kind and successes: the requests do reach the code behind the edge.
    const share = (status: number) => (statuses.get(status) ?? 0) / REQUESTS;
    expect([...statuses.keys()].sort()).toEqual(expect.arrayContaining([200, 201, 204, 400, 401, 404, 405, 413, 415]));
    expect(share(200) + share(201) + share(204)).toBeGreaterThan(0.1);
  }, 900_000);

  it("what is refused leaves no trace in any table", async () => {
    // Returns from a challenge and notifications are answered first and followed up afterwards.
    const { client, requests } = await basesOf((spec) => keepsTime(spec) && spec.access !== "none");
    const sql = ownerSql();
    try {
      let before = await rowsOf(sql, client.clientId);
      let refused: string[] = [];
      const compare = async () => {
        const after = await rowsOf(sql, client.clientId);
        const touched = Object.keys(after).filter((table) => after[table] !== before[table]);
        expect(touched.length > 0 ? { seed: SEED, touched, refused } : {}).toEqual({});
      };
      for (let index = 0; index < WATCHED; index++) {
        const random = randomOf(SEED + 1, index);
        const base = turnOf(requests, index);
        const wild = wildRequest(random, client, base);
        const { status } = await dispatch(wild.request);
        if (status >= 400 && status !== 424) {
          refused.push(`${status} ${wild.text.slice(0, 300)}`);
        } else if ((wild.request.method !== "GET" || DOWNLOADS.test(wild.text)) && status !== 424) {
          // What it wrote belongs to the next state to compare with: who downloads a file is on record.
          before = await rowsOf(sql, client.clientId);
          refused = [];
        }
        if (refused.length >= 10) {
          await compare();
          refused = [];
        }
      }
      await compare();
    } finally {
      await sql.end();
    }
  }, 600_000);
});
