import { systemSql } from "@/db/client";
import { workflows } from "@/inngest/index";
import { createEngine, type Driver, type Engine } from "@/lib/engine/engine";
import { noteCall } from "@/lib/engine/inngest/link";
import { type Env, env } from "@/lib/env";
import { log } from "@/lib/log";

/** Inngest when its keys are set, the embedded driver otherwise. */
export function driverOf({
  INNGEST_EVENT_KEY: eventKey,
  INNGEST_SIGNING_KEY: signingKey,
  INNGEST_SIGNING_KEY_FALLBACK: signingKeyFallback,
  INNGEST_BASE_URL: baseUrl,
}: Pick<
  Env,
  "INNGEST_EVENT_KEY" | "INNGEST_SIGNING_KEY" | "INNGEST_SIGNING_KEY_FALLBACK" | "INNGEST_BASE_URL"
>): Driver {
  if (!eventKey || !signingKey) return { kind: "embedded" };
  return { kind: "inngest", eventKey, signingKey, signingKeyFallback, baseUrl };
}

let memo: Engine | undefined;

/** This process's engine; a worker starts it, the others only send. */
export function engine(): Engine {
  memo ??= createEngine({
    driver: driverOf(env()),
    workflows,
    sql: systemSql,
    onError: (error, job) => log.error({ error, job }, "The engine could not go on"),
    // The name only: a message may quote data that the log must not hold.
    onCall: () =>
      void noteCall(systemSql()).catch((error: unknown) => log.error({ error, job: "engine" }, "A call was not noted")),
    onRunFailed: (run, failure) => log.error({ ...run, reason: failure.name }, "A workflow has failed for good"),
  });
  return memo;
}
