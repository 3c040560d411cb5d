import {
  amountColumn,
  boolean,
  instantColumn,
  number,
  personal,
  type RowSource,
  textColumn,
} from "@/lib/reports/types/type";

/** Payment links, orders on several cards, and what was disputed of payments. */

export const sessions: RowSource = {
  type: "sessions",
  columns: [
    textColumn("session__id", "s.id", "ID do link"),
    instantColumn("session__created_at", "s.created_at", "Data de criação"),
    textColumn("session__merchant_id", "s.merchant_id", "ID do estabelecimento"),
    textColumn("session__order_id", "s.order_id", "ID do pedido"),
    textColumn("session__name", "s.name", "Nome"),
    textColumn("session__description", "s.description", "Descrição"),
    textColumn("session__status", "s.status", "Situação do link"),
    boolean("session__is_active", "s.is_active", "Ativo"),
    textColumn("session__currency", "s.currency", "Moeda"),
    amountColumn("session__amount", "s.amount", "Valor"),
    boolean("session__capture", "s.capture", "Captura automática"),
    textColumn(
      "session__payment_methods",
      "(select string_agg(x ->> 'paymentType', ' ' order by n) from jsonb_array_elements(s.payment_methods) with ordinality y (x, n))",
      "Métodos",
    ),
    number("session__max_payments", "s.max_payments", "Máximo de pagamentos"),
    number("session__payment_count", "s.payment_count", "Pagamentos"),
    number("session__pending_count", "s.pending_count", "Pagamentos em andamento"),
    instantColumn("session__due_at", "s.due_at", "Vencimento"),
    personal("session__customer_id", "s.customer_id", "ID do cliente"),
    instantColumn("session__updated_at", "s.updated_at", "Data de atualização"),
  ],
  from: "sessions s",
  joins: [],
  clientId: "s.client_id",
  createdAt: "s.created_at",
  id: "s.id",
  currency: "s.currency",
  createdByKey: "s.created_by_key",
};

const CARDS = `left join lateral (
  select count(*) as cards, sum(c.captured_amount) as captured, sum(c.refunded_amount) as refunded
    from charges c where c.purchase_id = b.id) n on true`;

export const purchases: RowSource = {
  type: "purchases",
  columns: [
    textColumn("purchase__id", "b.id", "ID da compra"),
    instantColumn("purchase__created_at", "b.created_at", "Data de criação"),
    textColumn("purchase__merchant_id", "b.merchant_id", "ID do estabelecimento"),
    textColumn("purchase__order_id", "b.order_id", "ID do pedido"),
    textColumn("purchase__session_id", "b.session_id", "ID do link"),
    textColumn("purchase__description", "b.description", "Descrição"),
    textColumn("purchase__statement_descriptor", "b.statement_descriptor", "Texto da fatura"),
    textColumn("purchase__status", "b.status", "Situação da compra"),
    textColumn("purchase__review_reason", "b.review_reason", "Motivo da revisão"),
    textColumn("purchase__currency", "b.currency", "Moeda"),
    amountColumn("purchase__amount", "b.amount", "Valor"),
    boolean("purchase__capture", "b.capture", "Captura automática"),
    number("purchase__cards", "n.cards", "Cartões"),
    amountColumn("purchase__captured_amount", "n.captured", "Valor capturado"),
    amountColumn("purchase__refunded_amount", "n.refunded", "Valor reembolsado"),
    personal("purchase__customer_id", "b.customer_id", "ID do cliente"),
    instantColumn("purchase__updated_at", "b.updated_at", "Data de atualização"),
  ],
  from: "purchases b",
  joins: [["n", CARDS]],
  clientId: "b.client_id",
  createdAt: "b.created_at",
  id: "b.id",
  currency: "b.currency",
};

/** As the list of them has it: the next end of a chargeback, if one came; a Pix that was given back is at its end. */
const END = `left join lateral (
  select w.created_at from transaction_requests w
   where d.request_type = 'charge_back' and w.charge_id = d.charge_id and w.request_type = 'dispute_closed'
     and w.created_at >= d.created_at
   order by w.created_at limit 1) w on true`;

export const DISPUTE_STAGE =
  "case when d.request_type <> 'charge_back' then 'returned' when w.created_at is null then 'open' else 'won' end";

export const disputes: RowSource = {
  type: "disputes",
  columns: [
    textColumn("dispute__id", "d.id", "ID da contestação"),
    instantColumn("dispute__created_at", "d.created_at", "Aberta em"),
    textColumn("dispute__charge_id", "d.charge_id", "ID da cobrança"),
    textColumn("dispute__purchase_id", "c.purchase_id", "ID da compra"),
    textColumn("dispute__merchant_id", "c.merchant_id", "ID do estabelecimento"),
    textColumn("dispute__order_id", "c.order_id", "ID do pedido"),
    textColumn("dispute__stage", DISPUTE_STAGE, "Situação da contestação"),
    instantColumn("dispute__won_at", "w.created_at", "Ganha em"),
    textColumn("dispute__currency", "c.currency", "Moeda"),
    amountColumn("dispute__amount", "d.amount", "Valor"),
    textColumn("dispute__payment_method", "c.payment_type", "Método"),
    textColumn("dispute__provider_type", "d.provider_type", "Provedor"),
    textColumn("card_brand__brand", "k.brand", "Bandeira"),
    textColumn("card__last4digits", "k.last4digits", "Final do cartão"),
  ],
  from: `transaction_requests d join charges c on c.id = d.charge_id
    and (d.request_type = 'charge_back' or d.request_status_reason = 'forced_by_payer_bank')
    and (d.request_type = 'charge_back' or c.payment_type = 'pix')`,
  joins: [
    ["w", END],
    ["k", "left join cards k on k.id = c.card_id"],
  ],
  clientId: "d.client_id",
  createdAt: "d.created_at",
  id: "d.id",
  currency: "c.currency",
};
