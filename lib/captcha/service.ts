import { createHash } from "node:crypto";
import { z } from "zod";
import { CHALLENGE_SECONDS } from "@/lib/captcha/challenge";
import type { CaptchaSetup } from "@/lib/captcha/config";
import { log } from "@/lib/log";
import type { OutboundRequest, Transport } from "@/lib/providers/exchange";
import { createHttpTransport } from "@/lib/providers/http-client";
import { addSeconds, realNow } from "@/lib/time";

/** What the widget is told it is for; Turnstile gives it back. */
export const CAPTCHA_ACTION = "pay";

const DEADLINE_SECONDS = 5;
const LONGEST_TOKEN = 4_096;
/** The service's clock may be a little ahead of ours. */
const SKEW_SECONDS = 30;

export type ServiceSetup = Exclude<CaptchaSetup, { provider: "pow" }>;
type ServiceKind = ServiceSetup["provider"];

interface Asked {
  token: string;
  ip: string | undefined;
}

/** How each service is asked, and what else than success its answer must say. */
const SERVICES: Readonly<
  Record<
    ServiceKind,
    {
      host: string;
      request(setup: ServiceSetup, asked: Asked): OutboundRequest;
      /** The action, and the session the widget was shown for. */
      binds(answer: Answer, sessionId: string): boolean;
    }
  >
> = {
  turnstile: {
    host: "challenges.cloudflare.com",
    request: ({ secret }, { token, ip }) => ({
      method: "POST",
      path: "/turnstile/v0/siteverify",
      headers: {},
      body: { secret, response: token, ...(ip ? { remoteip: ip } : {}) },
    }),
    binds: ({ action, cdata }, sessionId) => action === CAPTCHA_ACTION && cdata === sessionId,
  },
  hcaptcha: {
    host: "api.hcaptcha.com",
    request: ({ secret, siteKey }, { token, ip }) => ({
      method: "POST",
      path: "/siteverify",
      headers: {},
      form: new URLSearchParams({ secret, response: token, sitekey: siteKey, ...(ip ? { remoteip: ip } : {}) }),
    }),
    // It knows no actions; that a token is spent on one link alone is ours to see.
    binds: () => true,
  },
};

const answerBody = z.object({
  success: z.boolean(),
  hostname: z.string().optional(),
  action: z.string().optional(),
  cdata: z.string().optional(),
  challenge_ts: z.string().optional(),
  "error-codes": z.array(z.string()).optional(),
});
type Answer = z.output<typeof answerBody>;

const transports = new Map<ServiceKind, Transport>();
function transportOf(kind: ServiceKind): Transport {
  const kept = transports.get(kind);
  if (kept) return kept;
  const { host } = SERVICES[kind];
  const made = createHttpTransport({ baseUrl: `https://${host}`, allowedHosts: [host] });
  transports.set(kind, made);
  return made;
}

/** The key to spend, when the service vouches for this token; undefined for every other answer, and for none. */
export async function askService(
  setup: ServiceSetup,
  { token, sessionId, ip }: { token: string; sessionId: string; ip: string | undefined },
  transport: Transport = transportOf(setup.provider),
): Promise<string | undefined> {
  if (token.length === 0 || token.length > LONGEST_TOKEN) return undefined;
  const service = SERVICES[setup.provider];
  const exchange = await transport.send(service.request(setup, { token, ip }), {
    deadline: addSeconds(realNow(), DEADLINE_SECONDS),
    signal: new AbortController().signal,
  });
  const parsed = exchange.kind === "answered" ? answerBody.safeParse(exchange.body) : undefined;
  if (!parsed?.success) {
    log.error({ kind: setup.provider, reason: exchange.kind }, "the captcha service gave no answer: refused");
    return undefined;
  }
  const answer = parsed.data;
  const isOurs =
    answer.success &&
    answer.hostname === new URL(setup.frameOrigin).hostname &&
    isRecent(answer.challenge_ts) &&
    service.binds(answer, sessionId);
  if (!isOurs) return undefined;
  return `${setup.provider}:${createHash("sha256").update(token).digest("hex")}`;
}

function isRecent(solvedAt: string | undefined): boolean {
  const at = Date.parse(solvedAt ?? "");
  const now = realNow().getTime();
  return at >= now - CHALLENGE_SECONDS * 1000 && at <= now + SKEW_SECONDS * 1000;
}
