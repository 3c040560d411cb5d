import { endpoint } from "@/app/api/endpoint";
import { manifestKey } from "@/lib/reports/manifest";
import { manifestKeyBody } from "@/lib/reports/schema";

export const GET = endpoint({
  method: "GET",
  path: "/v1/reports/manifest-key",
  tag: "Reports",
  summary: "Read the key that manifests are signed with",
  access: ["reports"],
  reply: manifestKeyBody,
  status: 200,
  examples: { key: { summary: "The key of this installation" } },
  handle: async () => ({ algorithm: "Ed25519" as const, publicKey: manifestKey() }),
});
