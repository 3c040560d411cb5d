import { readSnippet, SNIPPETS } from "@/app/docs/webhooks/snippets";

interface Address {
  params: Promise<{ file: string }>;
}

/** A file of the page, to be fetched and run. */
export async function GET(_request: Request, { params }: Address): Promise<Response> {
  const { file } = await params;
  const snippet = SNIPPETS.find((one) => one.file === file);
  if (!snippet) return new Response(null, { status: 404 });
  return new Response(readSnippet(snippet.file), {
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-cache" },
  });
}
