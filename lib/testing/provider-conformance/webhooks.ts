import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import type { WebhookParse } from "@/lib/providers/notification";
import type { Secret } from "@/lib/providers/provider";
import { type Case, needsCard, type Traits } from "@/lib/testing/provider-conformance/case";
import {
  aCall,
  aPayment,
  captured,
  expectKind,
  found,
  impatient,
  type Rig,
  refund,
} from "@/lib/testing/provider-conformance/rig";
import { addSeconds, realNow } from "@/lib/time";

const TOO_OLD_SECONDS = 301;
const signed = ({ webhook }: { webhook: { auth: string } }) =>
  webhook.auth === "hmac" ? undefined : `notifications are authenticated by ${webhook.auth}`;

const read = (
  rig: Rig,
  body: string,
  { by = rig.credentials, at = realNow(), now = at, known = [rig.credentials], change = (sent) => sent } = {} as {
    by?: Secret;
    at?: Date;
    /** When it arrives. */
    now?: Date;
    known?: Secret[];
    /** Made of it on its way. */
    change?: (sent: string) => string;
  },
): WebhookParse => {
  const sent = rig.sign?.(body, by) ?? body;
  return rig.provider.parseWebhook(rig.notify(sent, by, at), Buffer.from(change(sent)), known, now);
};

const aCapture = (rig: Rig) => rig.notification("capture", { eventId: randomUUID(), reference: "r" });

/** What a notification is about, by our reference or by the provider's own id. */
const named = (name: string, { lacks }: Traits) =>
  lacks?.newsReference ? { providerTxId: name } : { reference: name };

const eventIds = (parsed: WebhookParse): string[] =>
  parsed.kind === "authentic" ? parsed.events.map(({ eventId }) => eventId) : [];

export const WEBHOOK_CASES: readonly Case[] = [
  {
    number: 51,
    title: "a notification with a right signature is authentic",
    notApplicable: signed,
    async run(rig, traits) {
      const body = rig.notification("capture", { eventId: "e-1", reference: "r-1" });
      expect(read(rig, body)).toMatchObject({ kind: "authentic", events: [named("r-1", traits)] });
      // Some number what was asked, and add what they tell of it.
      expect(eventIds(read(rig, body))).toEqual([expect.stringMatching(/^e-1\b/)]);
    },
  },
  {
    number: 52,
    title: "a changed body is forged",
    notApplicable: signed,
    async run(rig) {
      const body = aCapture(rig);
      expect(read(rig, body, { change: (sent) => sent.replace('"r"', '"s"') }).kind).toBe("forged");
    },
  },
  {
    number: 53,
    title: "another key's signature is forged",
    notApplicable: signed,
    run: async (rig) => expect(read(rig, aCapture(rig), { by: rig.otherSecret }).kind).toBe("forged"),
  },
  {
    number: 54,
    title: "an old signature is stale",
    notApplicable: (capabilities, { lacks }) => signed(capabilities) ?? lacks?.datedSignatures,
    async run(rig) {
      const now = realNow();
      expect(read(rig, aCapture(rig), { at: addSeconds(now, -TOO_OLD_SECONDS), now }).kind).toBe("stale");
    },
  },
  {
    number: 55,
    title: "a second delivery carries the same event id",
    async run(rig) {
      const body = aCapture(rig);
      const at = realNow();
      expect(eventIds(read(rig, body, { at }))).toEqual(eventIds(read(rig, body, { at })));
      expect(eventIds(read(rig, body))).toHaveLength(1);
    },
  },
  {
    number: 56,
    title: "notifications out of order lead to the same truth",
    notApplicable: needsCard,
    async run(rig, traits) {
      const payment = await captured(rig);
      expectKind(await refund(rig, payment, 100_00), "approved");
      const reference = payment.call.ref.providerReference;
      for (const type of ["refund", "capture"] as const) {
        const parsed = read(rig, rig.notification(type, { eventId: randomUUID(), reference }));
        expect(parsed).toMatchObject({ kind: "authentic", events: [named(reference, traits)] });
        expect((await found(rig, payment.call)).state).toBe("refunded");
      }
    },
  },
  {
    number: 57,
    title: "an unknown event is authentic but unknown",
    run: async (rig) =>
      expect(read(rig, rig.notification("unknown", { eventId: "e", reference: "r" })).kind).toBe("unknown_event"),
  },
  {
    number: 58,
    title: "one bad item of a batch does not take the others with it",
    notApplicable: (_, { lacks }) => lacks?.batches,
    async run(rig) {
      const good = ["a", "b"].map((eventId) => rig.notification("capture", { eventId, reference: "r" }));
      const body = rig.batch([good[0] ?? "", '{"id":7}', good[1] ?? ""]);
      expect(eventIds(read(rig, body))).toEqual([expect.stringMatching(/^a\b/), expect.stringMatching(/^b\b/)]);
    },
  },
  {
    number: 59,
    title: "both keys of a rotation are taken",
    notApplicable: signed,
    async run(rig) {
      const known = [rig.credentials, rig.otherSecret];
      for (const by of known) expect(read(rig, aCapture(rig), { by, known }).kind).toBe("authentic");
    },
  },
  {
    number: 60,
    title: "a notification before the answer names what can be asked about",
    notApplicable: needsCard,
    async run(rig, traits) {
      const call = aCall(rig, "authorize", rig.inject("lost_after"));
      const outcome = await rig.provider.authorize(impatient(call), aPayment(rig));
      expectKind(outcome, "undetermined");
      const reference = call.ref.providerReference;
      const parsed = read(rig, rig.notification("capture", { eventId: "e", reference }));
      expect(parsed).toMatchObject({ kind: "authentic", events: [named(reference, traits)] });
      expect((await found(rig, call)).state).toBe("pre_authorized");
    },
  },
];
