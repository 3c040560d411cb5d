import { createHash, createSign, generateKeyPairSync, type KeyObject, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Company } from "@/lib/sign-in/company-sign-in";
import { realNow } from "@/lib/time";

export interface Employee {
  sub: string;
  email?: string;
  email_verified?: boolean;
  name?: string;
  amr?: string[];
  acr?: string;
}

/** What the provider gets wrong where a test tells it to. */
export interface Wrong {
  nonce?: string;
  audience?: string;
  issuer?: string;
  /** Seconds from now at which the word ends. */
  expiresIn?: number;
  /** Signed by somebody else. */
  isForged?: boolean;
}

export interface CompanyServer {
  company: Company;
  /** Who sits before the browser that comes to its page. */
  seat(employee: Employee): void;
  /** The way back of somebody who signed in over there: the query their browser brings. */
  signIn(leaving: string, employee: Employee, wrong?: Wrong): string;
  close(): Promise<void>;
}

const keyPair = () => generateKeyPairSync("rsa", { modulusLength: 2048 });
const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const KEY_ID = "k1";

function signed(claims: object, key: KeyObject): string {
  const body = `${encoded({ alg: "RS256", typ: "JWT", kid: KEY_ID })}.${encoded(claims)}`;
  return `${body}.${createSign("RSA-SHA256").update(body).sign(key).toString("base64url")}`;
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text;
}

/** Asks as a company does, in its own words. */
const pageOf = (search: string): string => `<!doctype html><html lang="en"><title>The company</title>
  <h1>The company</h1><a href="/continue${search}">Continue</a> <a href="/cancel${search}">Cancel</a></html>`;

/** A small OpenID Connect provider in this process: discovery, keys, and codes that work once and with their proof. */
export async function openCompany({ isBasic = false }: { isBasic?: boolean } = {}): Promise<CompanyServer> {
  const [{ publicKey, privateKey }, stranger] = [keyPair(), keyPair()];
  const codes = new Map<string, { claims: object; challenge: string; isForged: boolean }>();
  const [clientId, clientSecret] = ["trilho", randomUUID().replaceAll("-", "")];
  let issuer = "";
  let seated: Employee = { sub: "nobody" };

  function issue(asked: URLSearchParams, employee: Employee, wrong: Wrong = {}): string {
    const code = randomUUID();
    const now = Math.floor(realNow().getTime() / 1000);
    const claims = {
      iss: wrong.issuer ?? issuer,
      aud: wrong.audience ?? clientId,
      iat: now,
      exp: now + (wrong.expiresIn ?? 300),
      nonce: wrong.nonce ?? asked.get("nonce"),
      ...employee,
    };
    codes.set(code, { claims, challenge: asked.get("code_challenge") ?? "", isForged: wrong.isForged ?? false });
    return code;
  }

  const token = (form: URLSearchParams): { status: number; body: object } => {
    const code = form.get("code") ?? "";
    const issued = codes.get(code);
    codes.delete(code);
    const proof = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    if (!issued || proof !== issued.challenge) return { status: 400, body: { error: "invalid_grant" } };
    const id_token = signed(issued.claims, issued.isForged ? stranger.privateKey : privateKey);
    return { status: 200, body: { access_token: randomUUID(), token_type: "Bearer", expires_in: 60, id_token } };
  };

  const server = createServer(async (request, response) => {
    const { pathname, search, searchParams } = new URL(request.url ?? "/", issuer);
    const answer = (status: number, body: object) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (pathname === "/.well-known/openid-configuration")
      return answer(200, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        response_types_supported: ["code"],
        subject_types_supported: ["public"],
        id_token_signing_alg_values_supported: ["RS256"],
        ...(isBasic ? {} : { token_endpoint_auth_methods_supported: ["client_secret_post"] }),
        code_challenge_methods_supported: ["S256"],
      });
    if (pathname === "/authorize") return response.writeHead(200, { "content-type": "text/html" }).end(pageOf(search));
    if (pathname === "/continue" || pathname === "/cancel") {
      const answered: Record<string, string> =
        pathname === "/cancel" ? { error: "access_denied" } : { code: issue(searchParams, seated) };
      const back = new URLSearchParams({ ...answered, state: searchParams.get("state") ?? "" });
      return response.writeHead(302, { location: `${searchParams.get("redirect_uri")}?${back}` }).end();
    }
    if (pathname === "/keys")
      return answer(200, { keys: [{ ...publicKey.export({ format: "jwk" }), kid: KEY_ID, use: "sig", alg: "RS256" }] });
    const form = new URLSearchParams(await textOf(request));
    const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`;
    const isOurs = isBasic ? request.headers.authorization === basic : form.get("client_secret") === clientSecret;
    if (pathname !== "/token" || !isOurs) return answer(401, { error: "invalid_client" });
    const { status, body } = token(form);
    return answer(status, body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // Guarantee: a server that listens on a port has an address of this shape.
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    company: { issuer, clientId, clientSecret },
    signIn(leaving, employee, wrong = {}) {
      const asked = new URL(leaving).searchParams;
      return `?${new URLSearchParams({ code: issue(asked, employee, wrong), state: asked.get("state") ?? "" })}`;
    },
    seat(employee) {
      seated = employee;
    },
    close: async () => {
      if (!server.listening) return;
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
