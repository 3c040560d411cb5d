import { productDocument } from "@/app/api/openapi.json/document";

/** Written once, when the product is built: the document says nothing of an installation. */
export const dynamic = "force-static";

export function GET(): Response {
  return Response.json(productDocument(), {
    headers: { "cache-control": "public, max-age=300", "access-control-allow-origin": "*" },
  });
}
