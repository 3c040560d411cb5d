/** The simulated authenticator needs nothing of a device: whoever posts here is thanked with an empty page. */
export const POST = (): Response =>
  new Response("<!doctype html><title>3-D Secure</title>", {
    headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" },
  });
