import { ENDPOINTS } from "@/app/api/endpoints";
import { preflightHeaders } from "@/lib/http/cors";
import { type Endpoint, isForBrowsers, type Method, unknownPath, wrongMethod } from "@/lib/http/endpoint";
import { errorAnswer } from "@/lib/http/errors";
import { newId } from "@/lib/ids";
import { countRequest, UNKNOWN } from "@/lib/metrics";

/** One path of the API: its segments, `null` where a parameter stands, and its endpoints by method. */
interface Path {
  segments: readonly (string | null)[];
  methods: Map<Method, Endpoint>;
}

const paths: Path[] = [];
for (const endpoint of ENDPOINTS) {
  const { method, path } = endpoint.spec;
  const parts = path.split("/").slice(2);
  const segments = parts.map((part) => (part.startsWith("{") ? null : part));
  const known = paths.find(
    (candidate) => candidate.segments.join("/") === segments.join("/") && candidate.segments.length === segments.length,
  );
  if (known) {
    known.methods.set(method, endpoint);
  } else {
    paths.push({ segments, methods: new Map([[method, endpoint]]) });
  }
}
// Fixed segments win over parameters: /v1/sessions/tokens is not a session's id.
paths.sort((a, b) => openness(a) - openness(b));

function openness({ segments }: Path): number {
  return segments.reduce<number>((sum, segment, index) => (segment === null ? sum + 2 ** (10 - index) : sum), 0);
}

/** Serves /v1/* and /api/v1/* from the endpoint objects, whatever server took the request. */
export async function dispatch(request: Request): Promise<Response> {
  const parts = partsOf(new URL(request.url).pathname);
  const path = parts && paths.find(({ segments }) => matches(segments, parts));
  if (!path || !parts) return refuse(unknownPath(), parts?.[0]);
  // Guarantee: any string may be asked for in a map of methods.
  const endpoint = path.methods.get(request.method as Method);
  if (endpoint) return endpoint(request);
  const opened = request.method === "HEAD" ? path.methods.get("GET") : undefined;
  if (opened?.spec.access === "none") {
    const { status, headers } = await opened(request);
    return new Response(null, { status, headers });
  }
  const open = [...path.methods].filter(([, { spec }]) => isForBrowsers(spec));
  if (request.method === "OPTIONS" && open.length > 0) {
    const headers = new Headers(preflightHeaders(open.map(([method]) => method)));
    headers.set("x-request-id", newId());
    return new Response(null, { status: 204, headers });
  }
  return refuse(wrongMethod([...path.methods.keys()].join(", ")), parts[0]);
}

function partsOf(pathname: string): string[] | undefined {
  try {
    return pathname
      .replace(/^\/(?:api\/)?v1\/?/, "")
      .replace(/\/$/, "")
      .split("/")
      .map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

const matches = (segments: readonly (string | null)[], parts: readonly string[]): boolean =>
  segments.length === parts.length &&
  segments.every((segment, index) => (segment === null ? parts[index] !== "" : segment === parts[index]));

function refuse(thrown: Error, area: string | undefined): Response {
  const { status, body, headers } = errorAnswer(thrown, area === "purchases" ? "purchases" : "standard");
  countRequest(UNKNOWN, UNKNOWN, status, 0);
  return Response.json(body, { status, headers: { "x-request-id": newId(), "cache-control": "no-store", ...headers } });
}
