/** Only a request that nobody answered is a lost connection; any other answer than ours is a failure on our side. */
export const answerTo = <T>(request: Promise<Response>): Promise<T | "network" | "failed"> =>
  request.then(
    (response) => (response.status < 500 ? response.json().catch(() => "failed") : "failed"),
    () => "network",
  );
