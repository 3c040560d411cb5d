/**
 * The bytes of a request, and of its answer, beside the objects of the web platform. Their own bodies are streams, which
 * cost more to make and to read than most requests take besides: our server hands bytes over as they are.
 */
const bytesOf = new WeakMap<Request | Response, Uint8Array>();

/** For `readBody`, or for whoever sends the answer; the object itself has no body then. */
export function carry<T extends Request | Response>(carrier: T, bytes: Uint8Array): T {
  bytesOf.set(carrier, bytes);
  return carrier;
}

export const carriedBy = (carrier: Request | Response): Uint8Array | undefined => bytesOf.get(carrier);
