import { guarded, linkPage } from "@/app/(checkout)/link";
import { visitorOf } from "@/app/(checkout)/visitor";
import { countVisit } from "@/lib/checkout/visits";

interface RouteContext {
  params: Promise<{ sessionId: string }>;
}

export async function GET(request: Request, { params }: RouteContext): Promise<Response> {
  const visitor = visitorOf(request);
  const { sessionId } = await params;
  return guarded(visitor, sessionId, async (opened) => {
    await countVisit(opened.ctx, opened.session.id, visitor.visit);
    return linkPage(visitor, opened);
  });
}
