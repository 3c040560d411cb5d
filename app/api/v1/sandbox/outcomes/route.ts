import { endpoint } from "@/app/api/endpoint";
import { envelope, listOf, pageQuery } from "@/lib/http/pagination";
import { pageOfOutcomes } from "@/lib/providers/sandbox/api/outcomes";
import { outcomeBody } from "@/lib/providers/sandbox/api/schema";

export const GET = endpoint({
  method: "GET",
  path: "/v1/sandbox/outcomes",
  tag: "Sandbox",
  summary: "List the card numbers of the simulator",
  description:
    "54 outcomes, each with one number for every brand. Any future expiry will do. A check of amount zero (a card that is saved, or that begins a free trial) passes with a CVV ending in 0, such as `120`; with any other the card fails with `invalid_cvv`. A payment takes any CVV.",
  access: "secret",
  sandboxOnly: true,
  query: pageQuery,
  reply: listOf(outcomeBody),
  status: 200,
  examples: { all: { summary: "All of them", query: { limit: "100" } } },
  handle: (_, { query }) => Promise.resolve(envelope(query, pageOfOutcomes(query))),
});
