import { z } from "zod";
import { endpoint } from "@/app/api/endpoint";
import { returnFromChallenge } from "@/lib/charges/three-ds";
import { uuid } from "@/lib/http/fields";

const PATH = "/v1/charges/{id}/3ds/return";
const TAG = "Charges";
const DESCRIPTION = "Once, within 15 minutes; the browser goes on to redirectURL with `?chargeId=`.";

const params = z.object({ id: uuid });
const query = z.object({
  ticket: z.string().min(1).max(100),
  redirectResult: z
    .string()
    .max(8_000)
    .optional()
    .meta({ description: "what the issuer's page adds, for the provider" }),
});
const goOn = (location: string) => ({ status: 303, body: Buffer.alloc(0), headers: { location } });

const MOST_BYTES = 8_000;

/** A challenge of EMV 3-D Secure is answered by a form of the issuer's. */
function challengeAnswerIn(bytes: Uint8Array): string | undefined {
  if (bytes.length > MOST_BYTES) return undefined;
  return new URLSearchParams(Buffer.from(bytes).toString("utf8")).get("cres") ?? undefined;
}

export const POST = endpoint({
  method: "POST",
  path: PATH,
  tag: TAG,
  summary: "Come back from a 3-D Secure challenge",
  description: DESCRIPTION,
  access: "none",
  params,
  query,
  reply: "raw",
  produces: "text/plain",
  status: 303,
  idempotency: "none",
  handle: async ({ requestId, bytes }, { params: { id }, query: { ticket, redirectResult } }) =>
    goOn(await returnFromChallenge(requestId, id, ticket, redirectResult ?? challengeAnswerIn(bytes))),
});

export const GET = endpoint({
  method: "GET",
  path: PATH,
  tag: TAG,
  summary: "Come back from a 3-D Secure challenge by a link",
  description: DESCRIPTION,
  access: "none",
  params,
  query,
  reply: "raw",
  produces: "text/plain",
  status: 303,
  handle: async ({ requestId }, given) =>
    goOn(await returnFromChallenge(requestId, given.params.id, given.query.ticket, given.query.redirectResult)),
});
