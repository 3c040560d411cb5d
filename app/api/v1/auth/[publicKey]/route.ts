import { endpoint } from "@/app/api/endpoint";
import { publicKeyParams } from "@/lib/public-keys/schema";
import { revokePublicKey } from "@/lib/public-keys/service";

export const DELETE = endpoint({
  method: "DELETE",
  path: "/v1/auth/{publicKey}",
  tag: "Client keys",
  summary: "Revoke a public key",
  description: "Takes effect at once: the next call with the key is answered 401.",
  access: "secret",
  params: publicKeyParams,
  reply: "empty",
  status: 204,
  handle: (ctx, { params }) => revokePublicKey(ctx, params.publicKey),
});
