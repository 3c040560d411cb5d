// node receiver.mjs [port] [key file]: receives events on http://localhost:4242/hook and verifies each of them.
// Needs Node 18 or newer and nothing else. The key is the webhook's publicKey, in trilho-key.pem.
import { createPublicKey, verify } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";

const [port = "4242", keyFile = "trilho-key.pem"] = process.argv.slice(2);
if (!existsSync(keyFile)) {
  console.error(`${keyFile} is not there: trilho listen --write-key ${keyFile} writes it, as soon as it says Ready.`);
  process.exit(1);
}
// While a key is rotated, load the previous one as well: [publicKey, previousPublicKey].
const keys = [createPublicKey(readFileSync(keyFile))];
const FIVE_MINUTES = 300;

/** `body` is the Buffer that arrived, not an object that was parsed and written again. */
export function isFromTrilho(headers, body) {
  const id = headers["webhook-id"];
  const timestamp = headers["webhook-timestamp"];
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > FIVE_MINUTES) return false;
  const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]);
  return String(headers["webhook-signature"])
    .split(" ")
    .filter((signature) => signature.startsWith("v1a,"))
    .some((signature) => keys.some((key) => verify(null, signed, key, Buffer.from(signature.slice(4), "base64"))));
}

const seen = new Set(); // In your database: an event may arrive twice, with the same id.

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  if (!isFromTrilho(request.headers, body)) return response.writeHead(401).end();
  const event = JSON.parse(body.toString("utf8"));
  if (!seen.has(event.id)) {
    seen.add(event.id);
    console.log(`verified ${event.object}.${event.event} ${event.data.id ?? ""} ${event.data.status ?? ""}`);
  }
  response.writeHead(204).end(); // Answer first, work later: there are 15 seconds.
}).listen(Number(port), "127.0.0.1", () => console.log("waiting for events"));
