/** Only a request that nobody answered is a lost connection; any other answer than ours is a failure on our side. */
export async function answerTo<T>(request: Promise<Response>): Promise<T | "network" | "failed"> {
  let response: Response;
  try {
    response = await request;
  } catch {
    return "network";
  }
  try {
    return response.status < 500 ? await response.json() : "failed";
  } catch {
    return "failed";
  }
}
