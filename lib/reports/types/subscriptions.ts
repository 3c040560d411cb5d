import { amountColumn, boolean, instantColumn, number, type RowSource, textColumn } from "@/lib/reports/types/type";

const COUNTS = `left join lateral (
  select count(*) filter (where y.status = 'authorized') as paid, count(*) filter (where y.status = 'failed') as failed
    from subscription_cycles y where y.subscription_id = s.id) n on true`;

export const subscriptions: RowSource = {
  type: "subscriptions",
  columns: [
    textColumn("subscription__id", "s.id", "ID da assinatura"),
    instantColumn("subscription__created_at", "s.created_at", "Data de criação"),
    textColumn("subscription__merchant_id", "s.merchant_id", "ID do estabelecimento"),
    textColumn("subscription__customer_id", "s.customer_id", "ID do cliente"),
    textColumn("subscription__name", "s.name", "Nome"),
    textColumn("subscription__reference_key", "s.reference_key", "Referência"),
    textColumn("subscription__status", "s.status", "Situação da assinatura"),
    textColumn("subscription__currency", "s.currency", "Moeda"),
    amountColumn("subscription__amount", "s.amount", "Valor"),
    textColumn("subscription__interval", "s.interval", "Intervalo"),
    number("subscription__installments", "s.installments", "Parcelas"),
    number("subscription__cycles", "s.cycles", "Ciclos"),
    number("subscription__cycles_paid", "n.paid", "Ciclos pagos"),
    number("subscription__cycles_failed", "n.failed", "Ciclos recusados"),
    textColumn("subscription__start_at", "s.start_at", "Início"),
    textColumn("subscription__trial_end_at", "s.trial_end_at", "Fim do teste"),
    textColumn("subscription__next_due_on", "s.next_due_on", "Próximo vencimento"),
    textColumn("subscription__card_id", "s.card_id", "ID do cartão"),
    boolean("subscription__cancel_at_period_end", "s.cancel_at_period_end", "Cancela no fim do período"),
    textColumn("subscription__scheduled_cancellation_at", "s.scheduled_cancellation_at", "Cancelamento agendado"),
    instantColumn("subscription__updated_at", "s.updated_at", "Data de atualização"),
  ],
  from: "subscriptions s",
  joins: [["n", COUNTS]],
  clientId: "s.client_id",
  createdAt: "s.created_at",
  id: "s.id",
  currency: "s.currency",
  createdByKey: "s.created_by_key",
};
