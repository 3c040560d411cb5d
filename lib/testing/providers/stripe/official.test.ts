import { type ChildProcess, spawn } from "node:child_process";
import { afterAll, expect, test } from "vitest";
import { secretOf } from "@/lib/providers/secret";
import { stripeProvider } from "@/lib/providers/stripe";
import { leftOutIf } from "@/lib/testing/left-out";
import { freePort } from "@/lib/testing/ports";
import { aCall, aPayment, type Rig } from "@/lib/testing/provider-conformance/rig";
import { behavingCard, connectionsTo, rigClock, standIn } from "@/lib/testing/providers/kit/rig";
import { pause } from "@/lib/wait";

/**
 * Stripe's own stateless stand-in, of its newest document: it refuses what the newest API would. Confirmations with a card
 * are left out: no document of Stripe has the card of `payment_method_data`.
 */
const { STRIPE_MOCK_BIN } = process.env;
const BETWEEN_LOOKS_MS = 50;

let child: ChildProcess | undefined;
afterAll(() => void child?.kill());

async function startOfficial(binary: string): Promise<string> {
  const port = await freePort();
  child = spawn(binary, ["-http-addr", `127.0.0.1:${port}`], { stdio: "ignore" });
  const url = `http://127.0.0.1:${port}`;
  const isUp = () =>
    fetch(url).then(
      () => true,
      () => false,
    );
  while (!(await isUp())) await pause(BETWEEN_LOOKS_MS);
  return url;
}

test("Stripe's own stand-in takes the requests of the adapter", async (context) => {
  leftOutIf(context, STRIPE_MOCK_BIN ? undefined : "STRIPE_MOCK_BIN names no program");
  const provider = stripeProvider(connectionsTo(standIn(await startOfficial(STRIPE_MOCK_BIN ?? ""))));
  const rig = {
    provider,
    credentials: secretOf({ secretKey: "sk_test_123" }),
    card: behavingCard,
    clock: rigClock(),
  } as unknown as Rig; // What aCall reads.
  const call = (operation: Parameters<typeof aCall>[1]) =>
    aCall(rig, operation, { evidence: () => Promise.resolve([]) });
  const providerTxId = "pi_123";
  const answers = [
    await provider.authorize(call("authorize"), aPayment(rig, { recurrence: "initial", statementDescriptor: "Loja" })),
    await provider.capture(call("capture"), { providerTxId, amount: 100, authorized: 200 }),
    await provider.void(call("void"), { providerTxId, state: "pre_authorized", amount: 200 }),
    await provider.refund(call("refund"), { providerTxId, amount: 100, captured: 200, alreadyRefunded: 0 }),
  ];
  // It keeps no books, so what it answers is of another payment; that it refuses nothing is what it shows.
  expect(answers.filter(({ kind }) => kind === "rejected" || kind === "not_sent")).toEqual([]);
  const asked = call("authorize");
  const found = await provider.query(asked, { providerTxId, reference: asked.ref, sentUntil: rig.clock.now() });
  expect(["found", "not_found_yet"]).toContain(found.kind);
  expect(await provider.connect?.({ ...asked, notificationsUrl: "https://pay.example/" })).toMatchObject({ ok: true });
});
