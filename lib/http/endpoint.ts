import { z } from "zod";
import { appDb } from "@/db/client";
import { type Context, inSnapshot, namespaceOf, type Principal } from "@/lib/context";
import { env } from "@/lib/env";
import { type BusinessCode, invalid, notFound, RequestError } from "@/lib/errors";
import { type Answering, answerOnce, answersOf, type HttpReply, plainReply } from "@/lib/http/answering";
import { authenticate, forbidden, requireAccess, requireAllowedIp, unauthorized } from "@/lib/http/authenticate";
import { JSON_BODY_LIMIT, parseJson, readBody, refuseUnstorable } from "@/lib/http/body";
import { carriedBy, carry } from "@/lib/http/carried";
import { corsHeaders } from "@/lib/http/cors";
import { type Envelope, errorAnswer } from "@/lib/http/errors";
import { refusePan } from "@/lib/http/guards";
import { checkKey } from "@/lib/http/idempotency-key";
import {
  comparable,
  isMultipart,
  loggable,
  MULTIPART_BODY_LIMIT,
  NO_FILES,
  parseMultipart,
  type UploadedFiles,
} from "@/lib/http/multipart";
import { inTurn, type KeyLimit, limitCaller, limitFailedAuthentication } from "@/lib/http/rate-limit";
import { type LoggedExchange, logExchange } from "@/lib/http/request-log";
import type { Access } from "@/lib/http/scopes";
import { roomForList } from "@/lib/http/shedding";
import { type Answer, Answered, requestFingerprint } from "@/lib/idempotency";
import { newId } from "@/lib/ids";
import { log } from "@/lib/log";
import { monotonicMs } from "@/lib/time";
import { type SpanGiven, traced } from "@/lib/tracing";

export type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
type Schema = z.ZodType | undefined;
type Parsed<S extends Schema> = S extends z.ZodType ? z.output<S> : undefined;

export interface Input<P extends Schema, Q extends Schema, B extends Schema> {
  params: Parsed<P>;
  query: Parsed<Q>;
  body: Parsed<B>;
  /** Those of a multipart body. */
  files: UploadedFiles;
  headers: Headers;
}

interface Declaration<P extends Schema, Q extends Schema, B extends Schema> {
  method: Method;
  /** `/v1/charges/{id}` */
  path: string;
  tag: string;
  summary: string;
  description?: string;
  access: Access;
  /** Also open to a session's own key (spec/contract.md 1.8). */
  session?: boolean;
  /** 404 on live accounts, and where the installation has no simulator. */
  sandboxOnly?: boolean;
  params?: P;
  query?: Q;
  body?: B;
  /** Files the body may bring, with what they must be: it may then be multipart/form-data too. */
  files?: Readonly<Record<string, string>>;
  /** Takes X-Merchant-Id. */
  merchantHeader?: boolean;
  status: number;
  /** POST only. `required` where the interface says so; every other POST takes a key when one is sent. */
  idempotency?: "required" | "none";
  /** What a key is used for, where others than this route make its answer too; else the route itself. */
  kind?: string;
  /** A key is known as long as what was made with it, not for a month. */
  keepsKeys?: boolean;
  /** Its refusals carry `key`: this and their status, as `I-404`. */
  errorKeys?: string;
  /** Forwards X-Sandbox-Scenario to the simulator. */
  scenario?: boolean;
  /** Reads X-Plan-Hash: refused where a dry run would now answer another plan. */
  planned?: boolean;
  /** Reads X-Captcha-Token of a browser's key. */
  captcha?: boolean;
  /** Where this route takes a card, and so may carry a number: everything else in the body is searched for one. */
  cardAt?: readonly string[];
  limit?: KeyLimit;
  envelope?: Envelope;
  errors?: readonly BusinessCode[];
  /** Named requests with their path and query members, for the reference; a test sends each of them. */
  examples?: Record<string, { summary: string; body?: unknown; query?: Record<string, string> }>;
}

interface JsonEndpoint<P extends Schema, Q extends Schema, B extends Schema, R extends z.ZodType>
  extends Declaration<P, Q, B> {
  produces?: undefined;
  inBand?: undefined;
  /** What leaves: members that the schema does not name are dropped. */
  reply: R;
  /** One transaction holds the key, the work and the stored answer. */
  handle(ctx: Context, input: Input<P, Q, B>): Promise<z.input<R>>;
}

interface EmptyEndpoint<P extends Schema, Q extends Schema, B extends Schema> extends Declaration<P, Q, B> {
  produces?: undefined;
  inBand?: undefined;
  reply: "empty";
  handle(ctx: Context, input: Input<P, Q, B>): Promise<void>;
}

/** Calls a provider while the client waits: the service makes its own transactions, and its answer is stored in one. */
interface InBandEndpoint<P extends Schema, Q extends Schema, B extends Schema, R extends z.ZodType>
  extends Declaration<P, Q, B> {
  produces?: undefined;
  inBand: true;
  reply: R;
  handle(ctx: Context, input: Input<P, Q, B>, answer: Answering<z.input<R>>): Promise<HttpReply>;
}

/** No client key: pictures, returns from a challenge, provider notifications. */
interface OpenEndpoint<P extends Schema, Q extends Schema> extends Declaration<P, Q, undefined> {
  access: "none";
  inBand?: undefined;
  reply: "raw";
  /** What the answer is, for the reference; null = nothing but a status. */
  produces: string | null;
  handle(request: { requestId: string; bytes: Uint8Array }, input: Input<P, Q, undefined>): Promise<HttpReply>;
}

/** Answers a file to whoever has a key. */
interface FileEndpoint<P extends Schema, Q extends Schema, B extends Schema> extends Declaration<P, Q, B> {
  inBand: true;
  reply: "file";
  /** What the file is, for the reference. */
  produces: string;
  handle(ctx: Context, input: Input<P, Q, B>): Promise<HttpReply>;
}

type AnyEndpoint<P extends Schema, Q extends Schema, B extends Schema, R extends z.ZodType> =
  | JsonEndpoint<P, Q, B, R>
  | EmptyEndpoint<P, Q, B>
  | InBandEndpoint<P, Q, B, R>
  | FileEndpoint<P, Q, B>
  | OpenEndpoint<P, Q>;

export type EndpointSpec = AnyEndpoint<Schema, Schema, Schema, z.ZodType>;
export interface Endpoint {
  (request: Request): Promise<Response>;
  readonly spec: EndpointSpec;
}

/** Reads a simulator header: the scenario to forward, or the rules it breaks. */
export type ScenarioCheck = (given: string) => readonly string[];

/** What the composition root joins to the edge: lib/http itself knows no provider. */
export function createEndpoint({ scenarioProblems }: { scenarioProblems: ScenarioCheck }) {
  return function endpoint<
    P extends Schema = undefined,
    Q extends Schema = undefined,
    B extends Schema = undefined,
    R extends z.ZodType = z.ZodType,
  >(declared: AnyEndpoint<P, Q, B, R>): Endpoint {
    // Guarantee: the wrapper only hands `handle` what the same declaration's schemas answered.
    const spec = declared as unknown as EndpointSpec;
    const route = async (request: Request): Promise<Response> => {
      const exchange: LoggedExchange = {
        requestId: newId(),
        startedMs: monotonicMs(),
        spec,
        request,
        status: 500,
        replayed: false,
      };
      const answer = await traced(spanOf(spec, exchange.requestId), async (note) => {
        const given = await answerOf(spec, request, exchange, scenarioProblems);
        note({ status: given.status, ...(exchange.account ? { clientId: exchange.account.id } : {}) });
        return given;
      });
      exchange.status = answer.status;
      exchange.replayed = answer.replayed ?? false;
      exchange.responseBody = answer.contentType ? undefined : answer.body;
      logExchange(exchange);
      return send(spec, answer, exchange.requestId, carriedBy(request) !== undefined);
    };
    return Object.assign(route, { spec });
  };
}

const spanOf =
  ({ method, path }: EndpointSpec, requestId: string) =>
  (): SpanGiven => ({ name: "request", is: requestId, fields: { requestId, method, route: path } });

async function answerOf(
  spec: EndpointSpec,
  request: Request,
  exchange: LoggedExchange,
  scenarioProblems: ScenarioCheck,
): Promise<HttpReply> {
  try {
    return await serve(spec, request, exchange, scenarioProblems);
  } catch (thrown) {
    if (thrown instanceof Answered) return { ...thrown.answer, replayed: thrown.replayed };
    const { isBug, status, body, headers } = errorAnswer(thrown, spec.envelope ?? "standard", spec.errorKeys);
    if (isBug) log.error({ requestId: exchange.requestId, route: spec.path, error: thrown }, "unexpected error");
    return { ...plainReply({ status, body }), headers };
  }
}

async function serve(
  spec: EndpointSpec,
  request: Request,
  exchange: LoggedExchange,
  scenarioProblems: ScenarioCheck,
): Promise<HttpReply> {
  const isForm = spec.files !== undefined && isMultipart(request);
  const bytes = await readBody(request, isForm ? MULTIPART_BODY_LIMIT : JSON_BODY_LIMIT);
  if (spec.reply === "raw") {
    const { params, query } = parseAddress(spec, request);
    return spec.handle(
      { requestId: exchange.requestId, bytes },
      { params, query, body: undefined, files: NO_FILES, headers: request.headers },
    );
  }
  const ctx = await admit(spec, request, exchange);
  return inTurn(ctx, async () => {
    const key = idempotencyHeader(spec, request);
    const { json, files } = isForm
      ? formOf(spec, request, bytes)
      : { json: jsonOf(spec, request, bytes), files: NO_FILES };
    exchange.requestBody = loggable(json, files);
    refusePan(json, spec);
    const address = parseAddress(spec, request);
    const input = { ...address, body: spec.body?.parse(json ?? {}), files, headers: request.headers };
    const scenario =
      spec.scenario && ctx.account.mode === "sandbox" ? scenarioOf(request.headers, scenarioProblems) : undefined;
    const path = new URL(request.url).pathname.replace(/^\/api\/v1/, "/v1");
    const idempotency = key
      ? {
          namespace: namespaceOf(ctx.account, ctx.principal),
          key,
          method: spec.method,
          path,
          fingerprint: requestFingerprint(spec.method, path, comparable(json, files)),
          kind: spec.kind ?? `${spec.method} ${spec.path}`,
          isKept: spec.keepsKeys ?? false,
        }
      : undefined;
    const planHash = spec.planned ? planHashOf(request.headers, ctx.principal) : undefined;
    const given = { ...(scenario ? { scenario } : {}), ...(idempotency ? { idempotency } : {}) };
    return run(spec, { ...ctx, ...given, ...(planHash ? { planHash } : {}) }, input);
  });
}

const jsonOf = ({ method }: EndpointSpec, request: Request, bytes: Uint8Array): unknown =>
  method === "GET" ? undefined : parseJson(request, bytes);

function formOf(spec: EndpointSpec, request: Request, bytes: Uint8Array): { json: unknown; files: UploadedFiles } {
  const { fields, files } = parseMultipart(request, bytes, Object.keys(spec.files ?? {}));
  return { json: fields, files };
}

/** Authentication → scope → rate, in that order (spec/contract.md 1.2). */
async function admit(spec: EndpointSpec, request: Request, exchange: LoggedExchange): Promise<Context> {
  const ip = addressOf(request);
  const who = await authenticate(request.headers);
  if (!who) {
    await limitFailedAuthentication(ip);
    throw unauthorized();
  }
  exchange.account = who.account;
  exchange.principal = who.principal;
  requireAllowedIp(who, ip);
  if (spec.access !== "none") requireAccess(who.principal, { ...spec, access: spec.access });
  if (spec.sandboxOnly && (who.account.mode !== "sandbox" || !env().SANDBOX_ENABLED)) throw notFound("resource");
  await limitCaller({ ...who, ip }, spec.limit);
  const { account, principal } = who;
  return { account, principal, db: appDb(), isInTransaction: false, requestId: exchange.requestId, ip };
}

/** Set by our own server from the socket, or by a proxy it was told to trust. */
export const ADDRESS_HEADER = "x-trilho-address";
const addressOf = (request: Request): string => request.headers.get(ADDRESS_HEADER) ?? "unknown";

/** Of a dry run: what is refused with the plan of now tells of prices and shares, which are nothing for a browser's key. */
function planHashOf(headers: Headers, principal: Principal): string | undefined {
  const given = headers.get("x-plan-hash");
  if (given === null) return undefined;
  if (principal.kind !== "secret") throw forbidden("X-Plan-Hash: needs a secret key");
  if (!/^[0-9a-f]{64}$/.test(given)) throw invalid("X-Plan-Hash: must be the planHash of a dry run");
  return given;
}

/** The header as sent, once it is known to be understood; the simulator reads it again (spec/sandbox.md section 6). */
function scenarioOf(headers: Headers, problemsOf: ScenarioCheck): string | undefined {
  const given = headers.get("x-sandbox-scenario");
  if (given === null) return undefined;
  const problems = problemsOf(given);
  if (problems.length > 0) throw invalid(...problems.map((problem) => `X-Sandbox-Scenario: ${problem}`));
  return given;
}

function idempotencyHeader(spec: EndpointSpec, request: Request): string | undefined {
  if (spec.method !== "POST" || spec.idempotency === "none") return undefined;
  const given = request.headers.get("x-idempotency-key");
  if (given !== null) return checkKey(given);
  if (spec.idempotency === "required") throw invalid("X-Idempotency-Key: required");
  return undefined;
}

function parseAddress(spec: EndpointSpec, request: Request) {
  const { pathname, searchParams } = new URL(request.url);
  const query: Record<string, string> = {};
  for (const [name, value] of searchParams) {
    if (Object.hasOwn(query, name)) throw invalid(`${name}: given more than once`);
    refuseUnstorable(name + value);
    query[name] = value;
  }
  return { params: spec.params?.parse(paramsOf(spec.path, pathname)), query: spec.query?.parse(query) };
}

/** By position: the framework wants one name for all folders at a place, the contract names each path's own. */
function paramsOf(path: string, pathname: string): Record<string, string> {
  const parts = pathname.replace(/^\/api(?=\/v1\/)/, "").split("/");
  const named = path
    .split("/")
    .flatMap((name, index): [string, string][] =>
      name.startsWith("{") ? [[name.slice(1, -1), decodeURIComponent(parts[index] ?? "")]] : [],
    );
  return Object.fromEntries(named);
}

async function run(spec: EndpointSpec, ctx: Context, input: Input<Schema, Schema, Schema>): Promise<HttpReply> {
  // Guarantee: `input` was parsed by this declaration's own schemas.
  const parsed = input as Input<undefined, undefined, undefined>;
  if (spec.inBand && spec.reply === "file") return spec.handle(ctx, parsed);
  if (spec.inBand) return spec.handle(ctx, parsed, answersOf(ctx, spec));
  if (spec.reply === "raw") throw new Error("an open endpoint is served before authentication");
  const { handle, reply } = spec as
    | JsonEndpoint<undefined, undefined, undefined, z.ZodType>
    | EmptyEndpoint<undefined, undefined, undefined>;
  const work = async (inside: Context): Promise<Answer> => {
    const result = await handle(inside, parsed);
    return { status: spec.status, ...(reply === "empty" ? {} : { body: reply.parse(result) }) };
  };
  if (spec.method !== "GET") return answerOnce(ctx, work);
  if (isList(spec)) await roomForList();
  return plainReply(await inSnapshot(ctx, work));
}

const isList = ({ query }: EndpointSpec): boolean => query instanceof z.ZodObject && "page" in query.shape;

function send(spec: EndpointSpec, answer: HttpReply, requestId: string, isCarried: boolean): Response {
  const headers = new Headers({ "x-request-id": requestId, "cache-control": "no-store", ...answer.headers });
  if (isForBrowsers(spec)) for (const [name, value] of corsHeaders()) headers.set(name, value);
  if (answer.replayed) headers.set("idempotent-replayed", "true");
  const isEmpty = answer.stream === undefined && answer.body.length === 0;
  if (!isEmpty) headers.set("content-type", answer.contentType ?? "application/json; charset=utf-8");
  if (answer.stream) return new Response(answer.stream, { status: answer.status, headers });
  const hasBody = answer.status !== 204 && !isEmpty;
  if (hasBody && isCarried) return carry(new Response(null, { status: answer.status, headers }), answer.body);
  // Guarantee: a Buffer is a Uint8Array over an ArrayBuffer; Node's types call it ArrayBufferLike.
  return new Response(hasBody ? (answer.body as Uint8Array<ArrayBuffer>) : null, { status: answer.status, headers });
}

/** Open to a key that code at the buyer's side holds: a public key's or a session's (spec/contract.md 1.9). */
export const isForBrowsers = ({ access, session }: EndpointSpec): boolean =>
  session === true || (access !== "secret" && access !== "none");

export const unknownPath = (): RequestError => new RequestError(404, "entity_not_found", "unknown path");
export const wrongMethod = (allowed: string): RequestError =>
  new RequestError(405, "bad_request", "method not allowed", { headers: { allow: allowed } });
