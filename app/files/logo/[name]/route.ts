import { contentTypeOf, isOwnName } from "@/lib/storage/names";
import { fileStore } from "@/lib/storage/storage";

/** A name is of one content for good: a new logo has a new one. */
const ONE_YEAR = "public, max-age=31536000, immutable";

export async function GET(_request: Request, { params }: { params: Promise<{ name: string }> }): Promise<Response> {
  const name = `logo/${(await params).name}`;
  const content = isOwnName(name) ? await fileStore().get(name) : undefined;
  if (content === undefined) return new Response(null, { status: 404, headers: { "cache-control": "no-store" } });
  // Guarantee: a Buffer is a Uint8Array over an ArrayBuffer; Node's types call it ArrayBufferLike.
  return new Response(content as Uint8Array<ArrayBuffer>, {
    headers: {
      "content-type": contentTypeOf(name),
      "content-disposition": "inline",
      "content-security-policy": "default-src 'none'; sandbox",
      "cache-control": ONE_YEAR,
      "x-content-type-options": "nosniff",
    },
  });
}
