import { acting, Crashed, clock } from "@/lib/testing/simulator/virtual";

/** Where an actor can be held up: nothing of it is under way then. */
export type Point = "start" | "transaction" | "statement" | "send" | "sent" | "pause";
/** Where it can die besides: inside a transaction that then never happened, or right after one that did. */
export type Death = "commit" | "committed";

/** Decides at which of an actor's points its process dies. */
export type Fate = (actor: Actor, point: Point | Death) => boolean;

/** A request, a worker or a scheduler: one thread of the product's own code, held up wherever the schedule wants. */
export class Actor {
  isDead = false;
  isOver = false;
  /** Failed by itself, not by dying. */
  failure: unknown;
  held: { point: Point; wakeAtMs: number; go: () => void; die: () => void }[] = [];

  constructor(
    readonly name: string,
    readonly fate: Fate,
    private readonly told: () => void,
  ) {}

  begin(work: () => Promise<unknown>): void {
    acting.run(this, async () => {
      try {
        await this.reaches("start");
        await work();
      } catch (thrown) {
        if (!this.isDead) this.failure = thrown;
      } finally {
        this.isOver = true;
        this.told();
      }
    });
  }

  /** Parks here until the schedule lets it go on. */
  reaches(point: Point, wakeAtMs: number = clock.atMs): Promise<void> {
    this.mustLive();
    return new Promise((go, reject) => {
      this.held.push({ point, wakeAtMs, go, die: () => reject(this.dead()) });
      this.told();
    });
  }

  mayDie(point: Point | Death): void {
    this.mustLive();
    if (this.fate(this, point)) throw this.dead();
  }

  mustLive(): void {
    if (this.isDead) throw this.dead();
  }

  private dead(): Crashed {
    this.isDead = true;
    return new Crashed(`${this.name} is dead`);
  }

  get isHeld(): boolean {
    return this.held.length > 0;
  }

  get wakesAtMs(): number {
    return this.held[0]?.wakeAtMs ?? Number.POSITIVE_INFINITY;
  }

  /** Lets it go on to its next point, dead or alive. */
  release(isDying: boolean): void {
    const held = this.held.shift();
    if (!held) return;
    if (isDying || this.isDead) held.die();
    else held.go();
  }

  /** It is held up for longer than anybody waits: its lease runs out meanwhile. */
  stall(ms: number): void {
    const [held] = this.held;
    if (held) held.wakeAtMs = clock.atMs + ms;
  }
}
