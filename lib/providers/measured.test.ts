import { expect, test } from "vitest";
import { meters } from "@/lib/metrics";
import { measured } from "@/lib/providers/measured";
import type { CallContext, PaymentProvider, QueryInput } from "@/lib/providers/provider";
import { sandboxProvider } from "@/lib/providers/sandbox/adapter";
import { inProcessTransport } from "@/lib/providers/sandbox/transport";

// Guarantee: the adapters below look at nothing of them.
const [context, input] = [{} as CallContext, {} as QueryInput];

function adapter(query: PaymentProvider["query"]): PaymentProvider {
  return measured({ ...sandboxProvider(inProcessTransport()), query });
}

const counted = async (outcome: string) =>
  (await meters().providerCalls.get()).values.find(
    ({ labels }) => labels.kind === "SANDBOX" && labels.operation === "query" && labels.outcome === outcome,
  )?.value;

test("a call is counted by kind, operation and outcome, and its answer handed on as it came", async () => {
  const answer = { kind: "not_found_yet" } as const;
  expect(await adapter(async () => answer).query(context, input)).toBe(answer);
  expect(await counted("not_found_yet")).toBe(1);
  const durations = (await meters().providerSeconds.get()).values;
  expect(durations.find(({ metricName }) => metricName?.endsWith("_count"))?.value).toBe(1);
});

test("a bug is counted and thrown on", async () => {
  const broken = adapter(async () => Promise.reject(new Error("bug")));
  await expect(broken.query(context, input)).rejects.toThrow("bug");
  expect(await counted("bug")).toBe(1);
});
