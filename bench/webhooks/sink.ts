import { createServer, type Socket } from "node:net";
import { answerQuestions } from "@/bench/processes";

/** An endpoint that costs next to nothing: it finds the ends of requests and answers them, and remembers who came when. */
type Question = { ask: "open" } | { ask: "count" } | { ask: "arrivals" } | { ask: "forget" };

const ANSWER = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-type: text/plain\r\n\r\nok";
const HEAD_END = "\r\n\r\n";
let arrivals: [id: string, at: number][] = [];

function serve(socket: Socket): void {
  let waiting = Buffer.alloc(0);
  socket.setNoDelay(true);
  socket.on("error", () => undefined);
  socket.on("data", (chunk) => {
    waiting = waiting.length === 0 ? chunk : Buffer.concat([waiting, chunk]);
    for (;;) {
      const end = waiting.indexOf(HEAD_END);
      if (end < 0) return;
      const head = waiting.toString("latin1", 0, end);
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      const total = end + HEAD_END.length + length;
      if (waiting.length < total) return;
      arrivals.push([/webhook-id: (\S+)/i.exec(head)?.[1] ?? "", performance.timeOrigin + performance.now()]);
      waiting = waiting.subarray(total);
      socket.write(ANSWER);
    }
  });
}

const open = (listener: (socket: Socket) => void): Promise<number> =>
  new Promise((ready) => {
    const server = createServer(listener).listen(0, "127.0.0.1", () => {
      const address = server.address();
      ready(typeof address === "object" && address ? address.port : 0);
    });
  });

answerQuestions<Question>(async ({ ask }) => {
  if (ask === "open") {
    // The other takes connections and never says a word.
    return { port: await open(serve), deadPort: await open((socket) => socket.on("error", () => undefined)) };
  }
  if (ask === "count") return arrivals.length;
  const seen = arrivals;
  if (ask === "forget") arrivals = [];
  return seen;
});
