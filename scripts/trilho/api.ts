import { randomUUID } from "node:crypto";
import type { Credentials } from "@/scripts/trilho/credentials";
import { CommandError } from "@/scripts/trilho/print";

const TIMEOUT_MS = 30_000;
const RETRY_LATER = 429;
const SERVER_ERROR = 500;

/** Nobody answers, or not now: whoever can wait tries again. */
export class Unreachable extends CommandError {}

export class Refused extends CommandError {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

export interface CallOptions {
  body?: unknown;
  query?: Record<string, string | number>;
  signal?: AbortSignal;
}
export interface Api {
  call<T>(method: string, path: string, options?: CallOptions): Promise<T>;
}

/** The public API and nothing else. */
export function createApi({ baseUrl, clientId, apiKey }: Credentials): Api {
  return {
    async call<T>(method: string, path: string, { body, query = {}, signal }: CallOptions = {}): Promise<T> {
      const url = new URL(`${baseUrl}${path}`);
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
      const late = AbortSignal.timeout(TIMEOUT_MS);
      const answer = await fetch(url, {
        method,
        headers: {
          "x-client-id": clientId,
          "x-api-key": apiKey,
          "x-idempotency-key": randomUUID(),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: signal ? AbortSignal.any([signal, late]) : late,
      }).catch((error: unknown) => {
        throw new Unreachable(`${baseUrl} does not answer (${reasonOf(error)}). Is Trilho running? npm start`);
      });
      const text = await answer.text();
      if (answer.status === RETRY_LATER || answer.status >= SERVER_ERROR) {
        throw new Unreachable(`${method} ${path} answered ${answer.status}`);
      }
      if (!answer.ok) throw new Refused(answer.status, `${method} ${path}: ${answer.status} ${refusalOf(text)}`);
      // Guarantee: the caller names the type that this route documents.
      return (text === "" ? undefined : JSON.parse(text)) as T;
    },
  };
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (cause instanceof Error && "code" in cause && typeof cause.code === "string") return cause.code;
  return cause instanceof Error ? cause.message : String(cause);
}

function refusalOf(text: string): string {
  try {
    // Guarantee: whatever is missing shows as nothing.
    const { error } = JSON.parse(text) as { error?: { message?: string; details?: string[]; businessCode?: string } };
    return [error?.message, error?.businessCode, ...(error?.details ?? [])].filter(Boolean).join("; ");
  } catch {
    return text.slice(0, 200);
  }
}
