import type postgres from "postgres";
import { createEmbeddedEngine, type RunFailed } from "@/lib/engine/embedded/engine";
import { createInngestDriver, type InngestDriver } from "@/lib/engine/inngest/driver";
import type { SentEvent, Workflow } from "@/lib/engine/workflow";

/** Who runs the workflows. */
export type Driver =
  | { kind: "embedded" }
  | {
      kind: "inngest";
      eventKey: string;
      signingKey: string;
      signingKeyFallback?: string | undefined;
      baseUrl?: string | undefined;
    };

export interface Engine {
  send(events: readonly SentEvent[]): Promise<void>;
  /** Begins to run workflows in this process; with Inngest it is Inngest that calls. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** What Inngest calls and is registered with; the embedded driver has none. */
  readonly inngest: InngestDriver | undefined;
}

interface EngineOptions {
  driver: Driver;
  workflows: readonly Workflow[];
  /** Opened only when the embedded driver needs it. */
  sql: () => postgres.Sql;
  onError?(error: unknown, doing: string): void;
  /** With Inngest, its own console tells of failed runs. */
  onRunFailed?: RunFailed;
  /** Of every call that Inngest made. */
  onCall?(): void;
}

export function createEngine({ driver, workflows, sql, onError, onRunFailed, onCall }: EngineOptions): Engine {
  if (driver.kind === "embedded") {
    const { send, start, stop } = createEmbeddedEngine({ sql: sql(), workflows, onError, onRunFailed });
    return { send: (events) => send(events), start, stop, inngest: undefined };
  }
  const inngest = createInngestDriver({ workflows, onCall, ...driver });
  return { send: inngest.send, start: async () => undefined, stop: async () => undefined, inngest };
}
