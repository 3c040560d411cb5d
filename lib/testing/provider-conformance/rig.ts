import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import type { Brand } from "@/lib/brazil/card-brand";
import type { ProviderEvent } from "@/lib/providers/notification";
import type {
  AuthorizeInput,
  CallContext,
  CardAuth,
  CardSecret,
  Decline,
  FoundTransaction,
  NextAction,
  Outcome,
  PaymentProvider,
  PixInput,
  ProviderCall,
  ProviderOperation,
  QueryResult,
  RejectedProblem,
  Secret,
} from "@/lib/providers/provider";
import type { RecipientCall, RecipientOperation, SellerInput } from "@/lib/providers/recipients";
import { newAccount, newOwner } from "@/lib/testing/sellers";
import { DAY_SECONDS, realNow } from "@/lib/time";

/** What the kit needs of a provider's stand-in besides the adapter: its cards, its faults, its books, its buyer. */
export interface Rig {
  provider: PaymentProvider;
  credentials: Secret;
  /** A card that stands for an outcome of the simulator's table; undefined when the provider has no such thing. */
  card(outcome: string, brand?: Brand): CardSecret;
  /** Makes the next call suffer; what it returns is merged into that call's context. */
  inject(fault: Fault): Partial<CallContext>;
  /** The same adapter where nothing, or nothing secure, listens. */
  broken(how: "refused" | "tls"): PaymentProvider;
  /** How the adapter reads a network's answer. */
  read(brand: Brand, networkCode: string): Decline;
  clock: { now(): Date; advance(seconds: number): void };
  /** What the provider received for a charge, newest first. */
  received(chargeId: string): Promise<Received[]>;
  /** What the provider has told by notification of an attempt or its transaction, verified as our receiver does. */
  evidence(attemptId: string): Promise<ProviderEvent[]>;
  /** Authorisations in the provider's books for a reference. */
  authorizations(reference: string): Promise<number>;
  payPix(txid: string, how: { amount?: number; times?: 1 | 2; after?: "expiry" }): Promise<void>;
  payBoleto(chargeId: string, how: { amount?: number }): Promise<void>;
  dispute(chargeId: string, amount?: number): Promise<void>;
  /** Of every dispute that is opened so, where the provider tells of it. */
  readonly disputeReason?: string;
  winDispute(chargeId: string): Promise<void>;
  /** A notification body and the headers of its signature. */
  notify(body: string, secret: Secret, at: Date): Headers;
  /** A notification of this type about a transaction, as the provider writes it. */
  notification(type: "capture" | "refund" | "unknown", about: { eventId: string; reference: string }): string;
  batch(items: string[]): string;
  /** The same body with its signatures, where they stand inside it. */
  sign?(body: string, secret: Secret): string;
  /** What a browser brings back from a challenge; the word itself where nothing else is needed. */
  broughtBack?(action: NextAction, how: "authenticated" | "failed"): string;
  otherSecret: Secret;
  /** Credentials that the provider refuses, where it refuses any. */
  refusedSecret?: Secret;
  /** Sellers: a fault of the next call about one, their documents, and the provider's books. */
  recipients?: {
    inject(fault: Fault): Partial<RecipientCall>;
    /** A document whose seller is accepted, and one that is refused, at once or later. */
    documents: { accepted: string; refused: string };
    /** A change of the bank account that the provider refuses. */
    refusedAccount?: string;
    registrations(reference: string): Promise<number>;
  };
  /** Tries to point the adapter at a host of somebody else. */
  pointElsewhere(): void;
}

export type Fault = "lost_after" | "lost_before" | "http_500" | "truncated" | "rate_limited" | "silence";
export const RETRY_AFTER_SECONDS = 7;

export interface Received {
  operation: string;
  request: Record<string, unknown>;
}

export const CLIENT_ID = randomUUID();
export const PROVIDER_ID = randomUUID();
/** Found in no log, no record and no error, whatever happens. */
export const CANARY_CVV = "970";
const CALL_MS = 5_000;
const SHORT_MS = 150;

/** Messages of all calls, for the scan of case 64. */
export const logged: string[] = [];
const note = (message: string, data?: object) => {
  logged.push(`${message} ${JSON.stringify(data ?? {})}`);
};

export function aCall(rig: Rig, operation: ProviderOperation, changes: Partial<CallContext> = {}): CallContext {
  const attemptId = randomUUID();
  const ref = { attemptId, operation, sequence: 1 };
  return {
    ref: {
      ...ref,
      providerReference: rig.provider.attemptReference(attemptId),
      idempotencyKey: rig.provider.idempotencyKey(ref),
      begunAt: rig.clock.now(),
    },
    ...aProviderCall(rig),
    chargeId: randomUUID(),
    note: () => Promise.resolve(),
    evidence: () => rig.evidence(attemptId),
    ...changes,
  };
}

/** What every call is made with. */
export const aProviderCall = (rig: Rig): ProviderCall => ({
  clientId: CLIENT_ID,
  providerId: PROVIDER_ID,
  publicUrl: "https://pay.example",
  credentials: rig.credentials,
  host: "test",
  ...patience(CALL_MS),
  clock: rig.clock,
  log: { info: note, warn: note },
});

/** About one registration; `reference` names it. */
export function aRecipientCall(
  rig: Rig,
  operation: RecipientOperation,
  { reference = randomUUID(), ...changes }: Partial<RecipientCall> & { reference?: string } = {},
): RecipientCall {
  const attemptId = randomUUID();
  return { ...aProviderCall(rig), ref: { attemptId, reference, idempotencyKey: attemptId, operation }, ...changes };
}

export const aSeller = (document: string, changes: Partial<SellerInput> = {}): SellerInput => ({
  mcc: "5712",
  owner: newOwner(document),
  bankAccount: { ...newAccount(document), ispb: "60701190", accountCheckDigit: "0" },
  transferPolicy: { transferInterval: "weekly", transferDay: 1, transferEnabled: true },
  ...changes,
});

const patience = (ms: number) => ({ deadline: new Date(realNow().getTime() + ms), signal: AbortSignal.timeout(ms) });

/** The same attempt sent once more. */
export const again = (call: CallContext): CallContext => {
  const { simulation: _used, ...rest } = call;
  return { ...rest, ...patience(CALL_MS) };
};

export const impatient = (call: CallContext): CallContext => ({ ...call, ...patience(SHORT_MS) });

export const aPayment = (rig: Rig, changes: Partial<AuthorizeInput> = {}): AuthorizeInput => ({
  amount: 100_00,
  currency: "BRL",
  capture: false,
  installments: 1,
  card: rig.card("approve"),
  holder: {
    name: "Ana Souza",
    email: "ana@example.com",
    document: { type: "CPF", number: "12345678909", country: "BR" },
  },
  buyerPresent: true,
  crossBorder: false,
  ...authenticationFor(rig, changes),
  ...changes,
});

/** As another party did it, for methods that are taken in no other way. */
function authenticationFor({ provider }: Rig, { method = "credit" }: Partial<AuthorizeInput>) {
  const { card } = provider.capabilities;
  const needsIt = card !== false && card.authenticated.includes(method);
  if (!needsIt) return {};
  const mpi = {
    version: "2.2.0",
    eci: "05",
    cavv: "AAABBEg0VhI0VniQEjRWAAAAAAA=",
    directoryServerTransactionId: "c4e59ceb-a382-4d6a-bc87-385d591fa09d",
    transStatus: "Y",
  };
  return { threeDS: { returnUrl: "https://shop.example/back", data: { mpi } } };
}

export const aPix = (changes: Partial<PixInput> = {}): PixInput => ({
  amount: 50_00,
  expiresInSec: 3600,
  payer: { name: "Ana Souza" },
  receiver: { name: "Loja da Esquina", city: "São Paulo" },
  ...changes,
});

type Kind = Outcome<unknown>["kind"];

/** Narrows an outcome, or fails showing what came instead. */
export function expectKind<T, K extends Kind>(outcome: Outcome<T>, kind: K): Extract<Outcome<T>, { kind: K }> {
  expect(outcome, JSON.stringify(outcome)).toMatchObject({ kind });
  // Guarantee: the assertion above threw for any other kind.
  return outcome as Extract<Outcome<T>, { kind: K }>;
}

/** Refused at once, or received like everything else: what stands afterwards shows that nothing came of it. */
export function expectRefused(rig: Rig, outcome: Outcome<unknown>, problem: RejectedProblem): void {
  if (rig.provider.capabilities.modifications === "async" && outcome.kind === "approved") return;
  expect(expectKind(outcome, "rejected").problem).toBe(problem);
}

/** As long as a hold can live, and a day. */
export const pastHolds = ({ provider }: Rig): number => {
  const { card } = provider.capabilities;
  return ((card ? card.captureWindowDays.default : 0) + 1) * DAY_SECONDS;
};

export function expectFound(result: QueryResult): FoundTransaction {
  expect(result, JSON.stringify(result)).toMatchObject({ kind: "found" });
  // Guarantee: the assertion above threw for any other kind.
  return result as FoundTransaction;
}

export const ask = (rig: Rig, call: CallContext, providerTxId?: string): Promise<QueryResult> =>
  rig.provider.query(again(call), {
    ...(providerTxId === undefined ? {} : { providerTxId }),
    reference: call.ref,
    sentUntil: rig.clock.now(),
  });

export const found = async (rig: Rig, call: CallContext, providerTxId?: string): Promise<FoundTransaction> =>
  expectFound(await ask(rig, call, providerTxId));

export interface Held {
  call: CallContext;
  providerTxId: string;
  approved: Extract<Outcome<CardAuth>, { kind: "approved" }>;
}

/** A payment that stands, for the calls that come after it. */
export async function held(rig: Rig, outcome = "approve", changes: Partial<AuthorizeInput> = {}): Promise<Held> {
  const call = aCall(rig, "authorize");
  const approved = expectKind(
    await rig.provider.authorize(call, aPayment(rig, { card: rig.card(outcome), ...changes })),
    "approved",
  );
  return { call, providerTxId: approved.providerTxId, approved };
}

export const captured = (rig: Rig, outcome = "approve", changes: Partial<AuthorizeInput> = {}): Promise<Held> =>
  held(rig, outcome, { capture: true, ...changes });

export const capture = (rig: Rig, { call, providerTxId }: Held, amount: number, authorized = 100_00) =>
  rig.provider.capture(aCall(rig, "capture", { chargeId: call.chargeId }), { providerTxId, amount, authorized });

export const refund = (
  rig: Rig,
  { call, providerTxId }: Held,
  amount: number,
  before: { captured?: number; alreadyRefunded?: number; paymentId?: string } = {},
) =>
  rig.provider.refund(aCall(rig, "refund", { chargeId: call.chargeId }), {
    providerTxId,
    amount,
    captured: 100_00,
    alreadyRefunded: 0,
    ...before,
  });

export const cancel = (
  rig: Rig,
  { call, providerTxId }: Held,
  state: "pre_authorized" | "authorized" = "pre_authorized",
) => rig.provider.void(aCall(rig, "void", { chargeId: call.chargeId }), { providerTxId, state, amount: 100_00 });
