import { memberOf, notMember } from "@/app/(dashboard)/operator-context";
import { audit } from "@/lib/audit";
import { inTransaction } from "@/lib/context";
import { RequestError } from "@/lib/errors";
import { isUuid } from "@/lib/ids";
import { may } from "@/lib/operators/permissions";
import { reaching } from "@/lib/operators/reach";
import { fileAt } from "@/lib/payouts/remittances";

/** A file for a bank, as it was made: the same bytes each time. Each download is written down. */
export async function GET(request: Request): Promise<Response> {
  const id = new URL(request.url).pathname.split("/").at(-1) ?? "";
  const member = await memberOf();
  if (!member) return notMember();
  if (!may(member.role, "payouts.mark") || !isUuid(id)) return new Response(null, { status: 404 });
  try {
    const reached = await reaching(member.ctx, "payout_file", id);
    const file = await inTransaction(reached, async (inside) => {
      const found = await fileAt(inside, id);
      await audit(inside, { action: "payout.file_download", object: "payout_file", objectId: id });
      return found;
    });
    return new Response(file.content, {
      headers: {
        "content-type": "text/plain; charset=us-ascii",
        "content-disposition": `attachment; filename="CNAB240-${String(file.sequence).padStart(6, "0")}.REM"`,
        "cache-control": "no-store",
      },
    });
  } catch (thrown) {
    if (thrown instanceof RequestError && thrown.status === 404) return new Response(null, { status: 404 });
    throw thrown;
  }
}
