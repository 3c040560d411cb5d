import { isAbsolute, join } from "node:path";
import { readDemo } from "@/scripts/seed/demo";
import { inRoot } from "@/scripts/start/paths";
import { CommandError } from "@/scripts/trilho/print";

export interface Credentials {
  baseUrl: string;
  clientId: string;
  apiKey: string;
  /** Of the first account: what a trigger pays through. */
  merchantId?: string | undefined;
  /** Where this command line keeps what it must remember. */
  dataDir: string;
}

interface Given {
  apiKey?: string | undefined;
  clientId?: string | undefined;
  baseUrl?: string | undefined;
}

const DEFAULT_URL = "http://localhost:3000";

/** What is given wins over the environment, and that over the first account of the data folder. */
export function credentials(given: Given): Credentials {
  const dataDir = folder();
  const demo = readDemo(dataDir);
  const { TRILHO_API_KEY, TRILHO_CLIENT_ID, TRILHO_BASE_URL } = process.env;
  const apiKey = given.apiKey ?? TRILHO_API_KEY ?? demo?.apiKey;
  const clientId = given.clientId ?? TRILHO_CLIENT_ID ?? demo?.clientId;
  const baseUrl = (given.baseUrl ?? TRILHO_BASE_URL ?? demo?.baseUrl ?? DEFAULT_URL).replace(/\/+$/, "");
  if (!apiKey || !clientId) {
    throw new CommandError(
      `No account: ${join(dataDir, "demo.json")} is not there. Start Trilho once with npm start, or give ` +
        "--api-key and --client-id (TRILHO_API_KEY, TRILHO_CLIENT_ID).",
    );
  }
  if (!URL.canParse(baseUrl)) throw new CommandError(`--base-url ${baseUrl} is not an address`);
  return { apiKey, clientId, baseUrl, dataDir, merchantId: clientId === demo?.clientId ? demo.merchantId : undefined };
}

function folder(): string {
  const given = process.env.TRILHO_DATA_DIR || ".data";
  return isAbsolute(given) ? given : inRoot(given);
}
