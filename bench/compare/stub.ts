import { randomInt, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { answerQuestions } from "@/bench/processes";

/**
 * An acquirer elsewhere: it speaks as the simulator does, approves every card, and keeps nothing. What is left of a
 * charge is the product's own.
 */
const DIGITS = 1_000_000;
const HOLD_MS = 7 * 86_400_000;

interface Asked {
  reference: string;
  amount: number;
  capture: boolean;
  installments: number;
}

const number = (): string => String(randomInt(DIGITS)).padStart(6, "0");

const server = createServer(async (request, response) => {
  const { method, url = "/" } = request;
  if (method !== "POST" || url !== "/authorizations") {
    response
      .writeHead(404, { "content-type": "application/json" })
      .end('{"error":{"code":"not_found","message":"no"}}');
    return;
  }
  // Guarantee: only the product asks here.
  const { reference, amount, capture, installments } = JSON.parse(await textOf(request)) as Asked;
  const now = Date.now();
  const body = JSON.stringify({
    id: randomUUID(),
    reference,
    status: capture ? "captured" : "authorized",
    amount,
    currency: "BRL",
    installments,
    cvvChecked: true,
    nsu: number(),
    authCode: number(),
    at: new Date(now).toISOString(),
    ...(capture ? {} : { expiresAt: new Date(now + HOLD_MS).toISOString() }),
  });
  response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) }).end(body);
});

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

const listening = new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

answerQuestions(async () => {
  await listening;
  // Guarantee: a server that listens on a port has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  return { port };
});
