import type { NextRequest } from "next/server";
import { handlers } from "@/app/(auth)/auth";
import { isSameOrigin } from "@/app/request-origin";

export const { GET } = handlers;

export async function POST(request: NextRequest): Promise<Response> {
  if (!isSameOrigin(request.headers)) return new Response(null, { status: 403 });
  return handlers.POST(request);
}
