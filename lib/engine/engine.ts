import type postgres from "postgres";
import { createEmbeddedEngine, type RunFailed } from "@/lib/engine/embedded/engine";
import { createInngestDriver, type InngestDriver } from "@/lib/engine/inngest/driver";
import type { SentEvent, Workflow } from "@/lib/engine/workflow";

/** Who runs the workflows. */
export type Driver =
  | { kind: "embedded" }
  | { kind: "inngest"; eventKey: string; signingKey: string; baseUrl?: string | undefined };

export interface Engine {
  send(events: readonly SentEvent[]): Promise<void>;
  /** Begins to run workflows in this process; with Inngest it is Inngest that calls. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** The routes of /api/inngest; the embedded driver has none. */
  readonly handlers: InngestDriver["handlers"] | undefined;
}

interface EngineOptions {
  driver: Driver;
  workflows: readonly Workflow[];
  /** Opened only when the embedded driver needs it. */
  sql: () => postgres.Sql;
  onError?(error: unknown, doing: string): void;
  /** With Inngest, its own console tells of failed runs. */
  onRunFailed?: RunFailed;
}

export function createEngine({ driver, workflows, sql, onError, onRunFailed }: EngineOptions): Engine {
  if (driver.kind === "embedded") {
    const { send, start, stop } = createEmbeddedEngine({ sql: sql(), workflows, onError, onRunFailed });
    return { send: (events) => send(events), start, stop, handlers: undefined };
  }
  const { send, handlers } = createInngestDriver({ workflows, ...driver });
  return { send, start: async () => undefined, stop: async () => undefined, handlers };
}
