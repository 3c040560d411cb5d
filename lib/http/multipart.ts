import { createHash } from "node:crypto";
import { invalid } from "@/lib/errors";
import { refuseUnstorable } from "@/lib/http/body";

export const MULTIPART_BODY_LIMIT = 4 * 1024 * 1024;
const MOST_PARTS = 32;
const LONGEST_HEADER_BYTES = 2_048;
const LONGEST_NAME = 100;
const LONGEST_TEXT_BYTES = 65_536;

/** A file as it arrived. What its sender calls it and says it is stays outside: both may lie. */
export interface UploadedFile {
  bytes: Buffer;
}
export type UploadedFiles = Readonly<Record<string, UploadedFile>>;
export const NO_FILES: UploadedFiles = {};

export interface MultipartForm {
  fields: Record<string, string>;
  files: UploadedFiles;
}

const BOUNDARY = /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"\r\n]{1,70})"|([^\s";,]{1,70}))/i;

export const isMultipart = (request: Request): boolean =>
  /^multipart\/form-data\b/i.test(request.headers.get("content-type")?.trim() ?? "");

const malformed = (why: string) => invalid(`the body is not valid multipart/form-data: ${why}`);

/** Text members and the files among `fileNames` (RFC 7578); anything given twice, unnamed or out of bounds is refused. */
export function parseMultipart(request: Request, body: Uint8Array, fileNames: readonly string[]): MultipartForm {
  const found = BOUNDARY.exec(request.headers.get("content-type")?.trim() ?? "");
  const boundary = found?.[1] ?? found?.[2];
  if (boundary === undefined) throw malformed("its boundary is missing");
  if (request.headers.has("content-encoding")) throw malformed("it must not be compressed");
  const fields = new Map<string, string>();
  const files = new Map<string, UploadedFile>();
  for (const { name, isFile, content } of partsOf(Buffer.from(body), boundary)) {
    if (fields.has(name) || files.has(name)) throw invalid(`${name}: given more than once`);
    if (!isFile) {
      if (fileNames.includes(name)) throw invalid(`${name}: must be a file`);
      fields.set(name, textOf(name, content));
    } else if (fileNames.includes(name)) {
      // A form whose file was not chosen sends an empty one.
      if (content.length > 0) files.set(name, { bytes: content });
    } else throw invalid(`${name}: takes no file`);
  }
  return { fields: Object.fromEntries(fields), files: Object.fromEntries(files) };
}

interface Part {
  name: string;
  isFile: boolean;
  content: Buffer;
}

const CRLF = "\r\n";
const HEADERS_END = Buffer.from(`${CRLF}${CRLF}`);

function* partsOf(body: Buffer, boundary: string): Generator<Part> {
  const delimiter = Buffer.from(`${CRLF}--${boundary}`);
  const opening = body.indexOf(delimiter.subarray(2));
  // The first delimiter may stand at the very beginning; what comes before it is a preamble nobody reads.
  if (opening < 0 || (opening > 0 && !body.subarray(0, opening).toString("latin1").endsWith(CRLF)))
    throw malformed("no part begins");
  let at = opening + delimiter.length - 2;
  for (let count = 0; ; count++) {
    const after = body.subarray(at, at + 2).toString("latin1");
    if (after === "--") return;
    if (after !== CRLF) throw malformed("a boundary is broken");
    if (count >= MOST_PARTS) throw invalid(`at most ${MOST_PARTS} members`);
    const next = body.indexOf(delimiter, at);
    if (next < 0) throw malformed("its end is missing");
    yield partOf(body.subarray(at + 2, next));
    at = next + delimiter.length;
  }
}

function partOf(bytes: Buffer): Part {
  const end = bytes.subarray(0, LONGEST_HEADER_BYTES).indexOf(HEADERS_END);
  if (end < 0) throw malformed("the headers of a part are missing or too long");
  const lines = bytes.subarray(0, end).toString("utf8").split(CRLF);
  const disposition = lines.find((line) => /^content-disposition\s*:/i.test(line)) ?? "";
  if (!/^content-disposition\s*:\s*form-data\s*;/i.test(disposition)) throw malformed("a part has no disposition");
  const encoding = lines.find((line) => /^content-transfer-encoding\s*:/i.test(line));
  if (encoding !== undefined && !/:\s*(?:7bit|8bit|binary)\s*$/i.test(encoding))
    throw malformed("parts are sent as they are");
  const name = parameterOf(disposition, "name");
  if (name === undefined || name.length === 0 || name.length > LONGEST_NAME)
    throw malformed(`a part's name must have 1 to ${LONGEST_NAME} characters`);
  refuseUnstorable(name);
  const isFile = parameterOf(disposition, "filename") !== undefined || /;\s*filename\*\s*=/i.test(disposition);
  return { name, isFile, content: bytes.subarray(end + HEADERS_END.length) };
}

/** `name="…"`, with the quotes that browsers write as %22 and others behind a backslash. */
function parameterOf(disposition: string, parameter: "name" | "filename"): string | undefined {
  const found = new RegExp(`;\\s*${parameter}\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s;"]+))`, "i").exec(disposition);
  return found?.[1]?.replace(/\\(.)/g, "$1").replaceAll("%22", '"') ?? found?.[2];
}

function textOf(name: string, content: Buffer): string {
  if (content.length > LONGEST_TEXT_BYTES) throw invalid(`${name}: at most ${LONGEST_TEXT_BYTES} bytes`);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    throw invalid(`${name}: must be text in UTF-8`);
  }
  refuseUnstorable(text);
  return text;
}

/** What stands for the files wherever the request is compared: the same bytes are the same request. */
export function comparable(fields: unknown, files: UploadedFiles): unknown {
  const names = Object.keys(files);
  if (names.length === 0) return fields;
  const digests = names.map((name) => [
    name,
    createHash("sha256")
      .update(files[name]?.bytes ?? "")
      .digest("hex"),
  ]);
  return { fields: fields ?? {}, files: Object.fromEntries(digests) };
}

/** What the request log keeps: that there was a file, and how long. */
export function loggable(fields: unknown, files: UploadedFiles): unknown {
  const names = Object.keys(files);
  if (names.length === 0) return fields;
  const sizes = names.map((name) => [name, `file of ${files[name]?.bytes.length} bytes`]);
  return { ...(typeof fields === "object" ? fields : {}), ...Object.fromEntries(sizes) };
}
