import { clock } from "@/lib/testing/simulator/virtual";

/** What the provider really holds: the truth that every run is judged by. */
export interface Deposit {
  id: string;
  reference: string;
  chargeId: string;
  slot: number;
  providerId: string;
  asked: number;
  authorized: number;
  state: "pending" | "held" | "captured" | "voided" | "expired" | "declined";
  captured: number;
  chargedBack: number;
  refunds: { id: string; reference: string; amount: number; status: "pending" | "done" | "failed"; atMs: number }[];
  holdEndsMs: number;
  /** What it does by itself, and when. */
  later: { atMs: number; does: (deposit: Deposit) => void; tells: boolean }[];
  wasApproved: boolean;
}

/** A line of the provider's own log. */
export interface Entry {
  atMs: number;
  kind: "call" | "effect" | "answer";
  operation: "authorize" | "capture" | "void" | "refund" | "query";
  reference: string;
  chargeId: string;
  slot: number;
  says?: string;
}

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
  private readonly heldUp: { fromMs: number; untilMs: number }[] = [];

  write(entry: Omit<Entry, "atMs">): void {
    this.log.push({ atMs: clock.atMs, ...entry });
  }

  open(
    given: Pick<Deposit, "reference" | "chargeId" | "slot" | "providerId" | "asked" | "state"> & { short?: number },
  ) {
    const { short = 0, ...rest } = given;
    const isApproved = given.state === "held" || given.state === "pending";
    const deposit: Deposit = {
      ...rest,
      id: `tx-${given.reference}`,
      authorized: given.state === "declined" ? 0 : given.asked - short,
      captured: 0,
      chargedBack: 0,
      refunds: [],
      holdEndsMs: clock.atMs + HOLD_MS,
      later: [],
      wasApproved: given.state === "held",
    };
    if (isApproved) this.mustBeAlone(deposit);
    this.deposits.push(deposit);
    this.write({ ...entryOf(deposit, "effect", "authorize"), says: given.state });
    return deposit;
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
      does(deposit);
      if (tells) this.news.push(deposit);
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
      ...this.deposits.filter(({ state }) => state === "held").map(({ holdEndsMs }) => holdEndsMs),
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
  refunds.filter(({ status }) => status === "done").reduce((sum, { amount }) => sum + amount, 0);

export const isOpen = ({ state }: Deposit): boolean => state === "held" || state === "pending";
