import { env } from "@/lib/env";
import type { PaymentProvider } from "@/lib/providers/provider";
import { sandboxProvider } from "@/lib/providers/sandbox/adapter";
import { httpTransport, inProcessTransport, ownServerTransport } from "@/lib/providers/sandbox/transport";

export { sandboxAntifraud as simulatedAnalyst } from "@/lib/providers/sandbox/antifraud";

/** The simulated acquirer over the transport this installation asks for. */
export function simulatedAcquirer(): PaymentProvider {
  const { SANDBOX_TRANSPORT, SANDBOX_PROVIDER_URL } = env();
  if (SANDBOX_TRANSPORT === "in-process") return sandboxProvider(inProcessTransport());
  if (SANDBOX_PROVIDER_URL === undefined) return sandboxProvider(ownServerTransport());
  return sandboxProvider(httpTransport(SANDBOX_PROVIDER_URL, [new URL(SANDBOX_PROVIDER_URL).hostname]));
}
