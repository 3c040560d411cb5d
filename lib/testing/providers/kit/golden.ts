import { readFileSync } from "node:fs";
import type { CallContext, ProviderOperation } from "@/lib/providers/provider";
import type { MockRequest, MockServer } from "@/lib/testing/providers/kit/server";

/** What was sent on the day a file names, for intents that never change: a difference is meant, or it is a mistake. */
export interface Golden {
  date: string;
  requests: GoldenRequest[];
}

export interface GoldenRequest {
  method: string;
  path: string;
  query?: Record<string, string>;
  headers: Record<string, string>;
  body: unknown;
}

const NAMED = ["content-type", "idempotency-key", "x-idempotency-key", "stripe-version"];
const MADE_UP =
  /(?<=pi_|re_|ch_)[0-9a-f]{32}|(?<=\/payments\/)[0-9A-F]{16}(?=\/)|(?<=\/sales\/)[0-9a-f-]{36}|(?<="token":")[0-9a-f]{32}/g;
const CARD_NUMBER = /(?<="(?:n|CardN|card_n)umber":")\d+(?=")/g;

/** Ids of the provider and card numbers left out. */
export const goldenRequest = ({ method, path, query, headers, body }: MockRequest): GoldenRequest => {
  const kept = Object.fromEntries(NAMED.flatMap((name) => (headers[name] ? [[name, headers[name]]] : [])));
  const asked = query.size > 0 ? { query: Object.fromEntries(query) } : {};
  const text = JSON.stringify({ method, path, ...asked, headers: kept, body: body ?? null });
  // Guarantee: it was written one line above.
  return JSON.parse(text.replace(MADE_UP, "id").replace(CARD_NUMBER, "left out")) as GoldenRequest;
};

export const readGolden = (file: URL): Golden => JSON.parse(readFileSync(file, "utf8")) as Golden; // One of ours.

/** A call whose ids are always the same; each operation has its own. */
export function goldenCall(call: CallContext, operation: ProviderOperation, number: number): CallContext {
  const attemptId = `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
  const ref = { attemptId, operation, sequence: 1 };
  return {
    ...call,
    chargeId: "00000000-0000-4000-8000-00000000c4a6",
    ref: {
      ...ref,
      providerReference: attemptId,
      idempotencyKey: `${attemptId}-${operation}-1`,
      begunAt: call.ref.begunAt,
    },
  };
}

/** Everything that reaches a stand-in while something is done. */
export async function heardBy(mock: Pick<MockServer, "watch">, run: () => Promise<unknown>): Promise<GoldenRequest[]> {
  const seen: GoldenRequest[] = [];
  mock.watch = (request) => void seen.push(goldenRequest(request));
  await run();
  mock.watch = undefined;
  return seen;
}
