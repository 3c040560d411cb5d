import { randomUUID } from "node:crypto";
import { createAccount, loadAccount } from "@/lib/accounts/service";
import { type Context, systemContext } from "@/lib/context";
import { type Body, type CallOptions, callApi, type Reply } from "@/lib/testing/api-client";

export interface TestClient {
  clientId: string;
  /** The account's secret key. */
  apiKey: string;
  mode: "sandbox" | "live";
  call<T = Body>(method: string, path: string, options?: CallOptions): Promise<Reply<T>>;
  /** As `call`, and throws the answer when it is not a success: for what a test only needs to exist. */
  make<T = Body>(method: string, path: string, options?: CallOptions): Promise<T>;
  /** A public key of this client. */
  publicKey(scope: string | string[], expires?: number): Promise<string>;
  /** The system's view of this account, for services and queries called without HTTP. */
  context(): Promise<Context>;
}

/** An account of its own for each test that opens one: tests never share rows. */
export async function openClient({ mode = "sandbox" }: { mode?: "sandbox" | "live" } = {}): Promise<TestClient> {
  const { clientId, apiKey } = await createAccount({ name: `test ${mode}`, mode });
  const credentials = { clientId, apiKey };
  const client: TestClient = {
    ...credentials,
    mode,
    call: (method, path, options) => callApi(credentials, method, path, options),
    async make<T = Body>(method: string, path: string, options?: CallOptions) {
      const reply = await callApi<T>(credentials, method, path, options);
      if (reply.status >= 300) throw new Error(`${method} ${path} answered ${reply.status}: ${reply.text}`);
      return reply.body;
    },
    async publicKey(scope, expires = 0) {
      const { publicKey } = await client.make<{ publicKey: string }>("POST", "/v1/auth", { body: { scope, expires } });
      return publicKey;
    },
    context: async () => systemContext(await loadAccount(clientId), randomUUID()),
  };
  return client;
}

export const aKey = (): string => randomUUID();

/** A valid provider; a test states only what it is about. */
export const newProvider = (changes: Record<string, unknown> = {}) => ({
  name: "Simulator",
  priority: 1,
  credentials: { type: "SANDBOX", apiKey: "any text" },
  ...changes,
});

/** A valid merchant without providers. */
export const newMerchant = (changes: Record<string, unknown> = {}) => ({
  mcc: "5411",
  name: "Mercado Central",
  merchantName: "Mercado Central",
  merchantUrl: "https://mercado.example",
  ...changes,
});

export interface OpenMerchant {
  id: string;
  /** Of its SANDBOX provider, priority 1. */
  providerId: string;
}

/** A merchant that can be paid: one SANDBOX provider, made through the API. */
export async function openMerchant(
  client: TestClient,
  changes: { merchant?: Record<string, unknown>; provider?: Record<string, unknown> } = {},
): Promise<OpenMerchant> {
  const { id, providers } = await client.make<{ id: string; providers: { id: string }[] }>("POST", "/v1/merchants", {
    body: newMerchant({ providers: [newProvider(changes.provider)], ...changes.merchant }),
  });
  return { id, providerId: providers[0]?.id ?? "" };
}
