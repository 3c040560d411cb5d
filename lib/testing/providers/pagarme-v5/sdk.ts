import { ChargesController, Client, OrdersController, RecipientsController } from "@pagarme/pagarme-nodejs-sdk";

const LIVE = "https://api.pagar.me";

/** What its HTTP client hands over and wants back. */
interface Handed {
  method?: string;
  url?: string;
  data?: string;
  headers?: { toJSON?(): Record<string, unknown> };
  auth?: { username: string; password: string };
}

/** The official SDK, whose address is fixed: what it sends goes to the stand-in instead. */
export function officialSdk(url: string, secretKey: string) {
  const adapter = async (config: Handed) => {
    const headers = Object.fromEntries(
      Object.entries(config.headers?.toJSON?.() ?? {}).map(([name, value]) => [name, String(value)]),
    );
    const { username = "", password = "" } = config.auth ?? {};
    headers.authorization = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
    const answer = await fetch((config.url ?? "").replace(LIVE, url), {
      method: config.method?.toUpperCase() ?? "GET",
      headers,
      ...(config.data === undefined ? {} : { body: config.data }),
    });
    const data = await answer.text();
    return { data, status: answer.status, statusText: answer.statusText, headers: {}, config, request: {} };
  };
  const client = new Client({
    basicAuthCredentials: { username: secretKey, password: "" },
    // Guarantee: an adapter is all that its HTTP client asks for.
    unstable_httpClientOptions: { adapter } as never,
  });
  return {
    orders: new OrdersController(client),
    charges: new ChargesController(client),
    recipients: new RecipientsController(client),
  };
}
