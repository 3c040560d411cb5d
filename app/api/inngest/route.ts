import { engine } from "@/inngest/client";

/** Inngest calls the workflows here; with the embedded engine there is nothing to call. */
const handler = async (request: Request): Promise<Response> =>
  (await engine().inngest?.handle(request)) ?? new Response(null, { status: 404 });

export { handler as GET, handler as POST, handler as PUT };
