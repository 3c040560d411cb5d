import { memberOf, notMember } from "@/app/(dashboard)/operator-context";
import { RequestError } from "@/lib/errors";
import { isUuid } from "@/lib/ids";
import { reaching } from "@/lib/operators/reach";
import { lookAt } from "@/lib/sellers/look";

/** A document of a seller, for the person signed in; never kept by a browser or anything between. */
export async function GET(request: Request): Promise<Response> {
  const member = await memberOf();
  if (!member) return notMember();
  const id = new URL(request.url).pathname.split("/").at(-1) ?? "";
  try {
    if (!isUuid(id)) return new Response(null, { status: 404 });
    const { file, mime } = await lookAt(await reaching(member.ctx, "seller_document", id), member.role, id);
    return new Response(new Uint8Array(file), {
      headers: {
        "content-type": mime,
        "content-disposition": "inline",
        "cache-control": "no-store",
        "content-security-policy": "default-src 'none'; sandbox",
        "x-content-type-options": "nosniff",
      },
    });
  } catch (thrown) {
    if (thrown instanceof RequestError && thrown.status === 404) return new Response(null, { status: 404 });
    throw thrown;
  }
}
