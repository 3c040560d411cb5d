import { setTimeout as sleep } from "node:timers/promises";
import { Actor, type Fate, type Point } from "@/lib/testing/simulator/actors";
import { Bank } from "@/lib/testing/simulator/bank";
import type { Owner } from "@/lib/testing/simulator/database";
import { isByStatement } from "@/lib/testing/simulator/orders";
import { type Mood, moodOf } from "@/lib/testing/simulator/script";
import { bytesFor, type Draws, drawsFor } from "@/lib/testing/simulator/seeded";
import { clock, START_MS } from "@/lib/testing/simulator/virtual";

/** Longer than an operation's lease; the provider's late window is not over yet. */
const STALL_MS = [50_000, 59_000] as const;
const MOST_CRASHES = 4;
/** What a person could still follow. */
const MOST_STEPS = 12_000;
/** How soon it is looked whether somebody waits for a lock: real time, on which nothing of a story depends. */
const LOOK_MS = 4;

/** One schedule: its provider, its actors, and who goes on next. */
export class World {
  readonly bank = new Bank();
  readonly draws: Draws;
  readonly mood: Mood;
  readonly bytes: (size: number) => Buffer;
  readonly logged: string[] = [];
  readonly failures: string[] = [];
  readonly story: string[] = [];
  /** What came to be in it, and what was not judged. */
  readonly counts: Record<string, number> = {};
  private actors: Actor[] = [];
  private crashes = 0;
  private steps = 0;
  private wake: () => void = () => undefined;

  constructor(
    readonly seed: number,
    private readonly owner: Owner,
  ) {
    this.draws = drawsFor(`schedule ${seed}`);
    this.mood = moodOf(this.draws);
    this.bytes = bytesFor(`ids ${seed}`);
  }

  spawn(name: string, work: () => Promise<unknown>, fate: Fate = this.fate): Actor {
    const actor = new Actor(name, fate, () => this.wake());
    this.actors.push(actor);
    actor.begin(work);
    return actor;
  }

  count(name: string, by = 1): void {
    if (by > 0) this.counts[name] = (this.counts[name] ?? 0) + by;
  }

  get living(): number {
    return this.actors.length;
  }

  readonly fate: Fate = (actor, point) => {
    const isDying = this.crashes < MOST_CRASHES && this.mood.crash > 0 && this.draws.chance(this.mood.crash);
    if (!isDying) return false;
    this.crashes += 1;
    this.tell(`${actor.name} dies at ${point}`);
    return true;
  };

  tell(line: string): void {
    this.story.push(`${((clock.atMs - START_MS) / 1000).toFixed(1)} s ${line}`);
  }

  /** Until every actor is held at one of its points, over, or waiting for a row that one who is held has locked. */
  private async stillness(): Promise<void> {
    for (;;) {
      const running = this.actors.filter((actor) => !actor.isHeld && !actor.isOver).length;
      if (running === 0) break;
      const woken = new Promise<boolean>((resolve) => {
        this.wake = () => resolve(true);
      });
      if (!isByStatement(this.seed)) {
        await woken;
        continue;
      }
      const isWoken = await Promise.race([woken, sleep(LOOK_MS).then(() => false)]);
      if (isWoken) continue;
      const hasHeld = this.actors.some((actor) => actor.isHeld);
      if (hasHeld && (await this.owner.waiting()) >= running) break;
    }
    for (const actor of this.actors.filter(({ isOver }) => isOver)) {
      if (actor.failure !== undefined) this.failures.push(`${actor.name}: ${told(actor.failure)}`);
    }
    this.actors = this.actors.filter(({ isOver }) => !isOver);
  }

  /** Lets one actor that can go on do so; false when none can before time moves. */
  async step(): Promise<boolean> {
    await this.stillness();
    const ready = this.actors.filter(({ isHeld, wakesAtMs }) => isHeld && wakesAtMs <= clock.atMs);
    if (ready.length === 0) return false;
    this.steps += 1;
    if (this.steps > MOST_STEPS) throw new Error("it never comes to rest");
    const actor = ready.length === 1 ? ready[0]! : this.draws.pick(ready);
    const point = actor.held[0]?.point ?? "start";
    if (this.isStalled(actor, point)) return true;
    actor.release(point !== "pause" && point !== "statement" && actor.fate(actor, point));
    await this.stillness();
    return true;
  }

  private isStalled(actor: Actor, point: Point): boolean {
    const canBe = point === "send" || point === "sent" || point === "transaction";
    if (!canBe || this.mood.stall === 0 || !this.draws.chance(this.mood.stall)) return false;
    const ms = this.draws.between(...STALL_MS);
    actor.stall(ms);
    if (point === "send") this.bank.stalls(clock.atMs + ms);
    this.tell(`${actor.name} is held up at ${point}`);
    return true;
  }

  /** When the next actor wakes by itself. */
  get nextWakeMs(): number {
    return Math.min(...this.actors.map(({ wakesAtMs }) => wakesAtMs), Number.POSITIVE_INFINITY);
  }

  async moveTo(ms: number): Promise<void> {
    if (ms > clock.atMs) clock.atMs = ms;
    await this.owner.setClock(clock.atMs);
    this.bank.settle();
  }
}

export const told = (thrown: unknown): string => {
  if (!(thrown instanceof Error)) return String(thrown);
  const cause = thrown.cause instanceof Error ? ` (${thrown.cause.message})` : "";
  // Some say nothing: then where they come from.
  const where = thrown.message === "" ? (thrown.stack ?? "").split("\n").slice(1, 4).join(" ") : "";
  return `${thrown.name}: ${thrown.message.slice(0, 300)}${where}${cause}`;
};
