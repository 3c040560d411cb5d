import type { LoggedRequest } from "@/lib/request-logs/queries";

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The request as a shell command. The key is never kept, so a variable stands for it; so do hidden values as they are. */
export function curlOf(request: LoggedRequest, baseUrl: string, clientId: string): string {
  const query = queryOf(request.query);
  const lines = [
    `curl -X ${request.method} ${quoted(`${baseUrl}${request.path}${query}`)}`,
    `-H ${quoted(`X-Client-Id: ${clientId}`)}`,
    '-H "X-Api-Key: $API_KEY"',
    ...(request.idempotencyKey ? [`-H ${quoted(`X-Idempotency-Key: ${request.idempotencyKey}`)}`] : []),
    ...(request.requestBody === null
      ? []
      : ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(request.requestBody, null, 2))}`]),
  ];
  return lines.join(" \\\n  ");
}

function queryOf(query: unknown): string {
  if (typeof query !== "object" || query === null) return "";
  const text = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString();
  return text ? `?${text}` : "";
}
