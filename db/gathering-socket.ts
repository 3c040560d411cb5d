import { connect, type Socket } from "node:net";

/**
 * The driver writes each large statement by itself. Here all that is sent in one turn of the event loop leaves in one
 * system call, which is most of what a flight of statements costs this process.
 */
export function gatheringSocket(port: number, host: string): Socket {
  const socket = connect(port, host);
  const write = socket.write.bind(socket);
  let isGathering = false;
  // Guarantee: every form of `write` is handed on as it came.
  socket.write = ((...given: Parameters<typeof write>) => {
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
