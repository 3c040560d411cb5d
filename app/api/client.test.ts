import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { productDocument } from "@/app/api/openapi.json/document";
import { dispatch } from "@/app/api/registry";
import { openClient, openMerchant } from "@/lib/testing/api";

const ROOT = join(import.meta.dirname, "..", "..");
const run = promisify(execFile);
const GENERATION_MS = 120_000;

/** Programs that a reader of the document could write. */
const PROGRAM = `
import { Api, type Charge, type Customer } from "./client";

interface Keys { clientId: string; apiKey: string }

export async function pay(keys: Keys, merchantId: string, send: typeof fetch): Promise<{ charge: Charge; total: number; customer: Customer }> {
  const api = new Api({
    baseUrl: "http://trilho.test",
    customFetch: send,
    baseApiParams: { headers: { "X-Client-Id": keys.clientId, "X-Api-Key": keys.apiKey } },
  });
  const { data: token } = await api.v1.createToken({
    cardHolderName: "Ana Souza",
    cardNumber: "4111 2200 0000 0002",
    cardCvv: "120",
    cardExpirationDate: "12/2039",
  });
  const { data: charge } = await api.v1.createCharge({
    merchantId,
    amount: 10_500,
    capture: true,
    paymentMethod: { paymentType: "credit", installments: 3 },
    paymentSource: { sourceType: "token", tokenId: token.tokenId },
  });
  const { data: customer } = await api.v1.createCustomer({
    name: "Ana Souza",
    email: "ana@cliente.example",
    phoneNumber: "+55 11 91234-5678",
    document: { type: "CPF", number: "529.982.247-25" },
  });
  const { data: list } = await api.v1.listCharges({ limit: 5, status: "authorized" });
  const first: Charge | undefined = list.items[0];
  // @ts-expect-error a charge has a number of cents, not a text
  const amount: string = charge.amount;
  // @ts-expect-error a charge needs a merchant
  const incomplete: Parameters<typeof api.v1.createCharge>[0] = { amount: 1, paymentMethod: { paymentType: "debit" }, paymentSource: { sourceType: "card" } };
  void [first, amount, incomplete];
  return { charge, total: list.meta.totalItems, customer };
}
`;

const OPTIONS = {
  compilerOptions: {
    target: "ES2023",
    lib: ["ES2023", "DOM", "DOM.Iterable"],
    module: "esnext",
    moduleResolution: "bundler",
    strict: true,
    noEmit: true,
    types: [],
  },
  files: ["client.ts", "program.ts"],
};

let folder: string;

beforeAll(() => {
  mkdirSync(join(ROOT, ".data"), { recursive: true });
  folder = mkdtempSync(join(ROOT, ".data", "client-"));
  writeFileSync(join(folder, "openapi.json"), JSON.stringify(productDocument()));
  writeFileSync(join(folder, "program.ts"), PROGRAM);
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(OPTIONS));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it(
  "a standard generator makes a client of the document without a warning; it compiles, and it pays",
  async () => {
    const generator = join(ROOT, "node_modules", ".bin", "swagger-typescript-api");
    const generated = await run(generator, ["generate", "-p", "openapi.json", "-o", ".", "-n", "client.ts"], {
      cwd: folder,
      // A level at which the generator says everything it has to say.
      env: { ...process.env, NODE_ENV: "production", CONSOLA_LEVEL: "3", FORCE_COLOR: "0" },
    });
    expect(`${generated.stdout}${generated.stderr}`).not.toMatch(/warn|error|⚠|✖|duplicat/i);
    expect(`${generated.stdout}${generated.stderr}`).toMatch(/generat/i);

    const compiler = join(ROOT, "node_modules", ".bin", "tsc");
    const compiled = await run(compiler, ["--project", folder]).catch((error: { stdout: string }) => error);
    expect(compiled.stdout).toBe("");

    // Guarantee: the program above exports this function; the compiler has just read it.
    const { pay } = (await import(/* @vite-ignore */ join(folder, "program.ts"))) as {
      pay(keys: object, merchantId: string, send: typeof fetch): Promise<Record<string, Record<string, unknown>>>;
    };
    const client = await openClient();
    const merchant = await openMerchant(client);
    const paid = await pay(client, merchant.id, (input, init) => dispatch(new Request(input as string, init)));
    expect(paid.charge).toMatchObject({ status: "authorized", amount: 10_500, merchantId: merchant.id });
    expect(paid.customer?.name).toBe("Ana Souza");
    expect(paid.total).toBe(1);
  },
  GENERATION_MS,
);
