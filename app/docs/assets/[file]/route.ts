import { findAsset } from "@/app/docs/assets/files";

const FOR_GOOD = "public, max-age=31536000, immutable";

/** Compressed by the server on its way out; browsers ask once per version. */
export async function GET(_request: Request, context: { params: Promise<{ file: string }> }): Promise<Response> {
  const asset = findAsset((await context.params).file);
  if (!asset) return new Response(null, { status: 404 });
  return new Response(asset.content, { headers: { "content-type": asset.type, "cache-control": FOR_GOOD } });
}
