import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { isReplayTheQuery } from "@/lib/providers/capabilities";
import type { PaymentProvider } from "@/lib/providers/provider";
import type { RecipientCall, RecipientProvider } from "@/lib/providers/recipients";
import { type Case, needsSplit } from "@/lib/testing/provider-conformance/case";
import { aProviderCall, aRecipientCall, aSeller, expectKind, type Rig } from "@/lib/testing/provider-conformance/rig";

const NOTIFICATIONS = "https://pay.example/v1/providers/1/notifications";
const LONGEST_REVIEW_SECONDS = 120;

function sellers(rig: Rig): { books: NonNullable<Rig["recipients"]>; provider: RecipientProvider } {
  const { recipients: books, provider } = rig;
  if (!books || !provider.recipients) throw new Error("a provider that splits registers sellers");
  return { books, provider: provider.recipients };
}

const ask = (rig: Rig, call: RecipientCall, externalId?: string) =>
  sellers(rig).provider.queryRecipient(aRecipientCall(rig, "register", { reference: call.ref.reference }), {
    reference: call.ref.reference,
    sentUntil: rig.clock.now(),
    ...(externalId === undefined ? {} : { externalId }),
  });

async function registered(rig: Rig, document: string) {
  const call = aRecipientCall(rig, "register");
  const { data } = expectKind(await sellers(rig).provider.register(call, aSeller(document)), "approved");
  return { call, ...data };
}

const connected = (rig: Rig, provider: PaymentProvider, credentials = rig.credentials) =>
  provider.connect?.({ ...aProviderCall(rig), credentials, notificationsUrl: NOTIFICATIONS });

/** Sellers and connections (spec/settlement.md section 6, spec/adapters.md section 1). */
export const RECIPIENT_CASES: readonly Case[] = [
  {
    number: 78,
    title: "a test of the connection passes with good credentials, again too, and says why it failed",
    async run(rig) {
      if (!rig.provider.connect) return expect(rig.refusedSecret).toBeUndefined();
      for (const _ of ["first", "repeated"]) expect(await connected(rig, rig.provider)).toMatchObject({ ok: true });
      expect(await connected(rig, rig.broken("refused"))).toEqual({ ok: false, words: "not_sent" });
      if (rig.refusedSecret === undefined) return;
      const refused = await connected(rig, rig.provider, rig.refusedSecret);
      expect(refused).toEqual({ ok: false, words: expect.stringContaining("unauthenticated") });
      for (const secret of Object.values(rig.refusedSecret.reveal())) expect(refused?.words).not.toContain(secret);
    },
  },
  {
    number: 79,
    title: "a seller is registered once, however often it is asked for, and becomes active",
    notApplicable: needsSplit,
    async run(rig) {
      const { provider, books } = sellers(rig);
      const { call, externalId, status } = await registered(rig, books.documents.accepted);
      expect(["pending", "active"]).toContain(status);
      const repeated = expectKind(await provider.register(call, aSeller(books.documents.accepted)), "approved");
      expect(repeated.data.externalId).toBe(externalId);
      expect(await books.registrations(call.ref.reference)).toBe(1);
      rig.clock.advance(LONGEST_REVIEW_SECONDS);
      expect(await ask(rig, call, externalId)).toMatchObject({
        kind: "found",
        externalId,
        status: "active",
        reviews: [],
      });
    },
  },
  {
    number: 80,
    title: "a registration whose answer is lost is found again, by its reference or by its own key",
    notApplicable: needsSplit,
    async run(rig) {
      const { provider, books } = sellers(rig);
      const seller = aSeller(books.documents.accepted);
      for (const fault of ["lost_after", "lost_before"] as const) {
        const call = aRecipientCall(rig, "register", books.inject(fault));
        expectKind(await provider.register(call, seller), "undetermined");
        const { simulation: _used, ...same } = call;
        if (!isReplayTheQuery(rig.provider.capabilities, false)) {
          const found = await ask(rig, call);
          expect(found.kind).toBe(fault === "lost_after" ? "found" : "not_found_yet");
        }
        const { data } = expectKind(await provider.register(same, seller), "approved");
        expect(await ask(rig, call, data.externalId)).toMatchObject({ kind: "found", externalId: data.externalId });
        expect(await books.registrations(call.ref.reference)).toBe(1);
      }
    },
  },
  {
    number: 81,
    title: "a refused seller is told as refused, with the provider's reason",
    notApplicable: needsSplit,
    async run(rig) {
      const { call, externalId } = await registered(rig, sellers(rig).books.documents.refused);
      rig.clock.advance(LONGEST_REVIEW_SECONDS);
      expect(await ask(rig, call, externalId)).toMatchObject({
        kind: "found",
        status: "refused",
        externalStatus: expect.stringMatching(/./),
        reason: expect.stringMatching(/./),
      });
    },
  },
  {
    number: 82,
    title: "data and documents of a seller are taken, and a change that is refused leaves the old data",
    notApplicable: needsSplit,
    async run(rig, { lacks }) {
      const { provider, books } = sellers(rig);
      const seller = aSeller(books.documents.accepted);
      const { call, externalId } = await registered(rig, books.documents.accepted);
      rig.clock.advance(LONGEST_REVIEW_SECONDS);
      const { reference } = call.ref;
      const changed = await provider.update(aRecipientCall(rig, "update", { reference }), { ...seller, externalId });
      expect(expectKind(changed, "approved").data.status).toBe("active");
      const file = { externalId, type: "SELFIE", file: Buffer.from("picture"), mime: "image/png" };
      const sent = aRecipientCall(rig, "document", { reference });
      if (lacks?.documents) expectKind(await provider.sendDocument(sent, file), "rejected");
      else {
        const first = expectKind(await provider.sendDocument(sent, file), "approved");
        expect(expectKind(await provider.sendDocument(sent, file), "approved").data).toEqual(first.data);
      }
      if (books.refusedAccount === undefined) return;
      const bankAccount = { ...seller.bankAccount, accountNumber: books.refusedAccount };
      const refused = await provider.update(aRecipientCall(rig, "update", { reference }), {
        ...seller,
        bankAccount,
        externalId,
      });
      expect(expectKind(refused, "declined").reason).toBeDefined();
      expect(await ask(rig, call, externalId)).toMatchObject({ kind: "found", status: "active" });
    },
  },
  {
    number: 83,
    title: "a seller registered with other credentials is another one, and documents reach no record",
    notApplicable: needsSplit,
    async run(rig) {
      const { provider, books } = sellers(rig);
      const { accepted } = books.documents;
      const stranger = { providerId: randomUUID(), credentials: rig.otherSecret };
      const call = aRecipientCall(rig, "register", stranger);
      const { data } = expectKind(await provider.register(call, aSeller(accepted)), "approved");
      expect((await ask(rig, call)).kind).not.toBe("found");
      const own = await registered(rig, accepted);
      expect(own.externalId).not.toBe(data.externalId);
      for (const { ref } of [call, own.call]) {
        expect(JSON.stringify(await rig.received(ref.reference))).not.toContain(accepted);
      }
    },
  },
];
