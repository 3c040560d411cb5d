import { createHash } from "node:crypto";
import { env } from "@/lib/env";
import type { Transport } from "@/lib/providers/exchange";
import { type HostedKind, hostAddress } from "@/lib/providers/hosts";
import { createHttpTransport, type HttpTransport, type HttpTransportOptions } from "@/lib/providers/http-client";
import type { ProviderCall, Secret } from "@/lib/providers/provider";
import type { HostRole } from "@/lib/test-hosts";

/** Whose call it is decides which connections carry it: no two sets of credentials share one. */
export type ConnectingCaller = Pick<ProviderCall, "host" | "credentials">;

/** The way to a provider, of whatever adapter. */
export interface Connections {
  to(caller: ConnectingCaller, role?: HostRole): Transport;
}

type ClientCertificate = NonNullable<HttpTransportOptions["clientCertificate"]>;

/** Sets of credentials whose connections are kept open at once; the one not used for longest makes room. */
const MOST_POOLS = 500;
const pools = new Map<string, HttpTransport>();

/** Connections of this installation to a kind's constant hosts. */
export const connectionsOf = (
  kind: HostedKind,
  certificateOf: (credentials: Secret) => ClientCertificate | undefined = () => undefined,
): Connections => ({
  to({ host, credentials }, role = "api") {
    const { baseUrl, isStandIn } = hostAddress(kind, host, role, credentials.reveal());
    const key = createHash("sha256")
      .update(JSON.stringify([baseUrl, Object.entries(credentials.reveal()).sort()]))
      .digest("hex");
    return pooled(key, () => {
      const clientCertificate = certificateOf(credentials);
      const { PROVIDER_TEST_CA: ca } = env();
      return createHttpTransport({
        baseUrl,
        allowedHosts: [new URL(baseUrl).hostname],
        ...(clientCertificate ? { clientCertificate } : {}),
        ...(isStandIn ? { allowPlainHttp: true, ...(ca ? { ca } : {}) } : {}),
      });
    });
  },
});

function pooled(key: string, make: () => HttpTransport): HttpTransport {
  const kept = pools.get(key) ?? make();
  pools.delete(key);
  pools.set(key, kept);
  const [oldest] = pools;
  if (pools.size > MOST_POOLS && oldest) {
    pools.delete(oldest[0]);
    // Calls under way end first.
    void oldest[1].retire();
  }
  return kept;
}
