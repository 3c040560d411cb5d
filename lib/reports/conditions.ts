import { stateCondition } from "@/lib/reports/charge-states";
import type { NewReport } from "@/lib/reports/schema";
import type { Moment } from "@/lib/reports/span";
import { DISPUTE_STAGE } from "@/lib/reports/types/sales";
import type { Condition } from "@/lib/reports/types/type";

export interface Narrowing {
  /** Undefined members narrow nothing. */
  conditions: readonly Condition[];
  span: { gte?: Moment | undefined; lte?: Moment | undefined } | undefined;
  /** Where the span stands in the filters. */
  member: string;
  /** Ids that must be the account's own. */
  merchantId?: string | undefined;
  providerId?: string | undefined;
}

const isId = (sql: string, id: string | undefined): Condition[] => (id === undefined ? [] : [{ sql, uuid: id }]);
const isOneOf = (sql: string, words: readonly string[] | undefined): Condition[] =>
  words === undefined ? [] : [{ sql, words }];

/** What the filters of each type compare. */
export function narrowingOf(report: Pick<NewReport, "type" | "filters">): Narrowing {
  // Guarantee: the schema of the request joins each type with its own filters.
  const asked = report as NewReport;
  switch (asked.type) {
    case "transactions":
    case "transactionsHistory": {
      const { filters } = asked;
      const methods = [
        ...(filters.transactionRequestPaymentMethod ?? []),
        ...(filters.transactionSourcePaymentMethod ?? []),
      ];
      return {
        span: filters.transactionCreatedAt,
        member: "filters.transactionCreatedAt",
        merchantId: filters.transactionMerchantId,
        providerId: filters.transactionProviderId,
        conditions: [
          ...isOneOf("c.payment_type", methods.length > 0 ? methods : undefined),
          ...isOneOf(
            "c.status",
            filters.transactionStatus?.map((status) => (status === "created" ? "pending" : status)),
          ),
          ...(filters.transactionState ? [{ is: stateCondition(filters.transactionState, "c") }] : []),
          ...isId("c.merchant_id", filters.transactionMerchantId),
          ...isId("last.provider_id", filters.transactionProviderId),
          ...isId("c.id", filters.transactionId),
        ],
      };
    }
    case "purchases": {
      const { filters } = asked;
      return ofMerchant("b", filters, [
        ...isId("b.session_id", filters.sessionId),
        ...isOneOf("b.status", filters.status),
      ]);
    }
    case "sessions": {
      const { filters } = asked;
      return ofMerchant("s", filters, [
        ...isOneOf("s.status", filters.status),
        ...isOneOf("s.is_active::text", filters.isActive === undefined ? undefined : [String(filters.isActive)]),
      ]);
    }
    case "disputes": {
      const { filters } = asked;
      return ofMerchant("c", filters, [
        ...isId("d.charge_id", filters.chargeId),
        ...isOneOf(DISPUTE_STAGE, filters.stage),
      ]);
    }
    case "prepayments": {
      const { filters } = asked;
      return ofMerchant("e", filters, [
        ...isId("e.seller_id", filters.sellerId),
        ...isOneOf("e.status", filters.status),
      ]);
    }
    case "receivables": {
      const { filters } = asked;
      return ofMerchant("v", filters, [
        ...isId("v.seller_id", filters.sellerId),
        ...isId("v.charge_id", filters.chargeId),
        ...isOneOf("v.status", filters.status),
        ...isOneOf("v.type", filters.type),
      ]);
    }
    case "payout_orders": {
      const { filters } = asked;
      return ofMerchant("v", filters, [
        ...isId("v.seller_id", filters.sellerId),
        ...isId("v.charge_id", filters.chargeId),
      ]);
    }
    case "payout_batches": {
      const { filters } = asked;
      return ofMerchant("b", filters, [
        ...isId("b.seller_id", filters.sellerId),
        ...isOneOf("b.status", filters.status),
      ]);
    }
    case "subscriptions": {
      const { filters } = asked;
      return ofMerchant("s", filters, [
        ...isId("s.customer_id", filters.customerId),
        ...isOneOf("s.status", filters.status),
      ]);
    }
    case "ledger": {
      const { filters } = asked;
      return ofMerchant("j", filters, [...isId("j.charge_id", filters.chargeId)]);
    }
    case "sellers": {
      const { filters } = asked;
      return ofMerchant("s", filters, [...isOneOf("s.status", filters.status)]);
    }
    case "customers":
      return { ...created(asked.filters), conditions: [] };
    case "deliveries": {
      const { filters } = asked;
      return {
        ...created(filters),
        conditions: [...isId("w.webhook_id", filters.webhookId), ...isOneOf("w.status", filters.status)],
      };
    }
  }
}

const created = ({ createdAt }: { createdAt?: Narrowing["span"] }) => ({
  span: createdAt,
  member: "filters.createdAt",
});

interface OfMerchant {
  createdAt?: Narrowing["span"];
  merchantId?: string | undefined;
}

/** Where `alias` names the table that knows the merchant. */
const ofMerchant = (alias: string, filters: OfMerchant, further: readonly Condition[]): Narrowing => ({
  ...created(filters),
  merchantId: filters.merchantId,
  conditions: [...isId(`${alias}.merchant_id`, filters.merchantId), ...further],
});
