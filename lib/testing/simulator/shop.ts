import { createAccount } from "@/lib/accounts/service";
import { sandboxPan } from "@/lib/reference/sandbox-pans";
import { type CallOptions, callApi, type Reply } from "@/lib/testing/api-client";
import { newAccount, newOwner, newSeller } from "@/lib/testing/sellers";
import { type Owner, openOwner } from "@/lib/testing/simulator/database";

/** The account that all schedules of a process share: a merchant with two providers, and its cards. */
export interface Shop {
  owner: Owner;
  clientId: string;
  merchantId: string;
  providerIds: string[];
  cardIds: string[];
  /** Active, with the prices of a sandbox account's plan. */
  sellerIds: string[];
  /** Who takes a Pix or a boleto. */
  customerId: string;
  call<T>(method: string, path: string, options?: CallOptions): Promise<Reply<T>>;
}

/** As many cards as a purchase can have. */
const CARDS = ["approve", "decline:generic", "decline:lost_card"] as const;

const SELLERS = ["52998224725", "11144477735", "39053344705"] as const;
const account = (document: string) => ({ ...newAccount(document), bank: "341", accountCheckDigit: "7" });

const provider = (priority: number) => ({
  name: `Provider ${priority}`,
  priority,
  credentials: { type: "SANDBOX", apiKey: "any text" },
});

export async function openShop(databaseUrl: string): Promise<Shop> {
  const owner = await openOwner(databaseUrl);
  const credentials = await createAccount({ name: "simulated", mode: "sandbox" });
  const shop: Omit<Shop, "merchantId" | "providerIds" | "cardIds" | "sellerIds" | "customerId"> = {
    owner,
    clientId: credentials.clientId,
    call: (method, path, options) => callApi(credentials, method, path, options),
  };
  const make = async <T>(path: string, body: unknown): Promise<T> => {
    const reply = await shop.call<T>("POST", path, { body });
    if (reply.status >= 300) throw new Error(`${path} answered ${reply.status}: ${reply.text}`);
    return reply.body;
  };
  const merchant = await make<{ id: string; providers: { id: string }[] }>("/v1/merchants", {
    mcc: "5411",
    name: "Mercado Central",
    merchantName: "Mercado Central",
    merchantUrl: "https://mercado.example",
    providers: [provider(1), provider(2)],
  });
  const cardIds: string[] = [];
  for (const outcome of CARDS) {
    const { tokenId } = await make<{ tokenId: string }>("/v1/tokens", {
      cardHolderName: "Ana Souza",
      cardNumber: sandboxPan(outcome, "visa"),
      cardCvv: "120",
      cardExpirationDate: "12/2031",
    });
    const card = await make<{ id: string }>("/v1/cards", { tokenId });
    cardIds.push(card.id);
  }
  const customer = await make<{ id: string }>("/v1/customers", {
    name: "Ana Souza",
    email: "ana@example.com",
    phoneNumber: "+55 11 99999-0000",
    document: { type: "cpf", number: "52998224725", country: "BR" },
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
  // Last: what is made before it keeps its ids.
  const sellerIds: string[] = [];
  for (const document of SELLERS) {
    const seller = { ...newSeller(merchant.id), owner: newOwner(document), bankAccount: account(document) };
    sellerIds.push((await make<{ id: string }>("/v1/sellers", { ...seller, createAsync: true })).id);
  }
  await owner.sql`update seller_registrations set status = 'active', external_id = id::text`;
  await owner.sql`update sellers set status = 'active'`;
  return {
    ...shop,
    merchantId: merchant.id,
    providerIds: merchant.providers.map(({ id }) => id),
    cardIds,
    sellerIds,
    customerId: customer.id,
  };
}

/** Nothing of one schedule falls due in the next. Rows that tell what happened stay. */
export async function forget({ owner }: Shop): Promise<void> {
  await owner.sql.unsafe(`
    delete from due_jobs;
    delete from outbox;
    delete from engine_runs;
    delete from card_attempts;
    update charges set lease_until = null where lease_until is not null;
    update purchase_operations set run_at = null, lease_until = null where run_at is not null or lease_until is not null`);
}
