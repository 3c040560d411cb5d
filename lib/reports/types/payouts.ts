import { amount, instant, number, type RowSource, text } from "@/lib/reports/types/type";

const PLACE = `left join lateral (
  select l.batch_id, l.previous_batch_id from payout_lines l where l.source_id = v.id
   order by l.created_at desc, l.id desc limit 1) p on true`;

/** One row for each order, as `GET /v1/payouts/orders` answers it. */
export const payoutOrders: RowSource = {
  type: "payout_orders",
  columns: [
    text("order__id", "v.id", "ID da ordem"),
    instant("order__created_at", "v.created_at", "Data de criação"),
    text("order__merchant_id", "v.merchant_id", "ID do merchant"),
    text("order__seller_id", "v.seller_id", "ID do seller"),
    text("order__charge_id", "v.charge_id", "ID da cobrança"),
    text(
      "order__type",
      "case when v.type = 'credit' then 'authorization' when v.type like 'refund%' then 'void' else 'charge_back' end",
      "Tipo",
    ),
    text("order__currency", "v.currency", "Moeda"),
    amount("order__gross_amount", "v.gross", "Valor bruto"),
    amount("order__total_fee_amount", "v.fee + v.anticipation_fee", "Taxas"),
    amount("order__amount", "v.gross - v.fee - v.anticipation_fee", "Valor líquido"),
    number("order__installment", "v.installment", "Parcela"),
    number("order__total_installments", "v.installments", "Parcelas"),
    text("order__payment_method", "v.payment_method", "Método"),
    text("order__payment_arrangement", "v.payment_arrangement", "Arranjo"),
    text("order__payment_scheduled_at", "v.payment_date", "Data de pagamento"),
    text("order__payment_batch_id", "p.batch_id", "ID do lote"),
    text("order__previous_batch_id", "p.previous_batch_id", "ID do lote anterior"),
    instant("order__updated_at", "v.updated_at", "Data de atualização"),
  ],
  from: "receivables v",
  joins: [["p", PLACE]],
  clientId: "v.available_at is not null and v.client_id",
  createdAt: "v.created_at",
  id: "v.id",
  currency: "v.currency",
};

export const payoutBatches: RowSource = {
  type: "payout_batches",
  columns: [
    text("batch__id", "b.id", "ID do lote"),
    instant("batch__created_at", "b.created_at", "Data de criação"),
    text("batch__merchant_id", "b.merchant_id", "ID do merchant"),
    text("batch__seller_id", "b.seller_id", "ID do seller"),
    text("batch__status", "b.status", "Status"),
    text("batch__payment_date", "b.payment_date", "Data de pagamento"),
    text("batch__payout_date", "b.payout_date", "Data do repasse"),
    text("batch__feature", "b.feature", "Modalidade"),
    text("batch__payment_method", "b.payment_method", "Método"),
    text("batch__payment_arrangement", "b.payment_arrangement", "Arranjo"),
    text("batch__currency", "b.currency", "Moeda"),
    amount("batch__amount", "b.amount", "Vendas"),
    amount("batch__fee_amount", "b.fee_amount", "Taxas"),
    amount("batch__withdrawal_fee_amount", "b.withdrawal_fee_amount", "Taxa de saque"),
    amount("batch__total_fee_amount", "b.total_fee_amount", "Total de taxas"),
    amount("batch__balance_amount", "b.balance_amount", "Saldo anterior"),
    amount("batch__credit_amount", "b.credit_amount", "Créditos"),
    amount("batch__refund_amount", "b.refund_amount", "Reembolsos e contestações"),
    amount("batch__debit_adjustment_amount", "b.debit_adjustment_amount", "Ajustes a débito"),
    amount("batch__credit_adjustment_amount", "b.credit_adjustment_amount", "Ajustes a crédito"),
    amount("batch__final_balance", "b.final_balance", "Valor do repasse"),
    text("batch__error_reason", "b.error_reason", "Motivo da falha"),
    instant("batch__updated_at", "b.updated_at", "Data de atualização"),
  ],
  from: "payout_batches b",
  joins: [],
  clientId: "b.client_id",
  createdAt: "b.created_at",
  id: "b.id",
  currency: "b.currency",
};
