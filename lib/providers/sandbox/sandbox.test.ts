import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SANDBOX_CAPABILITIES } from "@/lib/providers/sandbox/capabilities";
import { OUTCOME_ROWS } from "@/lib/providers/sandbox/outcomes";
import { type SandboxServer, startSandboxServer } from "@/lib/providers/sandbox/server";
import {
  httpTransport,
  inProcessTransport,
  ownServerTransport,
  type SandboxTransport,
} from "@/lib/providers/sandbox/transport";
import { describeProvider } from "@/lib/testing/provider-conformance";
import { aCall, again, aPayment, impatient, type Rig } from "@/lib/testing/provider-conformance/rig";
import { brokenInProcess, brokenOverHttp, sandboxRig } from "@/lib/testing/provider-conformance/sandbox-rig";

const errors: unknown[] = [];
let server: SandboxServer;
const transports: SandboxTransport[] = [];

beforeAll(async () => {
  server = await startSandboxServer({ port: 0, onError: (error) => errors.push(error) });
});
afterAll(async () => {
  await Promise.all(transports.map((transport) => transport.close()));
  await server.close();
  expect(errors).toEqual([]);
});

function overHttp(): Rig {
  const transport = httpTransport(server.url);
  transports.push(transport);
  return sandboxRig(transport, brokenOverHttp(Number(new URL(server.url).port)));
}
const inProcess = (): Rig => sandboxRig(inProcessTransport(), brokenInProcess);

describeProvider("SANDBOX over HTTP", SANDBOX_CAPABILITIES, async () => overHttp());
describeProvider("SANDBOX in process", SANDBOX_CAPABILITIES, async () => inProcess());

/** Only what is never answered need not be waited for: anything else may take the time of a busy machine. */
const isUnanswered = (name: string): boolean => name.startsWith("timeout_") || name === "replay_differs";

describe("the two transports", () => {
  test.each(OUTCOME_ROWS.map(({ code, name }) => [code, name] as const))("agree on outcome %s: %s", async (_, name) => {
    const rigs = [overHttp(), inProcess()];
    const threeDS = name.startsWith("3ds") ? { returnUrl: "https://shop.example" } : undefined;
    const results = await Promise.all(
      rigs.map(async (rig) => {
        const first = aCall(rig, "authorize", { publicUrl: "https://pay.example" });
        const payment = aPayment(rig, { card: rig.card(name), ...(threeDS ? { threeDS } : {}) });
        const outcome = await rig.provider.authorize(isUnanswered(name) ? impatient(first) : first, payment);
        const resent = outcome.kind === "not_sent" ? await rig.provider.authorize(again(first), payment) : undefined;
        const seen = await rig.provider.query(again(first), { reference: first.ref, sentUntil: rig.clock.now() });
        return [outcome, resent, seen].map((one) => comparable(one, first.ref.providerReference));
      }),
    );
    expect(results[0]).toEqual(results[1]);
  });
});

test("the installation's default starts a simulator of its own and reaches it over HTTP", async () => {
  const transport = ownServerTransport();
  transports.push(transport);
  const rig = sandboxRig(transport, brokenInProcess);
  const call = aCall(rig, "authorize", { publicUrl: "https://pay.example" });
  const outcome = await rig.provider.authorize(impatient(call), aPayment(rig, { card: rig.card("approve") }));
  expect(outcome.kind).toBe("approved");
});

/** What must be equal: everything but the identifiers that come from the attempt. */
function comparable(outcome: object | undefined, reference: string): unknown {
  const text = JSON.stringify(outcome ?? null)
    .replaceAll(reference, "reference")
    .replace(/"(providerTxId|id|nsu|authCode|networkTransactionId|url|redirectUrl)":"[^"]*"/g, '"$1":"-"');
  return JSON.parse(text);
}
