import pino from "pino";
import { isDatabaseDoubted } from "@/db/availability";
import { isDatabaseLoss } from "@/db/losses";
import { env } from "@/lib/env";

/** Only these fields are ever written; anything else handed to the log is dropped, so no object leaks by accident. */
const FIELDS = [
  "requestId",
  "clientId",
  "method",
  "route",
  "status",
  "durationMs",
  "replayed",
  "keyKind",
  "chargeId",
  "attemptId",
  "providerId",
  "kind",
  "outcome",
  "job",
  "count",
  "reason",
  "workflow",
  "runId",
  "port",
] as const;
export type LogFields = Partial<Record<(typeof FIELDS)[number], string | number | boolean | null>> & {
  error?: unknown;
};

let logger: pino.Logger | undefined;
const base = (): pino.Logger => {
  logger ??= pino({ level: env().LOG_LEVEL, base: null, timestamp: pino.stdTimeFunctions.isoTime });
  return logger;
};

const write =
  (level: "debug" | "info" | "warn" | "error") =>
  (fields: LogFields, message: string): void => {
    // Told once for each change of the database's state, not by everybody who misses it.
    if (fields.error !== undefined && isDatabaseDoubted() && isDatabaseLoss(fields.error)) return;
    const kept: Record<string, unknown> = {};
    for (const field of FIELDS) if (fields[field] !== undefined) kept[field] = fields[field];
    if (fields.error !== undefined) kept.error = describe(fields.error);
    base()[level](kept, message);
  };

export const log = { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };

const LONGEST_STACK = 4_000;

/** Name, SQLSTATE and stack. A driver's message may quote the row it choked on, so it is left out. */
function describe(thrown: unknown): Record<string, unknown> {
  if (!(thrown instanceof Error)) return { name: typeof thrown };
  const isDatabase = "severity" in thrown || "query" in thrown;
  const cause = thrown.cause === undefined ? {} : { cause: describe(thrown.cause) };
  const code = "code" in thrown && typeof thrown.code === "string" ? { code: thrown.code } : {};
  const frames = (thrown.stack ?? "").split("\n").filter((line) => line.trimStart().startsWith("at "));
  return {
    name: thrown.name,
    ...code,
    ...(isDatabase ? {} : { message: thrown.message.slice(0, 500) }),
    stack: frames.join("\n").slice(0, LONGEST_STACK),
    ...cause,
  };
}
