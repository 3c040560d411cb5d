import { dispatch } from "@/app/api/registry";

/** What most answers have; name the type you read when you read more of it. */
export interface Body {
  id: string;
  [member: string]: unknown;
}
export interface List<T = Body> {
  items: T[];
  meta: { totalItems: number; itemCount: number; itemsPerPage: number; totalPages: number; currentPage: number };
}
export interface ErrorMember {
  type: string;
  code: number;
  message: string;
  details: string[];
  businessCode?: string;
  key?: string;
  declinedCode?: string;
  declined_code?: string;
}

export interface Reply<T = Body> {
  status: number;
  /** Parsed, when the answer is JSON. */
  body: T;
  /** The `error` member, when there is one. */
  error: ErrorMember | undefined;
  headers: Headers;
  /** The body as sent: two equal answers have equal texts. */
  text: string;
  bytes: Uint8Array;
}

export interface CallOptions {
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is, with the content type given in `headers`. */
  raw?: BodyInit;
  query?: Record<string, string | number | boolean>;
  headers?: Record<string, string>;
  /** Another key than the client's secret key; null sends none. */
  key?: string | null;
  /** Another client id; null sends none. */
  clientId?: string | null;
  idempotencyKey?: string;
  /** X-Sandbox-Scenario. */
  scenario?: string;
}

export interface ApiKey {
  clientId: string;
  apiKey: string;
}

const HOST = "http://trilho.test";

/** One call through the registry that serves /v1, with a real Request and Response and no socket between. */
export async function callApi<T = Body>(
  credentials: ApiKey,
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<Reply<T>> {
  const response = await dispatch(requestOf(credentials, method, path, options));
  const bytes = new Uint8Array(await response.arrayBuffer());
  const text = new TextDecoder().decode(bytes);
  const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
  const parsed: unknown = isJson ? JSON.parse(text) : undefined;
  return {
    status: response.status,
    // Guarantee: the caller asserts what it reads; a wrong type fails its test.
    body: parsed as T,
    error: (parsed as { error?: ErrorMember } | undefined)?.error,
    headers: response.headers,
    text,
    bytes,
  };
}

export function requestOf(credentials: ApiKey, method: string, path: string, options: CallOptions = {}): Request {
  const url = new URL(path, HOST);
  for (const [name, value] of Object.entries(options.query ?? {})) url.searchParams.set(name, String(value));
  const headers = new Headers();
  const clientId = options.clientId === undefined ? credentials.clientId : options.clientId;
  const key = options.key === undefined ? credentials.apiKey : options.key;
  if (clientId !== null) headers.set("x-client-id", clientId);
  if (key !== null) headers.set("x-api-key", key);
  if (options.idempotencyKey !== undefined) headers.set("x-idempotency-key", options.idempotencyKey);
  if (options.scenario !== undefined) headers.set("x-sandbox-scenario", options.scenario);
  if (options.body !== undefined) headers.set("content-type", "application/json");
  for (const [name, value] of Object.entries(options.headers ?? {})) headers.set(name, value);
  const body = options.raw ?? (options.body === undefined ? null : JSON.stringify(options.body));
  // A stream needs the half-duplex mode, which TypeScript's RequestInit does not list.
  const init: RequestInit & { duplex: "half" } = { method, headers, body, duplex: "half" };
  return new Request(url, init);
}
