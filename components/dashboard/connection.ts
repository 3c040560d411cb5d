/** Said to the window when somebody wants to go and there is no connection. */
export const NO_CONNECTION = "trilho:no-connection";
/** Said when there is one again. */
export const CONNECTION_FOUND = "trilho:connection-found";

/** So long a slow network may take to answer. */
const MOST_MS = 4_000;

/** A request was lost, although the browser may call the network alive. */
let isDoubted = false;
export function doubtConnection(): void {
  isDoubted = true;
}

/** What needs no server is done without one then. */
export const mayBeLost = (): boolean => isDoubted || !navigator.onLine;

const tellLost = (): boolean => window.dispatchEvent(new Event(NO_CONNECTION));

/** Whether a page can be asked for, as far as the browser knows; where none can, the person is told why nothing happens. */
export function hasConnection(): boolean {
  if (navigator.onLine) return true;
  tellLost();
  return false;
}

/** Whether the server answers, whatever it says. */
export async function isReachable(): Promise<boolean> {
  isDoubted = !navigator.onLine || !(await answers());
  if (!isDoubted) window.dispatchEvent(new Event(CONNECTION_FOUND));
  return !isDoubted;
}

const answers = (): Promise<boolean> =>
  fetch("/livez", { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(MOST_MS) }).then(
    () => true,
    () => false,
  );

/**
 * Goes at once, unless a request was lost before: then only when the server answers. The framework would leave for the
 * browser's own page of a dead network, and what is on the screen would be lost.
 */
export function whenReachable(go: () => void): Promise<void> | undefined {
  if (!isDoubted) {
    go();
    return undefined;
  }
  return isReachable().then((isThere) => {
    if (isThere) go();
    else tellLost();
  });
}
