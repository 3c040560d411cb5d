import { invalid, RequestError } from "@/lib/errors";
import { carriedBy } from "@/lib/http/carried";

export const JSON_BODY_LIMIT = 256 * 1024;
/** Deeper bodies are refused: no resource nests half as far, and every walk over a body stays shallow. */
const DEEPEST = 64;

const tooLarge = (): RequestError => new RequestError(413, "bad_request", "request body too large");

/** Reads the body as bytes, never more than the limit, whatever its headers promise. */
export async function readBody(request: Request, limit = JSON_BODY_LIMIT): Promise<Uint8Array> {
  const declared = Number(request.headers.get("content-length") ?? 0);
  if (declared > limit) throw tooLarge();
  const carried = carriedBy(request);
  if (carried && carried.byteLength > limit) throw tooLarge();
  if (carried) return carried;
  if (!request.body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > limit) throw tooLarge();
    chunks.push(chunk);
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
}

/** A JSON content type with an empty body means "no body"; any other content type with one is refused. */
export function parseJson(request: Request, bytes: Uint8Array): unknown {
  const type = (request.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase();
  if (bytes.byteLength === 0) {
    if (type && type !== "application/json") throw unsupported();
    return undefined;
  }
  if (type !== "application/json") throw unsupported();
  if (request.headers.has("content-encoding")) throw unsupported();
  let parsed: unknown;
  try {
    parsed = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    throw invalid("the body is not valid JSON in UTF-8");
  }
  checkShape(parsed, 0);
  return parsed;
}

const unsupported = (): RequestError => new RequestError(415, "bad_request", "unsupported content type");

function checkShape(value: unknown, depth: number): void {
  if (depth > DEEPEST) throw invalid("the body is nested too deeply");
  if (typeof value === "string") refuseUnstorable(value);
  else if (typeof value === "object" && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      refuseUnstorable(key);
      checkShape(member, depth + 1);
    }
  }
}

/** Half of a surrogate pair: JSON can spell it, UTF-8 cannot. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/** PostgreSQL stores neither U+0000 nor half a character, so no text may carry them. */
export function refuseUnstorable(text: string): void {
  if (text.includes("\u0000")) throw invalid("text must not contain the NUL character");
  if (LONE_SURROGATE.test(text)) throw invalid("text must be well-formed Unicode");
}
