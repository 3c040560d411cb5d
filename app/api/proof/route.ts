import { systemContext } from "@/lib/context";
import { authenticate } from "@/lib/http/authenticate";
import { newId } from "@/lib/ids";
import { accountProof, signed } from "@/lib/invariants/account-proof";

/** What is known of the caller's own invariants, signed: for whoever has a secret key. */
export async function GET(request: Request): Promise<Response> {
  const caller = await authenticate(request.headers);
  if (caller?.principal.kind !== "secret") {
    return Response.json({ error: { type: "unauthorized", code: 401, message: "unauthorized" } }, { status: 401 });
  }
  const answer = signed(await accountProof(systemContext(caller.account, newId())));
  return Response.json(answer, { headers: { "cache-control": "no-store" } });
}
