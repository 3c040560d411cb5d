import { Socket } from "node:net";

/** Told before each write of the driver. */
export function onWrite(socket: Socket, told: () => void): void {
  const write = socket.write.bind(socket);
  // Guarantee: every form of `write` is handed on as it came.
  socket.write = ((...given: Parameters<typeof write>) => {
    told();
    return write(...given);
  }) as typeof socket.write;
}

/** A socket that fails with this error. The driver must see one: it forgets a connection for which it gets none. */
export function failingSocket(error: Error): Socket {
  const socket = new Socket();
  socket.write = () => true;
  // The driver listens to it a little later.
  setImmediate(() => socket.destroy(error));
  return socket;
}
