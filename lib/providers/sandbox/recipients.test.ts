import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { FoundRecipient } from "@/lib/providers/recipients";
import { sandboxProvider } from "@/lib/providers/sandbox/adapter";
import { openRecipientReview } from "@/lib/providers/sandbox/recipients";
import { inProcessTransport } from "@/lib/providers/sandbox/transport";
import { aRecipientCall, aSeller, CLIENT_ID, expectKind } from "@/lib/testing/provider-conformance/rig";
import { brokenInProcess, sandboxRig } from "@/lib/testing/provider-conformance/sandbox-rig";
import { DAY_SECONDS } from "@/lib/time";

const DELAY_SECONDS = 5;
const FILE = { file: Buffer.from("a picture"), mime: "image/png" };

/** Sellers of one merchant at its simulated acquirers. */
function open() {
  const transport = inProcessTransport();
  const rig = sandboxRig(transport, brokenInProcess);
  const { recipients } = sandboxProvider(transport);
  if (!recipients) throw new Error("the simulator registers sellers");
  const merchantId = randomUUID();
  const first = randomUUID();
  const register = async (document: string, providerId: string = first) => {
    const call = aRecipientCall(rig, "register", { providerId, simulation: { merchantId } });
    const { data } = expectKind(await recipients.register(call, aSeller(document)), "approved");
    expect(data.status).toBe("pending");
    return { reference: call.ref.reference, externalId: data.externalId, providerId };
  };
  type Registered = Awaited<ReturnType<typeof register>>;
  const about = ({ reference, providerId }: Registered) => aRecipientCall(rig, "document", { reference, providerId });
  return {
    rig,
    recipients,
    register,
    later: (seconds = DELAY_SECONDS) => rig.clock.advance(seconds),
    async ask(one: Registered): Promise<FoundRecipient> {
      const { externalId, reference } = one;
      const found = await recipients.queryRecipient(about(one), { externalId, reference, sentUntil: rig.clock.now() });
      if (found.kind !== "found") throw new Error(found.kind);
      return found;
    },
    send: (one: Registered, type: string) =>
      recipients.sendDocument(about(one), { externalId: one.externalId, type, ...FILE }),
  };
}

test.each([
  ["12345610000", "active"],
  ["12345610506", "active"],
  ["12345610859", "refused"],
])("a seller with the document %s ends %s after the delay, not before", async (document, status) => {
  const { ask, later, register, rig } = open();
  const seller = await register(document);
  later(DELAY_SECONDS - 1);
  const waiting = await ask(seller);
  expect(waiting).toMatchObject({ status: "pending", externalStatus: "registration" });
  later(1);
  expect(await ask(seller)).toMatchObject({ status, reviews: [] });
  expect(new Date(waiting.nextEventAt ?? 0)).toEqual(rig.clock.now());
});

test("one that ends in 6 is refused at the second provider of its merchant, and at none of another merchant", async () => {
  const { ask, later, register } = open();
  const [here, there] = await Promise.all([register("12345610506"), register("12345610506", randomUUID())]);
  const other = open();
  const elsewhere = await other.register("12345610506", randomUUID());
  later();
  other.later();
  const statuses = [(await ask(here)).status, (await ask(there)).status];
  expect(statuses.sort()).toEqual(["active", "refused"]);
  expect((await other.ask(elsewhere)).status).toBe("active");
});

test.each([
  ["12345610697", "approved", "active"],
  ["12345610778", "rejected", "inactive"],
])("the review of %s is %s once its documents came, and the seller is then %s", async (document, verdict, status) => {
  const { ask, later, register, send } = open();
  const seller = await register(document);
  later();
  const opened = await ask(seller);
  expect(opened).toMatchObject({ status: "active", reviews: [{ status: "opened" }] });
  expect(opened.reviews[0]?.requestedFields).toContain("documents.SELFIE");
  // The last instant of the seventh day in São Paulo.
  expect(opened.reviews[0]?.deadline).toBe("2026-12-02T02:59:59.999Z");
  expectKind(await send(seller, "CNH_FULL"), "approved");
  expect((await ask(seller)).reviews).toMatchObject([{ status: "opened" }]);
  expectKind(await send(seller, "SELFIE"), "approved");
  expect((await ask(seller)).reviews).toMatchObject([{ status: "submitted" }]);
  later();
  expect(await ask(seller)).toMatchObject({ status, reviews: [{ status: verdict }] });
});

test("a review whose deadline is missed blocks the seller", async () => {
  const { ask, later, register } = open();
  const seller = await register("12345610697");
  later(8 * DAY_SECONDS);
  expect(await ask(seller)).toMatchObject({ status: "blocked", reviews: [{ status: "expired" }] });
});

test("a review that a person opens is answered by its reason, and one that wants more is opened again", async () => {
  const { ask, later, recipients, register, rig } = open();
  const at = rig.clock.now();
  const expected = { more: ["opened", "approved"], reject: ["rejected"], other: ["approved"] };
  for (const [reason, statuses] of Object.entries(expected)) {
    const seller = await register("12345610000");
    later();
    const review = {
      requestedFields: ["owner.address"],
      reason,
      deadline: new Date(at.getTime() + 10 * 86_400_000),
      at,
    };
    expect(await openRecipientReview(CLIENT_ID, { reference: seller.reference, ...review })).toBe(true);
    for (const status of statuses) {
      const call = aRecipientCall(rig, "update", seller);
      const change = { ...aSeller("12345610000"), externalId: seller.externalId };
      expectKind(await recipients.update(call, change), "approved");
      later();
      expect((await ask(seller)).reviews).toMatchObject([{ status }]);
    }
  }
  expect(
    await openRecipientReview(CLIENT_ID, {
      reference: randomUUID(),
      requestedFields: [],
      reason: "",
      deadline: at,
      at,
    }),
  ).toBe(false);
});

test("any other id is a seller that was registered there before", async () => {
  const { ask, recipients, rig } = open();
  const adopted = { reference: randomUUID(), externalId: "re_from_elsewhere", providerId: randomUUID() };
  expect(await ask(adopted)).toMatchObject({ status: "active", externalStatus: "enabled", reviews: [] });
  const call = aRecipientCall(rig, "update", adopted);
  const changed = await recipients.update(call, { ...aSeller("12345610000"), externalId: adopted.externalId });
  expect(expectKind(changed, "approved").data.status).toBe("active");
});

test("a document of three megabytes is taken", async () => {
  const { later, recipients, register, rig } = open();
  const seller = await register("12345610000");
  later();
  const file = { externalId: seller.externalId, type: "CNH_FULL", file: Buffer.alloc(3_000_000), mime: "image/png" };
  expectKind(await recipients.sendDocument(aRecipientCall(rig, "document", seller), file), "approved");
});
