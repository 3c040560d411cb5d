import type { NextRequest } from "next/server";
import { engine } from "@/inngest/client";

type Handler = (request: NextRequest, context: unknown) => Promise<Response>;

/** Inngest calls the workflows here; with the embedded engine there is nothing to call. */
const handler =
  (method: "GET" | "POST" | "PUT"): Handler =>
  async (request, context) =>
    (await engine().handlers?.[method](request, context)) ?? new Response(null, { status: 404 });

export const GET = handler("GET");
export const POST = handler("POST");
export const PUT = handler("PUT");
