import { createHash } from "node:crypto";
import { newId } from "@/lib/ids";
import { networkDecline } from "@/lib/testing/mirror/declines";
import { openRecipients } from "@/lib/testing/mirror/recipients";
import { openSettlement } from "@/lib/testing/mirror/settlement";
import { type Confirmed, type MirrorEvent, mirrorEvent } from "@/lib/testing/mirror/wire";
import { addSeconds, DAY_SECONDS, realNow } from "@/lib/time";

const HOLD_DAYS = 5;
const KEY_HOURS = 24;

export interface MirrorRequest {
  /** A question: no key stands for it. */
  isRead?: boolean;
  path: string;
  account: string;
  key: string;
  at: Date;
  body: Record<string, unknown>;
}
export interface MirrorReply {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
  /** Done, and never answered. */
  isSilent?: boolean;
}

interface Transaction {
  id: string;
  account: string;
  reference: string;
  charge: string;
  amount: number;
  currency: string;
  method: string;
  installments: number;
  capture: boolean;
  hasChallenge: boolean;
  /** How its card behaves: the name on it, in the words of the simulator's table. */
  outcome: string;
  brand: string;
  state: "created" | "challenge" | "pending" | "authorized" | "captured" | "declined" | "canceled" | "expired";
  captured: number;
  capturedAt?: Date;
  refunded: number;
  refunds: { id: string; amount: number; at: Date }[];
  chargedBack: number;
  expiresAt?: Date;
  wasCaptureLost: boolean;
}

interface Known {
  hash: string;
  at: Date;
  reply: MirrorReply;
}

export interface Recorded {
  operation: string;
  charge: string;
  reference: string;
  request: Record<string, unknown>;
}

/** The books of the acquirer: nothing but itself writes them, and only tests read them. */
export interface Acquirer {
  handle(request: MirrorRequest): MirrorReply;
  /** What the clock brings: holds that lapse, refunds that end. */
  passTime(to: Date): void;
  events: readonly MirrorEvent[];
  requests: readonly Recorded[];
  /** Approvals under a reference: more than one is money taken twice. */
  authorizations(reference: string): number;
  transactions: readonly Readonly<Transaction>[];
  /** Sellers registered under a reference: more than one is a seller twice. */
  registrations(reference: string): number;
  /** Where an account wants its notifications, as it said when it connected. */
  notificationsUrls: ReadonlyMap<string, string>;
  /** A notification of something that no book of this acquirer knows. */
  announce(about: { account: string; transactionId: string; reference: string }): void;
  /** A notification of a seller: that something about it is new, not what. */
  tellOfSeller(account: string, recipientId: string): void;
  dispute(charge: string, amount: number | undefined, at: Date): void;
  winDispute(charge: string, at: Date): void;
  /** What was told as done is told as failed: the refunds, or the capture. */
  undo(charge: string, what: "REFUND" | "CAPTURE", at: Date): void;
}

const AUTHORIZED: readonly Transaction["state"][] = ["authorized", "captured", "canceled", "expired"];

/** An acquirer with the opposite traits of the simulator (spec/adapters.md section 2). */
export function openAcquirer(): Acquirer {
  const transactions: Transaction[] = [];
  const keys = new Map<string, Known>();
  const events: MirrorEvent[] = [];
  const requests: Recorded[] = [];
  const later: { at: Date; run: () => void }[] = [];
  const recipients = openRecipients();
  const settlement = openSettlement(transactions);
  const notificationsUrls = new Map<string, string>();

  const refuse = (code: string, status = 422): MirrorReply => ({ status, body: { error: { code } } });
  const tell = (of: Transaction, type: MirrorEvent["type"], at: Date, more: Partial<MirrorEvent> = {}): void => {
    events.push({
      id: newId(),
      type,
      createdAt: at.toISOString(),
      account: of.account,
      transactionId: of.id,
      reference: of.reference,
      paymentReference: of.reference,
      success: true,
      isPending: false,
      amount: of.amount,
      currency: of.currency,
      captured: of.state === "captured",
      brand: of.brand,
      ...(of.expiresAt ? { expiresAt: of.expiresAt.toISOString() } : {}),
      ...more,
    });
  };

  function create({ account, body }: MirrorRequest): MirrorReply {
    const reference = String(body.reference);
    const isKnown = transactions.some((one) => one.account === account && one.reference === reference);
    if (isKnown && !transactions.some((one) => one.reference === reference && one.outcome === "replay_differs")) {
      return refuse("duplicate_reference", 409);
    }
    const transaction: Transaction = {
      id: `mir_${newId().replaceAll("-", "")}`,
      account,
      reference,
      charge: String(body.charge),
      amount: Number(body.amount),
      currency: String(body.currency),
      method: String(body.method),
      installments: Number(body.installments),
      capture: body.capture === true,
      hasChallenge: body.threeDS === true,
      outcome: "approve",
      brand: "unknown",
      state: "created",
      captured: 0,
      refunded: 0,
      refunds: [],
      chargedBack: 0,
      wasCaptureLost: false,
    };
    if (transaction.method === "debit" && !transaction.capture) return refuse("debit_is_a_sale");
    transactions.push(transaction);
    return { status: 201, body: { id: transaction.id, status: "created", reference } };
  }

  const confirmation = (of: Transaction, at: Date, more: Partial<Confirmed>): MirrorReply => ({
    status: 200,
    body: {
      id: of.id,
      reference: of.reference,
      status: "authorized",
      amount: of.outcome === "amount_mismatch_minus_1" ? of.amount - 1 : of.amount,
      currency: of.currency,
      at: at.toISOString(),
      installments: installmentsOf(of),
      ...more,
    } satisfies Confirmed,
  });

  function approve(of: Transaction, at: Date): MirrorReply {
    of.expiresAt = addSeconds(at, HOLD_DAYS * DAY_SECONDS);
    of.state = of.capture ? "captured" : "authorized";
    of.captured = of.capture ? of.amount : 0;
    if (of.capture) of.capturedAt = at;
    const words = { nsu: of.id.slice(-8), authCode: of.id.slice(-6) };
    tell(of, "PAYMENT", at, words);
    return confirmation(of, at, {
      status: of.capture ? "captured" : "authorized",
      ...words,
      networkTransactionId: `ntx_${of.id.slice(-12)}`,
      expiresAt: of.expiresAt.toISOString(),
    });
  }

  function confirm(of: Transaction, { at, body }: MirrorRequest): MirrorReply {
    if (of.state !== "created") return refuse("invalid_state");
    const card = body.card as { holderName: string; brand: string }; // The adapter of this folder writes it.
    of.outcome = card.holderName.toLowerCase();
    of.brand = card.brand;
    const declined = networkDecline(of.outcome, card.brand);
    if (declined) {
      of.state = "declined";
      tell(of, "PAYMENT", at, { success: false, decline: declined });
      return confirmation(of, at, { status: "declined", decline: declined });
    }
    if (of.outcome === "pending_forever") {
      of.state = "pending";
      tell(of, "PENDING", at);
      return confirmation(of, at, { status: "processing" });
    }
    if (of.hasChallenge) {
      of.state = "challenge";
      tell(of, "PENDING", at);
      return confirmation(of, at, { status: "challenge", redirectUrl: `https://issuer.example/${of.id}` });
    }
    return { ...approve(of, at), isSilent: of.outcome === "replay_differs" && firstOf(of) };
  }

  const firstOf = (of: Transaction) => transactions.find(({ reference }) => reference === of.reference) === of;

  function proceed(of: Transaction, { at, body }: MirrorRequest): MirrorReply {
    if (of.state !== "challenge") return refuse("invalid_state");
    if (body.details !== "failed") return approve(of, at);
    of.state = "declined";
    tell(of, "PAYMENT", at, { success: false, decline: { networkCode: "1A" } });
    return confirmation(of, at, { status: "declined", decline: { networkCode: "1A" } });
  }

  const taken = (at: Date, amount: number, isPending = false): MirrorReply => ({
    status: 201,
    body: { id: `mod_${newId().replaceAll("-", "")}`, status: "received", amount, at: at.toISOString(), isPending },
  });

  function capture(of: Transaction, { at, body }: MirrorRequest): MirrorReply {
    const amount = Number(body.amount);
    const about = { reference: String(body.reference), amount };
    if (of.state !== "authorized") return refuse("invalid_state");
    if (amount > of.amount) return refuse("amount_exceeded");
    if (of.outcome === "capture_timeout_not_captured" && !of.wasCaptureLost) {
      of.wasCaptureLost = true;
      return { status: 0, body: null, isSilent: true };
    }
    if (of.outcome === "capture_fails_later") {
      tell(of, "CAPTURE", at, { ...about, success: false, reason: "issuer said no" });
      return taken(at, amount);
    }
    of.state = "captured";
    of.captured = amount;
    of.capturedAt = at;
    tell(of, "CAPTURE", at, about);
    const isSilent = of.outcome === "capture_timeout_captured" && !of.wasCaptureLost;
    of.wasCaptureLost = true;
    return { ...taken(at, amount), isSilent };
  }

  function cancel(of: Transaction, { at, body }: MirrorRequest): MirrorReply {
    const about = { reference: String(body.reference) };
    if (of.state === "canceled") tell(of, "CANCELLATION", at, about);
    else if (of.state !== "authorized" && of.state !== "pending") return refuse("invalid_state");
    else if (of.outcome === "void_fails_later")
      tell(of, "CANCELLATION", at, { ...about, success: false, reason: "no" });
    else {
      of.state = "canceled";
      tell(of, "CANCELLATION", at, about);
    }
    return taken(at, of.amount);
  }

  function refund(of: Transaction, { at, body }: MirrorRequest): MirrorReply {
    const amount = Number(body.amount);
    if (of.state !== "captured") return refuse("invalid_state");
    if (of.outcome === "refund_refused_insufficient_balance") return refuse("insufficient_balance");
    if (amount > of.captured - of.refunded) return refuse("amount_exceeded");
    const isLate = of.outcome === "refund_pending_done" || of.outcome === "refund_pending_failed";
    const reply = taken(at, amount, isLate);
    const refundId = (reply.body as { id: string }).id; // `taken` wrote it.
    const about = { reference: String(body.reference), amount, refundId };
    of.refunded += amount;
    of.refunds.push({ id: refundId, amount, at });
    if (!isLate) tell(of, "REFUND", at, about);
    else {
      tell(of, "REFUND", at, { ...about, isPending: true });
      const end = addSeconds(at, DAY_SECONDS);
      later.push({
        at: end,
        run: () => {
          const isDone = of.outcome === "refund_pending_done";
          if (!isDone) takeBack(of, refundId, amount);
          tell(of, "REFUND", end, { ...about, success: isDone });
        },
      });
    }
    return reply;
  }

  function takeBack(of: Transaction, refundId: string | undefined, amount: number): void {
    of.refunded -= amount;
    of.refunds = of.refunds.filter(({ id }) => id !== refundId);
  }

  const ACTIONS: Record<string, (of: Transaction, request: MirrorRequest) => MirrorReply> = {
    confirmations: confirm,
    continuations: proceed,
    captures: capture,
    cancels: cancel,
    refunds: refund,
  };

  function connect({ account, body }: MirrorRequest): MirrorReply {
    notificationsUrls.set(account, String(body.notificationsUrl));
    return { status: 201, body: { status: "connected" } };
  }

  function route(request: MirrorRequest): MirrorReply {
    const [, resource, id, action] = request.path.split("/");
    if (resource === "connections") return connect(request);
    if (resource === "recipients") return recipients.handle(request);
    if (resource === "statements") return settlement.tell(request, id ?? "");
    if (resource === "early-payments") return settlement.payEarly(request);
    if (id === undefined) return create(request);
    const transaction = transactions.find((one) => one.id === id && one.account === request.account);
    if (!transaction) return refuse("not_found", 404);
    const act = ACTIONS[action ?? ""];
    return act ? act(transaction, request) : refuse("not_found", 404);
  }

  /** One key, one answer: the same request meets its own, another one is refused, and an old key protects nothing. */
  function handle(request: MirrorRequest): MirrorReply {
    passTime(request.at);
    if (request.isRead) return route(request);
    record(request);
    const name = `${request.account}:${request.key}`;
    const hash = createHash("sha256")
      .update(`${request.path}${JSON.stringify(request.body)}`)
      .digest("hex");
    const known = keys.get(name);
    if (known && request.at < addSeconds(known.at, KEY_HOURS * 3_600)) {
      return known.hash === hash ? { ...known.reply, isSilent: false } : refuse("key_reused", 409);
    }
    const reply = route(request);
    const isForgotten = reply.isSilent && (reply.status === 0 || isReplayedDifferently(request.path));
    if (!isForgotten) keys.set(name, { hash, at: request.at, reply });
    else for (const key of keys.keys()) if (key.startsWith(name.replace(/:confirm$/, ""))) keys.delete(key);
    return reply;
  }

  const isReplayedDifferently = (path: string): boolean =>
    transactions.some(({ id, outcome }) => path.includes(id) && outcome === "replay_differs");

  function record({ path, body }: MirrorRequest): void {
    const { card, ...rest } = body;
    const [, , id, action] = path.split("/");
    const of = transactions.find((one) => one.id === id);
    requests.push({
      operation: action ?? "create",
      charge: String(body.charge ?? of?.charge),
      reference: String(body.reference ?? of?.reference),
      request: { ...rest, ...(card === undefined ? {} : { card: "left out" }) },
    });
  }

  function passTime(to: Date): void {
    for (const due of later.splice(0)) {
      if (due.at <= to) due.run();
      else later.push(due);
    }
    for (const of of transactions) {
      if (of.state !== "authorized" || !of.expiresAt || of.expiresAt > to) continue;
      of.state = "expired";
      tell(of, "EXPIRE", of.expiresAt);
    }
  }

  const ofCharge = (charge: string): Transaction => {
    const known = transactions.findLast((one) => one.charge === charge && AUTHORIZED.includes(one.state));
    if (!known) throw new Error("nothing was authorized for this charge");
    return known;
  };

  const bare = (type: MirrorEvent["type"]) => ({ id: newId(), type, createdAt: realNow().toISOString() });

  return {
    handle,
    passTime,
    events,
    requests,
    transactions,
    registrations: recipients.registrations,
    notificationsUrls,
    announce: (about) => events.push(mirrorEvent.parse({ ...bare("CHARGEBACK"), ...about })),
    tellOfSeller: (account, recipientId) =>
      events.push(mirrorEvent.parse({ ...bare("RECIPIENT"), account, recipientId, reference: recipientId })),
    authorizations: (reference) =>
      transactions.filter((one) => one.reference === reference && AUTHORIZED.includes(one.state)).length,
    dispute(charge, amount, at) {
      const of = ofCharge(charge);
      of.chargedBack = amount ?? of.captured;
      tell(of, "CHARGEBACK", at, { amount: of.chargedBack });
    },
    winDispute(charge, at) {
      const of = ofCharge(charge);
      tell(of, "CHARGEBACK_REVERSED", at, { amount: of.chargedBack });
      of.chargedBack = 0;
    },
    undo(charge, what, at) {
      const of = ofCharge(charge);
      const told = events.filter((one) => one.transactionId === of.id && one.type === what && one.success);
      for (const { reference, amount, refundId } of told) {
        if (what === "REFUND") takeBack(of, refundId, amount);
        else {
          of.captured = 0;
          delete of.capturedAt;
        }
        tell(of, what, at, { reference, amount, success: false, reason: "undone", ...(refundId ? { refundId } : {}) });
      }
    },
  };
}

/** What does not divide falls on the last. */
function installmentsOf({ amount, installments }: Pick<Transaction, "amount" | "installments">): number[] {
  const each = Math.floor(amount / installments);
  return Array.from({ length: installments }, (_, index) =>
    index === installments - 1 ? amount - each * (installments - 1) : each,
  );
}
