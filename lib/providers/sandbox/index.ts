import { env } from "@/lib/env";
import type { AntifraudProvider } from "@/lib/providers/antifraud";
import type { PaymentProvider } from "@/lib/providers/provider";
import { sandboxProvider } from "@/lib/providers/sandbox/adapter";
import { sandboxAntifraud } from "@/lib/providers/sandbox/antifraud";
import { sandboxBank } from "@/lib/providers/sandbox/bank";
import {
  httpTransport,
  inProcessTransport,
  ownServerTransport,
  type SandboxTransport,
} from "@/lib/providers/sandbox/transport";
import type { TransferBank } from "@/lib/providers/transfers";

let shared: SandboxTransport | undefined;

/** The way to the simulator that this installation asks for. */
function transport(): SandboxTransport {
  shared ??= made();
  return shared;
}

function made(): SandboxTransport {
  const { SANDBOX_TRANSPORT, SANDBOX_PROVIDER_URL } = env();
  if (SANDBOX_TRANSPORT === "in-process") return inProcessTransport();
  if (SANDBOX_PROVIDER_URL === undefined) return ownServerTransport();
  return httpTransport(SANDBOX_PROVIDER_URL, [new URL(SANDBOX_PROVIDER_URL).hostname]);
}

export const simulatedAcquirer = (): PaymentProvider => sandboxProvider(transport());

export const simulatedBank = (): TransferBank => sandboxBank(transport());

export const simulatedFraudProvider = (): AntifraudProvider => sandboxAntifraud(transport());

export { takeScenario } from "@/lib/providers/sandbox/stored-scenarios";
