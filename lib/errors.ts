/** Error types and business codes of the API: spec/contract.md 2.2 and 2.4 (purchases: spec/purchases.md). */
export type ErrorType =
  | "bad_request"
  | "invalid_request_error"
  | "entity_not_found"
  | "card_declined"
  | "failed_dependency"
  | "api_error"
  | "validation_error"
  | "not_found"
  | "conflict"
  | "unauthorized"
  | "unavailable";

const refusal = (status: number, type: ErrorType) => ({ status, type });
const INVALID_REFERENCE = refusal(400, "invalid_request_error");
const CONFLICT = refusal(409, "invalid_request_error");
const RULE = refusal(422, "bad_request");
/** Inside purchases the type follows from the status alone (spec/purchases.md). */
const PURCHASE_RULE = refusal(422, "validation_error");
const PURCHASE_CONFLICT = refusal(409, "conflict");

/** Every failure a caller can act on, with the one status and type it is reported as. */
export const BUSINESS_CODES = {
  invalid_request: refusal(400, "bad_request"),
  pan_not_allowed: refusal(400, "bad_request"),
  invalid_payments_count: PURCHASE_RULE,
  payments_amount_mismatch: PURCHASE_RULE,
  payment_amount_below_minimum: PURCHASE_RULE,
  currency_not_brl: PURCHASE_RULE,
  payment_source_required: PURCHASE_RULE,
  purchase_not_found: refusal(404, "not_found"),
  purchase_invalid_state: PURCHASE_CONFLICT,
  purchase_intent_mismatch: PURCHASE_CONFLICT,
  idempotency_key_payload_mismatch: CONFLICT,
  idempotency_key_in_progress: CONFLICT,
  merchant_not_found: INVALID_REFERENCE,
  customer_not_found: INVALID_REFERENCE,
  card_not_found: INVALID_REFERENCE,
  seller_not_found: INVALID_REFERENCE,
  vendor_not_found: INVALID_REFERENCE,
  plan_not_found: INVALID_REFERENCE,
  document_not_found: INVALID_REFERENCE,
  provider_not_found: INVALID_REFERENCE,
  flow_not_found: INVALID_REFERENCE,
  scope_not_allowed: INVALID_REFERENCE,
  token_not_usable: INVALID_REFERENCE,
  card_not_usable: INVALID_REFERENCE,
  card_already_linked: CONFLICT,
  card_validation_failed: refusal(424, "failed_dependency"),
  customer_already_exists: CONFLICT,
  default_card_missing: INVALID_REFERENCE,
  provider_not_available: INVALID_REFERENCE,
  payment_method_not_supported: INVALID_REFERENCE,
  currency_not_supported: INVALID_REFERENCE,
  installments_not_allowed: INVALID_REFERENCE,
  split_rules_mixed: INVALID_REFERENCE,
  split_total_exceeded: INVALID_REFERENCE,
  split_not_supported: INVALID_REFERENCE,
  cvv_required: INVALID_REFERENCE,
  charge_invalid_state: INVALID_REFERENCE,
  amount_exceeds_remaining: INVALID_REFERENCE,
  refund_not_supported: INVALID_REFERENCE,
  refund_window_expired: INVALID_REFERENCE,
  charge_operation_in_progress: CONFLICT,
  purchase_slot_charge: CONFLICT,
  purchase_operation_in_progress: CONFLICT,
  antifraud_pending: RULE,
  refund_not_confirmed: RULE,
  cancellation_letter_not_available_for_pix: RULE,
  invalid_status_transition: INVALID_REFERENCE,
  merchant_in_use: CONFLICT,
  provider_in_use: CONFLICT,
  flow_invalid: INVALID_REFERENCE,
  flow_changed: CONFLICT,
  plan_changed: CONFLICT,
  flow_not_draft: CONFLICT,
  provider_credentials_invalid: INVALID_REFERENCE,
  sandbox_and_live_providers_mixed: refusal(422, "invalid_request_error"),
  provider_kind_not_available: refusal(422, "invalid_request_error"),
  platform_fee_rule_exists: CONFLICT,
  seller_already_exists: CONFLICT,
  seller_has_balance: CONFLICT,
  prepayment_not_enabled: refusal(403, "invalid_request_error"),
  no_receivables: refusal(404, "entity_not_found"),
  prepayment_not_pending: CONFLICT,
  prepayment_window_closed: CONFLICT,
  nothing_available: RULE,
  receivables_changed: RULE,
  review_not_open: RULE,
  document_in_use: INVALID_REFERENCE,
  document_too_large: refusal(413, "bad_request"),
  vendor_already_exists: CONFLICT,
  webhook_endpoint_already_exists: CONFLICT,
  webhook_endpoint_not_allowed: INVALID_REFERENCE,
  webhook_disabled: RULE,
  settings_not_found: refusal(404, "entity_not_found"),
  settings_no_effective_field: RULE,
  pix_boleto_multiple_payments_not_allowed: RULE,
  platform_fee_exceeds_link_amount: RULE,
  pix_boleto_one_to_one_reactivation_blocked: RULE,
  session_not_reactivatable: RULE,
  max_payments_not_allowed: RULE,
  max_payments_below_consumed: RULE,
  session_disabled: RULE,
  multiple_payments_limit_reached: RULE,
  session_not_cancelable: RULE,
  payment_method_not_allowed: RULE,
  session_installments_not_allowed: RULE,
  session_amount_zero: RULE,
  subscription_invalid_state: RULE,
  captcha_required: RULE,
  captcha_invalid: RULE,
  report_not_ready: CONFLICT,
  report_expired: refusal(410, "invalid_request_error"),
  report_limit_reached: CONFLICT,
} as const satisfies Record<string, { status: number; type: ErrorType }>;

export type BusinessCode = keyof typeof BUSINESS_CODES;

export interface RefusalOptions {
  /** One string per broken rule. */
  details?: string[];
  /** Sent as Retry-After. */
  retryAfterSeconds?: number;
}

/** A refusal the caller caused. Anything else that is thrown is a bug and becomes a 500. */
export class DomainError extends Error {
  readonly status: number;
  readonly type: ErrorType;
  readonly details: string[];
  readonly retryAfterSeconds: number | undefined;
  constructor(
    readonly businessCode: BusinessCode,
    message: string,
    options: RefusalOptions = {},
  ) {
    super(message);
    this.status = BUSINESS_CODES[businessCode].status;
    this.type = BUSINESS_CODES[businessCode].type;
    this.details = options.details ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** A refusal without a business code: malformed input, credentials, rates, unknown objects. */
export class RequestError extends Error {
  readonly details: string[];
  readonly retryAfterSeconds: number | undefined;
  readonly headers: Record<string, string>;
  /** Stable name of the rule, where the contract gives it one beside no business code. */
  readonly key: string | undefined;
  constructor(
    readonly status: number,
    readonly type: ErrorType,
    message: string,
    options: RefusalOptions & { headers?: Record<string, string>; key?: string } = {},
  ) {
    super(message);
    this.details = options.details ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.headers = options.headers ?? {};
    this.key = options.key;
  }
}

/** Card data refused when it is given: 400 card_declined with both spellings of the code (spec/contract.md 5.1). */
export class CardRefused extends Error {
  readonly status = 400;
  readonly type = "card_declined" as const;
  constructor(
    readonly declinedCode: string,
    message: string,
  ) {
    super(message);
  }
}

export const invalid = (...details: string[]): RequestError =>
  new RequestError(400, "bad_request", "invalid request", { details });

/** Unknown, deleted or another client's: the three are answered alike. */
export const notFound = (what: string): RequestError => new RequestError(404, "entity_not_found", `${what} not found`);

/** Nothing is wrong with the request; its effect is unknown when it was under way, and its key tells. */
export const unavailable = (retryAfterSeconds: number): RequestError =>
  new RequestError(503, "api_error", "temporarily unavailable", { retryAfterSeconds });
