import { endpoint } from "@/app/api/endpoint";
import { checkAccount } from "@/lib/invariants/check";
import { invariantReport } from "@/lib/invariants/schema";

export const GET = endpoint({
  method: "GET",
  path: "/v1/invariants",
  tag: "Invariants",
  summary: "Recompute the money invariants",
  description:
    "What must be true of your money whatever fails, recomputed now from your own rows (of each kind the newest 20,000) in one snapshot: for each invariant how many rows were looked at, how many break it, and the time it took. The same audit runs every minute over everything.",
  access: "secret",
  reply: invariantReport,
  status: 200,
  examples: { now: { summary: "All of them" } },
  handle: (ctx) => checkAccount(ctx),
});
