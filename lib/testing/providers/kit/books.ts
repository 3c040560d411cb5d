import type { Brand } from "@/lib/brazil/card-brand";
import { newId } from "@/lib/ids";
import { brandOfWire } from "@/lib/testing/mirror/brand";
import { networkDecline } from "@/lib/testing/mirror/declines";
import type { WireDecline } from "@/lib/testing/mirror/wire";
import { addSeconds, DAY_SECONDS } from "@/lib/time";

export type EntryState =
  | "created"
  | "pending"
  | "challenge"
  | "held"
  | "captured"
  | "declined"
  | "canceled"
  | "expired";

export interface EntryRefund {
  id: string;
  reference: string;
  amount: number;
  status: "pending" | "done" | "failed";
  at: Date;
}

export interface EntryPayment {
  id: string;
  amount: number;
  at: Date;
}

/** One payment in the books of a provider. */
export interface Entry {
  id: string;
  account: string;
  reference: string;
  charge: string;
  method: "credit" | "debit" | "pix" | "boleto";
  amount: number;
  currency: string;
  capture: boolean;
  installments: number;
  /** How its card behaves: the name on it, in the words of the simulator's table. */
  outcome: string;
  brand: Brand;
  state: EntryState;
  /** What the issuer holds: another amount than was asked for when the card is to behave so. */
  held: number;
  captured: number;
  chargedBack: number;
  wasDisputeWon: boolean;
  decline?: WireDecline & { declinedCode: string };
  createdAt: Date;
  expiresAt?: Date;
  refunds: EntryRefund[];
  payments: EntryPayment[];
  /** What the stand-in of this provider keeps besides. */
  kept: Record<string, unknown>;
}

export type Happening =
  | "created"
  | "authorized"
  | "pending"
  | "challenged"
  | "declined"
  | "captured"
  | "capture_failed"
  | "canceled"
  | "cancel_failed"
  | "expired"
  | "refund_created"
  | "refund_done"
  | "refund_failed"
  | "paid"
  | "disputed"
  | "dispute_won";

export interface Told {
  happening: Happening;
  entry: Entry;
  at: Date;
  amount: number;
  /** Of what was asked: the payment, or one change of it. */
  reference: string;
  refund?: EntryRefund;
}

export type Change =
  | { kind: "done"; isSilent?: boolean; refund?: EntryRefund }
  | { kind: "silent" }
  | { kind: "refused"; why: "invalid_state" | "amount_exceeded" | "insufficient_balance" };

export interface Books {
  entries: readonly Entry[];
  enter(given: Pick<Entry, "id" | "account" | "reference" | "charge" | "method" | "amount"> & Partial<Entry>): Entry;
  find(account: string, id: string): Entry | undefined;
  /** The first of a payment's requests that reaches the issuer. */
  authorize(entry: Entry, card: { name: string; brand: string }): { isSilent: boolean; isDeclined: boolean };
  approve(entry: Entry): void;
  decline(entry: Entry, decline: WireDecline, declinedCode: string): void;
  capture(entry: Entry, amount: number, reference?: string): Change;
  cancel(entry: Entry, reference?: string): Change;
  refund(entry: Entry, amount: number, reference: string, id: string): Change;
  /** A Pix or a slip that waits for its buyer. */
  open(entry: Entry, until: Date): void;
  pay(entry: Entry, amount?: number): void;
  dispute(charge: string, amount?: number): void;
  winDispute(charge: string): void;
  /** Approvals under a reference: more than one is money taken twice. */
  authorizations(reference: string): number;
  passTime(): void;
}

const AUTHORIZED: readonly EntryState[] = ["held", "captured", "canceled", "expired"];
const REFUSED_LATER = { capture: "capture_fails_later", void: "void_fails_later" } as const;

/** The books that every stand-in keeps: nothing but itself writes them, and only tests read them. */
export function openBooks({
  now,
  holdDays,
  isAsync = false,
  tell,
}: {
  now: () => Date;
  holdDays: number;
  /** Captures and voids can fail after they were taken. */
  isAsync?: boolean;
  tell: (told: Told) => void;
}): Books {
  const entries: Entry[] = [];
  const later: { at: Date; run: () => void }[] = [];
  const lostOnce = new Set<string>();

  const say = (entry: Entry, happening: Happening, more: Partial<Told> = {}): void =>
    tell({ happening, entry, at: now(), amount: entry.amount, reference: entry.reference, ...more });

  /** Whether this happens to the payment for the first time. */
  const isFirst = (entry: Entry, what: string): boolean => {
    const name = `${what} ${entry.id}`;
    const isNew = !lostOnce.has(name);
    lostOnce.add(name);
    return isNew;
  };

  function approve(entry: Entry): void {
    entry.held = entry.outcome === "amount_mismatch_minus_1" ? entry.amount - 1 : entry.amount;
    entry.expiresAt = addSeconds(now(), holdDays * DAY_SECONDS);
    entry.state = entry.capture ? "captured" : "held";
    entry.captured = entry.capture ? entry.held : 0;
    say(entry, "authorized", { amount: entry.held });
  }

  function decline(entry: Entry, wire: WireDecline, declinedCode: string): void {
    entry.state = "declined";
    entry.decline = { ...wire, declinedCode };
    say(entry, "declined");
  }

  const books: Books = {
    entries,
    enter(given) {
      const entry: Entry = {
        currency: "BRL",
        capture: false,
        installments: 1,
        outcome: "approve",
        brand: "unknown",
        state: "created",
        held: 0,
        captured: 0,
        chargedBack: 0,
        wasDisputeWon: false,
        createdAt: now(),
        refunds: [],
        payments: [],
        kept: {},
        ...given,
      };
      entries.push(entry);
      return entry;
    },
    find: (account, id) => entries.find((one) => one.account === account && one.id === id),
    authorize(entry, { name, brand }) {
      entry.outcome = name.toLowerCase();
      entry.brand = brandOfWire(brand);
      const declined = networkDecline(entry.outcome, brand);
      if (declined) decline(entry, declined, entry.outcome.replace("decline:", ""));
      else if (entry.outcome === "pending_forever") {
        entry.state = "pending";
        say(entry, "pending");
      } else approve(entry);
      const isFirstOfTwo = entries.find(({ reference }) => reference === entry.reference) === entry;
      return { isSilent: entry.outcome === "replay_differs" && isFirstOfTwo, isDeclined: declined !== undefined };
    },
    approve,
    decline,
    capture(entry, amount, reference = entry.reference) {
      if (entry.state !== "held") return { kind: "refused", why: "invalid_state" };
      if (amount > entry.held) return { kind: "refused", why: "amount_exceeded" };
      if (entry.outcome === "capture_timeout_not_captured" && isFirst(entry, "capture")) return { kind: "silent" };
      if (isAsync && entry.outcome === REFUSED_LATER.capture) {
        say(entry, "capture_failed", { reference, amount });
        return { kind: "done" };
      }
      entry.state = "captured";
      entry.captured = amount;
      say(entry, "captured", { reference, amount });
      return { kind: "done", isSilent: entry.outcome === "capture_timeout_captured" && isFirst(entry, "capture") };
    },
    cancel(entry, reference = entry.reference) {
      const isOpen = ["created", "pending", "challenge", "held"].includes(entry.state);
      const isDone = entry.state === "canceled";
      if (!isOpen && !(isAsync && isDone)) return { kind: "refused", why: "invalid_state" };
      if (isAsync && entry.outcome === REFUSED_LATER.void) {
        say(entry, "cancel_failed", { reference });
        return { kind: "done" };
      }
      entry.state = "canceled";
      say(entry, "canceled", { reference });
      return { kind: "done" };
    },
    refund(entry, amount, reference, id) {
      const returned = entry.refunds
        .filter(({ status }) => status !== "failed")
        .reduce((sum, one) => sum + one.amount, 0);
      if (entry.state !== "captured") return { kind: "refused", why: "invalid_state" };
      if (entry.outcome === "refund_refused_insufficient_balance")
        return { kind: "refused", why: "insufficient_balance" };
      if (amount > entry.captured - returned) return { kind: "refused", why: "amount_exceeded" };
      const isLate = entry.outcome === "refund_pending_done" || entry.outcome === "refund_pending_failed";
      const refund: EntryRefund = { id, reference, amount, status: isLate ? "pending" : "done", at: now() };
      entry.refunds.push(refund);
      say(entry, "refund_created", { reference, amount, refund });
      if (!isLate) say(entry, "refund_done", { reference, amount, refund });
      else {
        later.push({
          at: addSeconds(now(), DAY_SECONDS),
          run: () => {
            const isDone = entry.outcome === "refund_pending_done";
            refund.status = isDone ? "done" : "failed";
            say(entry, isDone ? "refund_done" : "refund_failed", { reference, amount, refund });
          },
        });
      }
      return { kind: "done", refund };
    },
    open(entry, until) {
      entry.state = "pending";
      entry.expiresAt = until;
      say(entry, "pending");
    },
    pay(entry, amount = entry.amount) {
      entry.payments.push({ id: newId(), amount, at: now() });
      if (entry.state === "pending") {
        entry.state = "captured";
        entry.captured = amount;
      }
      say(entry, "paid", { amount });
    },
    dispute(charge, amount) {
      const entry = ofCharge(charge);
      entry.chargedBack = amount ?? entry.captured;
      say(entry, "disputed", { amount: entry.chargedBack });
    },
    winDispute(charge) {
      const entry = ofCharge(charge);
      entry.wasDisputeWon = true;
      say(entry, "dispute_won", { amount: entry.chargedBack });
    },
    authorizations: (reference) =>
      entries.filter((one) => one.reference === reference && one.held > 0 && AUTHORIZED.includes(one.state)).length,
    passTime() {
      for (const due of later.splice(0)) {
        if (due.at <= now()) due.run();
        else later.push(due);
      }
      for (const entry of entries) {
        const isOpen = entry.state === "held" || (entry.state === "pending" && entry.method !== "credit");
        if (!isOpen || !entry.expiresAt || entry.expiresAt > now()) continue;
        entry.state = "expired";
        say(entry, "expired", { at: entry.expiresAt });
      }
    },
  };

  function ofCharge(charge: string): Entry {
    const known = entries.findLast((one) => one.charge === charge && AUTHORIZED.includes(one.state));
    if (!known) throw new Error("nothing was authorized for this charge");
    return known;
  }
  return books;
}
