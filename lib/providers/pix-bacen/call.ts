import { createHash } from "node:crypto";
import { z } from "zod";
import { problemOf, type Read, readAnswer, rejected } from "@/lib/providers/answers";
import type { Connections } from "@/lib/providers/connections";
import type { Exchange, OutboundRequest } from "@/lib/providers/exchange";
import { type Bank, certificateProblem, profileOf } from "@/lib/providers/pix-bacen/banks";
import { receiverOf } from "@/lib/providers/pix-bacen/receiver";
import { problem } from "@/lib/providers/pix-bacen/wire";
import type { ProviderCall, RejectedProblem } from "@/lib/providers/provider";
import { realNow } from "@/lib/time";

export type Asking = Pick<ProviderCall, "host" | "credentials" | "deadline" | "signal" | "clock">;

export interface PixRequest {
  method: "GET" | "POST" | "PUT" | "PATCH";
  path: string;
  query?: Readonly<Record<string, string>>;
  body?: unknown;
}

/** The way to one bank. */
export interface BankLine {
  ask<T>(call: Asking, request: PixRequest, schema: z.ZodType<T>): Promise<Read<T>>;
}

const UNAUTHORIZED = 401;
const MARGIN_MS = 30_000;
const tokenAnswer = z.object({ access_token: z.string().min(1), expires_in: z.coerce.number().positive() });

interface Token {
  value: string;
  endsAtMs: number;
}

type Failed = { ok: false; read: Extract<Read<never>, { ok: false }> };

/** Tokens are kept for as long as they live; a request that a bank would not open is asked again with a new one, once. */
export function lineTo(bank: Bank, connections: Connections): BankLine {
  const profile = profileOf(bank);
  const tokens = new Map<string, Token>();

  async function tokenFor(call: Asking, name: string): Promise<{ ok: true; value: string; isKept: boolean } | Failed> {
    const kept = tokens.get(name);
    if (kept && kept.endsAtMs > realNow().getTime()) return { ok: true, value: kept.value, isKept: true };
    const members = call.credentials.reveal();
    const basic = profile.basic(members);
    const exchange = await connections.to(call, "token").send(
      {
        method: "POST",
        path: profile.paths.token[call.host],
        headers: basic === undefined ? {} : { authorization: `Basic ${basic}` },
        form: new URLSearchParams({
          grant_type: "client_credentials",
          scope: scopeOf(call),
          ...profile.tokenForm(members),
        }),
      },
      { deadline: call.deadline, signal: call.signal },
    );
    // Nothing of what was asked of us has left yet: whatever became of the token, the payment was not sent.
    if (exchange.kind === "not_sent") return { ok: false, read: { ok: false, outcome: exchange } };
    if (exchange.kind === "undetermined") return unsent();
    const parsed = exchange.status < 400 ? tokenAnswer.safeParse(exchange.body) : undefined;
    if (!parsed) {
      const words = rejected("unauthenticated", `no token: ${exchange.status}`);
      return { ok: false, read: { ok: false, outcome: words } };
    }
    if (!parsed.success) return unsent();
    const { access_token: value, expires_in: seconds } = parsed.data;
    tokens.set(name, { value, endsAtMs: realNow().getTime() + seconds * 1_000 - MARGIN_MS });
    return { ok: true, value, isKept: false };
  }

  async function send(call: Asking, request: PixRequest, mayRenew: boolean): Promise<Exchange | Failed> {
    const members = call.credentials.reveal();
    const name = createHash("sha256")
      .update(JSON.stringify([call.host, Object.entries(members).sort()]))
      .digest("hex");
    const token = await tokenFor(call, name);
    if (!token.ok) return token;
    const query = new URLSearchParams({ ...request.query, ...profile.query(members, call.host) });
    const outbound: OutboundRequest = {
      method: request.method,
      path: `${profile.paths.api[call.host]}${request.path}${query.size > 0 ? `?${query}` : ""}`,
      headers: { authorization: `Bearer ${token.value}`, ...profile.headers(members) },
      ...(request.body === undefined ? {} : { body: request.body }),
    };
    const exchange = await connections.to(call).send(outbound, { deadline: call.deadline, signal: call.signal });
    if (exchange.kind !== "answered" || exchange.status !== UNAUTHORIZED) return exchange;
    tokens.delete(name);
    return token.isKept && mayRenew ? send(call, request, false) : exchange;
  }

  return {
    async ask(call, request, schema) {
      const certificate = certificateProblem(bank, call.credentials, realNow());
      if (certificate) return { ok: false, outcome: rejected("unauthenticated", certificate) };
      const exchange = await send(call, request, true);
      if ("read" in exchange) return exchange.read;
      return readAnswer(exchange, schema, ({ status, body }) => {
        const parsed = problem.safeParse(body);
        if (!parsed.success) return status === UNAUTHORIZED ? rejected("unauthenticated", "401") : undefined;
        const word = parsed.data.type.split("/").at(-1) ?? "";
        return rejected(PROBLEMS[word] ?? problemOf(status), word);
      });
    },
  };
}

const SCOPE = "cob.write cob.read pix.write pix.read webhook.write webhook.read";
const MANDATES_SCOPE =
  "rec.write rec.read cobr.write cobr.read payloadlocationrec.write webhookrec.write webhookcobr.write";

/** Whoever has no mandates may not be allowed them: a bank that is asked for too much gives nothing. */
const scopeOf = ({ credentials }: Asking): string => (receiverOf(credentials) ? `${SCOPE} ${MANDATES_SCOPE}` : SCOPE);

const unsent = (): Failed => ({
  ok: false,
  read: { ok: false, outcome: { kind: "not_sent", cause: "connect_timeout" } },
});

/** The Central Bank's names of what is refused. */
const PROBLEMS: Readonly<Record<string, RejectedProblem>> = {
  CobOperacaoInvalida: "invalid_state",
  CobNaoEncontrado: "not_found",
  NaoEncontrado: "not_found",
  PixNaoEncontrado: "not_found",
  PixDevolucaoNaoEncontrada: "not_found",
  PixDevolucaoInvalida: "invalid_state",
  RecNaoEncontrada: "not_found",
  RecOperacaoInvalida: "invalid_state",
  CobRNaoEncontrado: "not_found",
  CobROperacaoInvalida: "invalid_state",
  AcessoNegado: "forbidden",
};
