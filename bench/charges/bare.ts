import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Recording } from "@/bench/charges/recording";
import { type Replay, replayOf } from "@/bench/charges/replay";
import type { Token } from "@/bench/charges/shop";
import { inParallel, type Measured } from "@/bench/latencies";
import { answerQuestions, ownCpuSeconds } from "@/bench/processes";

/**
 * What the same statements cost without a product around them: behind a bare node:http server that parses the body and
 * answers recorded bytes, or in a loop without any HTTP.
 */
export type BareQuestion =
  | { ask: "open"; recording: Recording; url: string; tokens: Token[] }
  | { ask: "tokens"; tokens: Token[] }
  | { ask: "loop"; tokens: Token[]; hands: number }
  | { ask: "usage" };

let replay: Replay | undefined;
let status = 200;
const vaultOf = new Map<string, string>();

const server = createServer(async (request, response) => {
  try {
    const body = JSON.parse(await textOf(request)) as { paymentSource?: { tokenId: string } };
    const tokenId = body.paymentSource?.tokenId;
    const answer = await opened().run(tokenId ? [tokenId, vaultOf.get(tokenId) ?? ""] : []);
    response.writeHead(status, { "content-type": "application/json; charset=utf-8" }).end(answer);
  } catch (error) {
    response.writeHead(500).end(String(error));
  }
});

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function opened(): Replay {
  if (!replay) throw new Error("not opened yet");
  return replay;
}

answerQuestions<BareQuestion>(async (question): Promise<unknown> => {
  switch (question.ask) {
    case "open":
      replay = replayOf(question.recording, question.url);
      status = question.recording.status;
      remember(question.tokens);
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      // Guarantee: a server that listens on a port has an AddressInfo.
      return { port: (server.address() as AddressInfo).port };
    case "tokens":
      remember(question.tokens);
      return {};
    case "loop":
      return inParallel(question.tokens, question.hands, async ({ tokenId, vaultId }) => {
        await opened().run([tokenId, vaultId]);
      }) satisfies Promise<Measured>;
    case "usage":
      return { cpuSeconds: ownCpuSeconds() };
  }
});

function remember(tokens: Token[]): void {
  for (const { tokenId, vaultId } of tokens) vaultOf.set(tokenId, vaultId);
}
