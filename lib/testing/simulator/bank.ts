import { clock } from "@/lib/testing/simulator/virtual";

/** What the provider really holds: the truth that every run is judged by. */
export interface Deposit {
  id: string;
  /** A card is held and captured; the others wait for their buyer. */
  method: "card" | "pix" | "boleto";
  reference: string;
  chargeId: string;
  slot: number;
  providerId: string;
  asked: number;
  authorized: number;
  state: "pending" | "held" | "captured" | "voided" | "expired" | "declined";
  captured: number;
  chargedBack: number;
  refunds: {
    id: string;
    reference: string;
    amount: number;
    status: "pending" | "done" | "failed";
    atMs: number;
    /** Of a payment that came on top of the sale; such a one is no refund of the sale. */
    paymentId?: string;
  }[];
  /** What buyers paid into a Pix or a boleto: the first in time is the sale. */
  payments: { id: string; amount: number; atMs: number; isSurplus: boolean }[];
  holdEndsMs: number;
  /** What it does by itself, and when. */
  later: { atMs: number; does: (deposit: Deposit) => void; tells: boolean }[];
  wasApproved: boolean;
  /** It once refused to change: then what is left as it is may be right. */
  hasRefused?: boolean;
}

/** A line of the provider's own log. */
export interface Entry {
  atMs: number;
  kind: "call" | "effect" | "answer";
  operation: "authorize" | "open" | "capture" | "void" | "refund" | "query";
  reference: string;
  chargeId: string;
  slot: number;
  says?: string;
}

/** The slot of what belongs to nobody. */
export const NOBODY = -1;
const HOLD_MS = 7 * 86_400_000;

/** The provider of one schedule: append-only log, deposits, and messages still on their way to it. */
export class Bank {
  readonly log: Entry[] = [];
  readonly deposits: Deposit[] = [];
  /** Messages of ours that reach it late. */
  readonly under: { atMs: number; arrives: () => void }[] = [];
  /** Charges of which it has something to tell. */
  readonly news: Deposit[] = [];
  readonly wrongs: string[] = [];
  /** Deposits whose hold nobody released: it ended by itself. */
  readonly lapsed = new Set<string>();
  /** Deposits whose dispute was won. */
  readonly won = new Set<string>();
  /** Charges in the order in which it first heard of them. */
  private readonly charges: string[] = [];
  private readonly heldUp: { fromMs: number; untilMs: number }[] = [];

  write(entry: Omit<Entry, "atMs">): void {
    this.log.push({ atMs: clock.atMs, ...entry });
  }

  numberOf(chargeId: string): number {
    if (!this.charges.includes(chargeId)) this.charges.push(chargeId);
    return this.charges.indexOf(chargeId);
  }

  open(
    given: Pick<Deposit, "reference" | "chargeId" | "slot" | "providerId" | "asked" | "state"> & {
      short?: number;
      method?: Deposit["method"];
      endsMs?: number;
    },
  ) {
    const { short = 0, method = "card", endsMs = clock.atMs + HOLD_MS, ...rest } = given;
    const isApproved = method === "card" && (given.state === "held" || given.state === "pending");
    const deposit: Deposit = {
      ...rest,
      method,
      payments: [],
      id: `tx-${given.reference}`,
      authorized: given.state === "declined" ? 0 : given.asked - short,
      captured: 0,
      chargedBack: 0,
      refunds: [],
      holdEndsMs: endsMs,
      later: [],
      wasApproved: given.state === "held",
    };
    if (isApproved) this.mustBeAlone(deposit);
    this.deposits.push(deposit);
    this.write({ ...entryOf(deposit, "effect", method === "card" ? "authorize" : "open"), says: given.state });
    return deposit;
  }

  /** Money of somebody else's sale: it has a reference that nobody here ever made. */
  openForNobody(nth: number, providerId: string, amount: number): Deposit {
    const reference = `nobody${nth}`;
    const given = { reference, chargeId: reference, slot: NOBODY, providerId, asked: amount, state: "held" as const };
    return this.open(given);
  }

  /** A buyer pays a Pix or a boleto: the first in time is the sale, everything else is too much. */
  pay(deposit: Deposit, amount: number): void {
    const isSurplus = deposit.state !== "pending";
    deposit.payments.push({ id: `${deposit.id}:p${deposit.payments.length}`, amount, atMs: clock.atMs, isSurplus });
    if (isSurplus) return;
    Object.assign(deposit, { state: "captured", authorized: amount, captured: amount });
  }

  /** spec/invariants.md M8, at the instant of every authorisation. */
  private mustBeAlone(deposit: Deposit): void {
    const other = this.deposits.find(
      ({ chargeId, state, slot }) =>
        chargeId === deposit.chargeId && slot === deposit.slot && ["pending", "held", "captured"].includes(state),
    );
    if (other) this.wrongs.push(`M8: card ${deposit.slot} is authorised twice`);
  }

  /** A worker was held up with its call already decided: what it sends then it decided before. */
  stalls(untilMs: number): void {
    this.heldUp.push({ fromMs: clock.atMs, untilMs });
  }
  isStalled = (atMs: number): boolean => this.heldUp.some(({ untilMs }) => untilMs === atMs);

  ofReference = (reference: string): Deposit | undefined => this.deposits.find((one) => one.reference === reference);
  byId = (id: string): Deposit | undefined => this.deposits.find((one) => one.id === id);

  /** Everything that happens by itself until now, in its order. */
  settle(): void {
    for (;;) {
      const next = this.nextAtMs();
      if (next === undefined || next > clock.atMs) return;
      const late = this.under.findIndex(({ atMs }) => atMs === next);
      if (late >= 0) {
        const [message] = this.under.splice(late, 1);
        message?.arrives();
        continue;
      }
      for (const deposit of this.deposits) this.live(deposit, next);
    }
  }

  private live(deposit: Deposit, untilMs: number): void {
    const due = deposit.later.filter(({ atMs }) => atMs <= untilMs);
    deposit.later = deposit.later.filter(({ atMs }) => atMs > untilMs);
    for (const { does, tells } of due) {
      // What a closed code is paid is told again until somebody listens: nobody asks about it any more.
      const isClosed = deposit.method !== "card" && deposit.state !== "pending";
      does(deposit);
      if (tells || isClosed) this.news.push(deposit);
    }
    if (deposit.slot === NOBODY) return;
    if (deposit.method !== "card" && deposit.state === "pending" && deposit.holdEndsMs <= untilMs) {
      deposit.state = "expired";
      this.news.push(deposit);
    }
    if (deposit.state === "held" && deposit.holdEndsMs <= untilMs) {
      deposit.state = "expired";
      this.lapsed.add(deposit.id);
      this.news.push(deposit);
    }
  }

  nextAtMs(): number | undefined {
    const moments = [
      ...this.under.map(({ atMs }) => atMs),
      ...this.deposits.flatMap(({ later }) => later.map(({ atMs }) => atMs)),
      ...this.deposits
        .filter(
          ({ state, method, slot }) => slot !== NOBODY && (method === "card" ? state === "held" : state === "pending"),
        )
        .map(({ holdEndsMs }) => holdEndsMs),
    ];
    return moments.length === 0 ? undefined : Math.min(...moments);
  }
}

export const entryOf = (
  { reference, chargeId, slot }: Pick<Deposit, "reference" | "chargeId" | "slot">,
  kind: Entry["kind"],
  operation: Entry["operation"],
): Omit<Entry, "atMs"> => ({ kind, operation, reference, chargeId, slot });

export const refundedOf = ({ refunds }: Deposit): number =>
  refunds
    .filter(({ status, paymentId }) => status === "done" && paymentId === undefined)
    .reduce((sum, { amount }) => sum + amount, 0);

export const isOpen = ({ state }: Deposit): boolean => state === "held" || state === "pending";
