import { memberOf, notMember } from "@/app/(dashboard)/operator-context";
import { accountProof, signed } from "@/lib/invariants/account-proof";
import { may } from "@/lib/operators/permissions";

/** The same as `GET /api/proof`, for people. */
export async function GET(): Promise<Response> {
  const member = await memberOf();
  if (!member) return notMember();
  if (!may(member.role, "proof.see")) return new Response("not found\n", { status: 404 });
  return Response.json(signed(await accountProof(member.ctx)), {
    headers: { "cache-control": "no-store", "content-disposition": 'attachment; filename="proof.json"' },
  });
}
