import { createHash, createHmac } from "node:crypto";
import { systemSql } from "@/db/client";
import { derivedId, newId } from "@/lib/ids";
import { effectsOnRecipient } from "@/lib/providers/sandbox/effects";
import {
  DAYS_FOR_A_REVIEW,
  type Recipient,
  type Review,
  recipientView,
  reviewDeadline,
  reviewOf,
} from "@/lib/providers/sandbox/recipients-view";
import type { DocumentRequest, RecipientReply, RecipientRequest } from "@/lib/providers/sandbox/recipients-wire";
import {
  type Answer,
  answer,
  before,
  type CallDetails,
  callOf,
  closed,
  deliver,
  fingerprintOf,
  refuse,
} from "@/lib/providers/sandbox/reply";
import { type Connection, recordCall } from "@/lib/providers/sandbox/store";
import type { Caller, SimulatorReply } from "@/lib/providers/sandbox/wire";
import { serverSecret } from "@/lib/secrets";
import { addSeconds } from "@/lib/time";

/** Sellers at the simulated acquirer: what becomes of one its document's last digit decides (spec/sandbox.md section 10). */

const DOCUMENT = "sandbox recipient document";
const ASKED_DOCUMENTS = ["documents.SELFIE", "documents.RG_FRONT", "documents.RG_BACK"];

const documentOf = ({ owner, business }: RecipientRequest): string =>
  (business?.document ?? owner.document).replace(/[^0-9A-Za-z]/g, "");

export const registerRecipient = (caller: Caller, input: RecipientRequest): Promise<SimulatorReply> =>
  disturbed(caller, shown("recipient", input), async () => {
    const document = documentOf(input);
    const documentKey = createHmac("sha256", serverSecret(DOCUMENT)).update(document).digest();
    const fingerprint = fingerprintOf(input);
    const id = derivedId("sandbox-recipient", caller.clientId, caller.providerId, input.reference);
    return systemSql().begin(async (sql) => {
      // Two providers of one merchant may be asked at the same moment: one of them is the second.
      await sql`select pg_advisory_xact_lock(hashtextextended(${`sandbox-recipient:${documentKey.toString("hex")}`}, 0))`;
      const digit = document.slice(-1);
      const isRefused = digit === "9" || (digit === "6" && (await isElsewhere(sql, caller, documentKey)));
      const resolvesAt = addSeconds(caller.now, caller.delaySeconds);
      const made = await sql`
        insert into sandbox_recipients (id, client_id, provider_id, merchant_id, reference, fingerprint, document_key,
          resolves_to, resolves_at, delay_seconds, created_at)
        values (${id}, ${caller.clientId}, ${caller.providerId}, ${caller.merchantId ?? null}, ${input.reference},
          ${fingerprint}, ${documentKey}, ${isRefused ? "refused" : "active"}, ${resolvesAt}, ${caller.delaySeconds},
          ${caller.now})
        on conflict do nothing returning id`;
      const isReviewed = digit === "7" || digit === "8";
      if (made.length > 0 && isReviewed) {
        await insertReview(sql, caller.clientId, id, {
          requestedFields: ASKED_DOCUMENTS,
          reason: "documents are missing",
          openedAt: resolvesAt,
          deadline: reviewDeadline(resolvesAt, DAYS_FOR_A_REVIEW),
          verdict: digit === "7" ? "approved" : "rejected",
        });
      }
      const known = await recipientById(sql, caller, id);
      if (!known?.recipient.fingerprint.equals(fingerprint)) return refuse("reference_conflict");
      return answer(viewed(caller, known));
    });
  });

/** Already known of another provider of the same merchant. */
async function isElsewhere(sql: Connection, caller: Caller, documentKey: Buffer): Promise<boolean> {
  const found = await sql`
    select from sandbox_recipients where client_id = ${caller.clientId} and document_key = ${documentKey}
      and provider_id <> ${caller.providerId} and merchant_id is not distinct from ${caller.merchantId ?? null}`;
  return found.length > 0;
}

/** By its own id or, where that is not known, by our reference. */
export const lookUpRecipient = (caller: Caller, query: URLSearchParams): Promise<SimulatorReply> =>
  disturbed(caller, undefined, async () => {
    const externalId = query.get("id");
    const id = externalId === null ? referenced(caller, query.get("reference") ?? "") : idOf(externalId);
    const known = id === undefined ? undefined : await recipientById(systemSql(), caller, id);
    if (known) return answer(viewed(caller, known));
    return externalId === null ? refuse("not_found") : answer(adopted(caller, externalId));
  });

export const changeRecipient = (caller: Caller, input: RecipientRequest, externalId: string): Promise<SimulatorReply> =>
  disturbed(caller, shown("recipient_change", input), () =>
    submit(caller, externalId, (field) => !field.startsWith("documents.")),
  );

export const receiveDocument = (
  caller: Caller,
  { reference, type, mime, content }: DocumentRequest,
  externalId: string,
): Promise<SimulatorReply> => {
  const file = Buffer.from(content, "base64");
  const sha256 = createHash("sha256").update(file).digest("hex");
  const request = { type, mime, bytes: file.length, sha256 };
  return disturbed(caller, { operation: "document", reference, request, kept: false }, async () => {
    await submit(caller, externalId, (field) => field === `documents.${type}`);
    return answer({ id: derivedId("sandbox-document", externalId, sha256), at: caller.now.toISOString() });
  });
};

/** What is sent answers each open review that asked for it. */
async function submit(caller: Caller, externalId: string, isAnswer: (field: string) => boolean): Promise<Answer> {
  const id = idOf(externalId);
  return systemSql().begin(async (sql) => {
    const known = id === undefined ? undefined : await recipientById(sql, caller, id, true);
    if (!known) return answer(adopted(caller, externalId));
    for (const review of known.reviews) {
      const { status, deadline } = reviewOf(review, caller.now);
      if (status !== "opened" || !review.requestedFields.some(isAnswer)) continue;
      const isAgain = review.verdict === "more" && review.submittedAt !== null;
      await sql`
        update sandbox_recipient_reviews
           set submitted_at = ${caller.now}, deadline = ${deadline},
             answered_at = ${addSeconds(caller.now, known.recipient.delaySeconds)},
             verdict = ${isAgain ? "approved" : review.verdict}
         where id = ${review.id}`;
    }
    const now = await recipientById(sql, caller, known.recipient.id);
    return answer(viewed(caller, now ?? known));
  });
}

/** A review that a person of the account asks for; false when the simulator does not know this seller. */
export async function openRecipientReview(
  clientId: string,
  {
    reference,
    at,
    ...review
  }: { reference: string; requestedFields: string[]; reason: string; deadline: Date; at: Date },
): Promise<boolean> {
  return systemSql().begin(async (sql) => {
    const [recipient] = await sql<{ id: string }[]>`
      select id from sandbox_recipients where client_id = ${clientId} and reference = ${reference}`;
    if (!recipient) return false;
    const verdict = review.reason === "reject" ? "rejected" : review.reason === "more" ? "more" : "approved";
    await insertReview(sql, clientId, recipient.id, { ...review, openedAt: at, verdict });
    return true;
  });
}

type NewReview = Pick<Review, "requestedFields" | "reason" | "openedAt" | "deadline" | "verdict">;

const insertReview = (sql: Connection, clientId: string, recipientId: string, review: NewReview) => sql`
  insert into sandbox_recipient_reviews
    (id, client_id, recipient_id, requested_fields, reason, opened_at, deadline, verdict)
  values (${newId()}, ${clientId}, ${recipientId}, ${review.requestedFields}, ${review.reason}, ${review.openedAt},
    ${review.deadline}, ${review.verdict})`;

const PREFIX = "sbx_sel_";
const externalIdOf = ({ id }: Recipient): string => PREFIX + id.replaceAll("-", "");
const EXTERNAL_ID = /^sbx_sel_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/;
const idOf = (externalId: string): string | undefined => EXTERNAL_ID.exec(externalId)?.slice(1).join("-");
const referenced = ({ clientId, providerId }: Caller, reference: string): string =>
  derivedId("sandbox-recipient", clientId, providerId, reference);

interface Known {
  recipient: Recipient;
  reviews: Review[];
}

async function recipientById(sql: Connection, caller: Caller, id: string, lock = false): Promise<Known | undefined> {
  const [recipient] = await sql<Recipient[]>`
    select id, reference, fingerprint, resolves_to as "resolvesTo", resolves_at as "resolvesAt",
      delay_seconds as "delaySeconds" from sandbox_recipients
     where id = ${id} and client_id = ${caller.clientId} and provider_id = ${caller.providerId}
     ${lock ? sql`for update` : sql``}`;
  if (!recipient) return undefined;
  const reviews = await sql<Review[]>`
    select id, requested_fields as "requestedFields", reason, opened_at as "openedAt", deadline,
      submitted_at as "submittedAt", answered_at as "answeredAt", verdict from sandbox_recipient_reviews
     where recipient_id = ${id} and opened_at <= ${caller.now} order by opened_at, id`;
  return { recipient, reviews };
}

const viewed = ({ now }: Caller, { recipient, reviews }: Known): RecipientReply =>
  recipientView(externalIdOf(recipient), recipient, reviews, now);

/** Any other id is a seller that was registered here before. */
const adopted = ({ now }: Caller, id: string): RecipientReply => ({
  id,
  status: "enabled",
  reviews: [],
  at: now.toISOString(),
});

const shown = (operation: string, input: RecipientRequest): CallDetails => ({
  operation,
  reference: input.reference,
  request: { mcc: input.mcc, isCompany: input.business !== undefined, documentEnd: documentOf(input).slice(-2) },
  kept: false,
});

async function disturbed(
  caller: Caller,
  details: CallDetails | undefined,
  run: () => Promise<Answer>,
): Promise<SimulatorReply> {
  const sql = systemSql();
  const effects = await effectsOnRecipient(sql, caller);
  const instead = before(effects);
  if (instead === "closed") return closed;
  const given = instead ?? (await run());
  if (details) await recordCall(sql, callOf(caller, details, given, effects));
  return deliver(given, effects);
}
