import { stateIn } from "@/lib/reports/charge-states";
import {
  amountColumn,
  boolean,
  type Column,
  instantColumn,
  number,
  personal,
  type RowSource,
  textColumn,
} from "@/lib/reports/types/type";

/** Those that authorize or open a payment (spec/rulings.md 36). */
const OPENING = "'authorize', 'pix', 'boleto', 'wallet'";

const address = (member: string): string => `u.address ->> '${member}'`;

/**
 * spec/contract.md 22.6, row by row, left to right. `transaction__amount` is the API's `amount`: a full refund leaves its
 * last value, so it says nothing of what remains.
 */
export const TRANSACTION_COLUMNS: readonly Column[] = [
  instantColumn("transaction__created_at", "c.created_at", "Data de criação"),
  textColumn("transaction__id", "c.id", "ID da cobrança"),
  textColumn("transaction__order_id", "c.order_id", "ID do pedido"),
  textColumn("session__id", "c.session_id", "ID da sessão"),
  textColumn("transaction__merchant_id", "c.merchant_id", "ID do estabelecimento"),
  textColumn("merchant__name", "m.name", "Estabelecimento"),
  textColumn("transaction__client_id", "c.client_id", "ID do cliente da conta"),
  textColumn("transaction__description", "c.description", "Descrição"),
  textColumn("transaction__statement_descriptor", "c.statement_descriptor", "Texto da fatura"),
  textColumn("transaction__currency", "c.currency", "Moeda"),
  amountColumn("transaction__original_amount", "c.original_amount", "Valor original"),
  amountColumn("transaction__amount", "c.amount", "Valor da transação"),
  number("transaction__installments", "c.installments", "Parcelas"),
  textColumn("transaction__status", "c.status", "Situação na API"),
  instantColumn("transaction_request__created_at", "r.created_at", "Data do pagamento"),
  textColumn("transaction_request__payment_method", "c.payment_type", "Método"),
  textColumn("transaction_request__provider_id", "r.provider_id", "ID do provedor"),
  textColumn("provider__name", "p.name", "Provedor"),
  textColumn("transaction_request__authorization_code", "r.authorization_code", "Código de autorização"),
  textColumn("transaction_request__authorization_nsu", "r.authorization_nsu", "NSU"),
  // Kept of a card's first payment at a merchant, not of each request.
  textColumn("transaction_request__network_transaction_id", "null::text", "ID na bandeira"),
  textColumn("transaction_request__idempotency_key", "r.reference", "Chave de idempotência"),
  boolean("transaction_request__tokenized_payment", "case when r.id is not null then false end", "Token de bandeira"),
  instantColumn("token__created_at", "t.created_at", "Data do token"),
  textColumn("transaction_source__card_id", "c.card_id", "ID do cartão"),
  textColumn("card_brand__brand", "k.brand", "Bandeira"),
  textColumn("card__number", "k.first6digits || '******' || k.last4digits", "Cartão"),
  personal("card__holder_name", "k.card_holder_name", "Portador"),
  textColumn("provider_error__declined_code", "r.provider_error ->> 'declinedCode'", "Código de recusa"),
  boolean("provider_error__retryable", "(r.provider_error ->> 'retryable')::boolean", "Retentável"),
  textColumn(
    "provider_error__network_denied_reason",
    "r.provider_error ->> 'networkDeniedReason'",
    "Motivo da bandeira",
  ),
  textColumn("nupay__payment_type", "r.details -> 'nupay' ->> 'paymentType'", "Tipo NuPay"),
  number("nupay__installments_number", "(r.details -> 'nupay' ->> 'installmentsNumber')::int", "Parcelas NuPay"),
  personal("customer__id", "u.id", "ID do cliente"),
  personal("customer__client_id", "u.client_id", "Conta do cliente"),
  personal("customer__name", "u.name", "Nome"),
  personal("customer__email", "u.email", "E-mail"),
  personal("customer__phone_number", "u.phone_number", "Telefone"),
  personal("customer__document_number", "u.document_number", "Documento"),
  // Addresses of customers have no id of their own.
  personal("customer__customer_adress_id", "null::text", "ID do endereço"),
  personal("customer_address__street", address("street"), "Rua"),
  personal("customer_address__street_number", address("streetNumber"), "Número"),
  personal("customer_address__complement", address("complement"), "Complemento"),
  personal("customer_address__zip_code", address("zipCode"), "CEP"),
  personal("customer_address__state", address("state"), "Estado"),
  personal("customer_address__city", address("city"), "Cidade"),
  personal("customer_address__district", address("district"), "Bairro"),
  personal("customer_address__country", address("country"), "País"),
];

const buyer = (member: string): string => `c.fraud_analysis -> 'customer' ->> '${member}'`;
const place = (prefix: string, member: string): Column[] =>
  ["street", "number", "complement", "zip_code", "city", "state", "district", "country"].map((name) =>
    personal(
      `fraud_analysis_customer_${prefix}__${name}`,
      `c.fraud_analysis -> 'customer' -> '${member}' ->> '${ADDRESS_MEMBERS[name] ?? name}'`,
    ),
  );
const ADDRESS_MEMBERS: Readonly<Record<string, string>> = { zip_code: "zipCode" };

/** Of the rows of `transactionsHistory`; labelled by the identifier. */
export const HISTORY_COLUMNS: readonly Column[] = [
  textColumn("transaction__idempotency_key", "c.idempotency_key"),
  boolean("transaction__capture", "c.capture"),
  textColumn("transaction__payment_flow_id", "d.flow_id"),
  textColumn("transaction__responsible_provider_id", "c.provider_id"),
  textColumn("transaction__responsible_provider_type", "c.provider_type"),
  boolean("transaction__is_dispute", "c.is_dispute"),
  textColumn("transaction_source__payment_method_recurrence", "c.payment_method ->> 'recurrence'"),
  textColumn("payment_flow__metadata", "c.payment_flow ->> 'metadata'"),
  textColumn("card__card_id", "k.id"),
  ...["name", "identity", "email", "phone"].map((name) =>
    personal(`fraud_analysis_customer_metadata__${name}`, buyer(name)),
  ),
  ...place("address_metadata", "billingAddress"),
  ...place("delivery_address_metadata", "deliveryAddress"),
  instantColumn("transaction_request__updated_at", "r.updated_at"),
  textColumn("transaction_request__id", "r.id"),
  textColumn("transaction_request__provider_type", "r.provider_type"),
  textColumn("transaction_request__request_type", "r.request_type"),
  textColumn("transaction_request__response_ts", "r.response_ms || 'ms'"),
  amountColumn("transaction_request__amount", "r.amount"),
  textColumn("transaction_request__request_status", "r.request_status"),
  textColumn("transaction_request__response_code", "r.provider_authorization ->> 'networkResponseCode'"),
  textColumn("provider_error__network_denied_message", "r.provider_error ->> 'networkDeniedMessage'"),
  textColumn("provider_error__message", "r.provider_error ->> 'message'"),
  textColumn("provider_authorization__network_response_code", "r.provider_authorization ->> 'networkResponseCode'"),
  textColumn("transaction_request_fraud_analysis__score", "r.details -> 'fraudAnalysis' ->> 'score'"),
  textColumn("transaction_request_fraud_analysis__fraud_analysis", "r.details ->> 'fraudAnalysis'"),
];

/** The attempt in whose words a charge is told: the newest of those that open its payment. */
const NEWEST_OPENING = `left join lateral (select * from transaction_requests o
  where o.charge_id = c.id and o.kind in (${OPENING}) order by o.created_at desc, o.id desc limit 1) r on true`;

/** Whatever it did: `transactionProviderId` compares its provider. */
const NEWEST = `left join lateral (select o.provider_id from transaction_requests o
  where o.charge_id = c.id and o.kind <> 'notice' order by o.created_at desc, o.id desc limit 1) last on true`;

const AROUND: RowSource["joins"] = [
  ["m", "left join merchants m on m.id = c.merchant_id"],
  ["p", "left join providers p on p.id = r.provider_id"],
  ["last", NEWEST],
  ["k", "left join cards k on k.id = c.card_id"],
  ["t", "left join card_tokens t on t.id = c.token_id"],
  ["u", "left join customers u on u.id = coalesce(c.customer_id, c.source_customer_id)"],
  ["d", "left join routing_decisions d on d.charge_id = c.id"],
];

const OFFERED: RowSource["offered"] = {
  transaction__amount: [
    amountColumn("transaction__captured_amount", "c.captured_amount", "Valor capturado"),
    amountColumn("transaction__refunded_amount", "c.refunded_amount", "Valor reembolsado"),
    amountColumn("transaction__amount_after_refunds", "c.captured_amount - c.refunded_amount", "Valor após reembolsos"),
  ],
  transaction__status: [
    {
      ...textColumn("transaction__state", stateIn("en", "c"), "Situação"),
      sqlPt: stateIn("pt-BR", "c"),
    },
  ],
};

const SYNONYMS = { transaction_source__payment_method: "transaction_request__payment_method" };

/** One row for each charge, as it is now. */
export const transactions: RowSource = {
  type: "transactions",
  columns: TRANSACTION_COLUMNS,
  further: HISTORY_COLUMNS,
  offered: OFFERED,
  synonyms: SYNONYMS,
  from: "charges c",
  joins: [["r", NEWEST_OPENING], ...AROUND],
  clientId: "c.client_id",
  createdAt: "c.created_at",
  id: "c.id",
  currency: "c.currency",
  createdByKey: "c.created_by_key",
};

/** One row for each call to a provider, in the order of their charges. */
export const transactionsHistory: RowSource = {
  ...transactions,
  type: "transactionsHistory",
  columns: [...TRANSACTION_COLUMNS, ...HISTORY_COLUMNS],
  further: [],
  from: "charges c join transaction_requests r on r.charge_id = c.id",
  joins: AROUND,
  id: "c.id, r.created_at, r.id",
};
