import type postgres from "postgres";
import { openShop, type Shop } from "@/bench/charges/shop";
import { copy } from "@/bench/lists/rows";
import { countAgain } from "@/lib/testing/count-again";

/** An account as an operator meets it: people, cards, orders, several methods and providers, declines, purchases. */
export interface Account {
  shop: Shop;
  rows: number;
  /** One payment of the middle, by everything that it can be found by. */
  known: Known;
}

export interface Known {
  id: string;
  orderId: string;
  email: string;
  document: string;
  name: string;
  lastFour: string;
  nsu: string;
  transactionId: string;
  amount: number;
  purchaseId: string;
}

export interface Models {
  chargeId: string;
  customerId: string;
  cardId: string;
  purchaseId: string;
}

const CHUNK = 50_000;
const SECONDS_APART = 7;
const CHARGES_PER_PERSON = 10;
/** Every so many charges two of them are the cards of a purchase. */
const PURCHASE_EVERY = 40;

/** Two in three Visa, some hundreds of a million of a brand that few have. */
const BRAND_OF = (person: string) =>
  `case when ${person} % 1000 = 7 then 'JCB' when ${person} % 3 = 0 then 'Mastercard' else 'Visa' end`;

/** 15 of 100 declined, two held, one refunded; a quarter Pix, a few boletos; three providers. */
const MADE = (from: number, until: number) => `create temporary table made on commit drop as
  select *, case when is_slot then 'credit' when n % 100 in (3, 23, 43, 63, 83) then 'boleto' when n % 4 = 1 then 'pix'
                 else 'credit' end as method,
         case when is_slot then 'authorized' when n % 100 < 15 then 'failed' when n % 100 < 17 then 'pre_authorized'
              when n % 100 = 17 then 'voided' else 'authorized' end as status,
         (array['SANDBOX', 'SANDBOX', 'SANDBOX', 'PAGARME', 'CIELO'])[1 + (n / 7) % 5] as provider,
         (array['insufficient_funds', 'generic', 'expired_card', 'try_again', 'fraud_suspect'])[1 + (n / 3) % 5] as code
    from (select gen_random_uuid() as id, gen_random_uuid() as attempt_id, gen_random_uuid() as event_id, n,
                 n / ${CHARGES_PER_PERSON} as person, n % ${PURCHASE_EVERY} in (30, 31) as is_slot,
                 now() - make_interval(secs => (${until} - n) * ${SECONDS_APART}) as at,
                 990 + (n * 7919::bigint) % 90000 as amount
            from generate_series(${from}::int, ${until - 1}::int) n) every_one`;

/** Bulk rows skip the triggers; what those write is written at the end, as the background job leaves it. */
export async function fillAccount(sql: postgres.Sql, models: Models, rows: number): Promise<Account> {
  const shop = await openShop();
  const client = `'${shop.clientId}'::uuid`;
  const people = Math.ceil(rows / CHARGES_PER_PERSON);
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx.unsafe(`create table bench_people as
      select gen_random_uuid() as customer_id, gen_random_uuid() as card_id, n as person from generate_series(0, ${people - 1}) n`);
    await tx`create index on bench_people (person)`;
    await copy(
      tx,
      "customers",
      models.customerId,
      {
        id: "p.customer_id",
        client_id: client,
        name: "(array['Ana', 'Bruno', 'Clara', 'Davi', 'Elisa', 'Fabio', 'Gilda'])[1 + person % 7] || ' ' || (array['Souza', 'Lima', 'Dias', 'Rocha', 'Alves'])[1 + person % 5] || ' ' || person",
        email: "'pessoa.' || person || '@example.com'",
        document_number: "lpad((person::bigint * 104729 % 100000000000)::text, 11, '0')",
        created_at: "now()",
      },
      { key: "id", made: "bench_people p" },
    );
    await copy(
      tx,
      "cards",
      models.cardId,
      {
        id: "p.card_id",
        client_id: client,
        customer_id: "p.customer_id",
        brand: `${BRAND_OF("person")}`,
        last4digits: "lpad((person % 10000)::text, 4, '0')",
        fingerprint: "p.card_id::text",
        created_at: "now()",
      },
      { key: "id", made: "bench_people p" },
    );
  });
  for (let from = 0; from < rows; from += CHUNK) {
    const until = Math.min(from + CHUNK, rows);
    await sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await tx.unsafe(MADE(from, until).replaceAll(`(${until} - n)`, `(${rows} - n)`));
      await fillPurchases(tx, models, client);
      await copy(
        tx,
        "charges",
        models.chargeId,
        {
          id: "m.id",
          client_id: client,
          merchant_id: `'${shop.merchantId}'::uuid`,
          customer_id: "p.customer_id",
          card_id: "case when m.method = 'credit' then p.card_id end",
          purchase_id: "(select b.purchase_id from bought b where m.is_slot and b.pair = m.n / 2)",
          status: "m.status",
          decline_code: "case when m.status = 'failed' then m.code end",
          payment_type: "m.method",
          provider_type: "m.provider",
          amount: "m.amount",
          original_amount: "m.amount",
          captured_amount: "case when m.status in ('authorized', 'voided') then m.amount else 0 end",
          refunded_amount: "case when m.status = 'voided' then m.amount else 0 end",
          order_id: "'pedido-' || m.n",
          created_at: "m.at",
          updated_at: "m.at",
        },
        { made: "made m join bench_people p on p.person = m.person" },
      );
      await copy(
        tx,
        "transaction_requests",
        models.chargeId,
        {
          id: "m.attempt_id",
          client_id: client,
          charge_id: "m.id",
          provider_type: "m.provider",
          reference: "m.attempt_id::text",
          amount: "m.amount",
          state: "case when m.status = 'failed' then 'declined' else 'approved' end",
          kind: "case m.method when 'pix' then 'pix' when 'boleto' then 'boleto' else 'authorize' end",
          provider_error:
            "case when m.status = 'failed' then jsonb_build_object('message', 'declined', 'declinedCode', m.code) end",
          transaction_id: "'tx_' || m.attempt_id",
          authorization_nsu: "lpad(m.n::text, 9, '0')",
          authorization_code: "lpad((m.n % 1000000)::text, 6, '0')",
          response_ms: "50 + m.n % 300",
          created_at: "m.at",
          updated_at: "m.at",
          sent_at: "m.at",
        },
        { made: "made m" },
      );
      await copy(
        tx,
        "events",
        models.chargeId,
        {
          id: "m.event_id",
          client_id: client,
          entity_id: "m.id",
          entity_version: "1",
          created_at: "m.at",
          fanned_out_at: "m.at",
        },
        { key: "entity_id", made: "made m" },
      );
    });
  }
  await countAgain(sql, shop.clientId);
  await sql`drop table bench_people`;
  return { shop, rows, known: await knownOf(sql, shop.clientId, rows) };
}

async function fillPurchases(tx: postgres.TransactionSql, models: Models, client: string): Promise<void> {
  await tx.unsafe(`create temporary table bought on commit drop as
    select gen_random_uuid() as purchase_id, n / 2 as pair, min(at) as at, sum(amount) as amount, min(person) as person, min(n) as n
      from made where is_slot group by n / 2`);
  await tx.unsafe("create index on bought (pair)");
  await tx.unsafe(`create temporary table slots on commit drop as
    select gen_random_uuid() as slot_id, b.purchase_id, m.id as charge_id, m.amount, m.at, (m.n % 2)::smallint as slot_index
      from made m join bought b on b.pair = m.n / 2 where m.is_slot`);
  await copy(
    tx,
    "purchases",
    models.purchaseId,
    {
      id: "b.purchase_id",
      client_id: client,
      customer_id: "p.customer_id",
      amount: "b.amount",
      status: "'paid'",
      order_id: "'cesta-' || b.n",
      created_at: "b.at",
      updated_at: "b.at",
    },
    { key: "id", made: "bought b join bench_people p on p.person = b.person" },
  );
  await copy(
    tx,
    "purchase_payments",
    models.purchaseId,
    {
      id: "s.slot_id",
      client_id: client,
      purchase_id: "s.purchase_id",
      charge_id: "s.charge_id",
      slot_index: "s.slot_index",
      amount: "s.amount",
      status: "'authorized'",
      was_captured: "true",
      card: `jsonb_build_object('brand', ${BRAND_OF("s.slot_index")})`,
      created_at: "s.at",
      updated_at: "s.at",
    },
    { key: "purchase_id", made: "slots s" },
  );
}

async function knownOf(sql: postgres.Sql, clientId: string, rows: number): Promise<Known> {
  const [found] = await sql<Known[]>`
    select c.id, c.order_id as "orderId", u.email, u.document_number as document, u.name, k.last4digits as "lastFour",
           a.authorization_nsu as nsu, a.transaction_id as "transactionId", c.original_amount::int as amount,
           (select id from purchases where client_id = ${clientId} order by created_at limit 1 offset ${Math.floor(rows / 80)}) as "purchaseId"
      from (select * from charges where client_id = ${clientId} and purchase_id is null and status = 'authorized'
               and payment_type = 'credit' order by created_at limit 1 offset ${Math.floor(rows / 4)}) c
      join customers u on u.id = c.customer_id join cards k on k.id = c.card_id
      join transaction_requests a on a.charge_id = c.id`;
  if (!found) throw new Error("no payment to look for");
  return found;
}
