import { fileHeaders } from "@/app/files/reports/reply";
import { isUuid } from "@/lib/ids";
import { openLinkedDocument } from "@/lib/refund-documents/file";

const INSTANT = /^\d{1,15}$/;

/** The link of a refund document: it opens the file without a key for a day. */
export async function GET(request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  const { id } = await params;
  const query = new URL(request.url).searchParams;
  const [until, token] = [query.get("until") ?? "", query.get("token") ?? ""];
  const opened = isUuid(id) && INSTANT.test(until) ? await openLinkedDocument(id, Number(until), token) : undefined;
  if (!opened)
    return new Response(null, {
      status: 404,
      headers: { "cache-control": "no-store", "referrer-policy": "no-referrer" },
    });
  // Guarantee: what pdf-lib and Buffer.concat make stands over an ArrayBuffer; the types call it ArrayBufferLike.
  return new Response(opened.content as Uint8Array<ArrayBuffer>, {
    headers: { ...fileHeaders(opened.name), "content-type": opened.contentType },
  });
}
