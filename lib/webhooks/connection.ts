import { type LookupAddress, type LookupOptions, lookup } from "node:dns";
import type { LookupFunction } from "node:net";
import { Agent } from "undici";
import { isLoopback, isPrivateAddress, isPublicAddress } from "@/lib/webhooks/addresses";
import type { WebhookAddress } from "@/lib/webhooks/endpoint-rules";

const CONNECT_TIMEOUT_MS = 5_000;
const KEEP_ALIVE_MS = 10_000;
const CONNECTIONS_PER_HOST = 16;

export const BLOCKED = "ERR_BLOCKED_ADDRESS";

class BlockedAddress extends Error {
  readonly code = BLOCKED;
}

/** All addresses of a name, as the system resolves it. */
export type Resolve = (hostname: string, done: (error: Error | null, addresses: LookupAddress[]) => void) => void;

const resolveAll: Resolve = (hostname, done) => lookup(hostname, { all: true, verbatim: true }, done);

const IS_ALLOWED = { public: isPublicAddress, loopback: isLoopback, private: isPrivateAddress } as const;

/**
 * One resolution for the check and for the connection: a name that answers with a public address first and a private
 * one later finds no second question to answer. One address that is not allowed refuses the name.
 */
export function checkedLookup(network: WebhookAddress["network"], resolve: Resolve = resolveAll): LookupFunction {
  const isAllowed = IS_ALLOWED[network];
  return (hostname: string, options: LookupOptions, done) => {
    resolve(hostname, (error, addresses) => {
      if (error) return done(error, []);
      const [first] = addresses;
      if (!first || !addresses.every(({ address }) => isAllowed(address))) {
        return done(new BlockedAddress("the name has an address that is not allowed"), []);
      }
      if (options.all) done(null, addresses);
      else done(null, first.address, first.family);
    });
  };
}

export interface EndpointConnections {
  of(network: WebhookAddress["network"]): Agent;
  close(): Promise<void>;
}

export interface ConnectionOptions {
  resolve?: Resolve;
  /** Additional trust, for tests. */
  ca?: string;
}

/** Agents of our own: nothing that configures the global one reaches them, and they follow no redirect. */
export function createConnections({ resolve, ca }: ConnectionOptions = {}): EndpointConnections {
  const agentFor = (network: WebhookAddress["network"]) =>
    new Agent({
      connections: CONNECTIONS_PER_HOST,
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
      // The deadline of the attempt governs both.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: { timeout: CONNECT_TIMEOUT_MS, lookup: checkedLookup(network, resolve), ...(ca ? { ca } : {}) },
    });
  const agents = { public: agentFor("public"), loopback: agentFor("loopback"), private: agentFor("private") };
  return {
    of: (network) => agents[network],
    close: async () => {
      await Promise.all(Object.values(agents).map((agent) => agent.destroy()));
    },
  };
}

const REGISTRATION_LOOKUP_MS = 1_500;

/**
 * Whether a name is known to lead where it may not. A name that does not resolve yet is no danger: every connection
 * asks again.
 */
export function leadsAstray(hostname: string, resolve: Resolve = resolveAll): Promise<boolean> {
  return new Promise((answer) => {
    const late = AbortSignal.timeout(REGISTRATION_LOOKUP_MS);
    late.addEventListener("abort", () => answer(false), { once: true });
    resolve(hostname, (error, addresses) =>
      answer(!error && !addresses.every(({ address }) => isPublicAddress(address))),
    );
  });
}
