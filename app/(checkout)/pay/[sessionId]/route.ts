import { guarded, linkPage } from "@/app/(checkout)/link";
import { visitorOf } from "@/app/(checkout)/visitor";

interface RouteContext {
  params: Promise<{ sessionId: string }>;
}

export async function GET(request: Request, { params }: RouteContext): Promise<Response> {
  const visitor = visitorOf(request);
  const { sessionId } = await params;
  return guarded(visitor, sessionId, (opened) => linkPage(visitor, opened));
}
