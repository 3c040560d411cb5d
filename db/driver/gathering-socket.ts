import { connect, type Socket } from "node:net";

/**
 * Makes a start-up message longer than what the driver gathers before it writes (1 KB). It forgets to send a short one on
 * a connection that broke while a statement was being handed over, and hangs until its time is over.
 */
export const STARTUP_PADDING = " ".repeat(1_024);

/**
 * The driver writes each large statement by itself. Here all that is sent in one turn of the event loop leaves in one
 * system call, which is most of what a flight of statements costs this process.
 */
export function gatheringSocket(port: number, host: string): Socket {
  const socket = connect(port, host);
  const write = socket.write.bind(socket);
  let isGathering = false;
  let isFirst = true;
  // Guarantee: every form of `write` is handed on as it came.
  socket.write = ((...given: Parameters<typeof write>) => {
    if (isFirst) {
      isFirst = false;
      const [bytes] = given;
      if (Buffer.isBuffer(bytes)) given[0] = fromStartup(bytes);
    }
    if (!isGathering) {
      isGathering = true;
      socket.cork();
      setImmediate(() => {
        isGathering = false;
        socket.uncork();
      });
    }
    return write(...given);
  }) as typeof socket.write;
  return socket;
}

const PROTOCOL_3 = 196_608;
const LENGTH_BYTES = 4;

/** The start-up message alone: what was meant for the connection before it may stand in front, and must not be sent here. */
function fromStartup(bytes: Buffer): Buffer {
  for (let at = 0; at + 2 * LENGTH_BYTES <= bytes.length; at++) {
    const isStartup =
      bytes.readInt32BE(at) === bytes.length - at && bytes.readInt32BE(at + LENGTH_BYTES) === PROTOCOL_3;
    if (isStartup) return bytes.subarray(at);
  }
  return bytes;
}
