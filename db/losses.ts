/** What the driver says itself of a connection. */
const OF_THE_DRIVER = new Set(["CONNECTION_CLOSED", "CONNECTION_DESTROYED", "CONNECTION_ENDED", "CONNECT_TIMEOUT"]);

/** What the machine says of a socket: of other connections too, so these count only on a statement. */
const OF_THE_SOCKET = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "EHOSTDOWN",
  "ENETUNREACH",
  "ENETDOWN",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ERR_SOCKET_CLOSED",
]);

export const AWAY = "DATABASE_AWAY";

/** Connection exceptions, a server that stops, starts or has no room, and one that became a replica. */
const OF_THE_SERVER = /^(?:08...|53...|57P0[1235]|25006)$/;

/** Whether the server answered that it was not done; a connection that broke says nothing of what was sent on it. */
export function isRefused(thrown: unknown): boolean {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if ("severity" in error) return true;
  }
  return false;
}

/**
 * Whether the database, and not the statement, is why it failed. Nothing is said of what became of the transaction: a
 * commit whose answer was lost may have happened.
 */
export function isDatabaseLoss(thrown: unknown): boolean {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if (!("code" in error) || typeof error.code !== "string") continue;
    if (error.code === AWAY || OF_THE_DRIVER.has(error.code)) return true;
    if ("severity" in error && OF_THE_SERVER.test(error.code)) return true;
    if ("query" in error && OF_THE_SOCKET.has(error.code)) return true;
  }
  return false;
}
