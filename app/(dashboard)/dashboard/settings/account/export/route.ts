import { redirect } from "next/navigation";
import { memberOf, notMember } from "@/app/(dashboard)/operator-context";
import { exportLines } from "@/lib/accounts/export";
import { isExportPass } from "@/lib/accounts/export-pass";
import { may } from "@/lib/operators/permissions";
import { realNow } from "@/lib/time";

const DAY_CHARS = 10;
const SHORT_ID = 8;

/** For who was asked again just now; compressed on its way, and never whole in memory. */
export async function GET(request: Request): Promise<Response> {
  const member = await memberOf();
  if (!member) return notMember();
  if (!may(member.role, "team.manage")) return new Response(null, { status: 404 });
  const pass = new URL(request.url).searchParams.get("pass") ?? "";
  if (!isExportPass(member.ctx, pass, realNow())) redirect("/dashboard/settings/account?do=export");
  const lines = exportLines(member.ctx, member.account.name);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const { value, done } = await lines.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await lines.return(undefined);
    },
  });
  const day = realNow().toISOString().slice(0, DAY_CHARS);
  return new Response(body.pipeThrough(new CompressionStream("gzip")), {
    headers: {
      "content-type": "application/gzip",
      "content-disposition": `attachment; filename="trilho-${member.account.id.slice(-SHORT_ID)}-${day}.jsonl.gz"`,
      "cache-control": "no-store",
    },
  });
}
