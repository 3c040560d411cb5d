CREATE SCHEMA "vault";
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"digest" "bytea" NOT NULL,
	"hint" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "api_keys_digest_unique" UNIQUE("digest")
);
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"actor" text NOT NULL,
	"action" text NOT NULL,
	"object" text NOT NULL,
	"object_id" text NOT NULL,
	"before" jsonb,
	"after" jsonb,
	"ip" text,
	"request_id" text,
	"at" timestamp (3) with time zone NOT NULL,
	"account_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "clients" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"mode" text NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"clock_offset_seconds" bigint DEFAULT 0 NOT NULL,
	"clock_frozen_at" timestamp (3) with time zone,
	"auto_settle_seconds" integer,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "clients_mode" CHECK ("clients"."mode" in ('sandbox', 'live')),
	CONSTRAINT "clients_status" CHECK ("clients"."status" in ('active', 'disabled')),
	CONSTRAINT "clients_live_on_real_time" CHECK ("clients"."mode" = 'sandbox' or ("clients"."clock_offset_seconds" = 0 and "clients"."clock_frozen_at" is null))
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"client_id" uuid NOT NULL,
	"key" text NOT NULL,
	"method" text NOT NULL,
	"path" text NOT NULL,
	"fingerprint" "bytea" NOT NULL,
	"state" text NOT NULL,
	"resource_id" uuid,
	"lease_until" timestamp (3) with time zone,
	"status" integer,
	"content_type" text,
	"body" "bytea",
	"created_at" timestamp (3) with time zone NOT NULL,
	"done_at" timestamp (3) with time zone,
	CONSTRAINT "idempotency_keys_client_id_key_pk" PRIMARY KEY("client_id","key"),
	CONSTRAINT "idempotency_keys_key" CHECK ("idempotency_keys"."key" ~ '^[\x21-\x7e]{1,255}$'),
	CONSTRAINT "idempotency_keys_state" CHECK ("idempotency_keys"."state" in ('open', 'done'))
);
--> statement-breakpoint
CREATE TABLE "public_keys" (
	"public_key" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"scope" text[] NOT NULL,
	"session_id" uuid,
	"expires" bigint NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "rate_buckets" (
	"key" text PRIMARY KEY NOT NULL,
	"tokens" double precision NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "request_logs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"request_id" text NOT NULL,
	"key_kind" text NOT NULL,
	"method" text NOT NULL,
	"path" text NOT NULL,
	"route" text NOT NULL,
	"status" integer NOT NULL,
	"duration_ms" integer NOT NULL,
	"ip" text,
	"idempotency_key" text,
	"replayed" boolean DEFAULT false NOT NULL,
	"query" jsonb,
	"request_body" jsonb,
	"response_body" jsonb,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "charge_counts" (
	"client_id" uuid NOT NULL,
	"status" text NOT NULL,
	"delta" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "charges" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"merchant_id" uuid NOT NULL,
	"customer_id" uuid,
	"session_id" uuid,
	"purchase_id" uuid,
	"subscription_id" uuid,
	"status" text NOT NULL,
	"amount" bigint NOT NULL,
	"original_amount" bigint NOT NULL,
	"captured_amount" bigint DEFAULT 0 NOT NULL,
	"refunded_amount" bigint DEFAULT 0 NOT NULL,
	"charged_back_amount" bigint DEFAULT 0 NOT NULL,
	"currency" text NOT NULL,
	"capture" boolean NOT NULL,
	"is_dispute" boolean DEFAULT false NOT NULL,
	"description" text,
	"statement_descriptor" text,
	"order_id" text,
	"provider_reference_key" text,
	"provider_id" uuid,
	"provider_type" text,
	"provider_tx_id" text,
	"payment_type" text NOT NULL,
	"installments" smallint,
	"payment_method" jsonb NOT NULL,
	"source_type" text NOT NULL,
	"card_id" uuid,
	"token_id" uuid,
	"cvv_token_id" uuid,
	"source_customer_id" uuid,
	"fraud_analysis" jsonb,
	"payment_flow" jsonb,
	"three_d_secure2" jsonb,
	"app_info" jsonb,
	"vendor" jsonb,
	"metadata" jsonb,
	"has_split" boolean DEFAULT false NOT NULL,
	"platform_fee" jsonb,
	"expires_at" timestamp (3) with time zone,
	"scenario" text,
	"operation" text,
	"operation_amount" bigint,
	"operation_by" text,
	"operation_from" text,
	"lease_until" timestamp (3) with time zone,
	"epoch" integer DEFAULT 0 NOT NULL,
	"idle_claims" integer DEFAULT 0 NOT NULL,
	"review_reason" text,
	"review_since" timestamp (3) with time zone,
	"event_version" integer DEFAULT 0 NOT NULL,
	"last_event_at" timestamp (3) with time zone,
	"request_id" text,
	"idempotency_key" text,
	"created_by_key" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "charges_status" CHECK ("charges"."status" in ('pending','pre_authorized','authorized','failed','canceled','voided','charged_back','refund_pending','capture_pending')),
	CONSTRAINT "charges_amounts" CHECK ("charges"."amount" >= 0 and "charges"."original_amount" >= 1 and "charges"."captured_amount" >= 0),
	CONSTRAINT "charges_refunds" CHECK ("charges"."refunded_amount" >= 0 and "charges"."refunded_amount" <= "charges"."captured_amount")
);
--> statement-breakpoint
CREATE TABLE "provider_notifications" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"provider_id" uuid NOT NULL,
	"event_id" text NOT NULL,
	"type" text NOT NULL,
	"reference" text,
	"transaction_id" text,
	"body" jsonb,
	"received_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "split_rules" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"charge_id" uuid NOT NULL,
	"position" smallint NOT NULL,
	"seller_id" uuid NOT NULL,
	"percentage_bps" integer,
	"amount" bigint,
	"processing_fee" boolean NOT NULL,
	"liable" boolean NOT NULL,
	"charge_entire_fee" boolean NOT NULL,
	"charge_remainder_fee" boolean NOT NULL,
	"transaction_owner" boolean NOT NULL,
	"fare_mdr_bps" integer,
	"fare_fee" bigint,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "transaction_requests" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"charge_id" uuid,
	"card_id" uuid,
	"kind" text NOT NULL,
	"state" text NOT NULL,
	"sequence" integer NOT NULL,
	"provider_id" uuid,
	"provider_type" text NOT NULL,
	"reference" text NOT NULL,
	"request_type" text NOT NULL,
	"request_status" text NOT NULL,
	"request_status_reason" text,
	"amount" bigint NOT NULL,
	"transaction_id" text,
	"authorization_code" text,
	"authorization_nsu" text,
	"provider_error" jsonb,
	"provider_authorization" jsonb,
	"details" jsonb,
	"raw" jsonb,
	"response_ms" integer,
	"sent_at" timestamp (3) with time zone,
	"queries" integer DEFAULT 0 NOT NULL,
	"absent_since" timestamp (3) with time zone,
	"resent" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "transaction_requests_kind" CHECK ("transaction_requests"."kind" in ('authorize','capture','void','refund','pix','boleto','wallet','cancel_open','zero_dollar','notice')),
	CONSTRAINT "transaction_requests_state" CHECK ("transaction_requests"."state" in ('sent','undetermined','approved','declined','not_sent','rejected','mismatch','absent','reversed'))
);
--> statement-breakpoint
CREATE TABLE "card_attempts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"fingerprint" text NOT NULL,
	"merchant_id" uuid NOT NULL,
	"series" uuid NOT NULL,
	"amount" bigint NOT NULL,
	"retry" text NOT NULL,
	"not_before" timestamp (3) with time zone,
	"code" text,
	"mac" text,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "card_tokens" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"vault_id" uuid,
	"card_holder_name" text,
	"brand" text,
	"first6digits" text,
	"last4digits" text,
	"expiration_month" text,
	"expiration_year" text,
	"fingerprint" text,
	"created_by_key" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone,
	CONSTRAINT "card_tokens_kind" CHECK ("card_tokens"."kind" in ('card', 'cvv'))
);
--> statement-breakpoint
CREATE TABLE "cards" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"customer_id" uuid,
	"vault_id" uuid NOT NULL,
	"status" text NOT NULL,
	"status_reason" text,
	"card_holder_name" text NOT NULL,
	"brand" text NOT NULL,
	"first6digits" text NOT NULL,
	"last4digits" text NOT NULL,
	"expiration_month" text NOT NULL,
	"expiration_year" text NOT NULL,
	"cvv_checked" boolean DEFAULT false NOT NULL,
	"fingerprint" text NOT NULL,
	"created_by_key" uuid,
	"linked_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	"deleted_reason" text,
	CONSTRAINT "cards_status" CHECK ("cards"."status" in ('active', 'pending', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "customers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"phone_number" text NOT NULL,
	"document_type" text NOT NULL,
	"document_number" text,
	"document_country" text NOT NULL,
	"address" jsonb,
	"billing_address" jsonb,
	"delivery_address" jsonb,
	"default_card_id" uuid,
	"is_forced" boolean DEFAULT false NOT NULL,
	"created_by_key" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"deleted_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "vault"."cards" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"wrapped_key" "bytea" NOT NULL,
	"nonce" "bytea" NOT NULL,
	"ciphertext" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "vault"."card_cvv" (
	"token_id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"key_id" uuid NOT NULL,
	"nonce" "bytea" NOT NULL,
	"ciphertext" "bytea" NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "vault"."cvv_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"wrapped" "bytea" NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "engine_crons" (
	"id" text PRIMARY KEY NOT NULL,
	"workflow" text NOT NULL,
	"next_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "engine_events" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"received_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "engine_runs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workflow" text NOT NULL,
	"event" text NOT NULL,
	"concurrency_key" text,
	"status" text DEFAULT 'active' NOT NULL,
	"wake_at" timestamp (3) with time zone NOT NULL,
	"owner" uuid,
	"lease_until" timestamp (3) with time zone,
	"attempt" integer DEFAULT 0 NOT NULL,
	"idle_claims" integer DEFAULT 0 NOT NULL,
	"signals" integer DEFAULT 0 NOT NULL,
	"output" text,
	"error" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "engine_steps" (
	"run_id" uuid NOT NULL,
	"step_id" text NOT NULL,
	"status" text NOT NULL,
	"attempt" integer DEFAULT 0 NOT NULL,
	"wake_at" timestamp (3) with time zone,
	"output" text,
	"error" text,
	CONSTRAINT "engine_steps_run_id_step_id_pk" PRIMARY KEY("run_id","step_id")
);
--> statement-breakpoint
CREATE TABLE "engine_waits" (
	"run_id" uuid NOT NULL,
	"step_id" text NOT NULL,
	"event" text NOT NULL,
	"path" text NOT NULL,
	"value" text NOT NULL,
	CONSTRAINT "engine_waits_run_id_step_id_pk" PRIMARY KEY("run_id","step_id")
);
--> statement-breakpoint
CREATE TABLE "journals" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"merchant_id" uuid NOT NULL,
	"event_type" text NOT NULL,
	"event_id" text NOT NULL,
	"currency" char(3) DEFAULT 'BRL' NOT NULL,
	"memo" boolean DEFAULT false NOT NULL,
	"reverses" uuid,
	"civil_date" date NOT NULL,
	"charge_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"tx" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	CONSTRAINT "journals_reverses_unique" UNIQUE("reverses"),
	CONSTRAINT "journals_one_per_evidence" UNIQUE("event_type","event_id"),
	CONSTRAINT "journals_walls" UNIQUE("id","merchant_id","currency","memo")
);
--> statement-breakpoint
CREATE TABLE "ledger_accounts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"merchant_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"seller_id" uuid,
	"arrangement" text,
	"currency" char(3) DEFAULT 'BRL' NOT NULL,
	"memo" boolean DEFAULT false NOT NULL,
	CONSTRAINT "ledger_accounts_dimensions" UNIQUE NULLS NOT DISTINCT("merchant_id","kind","seller_id","arrangement","currency"),
	CONSTRAINT "ledger_accounts_walls" UNIQUE("id","merchant_id","currency","memo")
);
--> statement-breakpoint
CREATE TABLE "postings" (
	"journal_id" uuid NOT NULL,
	"line" smallint NOT NULL,
	"client_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"merchant_id" uuid NOT NULL,
	"currency" char(3) NOT NULL,
	"memo" boolean NOT NULL,
	"amount" bigint NOT NULL,
	CONSTRAINT "postings_journal_id_line_pk" PRIMARY KEY("journal_id","line"),
	CONSTRAINT "postings_amount" CHECK ("postings"."amount" <> 0)
);
--> statement-breakpoint
CREATE TABLE "merchants" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"mcc" text NOT NULL,
	"name" text,
	"merchant_name" text,
	"merchant_url" text,
	"status" boolean DEFAULT true NOT NULL,
	"platform_fee_enabled" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"deleted_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "platform_fee_rules" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"merchant_id" uuid NOT NULL,
	"payment_method" text NOT NULL,
	"percentage_bps" integer,
	"fixed_amount" bigint,
	"installment" smallint,
	"band" smallint NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "platform_fee_rules_value" CHECK ("platform_fee_rules"."percentage_bps" is not null or "platform_fee_rules"."fixed_amount" is not null)
);
--> statement-breakpoint
CREATE TABLE "providers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"merchant_id" uuid NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"priority" integer NOT NULL,
	"credentials" "bytea" NOT NULL,
	"credential_members" text[] NOT NULL,
	"options" jsonb,
	"acquirer" jsonb,
	"routable" boolean NOT NULL,
	"idempotency_key" text,
	"request_id" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "providers_priority" CHECK ("providers"."priority" >= 1)
);
--> statement-breakpoint
CREATE TABLE "memberships" (
	"operator_id" uuid NOT NULL,
	"client_id" uuid NOT NULL,
	"role" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "memberships_operator_id_client_id_pk" PRIMARY KEY("operator_id","client_id"),
	CONSTRAINT "memberships_role" CHECK ("memberships"."role" in ('owner', 'developer', 'operations', 'finance', 'support', 'viewer'))
);
--> statement-breakpoint
CREATE TABLE "operator_sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"operator_id" uuid NOT NULL,
	"active_client_id" uuid,
	"address" text,
	"user_agent" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "operators" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"name" text NOT NULL,
	"password_hash" text NOT NULL,
	"is_disabled" boolean DEFAULT false NOT NULL,
	"last_sign_in_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "operators_email_normal" CHECK ("operators"."email" = lower(btrim("operators"."email")) and "operators"."email" like '%_@_%')
);
--> statement-breakpoint
CREATE TABLE "sign_in_attempts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email_digest" "bytea" NOT NULL,
	"address" text,
	"outcome" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sign_in_attempts_outcome" CHECK ("sign_in_attempts"."outcome" in ('failed', 'succeeded', 'refused'))
);
--> statement-breakpoint
CREATE TABLE "due_jobs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"ref_id" uuid NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"wake_at" timestamp (3) with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"lease_until" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "due_jobs_one_per_object" UNIQUE("kind","ref_id")
);
--> statement-breakpoint
CREATE TABLE "events" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"object" text NOT NULL,
	"event" text NOT NULL,
	"entity_id" uuid NOT NULL,
	"entity_version" integer NOT NULL,
	"body" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"fanned_out_at" timestamp (3) with time zone,
	CONSTRAINT "events_entity_version" UNIQUE("entity_id","entity_version")
);
--> statement-breakpoint
CREATE TABLE "outbox" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"name" text NOT NULL,
	"data" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"relayed_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "purchase_operations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"purchase_id" uuid NOT NULL,
	"type" text NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"requested_by" text NOT NULL,
	"slot_index" smallint,
	"amount" bigint,
	"error" text,
	"scenario" text,
	"run_at" timestamp (3) with time zone,
	"lease_until" timestamp (3) with time zone,
	"epoch" integer DEFAULT 0 NOT NULL,
	"idle_claims" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "purchase_operations_type" CHECK ("purchase_operations"."type" in ('authorize','rollback','capture','void','refund')),
	CONSTRAINT "purchase_operations_status" CHECK ("purchase_operations"."status" in ('pending','processing','completed','failed')),
	CONSTRAINT "purchase_operations_part" CHECK (("purchase_operations"."slot_index" is null) = ("purchase_operations"."amount" is null))
);
--> statement-breakpoint
CREATE TABLE "purchase_payments" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"purchase_id" uuid NOT NULL,
	"slot_index" smallint NOT NULL,
	"amount" bigint NOT NULL,
	"installments" smallint NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"charge_id" uuid,
	"decline_reason" text,
	"refunded_amount" bigint DEFAULT 0 NOT NULL,
	"source_type" text NOT NULL,
	"token_id" uuid,
	"card_id" uuid,
	"card" jsonb,
	"split_rules" jsonb,
	"refusal" text,
	"operation_id" uuid,
	"tries" smallint DEFAULT 0 NOT NULL,
	"refused" boolean DEFAULT false NOT NULL,
	"was_captured" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "purchase_payments_status" CHECK ("purchase_payments"."status" in ('pending','processing','undetermined','pre_authorized','authorized','failed','voided','canceled','charged_back')),
	CONSTRAINT "purchase_payments_index" CHECK ("purchase_payments"."slot_index" between 0 and 2),
	CONSTRAINT "purchase_payments_amount" CHECK ("purchase_payments"."amount" >= 100),
	CONSTRAINT "purchase_payments_refunds" CHECK ("purchase_payments"."refunded_amount" between 0 and "purchase_payments"."amount"),
	CONSTRAINT "purchase_payments_installments" CHECK ("purchase_payments"."installments" between 1 and 24)
);
--> statement-breakpoint
CREATE TABLE "purchases" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"merchant_id" uuid NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"capture" boolean NOT NULL,
	"order_id" text,
	"session_id" uuid,
	"customer_id" uuid,
	"description" text,
	"statement_descriptor" text,
	"metadata" jsonb,
	"split_rules" jsonb,
	"review_reason" text,
	"review_since" timestamp (3) with time zone,
	"scenario" text,
	"request_id" text,
	"idempotency_key" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "purchases_status" CHECK ("purchases"."status" in ('pending','paid','failed','cancelled')),
	CONSTRAINT "purchases_amount" CHECK ("purchases"."amount" >= 200),
	CONSTRAINT "purchases_currency" CHECK ("purchases"."currency" = 'BRL'),
	CONSTRAINT "purchases_review" CHECK (("purchases"."review_reason" is null) = ("purchases"."review_since" is null))
);
--> statement-breakpoint
CREATE TABLE "sandbox_calls" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"provider_id" uuid NOT NULL,
	"charge_id" uuid NOT NULL,
	"operation" text NOT NULL,
	"reference" text NOT NULL,
	"idempotency_key" text,
	"fingerprint" "bytea",
	"kept" boolean NOT NULL,
	"request" jsonb NOT NULL,
	"status" smallint,
	"response" text,
	"duration_ms" integer DEFAULT 0 NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sandbox_counters" (
	"client_id" uuid NOT NULL,
	"scope" text NOT NULL,
	"used" integer NOT NULL,
	CONSTRAINT "sandbox_counters_client_id_scope_pk" PRIMARY KEY("client_id","scope")
);
--> statement-breakpoint
CREATE TABLE "sandbox_movements" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"transaction_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"amount" bigint NOT NULL,
	"cost" bigint DEFAULT 0 NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"requested_at" timestamp (3) with time zone NOT NULL,
	"reference" text NOT NULL,
	"payment_id" text,
	CONSTRAINT "sandbox_movements_amount" CHECK ("sandbox_movements"."amount" > 0)
);
--> statement-breakpoint
CREATE TABLE "sandbox_notifications" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"provider_id" uuid NOT NULL,
	"transaction_id" uuid NOT NULL,
	"reference" text NOT NULL,
	"type" text NOT NULL,
	"fault" text,
	"due_at" timestamp (3) with time zone NOT NULL,
	"sent_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "sandbox_scenarios" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"target_kind" text NOT NULL,
	"target_id" uuid NOT NULL,
	"scenario" text NOT NULL,
	"step" text NOT NULL,
	"times" integer NOT NULL,
	"used" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sandbox_scenarios_used" CHECK ("sandbox_scenarios"."times" = 0 or "sandbox_scenarios"."used" <= "sandbox_scenarios"."times")
);
--> statement-breakpoint
CREATE TABLE "sandbox_transactions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"provider_id" uuid NOT NULL,
	"charge_id" uuid NOT NULL,
	"reference" text NOT NULL,
	"copy" smallint DEFAULT 0 NOT NULL,
	"method" text NOT NULL,
	"outcome" text NOT NULL,
	"declined_code" text,
	"brand" text,
	"card_fingerprint" "bytea",
	"state" text NOT NULL,
	"plain" boolean NOT NULL,
	"currency" text DEFAULT 'BRL' NOT NULL,
	"amount" bigint NOT NULL,
	"authorized" bigint NOT NULL,
	"captured" bigint DEFAULT 0 NOT NULL,
	"refunded" bigint DEFAULT 0 NOT NULL,
	"installments" smallint DEFAULT 1 NOT NULL,
	"captured_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"resolves_at" timestamp (3) with time zone,
	"resolves_to" text,
	"expires_at" timestamp (3) with time zone,
	"delay_seconds" integer DEFAULT 5 NOT NULL,
	"scenario" text,
	"details" jsonb,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sandbox_transactions_money" CHECK ("sandbox_transactions"."captured" <= "sandbox_transactions"."authorized" and "sandbox_transactions"."refunded" >= 0)
);
--> statement-breakpoint
CREATE TABLE "webhook_attempts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"delivery_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"duration_ms" integer NOT NULL,
	"status_code" integer,
	"error" text,
	"request_headers" jsonb NOT NULL,
	"response_headers" jsonb,
	"response_body" "bytea",
	"recorded_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"webhook_id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"event" text NOT NULL,
	"entity_id" uuid NOT NULL,
	"entity_version" integer NOT NULL,
	"event_created_at" timestamp (3) with time zone NOT NULL,
	"origin" text NOT NULL,
	"status" text NOT NULL,
	"reason" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"counted" integer DEFAULT 0 NOT NULL,
	"first_attempt_at" timestamp (3) with time zone,
	"next_attempt_at" timestamp (3) with time zone,
	"delivered_at" timestamp (3) with time zone,
	"exhausted_at" timestamp (3) with time zone,
	"waits_until" timestamp (3) with time zone,
	"ready_at" timestamp (3) with time zone,
	"epoch" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "webhook_deliveries_over" CHECK ("webhook_deliveries"."status" in ('scheduled', 'sending', 'held') or ("webhook_deliveries"."ready_at" is null and "webhook_deliveries"."next_attempt_at" is null))
);
--> statement-breakpoint
CREATE TABLE "webhooks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"event" text NOT NULL,
	"endpoint" text NOT NULL,
	"address" text NOT NULL,
	"version" double precision NOT NULL,
	"status" boolean NOT NULL,
	"health" text DEFAULT 'healthy' NOT NULL,
	"active_since" timestamp (3) with time zone NOT NULL,
	"disabled_at" timestamp (3) with time zone,
	"disabled_reason" text,
	"failures" integer DEFAULT 0 NOT NULL,
	"first_failure_at" timestamp (3) with time zone,
	"last_failure_at" timestamp (3) with time zone,
	"public_key" text NOT NULL,
	"private_key" "bytea" NOT NULL,
	"previous_public_key" text,
	"previous_private_key" "bytea",
	"previous_key_expires_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "webhooks_owner" UNIQUE("client_id","id"),
	CONSTRAINT "webhooks_disabled" CHECK ("webhooks"."status" = ("webhooks"."disabled_at" is null))
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "public_keys" ADD CONSTRAINT "public_keys_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "charges" ADD CONSTRAINT "charges_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "charges" ADD CONSTRAINT "charges_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "charges" ADD CONSTRAINT "charges_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "charges" ADD CONSTRAINT "charges_provider_id_providers_id_fk" FOREIGN KEY ("provider_id") REFERENCES "public"."providers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "charges" ADD CONSTRAINT "charges_card_id_cards_id_fk" FOREIGN KEY ("card_id") REFERENCES "public"."cards"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "charges" ADD CONSTRAINT "charges_source_customer_id_customers_id_fk" FOREIGN KEY ("source_customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "split_rules" ADD CONSTRAINT "split_rules_charge_id_charges_id_fk" FOREIGN KEY ("charge_id") REFERENCES "public"."charges"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transaction_requests" ADD CONSTRAINT "transaction_requests_charge_id_charges_id_fk" FOREIGN KEY ("charge_id") REFERENCES "public"."charges"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cards" ADD CONSTRAINT "cards_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cards" ADD CONSTRAINT "cards_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customers" ADD CONSTRAINT "customers_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "engine_steps" ADD CONSTRAINT "engine_steps_run_id_engine_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."engine_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "engine_waits" ADD CONSTRAINT "engine_waits_run_id_step_id_engine_steps_run_id_step_id_fk" FOREIGN KEY ("run_id","step_id") REFERENCES "public"."engine_steps"("run_id","step_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "journals" ADD CONSTRAINT "journals_reverses_journals_id_fk" FOREIGN KEY ("reverses") REFERENCES "public"."journals"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "postings" ADD CONSTRAINT "postings_journal_id_merchant_id_currency_memo_journals_id_merchant_id_currency_memo_fk" FOREIGN KEY ("journal_id","merchant_id","currency","memo") REFERENCES "public"."journals"("id","merchant_id","currency","memo") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "postings" ADD CONSTRAINT "postings_account_id_merchant_id_currency_memo_ledger_accounts_id_merchant_id_currency_memo_fk" FOREIGN KEY ("account_id","merchant_id","currency","memo") REFERENCES "public"."ledger_accounts"("id","merchant_id","currency","memo") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "merchants" ADD CONSTRAINT "merchants_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "platform_fee_rules" ADD CONSTRAINT "platform_fee_rules_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "providers" ADD CONSTRAINT "providers_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "providers" ADD CONSTRAINT "providers_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operator_sessions" ADD CONSTRAINT "operator_sessions_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operator_sessions" ADD CONSTRAINT "operator_sessions_active_client_id_clients_id_fk" FOREIGN KEY ("active_client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "purchase_operations" ADD CONSTRAINT "purchase_operations_purchase_id_purchases_id_fk" FOREIGN KEY ("purchase_id") REFERENCES "public"."purchases"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "purchase_payments" ADD CONSTRAINT "purchase_payments_purchase_id_purchases_id_fk" FOREIGN KEY ("purchase_id") REFERENCES "public"."purchases"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "purchase_payments" ADD CONSTRAINT "purchase_payments_charge_id_charges_id_fk" FOREIGN KEY ("charge_id") REFERENCES "public"."charges"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "purchases" ADD CONSTRAINT "purchases_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "purchases" ADD CONSTRAINT "purchases_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sandbox_movements" ADD CONSTRAINT "sandbox_movements_transaction_id_sandbox_transactions_id_fk" FOREIGN KEY ("transaction_id") REFERENCES "public"."sandbox_transactions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_delivery_id_webhook_deliveries_id_fk" FOREIGN KEY ("delivery_id") REFERENCES "public"."webhook_deliveries"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_client_id_webhook_id_webhooks_client_id_id_fk" FOREIGN KEY ("client_id","webhook_id") REFERENCES "public"."webhooks"("client_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_keys_client_id_index" ON "api_keys" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX "audit_log_client_id_at_id_index" ON "audit_log" USING btree ("client_id","at","id");--> statement-breakpoint
CREATE INDEX "idempotency_keys_open" ON "idempotency_keys" USING btree ("resource_id") WHERE "idempotency_keys"."state" = 'open';--> statement-breakpoint
CREATE INDEX "idempotency_keys_created" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "public_keys_client_id_created_at_index" ON "public_keys" USING btree ("client_id","created_at");--> statement-breakpoint
CREATE INDEX "request_logs_client_id_created_at_id_index" ON "request_logs" USING btree ("client_id","created_at","id");--> statement-breakpoint
CREATE INDEX "request_logs_created" ON "request_logs" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "charge_counts_client_id_status_index" ON "charge_counts" USING btree ("client_id","status");--> statement-breakpoint
CREATE INDEX "charges_client_id_created_at_id_index" ON "charges" USING btree ("client_id","created_at","id");--> statement-breakpoint
CREATE INDEX "charges_client_id_status_created_at_id_index" ON "charges" USING btree ("client_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "charges_merchant_id_created_at_id_index" ON "charges" USING btree ("merchant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "charges_customer_id_created_at_index" ON "charges" USING btree ("customer_id","created_at");--> statement-breakpoint
CREATE INDEX "charges_order" ON "charges" USING btree ("client_id","order_id") WHERE "charges"."order_id" is not null;--> statement-breakpoint
CREATE INDEX "charges_session" ON "charges" USING btree ("session_id") WHERE "charges"."session_id" is not null;--> statement-breakpoint
CREATE INDEX "charges_purchase" ON "charges" USING btree ("purchase_id") WHERE "charges"."purchase_id" is not null;--> statement-breakpoint
CREATE INDEX "charges_subscription" ON "charges" USING btree ("subscription_id") WHERE "charges"."subscription_id" is not null;--> statement-breakpoint
CREATE INDEX "charges_created_by_key" ON "charges" USING btree ("created_by_key","created_at") WHERE "charges"."created_by_key" is not null;--> statement-breakpoint
CREATE INDEX "charges_leased" ON "charges" USING btree ("lease_until") WHERE "charges"."lease_until" is not null;--> statement-breakpoint
CREATE INDEX "charges_source_customer" ON "charges" USING btree ("source_customer_id","created_at") WHERE "charges"."source_customer_id" is not null;--> statement-breakpoint
CREATE INDEX "charges_card" ON "charges" USING btree ("card_id") WHERE "charges"."card_id" is not null;--> statement-breakpoint
CREATE INDEX "charges_original_amount" ON "charges" USING btree ("client_id","original_amount","created_at","id");--> statement-breakpoint
CREATE INDEX "charges_held" ON "charges" USING btree ("merchant_id") WHERE "charges"."status" in ('pending', 'pre_authorized');--> statement-breakpoint
CREATE UNIQUE INDEX "provider_notifications_event" ON "provider_notifications" USING btree ("provider_id","event_id");--> statement-breakpoint
CREATE UNIQUE INDEX "split_rules_position" ON "split_rules" USING btree ("charge_id","position");--> statement-breakpoint
CREATE INDEX "transaction_requests_charge_id_created_at_id_index" ON "transaction_requests" USING btree ("charge_id","created_at","id");--> statement-breakpoint
CREATE INDEX "transaction_requests_card" ON "transaction_requests" USING btree ("card_id") WHERE "transaction_requests"."card_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "transaction_requests_reference" ON "transaction_requests" USING btree ("provider_id","reference");--> statement-breakpoint
CREATE UNIQUE INDEX "transaction_requests_one_live_authorization" ON "transaction_requests" USING btree ("charge_id") WHERE "transaction_requests"."kind" = 'authorize' and "transaction_requests"."state" in ('sent', 'undetermined', 'approved', 'mismatch');--> statement-breakpoint
CREATE UNIQUE INDEX "transaction_requests_one_open" ON "transaction_requests" USING btree ("charge_id") WHERE "transaction_requests"."state" in ('sent', 'undetermined') and "transaction_requests"."kind" <> 'notice';--> statement-breakpoint
CREATE INDEX "transaction_requests_transaction" ON "transaction_requests" USING btree ("client_id","transaction_id") WHERE "transaction_requests"."transaction_id" is not null;--> statement-breakpoint
CREATE INDEX "transaction_requests_nsu" ON "transaction_requests" USING btree ("client_id","authorization_nsu") WHERE "transaction_requests"."authorization_nsu" is not null;--> statement-breakpoint
CREATE INDEX "transaction_requests_code" ON "transaction_requests" USING btree ("client_id","authorization_code") WHERE "transaction_requests"."authorization_code" is not null;--> statement-breakpoint
CREATE INDEX "card_attempts_client_id_fingerprint_merchant_id_at_index" ON "card_attempts" USING btree ("client_id","fingerprint","merchant_id","at");--> statement-breakpoint
CREATE INDEX "card_tokens_expiry" ON "card_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "cards_client_id_created_at_id_index" ON "cards" USING btree ("client_id","created_at","id");--> statement-breakpoint
CREATE INDEX "cards_customer_id_linked_at_index" ON "cards" USING btree ("customer_id","linked_at");--> statement-breakpoint
CREATE INDEX "cards_client_id_fingerprint_index" ON "cards" USING btree ("client_id","fingerprint");--> statement-breakpoint
CREATE INDEX "cards_last_four" ON "cards" USING btree ("client_id","last4digits");--> statement-breakpoint
CREATE UNIQUE INDEX "customers_email" ON "customers" USING btree ("client_id","email") WHERE not "customers"."is_forced" and "customers"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "customers_document" ON "customers" USING btree ("client_id",lower("document_type"),"document_number","document_country") WHERE not "customers"."is_forced" and "customers"."deleted_at" is null and lower("customers"."document_type") <> 'nodocument';--> statement-breakpoint
CREATE INDEX "customers_client_id_created_at_id_index" ON "customers" USING btree ("client_id","created_at","id");--> statement-breakpoint
CREATE INDEX "customers_client_id_document_number_index" ON "customers" USING btree ("client_id","document_number");--> statement-breakpoint
CREATE INDEX "customers_client_id_email_index" ON "customers" USING btree ("client_id","email");--> statement-breakpoint
CREATE INDEX "card_cvv_expiry" ON "vault"."card_cvv" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "engine_events_received" ON "engine_events" USING btree ("received_at");--> statement-breakpoint
CREATE INDEX "engine_runs_due" ON "engine_runs" USING btree ("wake_at") WHERE "engine_runs"."status" = 'active';--> statement-breakpoint
CREATE INDEX "engine_runs_leased" ON "engine_runs" USING btree ("workflow","concurrency_key") WHERE "engine_runs"."lease_until" is not null;--> statement-breakpoint
CREATE INDEX "engine_runs_finished" ON "engine_runs" USING btree ("finished_at") WHERE "engine_runs"."status" <> 'active';--> statement-breakpoint
CREATE INDEX "engine_waits_awaited" ON "engine_waits" USING btree ("event","path","value");--> statement-breakpoint
CREATE INDEX "journals_charge" ON "journals" USING btree ("charge_id");--> statement-breakpoint
CREATE INDEX "postings_account_id_journal_id_index" ON "postings" USING btree ("account_id","journal_id");--> statement-breakpoint
CREATE INDEX "merchants_client_id_created_at_id_index" ON "merchants" USING btree ("client_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "merchants_owner" ON "merchants" USING btree ("client_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "platform_fee_rules_band" ON "platform_fee_rules" USING btree ("merchant_id","payment_method","band") WHERE "platform_fee_rules"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "providers_merchant_id_priority_created_at_index" ON "providers" USING btree ("merchant_id","priority","created_at");--> statement-breakpoint
CREATE INDEX "providers_client_id_created_at_index" ON "providers" USING btree ("client_id","created_at");--> statement-breakpoint
CREATE INDEX "memberships_client_id_index" ON "memberships" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX "operator_sessions_operator_id_index" ON "operator_sessions" USING btree ("operator_id");--> statement-breakpoint
CREATE INDEX "operator_sessions_expires_at_index" ON "operator_sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "operators_email" ON "operators" USING btree ("email");--> statement-breakpoint
CREATE INDEX "sign_in_attempts_email" ON "sign_in_attempts" USING btree ("email_digest","at");--> statement-breakpoint
CREATE INDEX "sign_in_attempts_address" ON "sign_in_attempts" USING btree ("address","at");--> statement-breakpoint
CREATE INDEX "sign_in_attempts_at" ON "sign_in_attempts" USING btree ("at");--> statement-breakpoint
CREATE INDEX "due_jobs_wake" ON "due_jobs" USING btree ("wake_at");--> statement-breakpoint
CREATE INDEX "due_jobs_of_account" ON "due_jobs" USING btree ("client_id","due_at");--> statement-breakpoint
CREATE INDEX "events_client_id_created_at_id_index" ON "events" USING btree ("client_id","created_at","id");--> statement-breakpoint
CREATE INDEX "events_waiting" ON "events" USING btree ("id") WHERE "events"."fanned_out_at" is null;--> statement-breakpoint
CREATE INDEX "outbox_waiting" ON "outbox" USING btree ("id") WHERE "outbox"."relayed_at" is null;--> statement-breakpoint
CREATE INDEX "purchase_operations_purchase_id_created_at_id_index" ON "purchase_operations" USING btree ("purchase_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "purchase_operations_one_active" ON "purchase_operations" USING btree ("purchase_id") WHERE "purchase_operations"."status" in ('pending', 'processing');--> statement-breakpoint
CREATE INDEX "purchase_operations_claimable" ON "purchase_operations" USING btree ("run_at") WHERE "purchase_operations"."status" in ('pending', 'processing');--> statement-breakpoint
CREATE INDEX "purchase_operations_leased" ON "purchase_operations" USING btree ("lease_until") WHERE "purchase_operations"."lease_until" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "purchase_payments_slot" ON "purchase_payments" USING btree ("purchase_id","slot_index");--> statement-breakpoint
CREATE UNIQUE INDEX "purchase_payments_charge" ON "purchase_payments" USING btree ("charge_id") WHERE "purchase_payments"."charge_id" is not null;--> statement-breakpoint
CREATE INDEX "purchases_client_id_created_at_id_index" ON "purchases" USING btree ("client_id","created_at","id");--> statement-breakpoint
CREATE INDEX "purchases_client_id_status_created_at_id_index" ON "purchases" USING btree ("client_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "purchases_client_id_merchant_id_created_at_index" ON "purchases" USING btree ("client_id","merchant_id","created_at");--> statement-breakpoint
CREATE INDEX "purchases_order" ON "purchases" USING btree ("client_id","order_id") WHERE "purchases"."order_id" is not null;--> statement-breakpoint
CREATE INDEX "purchases_session" ON "purchases" USING btree ("session_id") WHERE "purchases"."session_id" is not null;--> statement-breakpoint
CREATE INDEX "purchases_in_review" ON "purchases" USING btree ("client_id","review_since") WHERE "purchases"."review_reason" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "sandbox_calls_key" ON "sandbox_calls" USING btree ("client_id","provider_id","idempotency_key") WHERE "sandbox_calls"."kept";--> statement-breakpoint
CREATE INDEX "sandbox_calls_charge" ON "sandbox_calls" USING btree ("client_id","charge_id");--> statement-breakpoint
CREATE UNIQUE INDEX "sandbox_movements_reference" ON "sandbox_movements" USING btree ("transaction_id","kind","reference");--> statement-breakpoint
CREATE INDEX "sandbox_movements_day" ON "sandbox_movements" USING btree ("client_id","at");--> statement-breakpoint
CREATE UNIQUE INDEX "sandbox_notifications_once" ON "sandbox_notifications" USING btree ("transaction_id","type","due_at");--> statement-breakpoint
CREATE INDEX "sandbox_notifications_due" ON "sandbox_notifications" USING btree ("client_id","due_at") WHERE "sandbox_notifications"."sent_at" is null;--> statement-breakpoint
CREATE INDEX "sandbox_scenarios_target" ON "sandbox_scenarios" USING btree ("client_id","target_id");--> statement-breakpoint
CREATE UNIQUE INDEX "sandbox_transactions_reference" ON "sandbox_transactions" USING btree ("client_id","provider_id","reference","copy");--> statement-breakpoint
CREATE INDEX "sandbox_transactions_charge" ON "sandbox_transactions" USING btree ("client_id","charge_id");--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_attempts_number" ON "webhook_attempts" USING btree ("delivery_id","number");--> statement-breakpoint
CREATE INDEX "webhook_attempts_recorded" ON "webhook_attempts" USING btree ("recorded_at");--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_deliveries_one_per_event" ON "webhook_deliveries" USING btree ("event_id","webhook_id") WHERE "webhook_deliveries"."origin" = 'event';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_listed" ON "webhook_deliveries" USING btree ("webhook_id","created_at","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_ready" ON "webhook_deliveries" USING btree ("webhook_id","ready_at","event_created_at") WHERE "webhook_deliveries"."ready_at" is not null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_sending" ON "webhook_deliveries" USING btree ("client_id","webhook_id") WHERE "webhook_deliveries"."status" = 'sending';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_open" ON "webhook_deliveries" USING btree ("webhook_id","entity_id","entity_version") WHERE "webhook_deliveries"."status" in ('scheduled', 'sending', 'held');--> statement-breakpoint
CREATE INDEX "webhook_deliveries_created" ON "webhook_deliveries" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "webhooks_client_id_created_at_id_index" ON "webhooks" USING btree ("client_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "webhooks_endpoint" ON "webhooks" USING btree ("client_id","address") WHERE "webhooks"."deleted_at" is null;