import type { z } from "zod";
import { isUuid } from "@/lib/ids";
import { analyse, feedAnalysis, lookUpAnalysis } from "@/lib/providers/sandbox/analyses";
import { authorize } from "@/lib/providers/sandbox/authorize";
import { createPix } from "@/lib/providers/sandbox/instructions";
import { lookUpById, lookUpByReference } from "@/lib/providers/sandbox/look-up";
import { createMandate, endMandate, lookUpMandate } from "@/lib/providers/sandbox/mandates";
import { mandateRequest } from "@/lib/providers/sandbox/mandates-wire";
import { cancelOpen, capture, refund, voidPayment } from "@/lib/providers/sandbox/modify";
import { createBoleto, createWallet } from "@/lib/providers/sandbox/open-payments";
import {
  changeRecipient,
  lookUpRecipient,
  receiveDocument,
  registerRecipient,
} from "@/lib/providers/sandbox/recipients";
import { documentRequest, recipientRequest } from "@/lib/providers/sandbox/recipients-wire";
import { answer, deliver, refuse } from "@/lib/providers/sandbox/reply";
import { earlyRequest, payEarly, tellStatement } from "@/lib/providers/sandbox/statement";
import { lookUpTransfers, takeTransfer } from "@/lib/providers/sandbox/transfers";
import { transferLookUp, transferRequest } from "@/lib/providers/sandbox/transfers-wire";
import {
  analysisOutcome,
  analysisRequest,
  authorizationRequest,
  boletoRequest,
  type Caller,
  cancelRequest,
  captureRequest,
  pixRequest,
  readCaller,
  refundRequest,
  type SimulatorReply,
  type SimulatorRequest,
  voidRequest,
  walletRequest,
} from "@/lib/providers/sandbox/wire";

/**
 * The simulated acquirer: a request in, a reply out, everything it knows in its own tables. The HTTP server and the
 * in-process transport call this same function.
 */
export async function handle(request: SimulatorRequest): Promise<SimulatorReply> {
  if (!/^Bearer .+/.test(request.headers.authorization ?? "")) return deliver(refuse("unauthenticated"), {});
  const caller = readCaller(request.headers);
  if (!caller) return deliver(refuse("invalid_request", "caller headers are missing or malformed"), {});
  const [path = "", query = ""] = request.path.split("?");
  const parts = path.split("/").filter((part) => part !== "");
  for (const route of ROUTES) {
    const name = matches(route, request.method, parts);
    if (name !== undefined) return route.run(caller, { name, query, body: request.body });
  }
  return deliver(refuse("not_found", "no such resource"), {});
}

interface Target {
  /** The identifier in the path, or "". */
  name: string;
  query: string;
  body: unknown;
}

interface Route {
  method: string;
  /** `*` stands for the identifier. */
  path: readonly string[];
  run(caller: Caller, target: Target): Promise<SimulatorReply>;
}

function matches(route: Route, method: string, parts: readonly string[]): string | undefined {
  if (route.method !== method || route.path.length !== parts.length) return undefined;
  let name = "";
  for (const [index, expected] of route.path.entries()) {
    const part = parts[index] ?? "";
    if (expected === "*") name = decodeURIComponent(part);
    else if (expected !== part) return undefined;
  }
  return name;
}

/** A body that does not fit is refused before anything happens. */
const withBody =
  <T>(schema: z.ZodType<T>, run: (caller: Caller, body: T, name: string) => Promise<SimulatorReply>): Route["run"] =>
  (caller, { name, body }) => {
    const parsed = schema.safeParse(body);
    if (parsed.success) return run(caller, parsed.data, name);
    const [issue] = parsed.error.issues;
    // Paths and messages only: a value could be a card number.
    const message = `${issue?.path.join(".") ?? ""} ${issue?.message ?? "is malformed"}`.trim();
    return Promise.resolve(deliver(refuse("invalid_request", message), {}));
  };

const byId =
  (run: (caller: Caller, id: string, target: Target) => Promise<SimulatorReply>): Route["run"] =>
  (caller, target) =>
    isUuid(target.name) ? run(caller, target.name, target) : Promise.resolve(deliver(refuse("not_found"), {}));

const ROUTES: readonly Route[] = [
  { method: "POST", path: ["authorizations"], run: withBody(authorizationRequest, authorize) },
  {
    method: "POST",
    path: ["transactions", "*", "capture"],
    run: byId((caller, id, target) => withBody(captureRequest, (_, body) => capture(caller, id, body))(caller, target)),
  },
  {
    method: "POST",
    path: ["transactions", "*", "void"],
    run: byId((caller, id, target) =>
      withBody(voidRequest, (_, body) => voidPayment(caller, id, body))(caller, target),
    ),
  },
  {
    method: "POST",
    path: ["transactions", "*", "refund"],
    run: byId((caller, id, target) => withBody(refundRequest, (_, body) => refund(caller, id, body))(caller, target)),
  },
  {
    method: "POST",
    path: ["transactions", "*", "cancel"],
    run: byId((caller, id, target) =>
      withBody(cancelRequest, (_, body) => cancelOpen(caller, id, body.reference))(caller, target),
    ),
  },
  {
    method: "GET",
    path: ["transactions"],
    run: (caller, { query }) => {
      const reference = new URLSearchParams(query).get("reference");
      return reference ? lookUpByReference(caller, reference) : Promise.resolve(deliver(refuse("invalid_request"), {}));
    },
  },
  { method: "GET", path: ["transactions", "*"], run: byId((caller, id) => lookUpById(caller, id)) },
  { method: "PUT", path: ["pix", "*"], run: withBody(pixRequest, createPix) },
  { method: "GET", path: ["pix", "*"], run: (caller, { name }) => lookUpByReference(caller, name) },
  { method: "POST", path: ["boletos"], run: withBody(boletoRequest, createBoleto) },
  { method: "GET", path: ["boletos", "*"], run: byId((caller, id) => lookUpById(caller, id)) },
  { method: "POST", path: ["wallets"], run: withBody(walletRequest, createWallet) },
  { method: "POST", path: ["analyses"], run: withBody(analysisRequest, analyse) },
  {
    method: "GET",
    path: ["analyses"],
    run: (caller, { query }) => lookUpAnalysis(caller, new URLSearchParams(query).get("reference") ?? ""),
  },
  {
    method: "POST",
    path: ["analyses", "*", "outcome"],
    run: withBody(analysisOutcome, (caller, { status }, reference) => feedAnalysis(caller, reference, status)),
  },
  { method: "POST", path: ["mandates"], run: withBody(mandateRequest, createMandate) },
  { method: "GET", path: ["mandates"], run: (caller, { query }) => lookUpMandate(caller, new URLSearchParams(query)) },
  { method: "POST", path: ["mandates", "*", "end"], run: byId((caller, id) => endMandate(caller, id)) },
  { method: "POST", path: ["recipients"], run: withBody(recipientRequest, registerRecipient) },
  {
    method: "GET",
    path: ["recipients"],
    run: (caller, { query }) => lookUpRecipient(caller, new URLSearchParams(query)),
  },
  { method: "PUT", path: ["recipients", "*"], run: withBody(recipientRequest, changeRecipient) },
  { method: "POST", path: ["recipients", "*", "documents"], run: withBody(documentRequest, receiveDocument) },
  {
    method: "GET",
    path: ["statement"],
    run: (caller, { query }) => tellStatement(caller, new URLSearchParams(query)),
  },
  { method: "POST", path: ["anticipations"], run: withBody(earlyRequest, payEarly) },
  { method: "POST", path: ["transfers"], run: withBody(transferRequest, takeTransfer) },
  { method: "POST", path: ["transfers", "look-up"], run: withBody(transferLookUp, lookUpTransfers) },
  { method: "GET", path: ["account"], run: () => Promise.resolve(deliver(answer({ status: "enabled" }), {})) },
];
