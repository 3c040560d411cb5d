import { aKey, type TestClient } from "@/lib/testing/api";

/** What tests read of a seller. */
export interface SellerReply {
  id: string;
  status: string;
  providers: { providerType: string; externalId: string | null; status: string }[];
  [member: string]: unknown;
}

const weighted = (digits: readonly number[]): number => {
  const sum = digits.reduce((all, digit, index) => all + digit * (digits.length + 1 - index), 0);
  return ((sum * 10) % 11) % 10;
};

let made = Math.floor(Math.random() * 100_000_000);

/** A CPF that no other seller of this process has, ending in a digit that the simulator decides by. */
export function cpfEndingIn(digit = 0): string {
  for (;;) {
    made = (made + 1) % 1_000_000_000;
    const nine = [...String(made).padStart(9, "0")].map(Number);
    const ten = [...nine, weighted(nine)];
    const last = weighted(ten);
    if (last === digit && new Set(nine).size > 1) return [...ten, last].join("");
  }
}

export const newOwner = (document: string) => ({
  name: "Ana Souza",
  email: "ana@example.com",
  phoneNumber: "+5511999990000",
  birthdate: "1990-04-01",
  document: { type: "cpf" as const, number: document, country: "BR" },
  address: {
    street: "Rua A",
    streetNumber: "10",
    zipCode: "01001000",
    country: "BR",
    state: "SP",
    city: "São Paulo",
    district: "Sé",
  },
});

export const newAccount = (document: string) => ({
  holderName: "Ana Souza",
  holderDocument: document,
  branchNumber: "1234",
  accountNumber: "56789",
  type: "conta_corrente" as const,
});

export const newSeller = (merchantId: string, changes: Record<string, unknown> = {}, digit = 0) => {
  const document = cpfEndingIn(digit);
  return {
    merchantId,
    mcc: "5712",
    owner: newOwner(document),
    bankAccount: { ...newAccount(document), bank: "341", accountCheckDigit: "7" },
    ...changes,
  };
};

/** Long enough for the simulator to have answered. */
export const afterDelay = (client: TestClient): Promise<unknown> =>
  client.make("POST", "/v1/sandbox/clock", { body: { advance: "PT10S" } });

/** Active at the simulator. */
export async function openSellers(
  client: TestClient,
  merchantId: string,
  count: number,
  changes: Record<string, unknown> = {},
): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    ids.push((await client.make("POST", "/v1/sellers", { body: newSeller(merchantId, changes) })).id);
  }
  await afterDelay(client);
  return ids;
}

/** Black, of one pixel; what follows its end makes each a file of its own. */
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=";
export const aPicture = (): Buffer => Buffer.concat([Buffer.from(PIXEL, "base64"), Buffer.from(aKey())]);

export const documentForm = (file: Buffer, type = "SELFIE"): FormData => {
  const form = new FormData();
  form.set("type", type);
  form.set("file", new File([new Uint8Array(file)], "selfie.png", { type: "image/png" }));
  return form;
};

export const uploadedDocument = async (client: TestClient, file = aPicture()): Promise<string> =>
  (await client.make("POST", "/v1/sellers/documents", { raw: documentForm(file) })).id;
