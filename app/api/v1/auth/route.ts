import { endpoint } from "@/app/api/endpoint";
import { envelope } from "@/lib/http/pagination";
import { listPublicKeys } from "@/lib/public-keys/queries";
import { createdPublicKeyBody, newPublicKey, publicKeyFilters, publicKeyList } from "@/lib/public-keys/schema";
import { createPublicKey } from "@/lib/public-keys/service";

export const POST = endpoint({
  method: "POST",
  path: "/v1/auth",
  tag: "Client keys",
  summary: "Create a public key",
  description:
    "A key with the scopes named and nothing else, for code that runs in a browser or an app. `*` stands for customers, cards, tokens, charges, sessions and subscriptions; the other scopes are named one by one. A public key with the scope auth may hand on at most its own scopes, for at most its own life.",
  access: ["auth"],
  body: newPublicKey,
  reply: createdPublicKeyBody,
  status: 201,
  errors: ["scope_not_allowed"],
  examples: {
    checkout: {
      summary: "A key for a checkout page, valid for one hour",
      body: { scope: ["tokens", "cards"], expires: 3600 },
    },
    everything: { summary: "All that a buyer's browser needs, never expiring", body: { scope: "*" } },
  },
  handle: (ctx, { body }) => createPublicKey(ctx, body),
});

export const GET = endpoint({
  method: "GET",
  path: "/v1/auth",
  tag: "Client keys",
  summary: "List the public keys that work now",
  access: "secret",
  query: publicKeyFilters,
  reply: publicKeyList,
  status: 200,
  examples: { newest: { summary: "The two newest keys", query: { limit: "2" } } },
  handle: async (ctx, { query }) => envelope(query, await listPublicKeys(ctx, query)),
});
