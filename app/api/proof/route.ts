import { addressOf } from "@/app/request-origin";
import { systemContext } from "@/lib/context";
import { RequestError } from "@/lib/errors";
import { authenticate, forbidden, requireAllowedIp } from "@/lib/http/authenticate";
import { errorAnswer } from "@/lib/http/errors";
import { limitFailedAuthentication, limitProof } from "@/lib/http/rate-limit";
import { mayReach } from "@/lib/http/scopes";
import { newId } from "@/lib/ids";
import { accountProof, signed } from "@/lib/invariants/account-proof";

/** What is known of the caller's own invariants, signed: for whoever has a secret key that may read them. */
export async function GET(request: Request): Promise<Response> {
  try {
    const caller = await authenticate(request.headers);
    if (caller?.principal.kind !== "secret") {
      await limitFailedAuthentication(addressOf(request.headers) ?? "");
      return Response.json({ error: { type: "unauthorized", code: 401, message: "unauthorized" } }, { status: 401 });
    }
    requireAllowedIp(caller, addressOf(request.headers) ?? "");
    if (!mayReach(caller.principal.rights, { method: "GET", path: "/v1/invariants" })) throw forbidden();
    await limitProof(caller.account);
    const answer = signed(await accountProof(systemContext(caller.account, newId())));
    return Response.json(answer, { headers: { "cache-control": "no-store" } });
  } catch (thrown) {
    if (!(thrown instanceof RequestError)) throw thrown;
    const { status, body, headers } = errorAnswer(thrown, "standard");
    return Response.json(body, { status, headers });
  }
}
