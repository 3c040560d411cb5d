-- version: 1.0
CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
CREATE EXTENSION IF NOT EXISTS btree_gin;
--> statement-breakpoint
CREATE SCHEMA "vault";
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"digest" "bytea" NOT NULL,
	"hint" text NOT NULL,
	"name" text,
	"rights" jsonb,
	"allowed_addresses" text[] DEFAULT '{}' NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone,
	"last_used_from" text,
	CONSTRAINT "api_keys_digest_unique" UNIQUE("digest")
);
--> statement-breakpoint
CREATE TABLE "audit_chain" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"position" bigint NOT NULL,
	"hash" "bytea" NOT NULL
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
	"reason" text,
	"second_actor" text,
	"ip" text,
	"request_id" text,
	"at" timestamp (3) with time zone NOT NULL,
	"account_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_waiting" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL
);
--> statement-breakpoint
CREATE TABLE "clients" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"mode" text NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"closed_at" timestamp (3) with time zone,
	"time_zone" text,
	"locale" text DEFAULT 'pt-BR' NOT NULL,
	"allowed_addresses" text[] DEFAULT '{}' NOT NULL,
	"clock_offset_seconds" bigint DEFAULT 0 NOT NULL,
	"clock_frozen_at" timestamp (3) with time zone,
	"auto_settle_seconds" integer,
	"is_prepayment_on" boolean,
	"reviews_alone_up_to" bigint DEFAULT 100000 NOT NULL,
	"refunds_alone_up_to" bigint DEFAULT 1000000 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "clients_alone" CHECK (least("clients"."reviews_alone_up_to", "clients"."refunds_alone_up_to") >= 0),
	CONSTRAINT "clients_locale" CHECK ("clients"."locale" in ('pt-BR', 'en')),
	CONSTRAINT "clients_mode" CHECK ("clients"."mode" in ('sandbox', 'live')),
	CONSTRAINT "clients_status" CHECK ("clients"."status" in ('active', 'disabled', 'closed')),
	CONSTRAINT "clients_closed" CHECK (("clients"."status" = 'closed') = ("clients"."closed_at" is not null)),
	CONSTRAINT "clients_live_on_real_time" CHECK ("clients"."mode" = 'sandbox' or ("clients"."clock_offset_seconds" = 0 and "clients"."clock_frozen_at" is null))
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"client_id" uuid NOT NULL,
	"namespace" uuid NOT NULL,
	"key" text NOT NULL,
	"method" text NOT NULL,
	"path" text NOT NULL,
	"kind" text NOT NULL,
	"fingerprint" "bytea" NOT NULL,
	"state" text NOT NULL,
	"resource_id" uuid,
	"lease_until" timestamp (3) with time zone,
	"owner" uuid,
	"status" integer,
	"content_type" text,
	"body" "bytea",
	"body_event" uuid,
	"body_from" integer,
	"body_length" integer,
	"created_at" timestamp (3) with time zone NOT NULL,
	"done_at" timestamp (3) with time zone,
	"keep_until" timestamp (3) with time zone,
	CONSTRAINT "idempotency_keys_client_id_namespace_key_pk" PRIMARY KEY("client_id","namespace","key"),
	CONSTRAINT "idempotency_keys_key" CHECK (length("idempotency_keys"."key") between 1 and 255 and "idempotency_keys"."key" !~ '[^\x21-\x7e]'),
	CONSTRAINT "idempotency_keys_state" CHECK ("idempotency_keys"."state" in ('open', 'done'))
);
--> statement-breakpoint
CREATE TABLE "public_keys" (
	"public_key" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"scope" text[] NOT NULL,
	"reports_personal" boolean DEFAULT false NOT NULL,
	"session_id" uuid,
	"root" uuid,
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
CREATE TABLE "buyer_moments" (
	"payment_id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"client_id" uuid NOT NULL,
	"done_at" timestamp (3) with time zone,
	CONSTRAINT "buyer_moments_event_id_pk" PRIMARY KEY("event_id")
);
--> statement-breakpoint
CREATE TABLE "captcha_answers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"ip" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "captcha_spent" (
	"key" text PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"spent_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "card_alarms" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"scope" text NOT NULL,
	"ref_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"cause" text NOT NULL,
	"tried" integer NOT NULL,
	"declined" integer NOT NULL,
	"raised_at" timestamp (3) with time zone NOT NULL,
	"until" timestamp (3) with time zone NOT NULL,
	"lifted_at" timestamp (3) with time zone,
	"note" text
);
--> statement-breakpoint
CREATE TABLE "card_protection" (
	"client_id" uuid PRIMARY KEY NOT NULL,
	"is_on" boolean NOT NULL,
	"limits" jsonb,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "card_tries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"merchant_id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"visit" text NOT NULL,
	"ip" text NOT NULL,
	"fingerprint" text NOT NULL,
	"bin" text NOT NULL,
	"amount" bigint NOT NULL,
	"charge_id" uuid,
	"purchase_id" uuid,
	"slot_index" integer,
	"outcome" text,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "card_tries_charge" UNIQUE("charge_id"),
	CONSTRAINT "card_tries_slot" UNIQUE("purchase_id","slot_index"),
	CONSTRAINT "card_tries_payment" CHECK (num_nonnulls("card_tries"."charge_id", "card_tries"."purchase_id") = 1)
);
--> statement-breakpoint
CREATE TABLE "payment_buyers" (
	"payment_id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"merchant_id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"email" text NOT NULL,
	"locale" text NOT NULL,
	"confirming_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "charge_changes" (
	"client_id" uuid NOT NULL,
	"hour" timestamp (3) with time zone NOT NULL,
	"merchant_id" uuid NOT NULL,
	"method" text NOT NULL,
	"currency" text NOT NULL,
	"card_id" uuid,
	"amount" bigint NOT NULL,
	"status" text NOT NULL,
	"provider" text NOT NULL,
	"decline_code" text NOT NULL,
	"captured" bigint NOT NULL,
	"refunded" bigint NOT NULL,
	"was_status" text,
	"was_provider" text,
	"was_decline_code" text,
	"was_captured" bigint,
	"was_refunded" bigint
);
--> statement-breakpoint
CREATE TABLE "charge_counts" (
	"client_id" uuid NOT NULL,
	"status" text NOT NULL,
	"charges" integer NOT NULL,
	CONSTRAINT "charge_counts_client_id_status_pk" PRIMARY KEY("client_id","status")
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
	"original_amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"capture" boolean NOT NULL,
	"description" text,
	"statement_descriptor" text,
	"order_id" text,
	"provider_reference_key" text,
	"payment_type" text NOT NULL,
	"installments" smallint,
	"payment_method" jsonb NOT NULL,
	"source_type" text NOT NULL,
	"card_id" uuid,
	"token_id" uuid,
	"source_customer_id" uuid,
	"payment_flow" jsonb,
	"three_d_secure2" jsonb,
	"holder" jsonb,
	"app_info" jsonb,
	"vendor" jsonb,
	"metadata" jsonb,
	"has_split" boolean DEFAULT false NOT NULL,
	"platform_fee" jsonb,
	"scenario" text,
	"request_id" text,
	"idempotency_key" text,
	"created_by_key" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"status" text NOT NULL,
	"amount" bigint NOT NULL,
	"captured_amount" bigint DEFAULT 0 NOT NULL,
	"refunded_amount" bigint DEFAULT 0 NOT NULL,
	"charged_back_amount" bigint DEFAULT 0 NOT NULL,
	"is_dispute" boolean DEFAULT false NOT NULL,
	"provider_id" uuid,
	"provider_type" text,
	"provider_tx_id" text,
	"cvv_token_id" uuid,
	"fraud_analysis" jsonb,
	"captured_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone,
	"operation" text,
	"operation_amount" bigint,
	"operation_by" text,
	"operation_from" text,
	"lease_until" timestamp (3) with time zone,
	"epoch" integer DEFAULT 0 NOT NULL,
	"idle_claims" integer DEFAULT 0 NOT NULL,
	"review_reason" text,
	"review_since" timestamp (3) with time zone,
	"decline_code" text,
	"event_version" integer DEFAULT 0 NOT NULL,
	"last_event_at" timestamp (3) with time zone,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "charges_status" CHECK ("charges"."status" = any ('{pending,pre_authorized,authorized,failed,canceled,voided,charged_back,refund_pending,capture_pending}'::text[])),
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
	"received_at" timestamp (3) with time zone NOT NULL,
	"charge_id" uuid,
	"is_proved" boolean NOT NULL
);
--> statement-breakpoint
CREATE TABLE "routing_decisions" (
	"charge_id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"facts" jsonb NOT NULL,
	"path" text[] NOT NULL,
	"providers" uuid[] NOT NULL,
	"skipped" jsonb NOT NULL,
	"fraud_provider" uuid,
	"flow_id" uuid,
	"flow_version" text,
	"steps" jsonb,
	"challenge" text,
	"bucket" smallint,
	"measures" jsonb,
	"created_at" timestamp (3) with time zone NOT NULL
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
	"captured_share" bigint,
	"processing" bigint,
	"processing_mdr" bigint,
	"processing_refundable" text,
	"rate_id" uuid,
	"fares" bigint,
	"fares_mdr" bigint,
	"fares_refundable" text,
	"refunded_share" bigint DEFAULT 0 NOT NULL,
	"refunded_parts" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "split_rules_refunded" CHECK ("split_rules"."refunded_share" between 0 and coalesce("split_rules"."captured_share", 0))
);
--> statement-breakpoint
CREATE TABLE "transaction_requests" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"charge_id" uuid,
	"card_id" uuid,
	"kind" text NOT NULL,
	"sequence" integer NOT NULL,
	"provider_id" uuid,
	"provider_type" text NOT NULL,
	"reference" text NOT NULL,
	"amount" bigint NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"state" text NOT NULL,
	"request_type" text NOT NULL,
	"request_status" text NOT NULL,
	"request_status_reason" text,
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
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "transaction_requests_kind" CHECK ("transaction_requests"."kind" = any ('{authorize,capture,void,refund,pix,boleto,wallet,cancel_open,zero_dollar,notice}'::text[])),
	CONSTRAINT "transaction_requests_state" CHECK ("transaction_requests"."state" = any ('{sent,undetermined,approved,declined,not_sent,rejected,mismatch,absent,reversed}'::text[]))
);
--> statement-breakpoint
CREATE TABLE "checkout_attempts" (
	"key" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"visit_hash" "bytea" NOT NULL,
	"method" text NOT NULL,
	"buyer" "bytea",
	"state" text DEFAULT 'sent' NOT NULL,
	"charge_id" uuid,
	"purchase_id" uuid,
	"start_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "checkout_attempts_state" CHECK ("checkout_attempts"."state" in ('sent', 'approved', 'declined', 'expired')),
	CONSTRAINT "checkout_attempts_payment" CHECK (num_nonnulls("checkout_attempts"."charge_id", "checkout_attempts"."purchase_id", "checkout_attempts"."start_id") = 1),
	CONSTRAINT "checkout_attempts_ended" CHECK (("checkout_attempts"."state" = 'sent') = ("checkout_attempts"."ended_at" is null))
);
--> statement-breakpoint
CREATE TABLE "link_failures" (
	"session_id" uuid NOT NULL,
	"cause" text NOT NULL,
	"client_id" uuid NOT NULL,
	"merchant_id" uuid NOT NULL,
	"first_at" timestamp (3) with time zone NOT NULL,
	"last_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "link_failures_session_id_cause_pk" PRIMARY KEY("session_id","cause"),
	CONSTRAINT "link_failures_cause" CHECK ("link_failures"."cause" in ('no_method', 'unavailable', 'invalid_merchant'))
);
--> statement-breakpoint
CREATE TABLE "link_requests" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"visit_hash" "bytea" NOT NULL,
	"name" text,
	"email" text,
	"locale" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"answered_at" timestamp (3) with time zone,
	"answered_with" uuid
);
--> statement-breakpoint
CREATE TABLE "link_visits" (
	"session_id" uuid NOT NULL,
	"visit_hash" "bytea" NOT NULL,
	"client_id" uuid NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "link_visits_session_id_visit_hash_pk" PRIMARY KEY("session_id","visit_hash")
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
CREATE TABLE "card_credentials" (
	"client_id" uuid NOT NULL,
	"card_id" uuid NOT NULL,
	"merchant_id" uuid NOT NULL,
	"brand" text NOT NULL,
	"network_transaction_id" text NOT NULL,
	"provider_id" uuid NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "card_credentials_card_id_merchant_id_pk" PRIMARY KEY("card_id","merchant_id")
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
CREATE TABLE "dispute_notes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"dispute_id" uuid NOT NULL,
	"charge_id" uuid NOT NULL,
	"operator_id" uuid NOT NULL,
	"mark" text,
	"text" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "dispute_notes_text" CHECK (case when "dispute_notes"."mark" is null then length("dispute_notes"."text") between 1 and 2000 else "dispute_notes"."text" = '' end),
	CONSTRAINT "dispute_notes_mark" CHECK ("dispute_notes"."mark" = any ('{handled,reopened}'::text[]))
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
CREATE TABLE "engine_link" (
	"id" integer PRIMARY KEY NOT NULL,
	"server" text NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	"watched_at" timestamp (3) with time zone NOT NULL,
	"registrar" uuid,
	"registrar_seen_at" timestamp (3) with time zone,
	"registered_at" timestamp (3) with time zone,
	"registered_address" text,
	"is_forgotten" boolean DEFAULT false NOT NULL,
	"registration_fault" text,
	"events_fault" text,
	"called_at" timestamp (3) with time zone,
	"told_fault" text,
	"told_at" timestamp (3) with time zone,
	"noticed_at" timestamp (3) with time zone,
	CONSTRAINT "engine_link_one" CHECK ("engine_link"."id" = 1)
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
CREATE TABLE "engine_servers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"role" text NOT NULL,
	"address" text NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL
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
CREATE TABLE "worker_beats" (
	"id" uuid PRIMARY KEY NOT NULL,
	"beat_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "stored_files" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"name" text NOT NULL,
	"content_type" text NOT NULL,
	"size" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone,
	CONSTRAINT "stored_files_name" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "active_flows" (
	"merchant_id" uuid NOT NULL,
	"payment_method" text NOT NULL,
	"flow_id" uuid NOT NULL,
	"client_id" uuid NOT NULL,
	CONSTRAINT "active_flows_merchant_id_payment_method_pk" PRIMARY KEY("merchant_id","payment_method")
);
--> statement-breakpoint
CREATE TABLE "flow_changes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"flow_id" uuid NOT NULL,
	"family_id" uuid NOT NULL,
	"version" text NOT NULL,
	"action" text NOT NULL,
	"actor" text NOT NULL,
	"note" text,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "flow_changes_action" CHECK ("flow_changes"."action" in ('created', 'changed', 'restored', 'activated', 'archived', 'merchants_left', 'guardrail'))
);
--> statement-breakpoint
CREATE TABLE "flow_replays" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"flow_id" uuid NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	"until" timestamp (3) with time zone NOT NULL,
	"sample" integer NOT NULL,
	"status" text NOT NULL,
	"total" integer DEFAULT 0 NOT NULL,
	"done" integer DEFAULT 0 NOT NULL,
	"result" jsonb,
	"lease_until" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "flow_replays_status" CHECK ("flow_replays"."status" in ('queued', 'running', 'done', 'failed', 'canceled')),
	CONSTRAINT "flow_replays_window" CHECK ("flow_replays"."since" < "flow_replays"."until")
);
--> statement-breakpoint
CREATE TABLE "flow_tests" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"family_id" uuid NOT NULL,
	"merchant_id" uuid NOT NULL,
	"name" text NOT NULL,
	"facts" jsonb NOT NULL,
	"unit" uuid NOT NULL,
	"expected" jsonb NOT NULL,
	"actor" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "flows" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"family_id" uuid NOT NULL,
	"parent_id" uuid,
	"restored_from" uuid,
	"name" text NOT NULL,
	"payment_method" text NOT NULL,
	"status" text NOT NULL,
	"merchant_ids" uuid[] NOT NULL,
	"major" integer NOT NULL,
	"patch" integer DEFAULT 0 NOT NULL,
	"root" jsonb NOT NULL,
	"event_version" integer DEFAULT 0 NOT NULL,
	"last_event_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"activated_at" timestamp (3) with time zone,
	"archived_at" timestamp (3) with time zone,
	CONSTRAINT "flows_status" CHECK ("flows"."status" in ('draft', 'active', 'archived')),
	CONSTRAINT "flows_method" CHECK ("flows"."payment_method" in ('credit', 'debit', 'voucher', 'pix', 'boleto')),
	CONSTRAINT "flows_merchants" CHECK (cardinality("flows"."merchant_ids") >= 1),
	CONSTRAINT "flows_activated" CHECK ("flows"."status" <> 'active' or "flows"."activated_at" is not null),
	CONSTRAINT "flows_archived" CHECK (("flows"."status" = 'archived') = ("flows"."archived_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "payment_stats_daily" (
	"client_id" uuid NOT NULL,
	"day" timestamp (3) with time zone NOT NULL,
	"merchant_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"method" text NOT NULL,
	"brand" text DEFAULT '' NOT NULL,
	"status" text NOT NULL,
	"decline_code" text NOT NULL,
	"currency" text NOT NULL,
	"charges" integer NOT NULL,
	"amount" bigint NOT NULL,
	"captured" bigint NOT NULL,
	"refunded" bigint NOT NULL,
	CONSTRAINT "payment_stats_daily_key" PRIMARY KEY("client_id","day","merchant_id","provider","method","brand","status","decline_code","currency")
);
--> statement-breakpoint
CREATE TABLE "payment_stats_hourly" (
	"client_id" uuid NOT NULL,
	"hour" timestamp (3) with time zone NOT NULL,
	"merchant_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"method" text NOT NULL,
	"brand" text DEFAULT '' NOT NULL,
	"status" text NOT NULL,
	"decline_code" text NOT NULL,
	"currency" text NOT NULL,
	"charges" integer NOT NULL,
	"amount" bigint NOT NULL,
	"captured" bigint NOT NULL,
	"refunded" bigint NOT NULL,
	CONSTRAINT "payment_stats_hourly_key" PRIMARY KEY("client_id","hour","merchant_id","provider","method","brand","status","decline_code","currency")
);
--> statement-breakpoint
CREATE TABLE "invariant_runs" (
	"invariant" text PRIMARY KEY NOT NULL,
	"ran_at" timestamp (3) with time zone NOT NULL,
	"duration_ms" integer NOT NULL,
	"checked" integer NOT NULL,
	"cursor" uuid,
	"pass_began_at" timestamp (3) with time zone,
	"pass_ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "invariant_violations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"invariant" text NOT NULL,
	"row_id" uuid NOT NULL,
	"found_at" timestamp (3) with time zone NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL,
	"closed_at" timestamp (3) with time zone,
	CONSTRAINT "invariant_violations_row" UNIQUE("invariant","row_id")
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
	"lines" smallint NOT NULL,
	"reverses" uuid,
	"civil_date" date NOT NULL,
	"charge_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"tx" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	CONSTRAINT "journals_one_per_evidence" UNIQUE("event_id","event_type"),
	CONSTRAINT "journals_lines" CHECK ("journals"."lines" > 0)
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
	CONSTRAINT "ledger_accounts_kind" CHECK ("ledger_accounts"."kind" = any ('{bank,provider_receivable,seller_pending,seller_available,payout_in_transit,merchant_pending,merchant_available,revenue:platform_fee,revenue:fares,revenue:withdrawal_fee,revenue:prepayment,expense:provider_cost,expense:seller_loss,suspense,memo:hold,memo:hold_contra}'::text[])),
	CONSTRAINT "ledger_accounts_memo" CHECK ("ledger_accounts"."memo" = starts_with("ledger_accounts"."kind", 'memo:')),
	CONSTRAINT "ledger_accounts_of" CHECK (("ledger_accounts"."seller_id" is not null) = ("ledger_accounts"."kind" = any ('{seller_pending,seller_available,payout_in_transit}'::text[]))
          and ("ledger_accounts"."arrangement" is null or "ledger_accounts"."kind" = any ('{provider_receivable}'::text[])))
);
--> statement-breakpoint
CREATE TABLE "ledger_checkpoints" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"merchant_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"up_to" "xid8" NOT NULL,
	"balance" bigint NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "ledger_checkpoints_position" UNIQUE("account_id","up_to")
);
--> statement-breakpoint
CREATE TABLE "transfers" (
	"journal_id" uuid NOT NULL,
	"line" smallint NOT NULL,
	"client_id" uuid NOT NULL,
	"merchant_id" uuid NOT NULL,
	"currency" char(3) NOT NULL,
	"memo" boolean NOT NULL,
	"debit_account" uuid NOT NULL,
	"credit_account" uuid NOT NULL,
	"amount" bigint NOT NULL,
	"tx" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	CONSTRAINT "transfers_journal_id_line_pk" PRIMARY KEY("journal_id","line"),
	CONSTRAINT "transfers_amount" CHECK ("transfers"."amount" > 0 and "transfers"."debit_account" <> "transfers"."credit_account" and "transfers"."line" > 0)
);
--> statement-breakpoint
CREATE TABLE "email_attachments" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid,
	"email_id" uuid NOT NULL,
	"file_name" text NOT NULL,
	"content_type" text NOT NULL,
	"content" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "emails" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid,
	"merchant_id" uuid,
	"template" text NOT NULL,
	"recipient" text NOT NULL,
	"locale" text NOT NULL,
	"reply_to" text,
	"data" jsonb,
	"dedupe" text NOT NULL,
	"status" text DEFAULT 'queued' NOT NULL,
	"subject" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"tried_at" timestamp (3) with time zone,
	"lease_until" timestamp (3) with time zone,
	"failure" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone,
	CONSTRAINT "emails_once" UNIQUE NULLS NOT DISTINCT("client_id","dedupe"),
	CONSTRAINT "emails_data" CHECK (("emails"."status" = 'queued') = ("emails"."data" is not null))
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
	"fares_on_refund" text DEFAULT 'mdr' NOT NULL,
	"payout_rail" text DEFAULT 'none' NOT NULL,
	"payout_account" jsonb,
	"subscription_mails_off" text[] DEFAULT '{}' NOT NULL,
	"buyer_may_cancel" boolean DEFAULT false NOT NULL,
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
	"refundable" text DEFAULT 'mdr' NOT NULL,
	"installment" smallint,
	"band" smallint NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "platform_fee_rules_value" CHECK ("platform_fee_rules"."percentage_bps" is not null or "platform_fee_rules"."fixed_amount" is not null)
);
--> statement-breakpoint
CREATE TABLE "provider_rotations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"provider_id" uuid NOT NULL,
	"credentials" "bytea" NOT NULL,
	"members" text[] NOT NULL,
	"asked_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"ended_by" uuid,
	"outcome" text,
	CONSTRAINT "provider_rotations_end" CHECK (num_nonnulls("provider_rotations"."ended_at", "provider_rotations"."outcome") <> 1),
	CONSTRAINT "provider_rotations_two_people" CHECK ("provider_rotations"."outcome" <> 'confirmed' or "provider_rotations"."ended_by" <> "provider_rotations"."asked_by")
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
	"tested_at" timestamp (3) with time zone,
	"test_passed" boolean,
	"test_words" text,
	"paused_at" timestamp (3) with time zone,
	"circuit_until" timestamp (3) with time zone,
	"idempotency_key" text,
	"request_id" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "providers_priority" CHECK ("providers"."priority" >= 1)
);
--> statement-breakpoint
CREATE TABLE "monitor_events" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"monitor_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"value" double precision NOT NULL,
	"limit_value" double precision NOT NULL,
	"samples" integer NOT NULL,
	"window_from" timestamp (3) with time zone NOT NULL,
	"window_until" timestamp (3) with time zone NOT NULL,
	"round" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "monitor_events_kind" CHECK ("monitor_events"."kind" in ('fired', 'recovered'))
);
--> statement-breakpoint
CREATE TABLE "monitors" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"name" text NOT NULL,
	"metric" text NOT NULL,
	"kind" text NOT NULL,
	"threshold" double precision NOT NULL,
	"window_minutes" integer NOT NULL,
	"by_email" boolean NOT NULL,
	"by_webhook" boolean DEFAULT false NOT NULL,
	"state" text DEFAULT 'quiet' NOT NULL,
	"since" timestamp (3) with time zone,
	"muted_until" timestamp (3) with time zone,
	"looked_at" timestamp (3) with time zone,
	"value" double precision,
	"samples" integer,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "monitors_name" CHECK (length(btrim("monitors"."name")) between 1 and 80),
	CONSTRAINT "monitors_metric" CHECK ("monitors"."metric" in ('approval','declines','latency','unknowns','webhooks','refunds','card_testing','flow_approval')),
	CONSTRAINT "monitors_window" CHECK ("monitors"."window_minutes" between 5 and 1440),
	CONSTRAINT "monitors_anomaly" CHECK ("monitors"."kind" = 'fixed' or "monitors"."window_minutes" = 60),
	CONSTRAINT "monitors_threshold" CHECK ("monitors"."threshold" > 0)
);
--> statement-breakpoint
CREATE TABLE "notice_choices" (
	"client_id" uuid NOT NULL,
	"operator_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"on_dashboard" boolean NOT NULL,
	"by_email" boolean NOT NULL,
	CONSTRAINT "notice_choices_client_id_operator_id_kind_pk" PRIMARY KEY("client_id","operator_id","kind"),
	CONSTRAINT "notice_choices_kind" CHECK ("notice_choices"."kind" in ('payment_in_review','refund_waiting','review_waiting','credentials_waiting','provider_down','provider_up','monitor_fired','monitor_recovered','webhook_failing','webhook_paused','webhook_recovered','card_testing','cards_paused','payment_page','chargeback','refund_failed','refund_approved','refund_refused','refund_lapsed','capture_failed','new_sign_in','new_key','member_joined','role_changed','limits_waiting','limits_changed','engine_silent','engine_back','flow_activated','flow_guardrail','review_due','review_closed','seller_refused','bank_account_changed','bank_account_waiting','seller_debt','subscription_unpaid','mandate_canceled','payout_waiting','adjustment_waiting','prepayment_waiting','payout_file_waiting','discrepancy_waiting','discrepancy_opened','settlement_missing','batch_failed','payout_returned'))
);
--> statement-breakpoint
CREATE TABLE "notice_mails" (
	"notice_id" uuid NOT NULL,
	"operator_id" uuid NOT NULL,
	"client_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"queued_at" timestamp (3) with time zone,
	CONSTRAINT "notice_mails_notice_id_operator_id_pk" PRIMARY KEY("notice_id","operator_id")
);
--> statement-breakpoint
CREATE TABLE "notice_reads" (
	"client_id" uuid NOT NULL,
	"operator_id" uuid NOT NULL,
	"until" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "notice_reads_client_id_operator_id_pk" PRIMARY KEY("client_id","operator_id")
);
--> statement-breakpoint
CREATE TABLE "notices" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"merchant_id" uuid,
	"provider_id" uuid,
	"operator_id" uuid,
	"asked_by" uuid,
	"name" text,
	"by_name" text,
	"amount" bigint,
	"currency" text,
	"path" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"fanned_out_at" timestamp (3) with time zone,
	CONSTRAINT "notices_kind" CHECK ("notices"."kind" in ('payment_in_review','refund_waiting','review_waiting','credentials_waiting','provider_down','provider_up','monitor_fired','monitor_recovered','webhook_failing','webhook_paused','webhook_recovered','card_testing','cards_paused','payment_page','chargeback','refund_failed','refund_approved','refund_refused','refund_lapsed','capture_failed','new_sign_in','new_key','member_joined','role_changed','limits_waiting','limits_changed','engine_silent','engine_back','flow_activated','flow_guardrail','review_due','review_closed','seller_refused','bank_account_changed','bank_account_waiting','seller_debt','subscription_unpaid','mandate_canceled','payout_waiting','adjustment_waiting','prepayment_waiting','payout_file_waiting','discrepancy_waiting','discrepancy_opened','settlement_missing','batch_failed','payout_returned')),
	CONSTRAINT "notices_path" CHECK ("notices"."path" like '/dashboard%')
);
--> statement-breakpoint
CREATE TABLE "custom_roles" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"name" text NOT NULL,
	"origin" text NOT NULL,
	"added" text[] NOT NULL,
	"removed" text[] NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "custom_roles_name" CHECK (length(btrim("custom_roles"."name")) between 1 and 40),
	CONSTRAINT "custom_roles_origin" CHECK ("custom_roles"."origin" in ('developer', 'operations', 'finance', 'support', 'viewer'))
);
--> statement-breakpoint
CREATE TABLE "invitations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"email" text NOT NULL,
	"role" text NOT NULL,
	"custom_role_id" uuid,
	"merchant_ids" uuid[],
	"refund_each" bigint,
	"refund_daily" bigint,
	"digest" "bytea" NOT NULL,
	"invited_by" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"accepted_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "invitations_digest_unique" UNIQUE("digest"),
	CONSTRAINT "invitations_email_normal" CHECK ("invitations"."email" = lower(btrim("invitations"."email")) and "invitations"."email" like '%_@_%'),
	CONSTRAINT "invitations_refunds" CHECK ("invitations"."refund_each" >= 0 and "invitations"."refund_daily" >= "invitations"."refund_each"),
	CONSTRAINT "invitations_role" CHECK ("invitations"."role" in ('owner', 'developer', 'operations', 'finance', 'support', 'viewer'))
);
--> statement-breakpoint
CREATE TABLE "memberships" (
	"operator_id" uuid NOT NULL,
	"client_id" uuid NOT NULL,
	"role" text NOT NULL,
	"custom_role_id" uuid,
	"merchant_ids" uuid[],
	"refund_each" bigint,
	"refund_daily" bigint,
	"created_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "memberships_operator_id_client_id_pk" PRIMARY KEY("operator_id","client_id"),
	CONSTRAINT "memberships_limits" CHECK ("memberships"."role" <> 'owner' or ("memberships"."custom_role_id" is null and "memberships"."merchant_ids" is null)),
	CONSTRAINT "memberships_refunds" CHECK ("memberships"."refund_each" >= 0 and "memberships"."refund_daily" >= "memberships"."refund_each"),
	CONSTRAINT "memberships_role" CHECK ("memberships"."role" in ('owner', 'developer', 'operations', 'finance', 'support', 'viewer'))
);
--> statement-breakpoint
CREATE TABLE "operator_devices" (
	"id" uuid PRIMARY KEY NOT NULL,
	"operator_id" uuid NOT NULL,
	"digest" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_sign_in_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "operator_devices_digest_unique" UNIQUE("digest")
);
--> statement-breakpoint
CREATE TABLE "operator_identities" (
	"issuer" text NOT NULL,
	"subject" text NOT NULL,
	"operator_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "operator_identities_issuer_subject_pk" PRIMARY KEY("issuer","subject")
);
--> statement-breakpoint
CREATE TABLE "operator_sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"operator_id" uuid NOT NULL,
	"active_client_id" uuid,
	"address" text,
	"user_agent" text,
	"by_company_factor" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "operator_totps" (
	"operator_id" uuid PRIMARY KEY NOT NULL,
	"secret" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"confirmed_at" timestamp (3) with time zone,
	"last_step" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "operators" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"name" text NOT NULL,
	"password_hash" text NOT NULL,
	"locale" text,
	"browser_locale" text,
	"time_zone" text,
	"is_disabled" boolean DEFAULT false NOT NULL,
	"last_sign_in_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "operators_email_normal" CHECK ("operators"."email" = lower(btrim("operators"."email")) and "operators"."email" like '%_@_%')
);
--> statement-breakpoint
CREATE TABLE "passkey_challenges" (
	"id" uuid PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"operator_id" uuid NOT NULL,
	"challenge" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone,
	CONSTRAINT "passkey_challenges_challenge_unique" UNIQUE("challenge"),
	CONSTRAINT "passkey_challenges_purpose" CHECK ("passkey_challenges"."purpose" in ('add', 'sign-in'))
);
--> statement-breakpoint
CREATE TABLE "passkeys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"operator_id" uuid NOT NULL,
	"credential_id" text NOT NULL,
	"public_key" "bytea" NOT NULL,
	"counter" bigint NOT NULL,
	"transports" text[] NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	CONSTRAINT "passkeys_credentialId_unique" UNIQUE("credential_id"),
	CONSTRAINT "passkeys_name" CHECK (length(btrim("passkeys"."name")) between 1 and 60)
);
--> statement-breakpoint
CREATE TABLE "password_resets" (
	"id" uuid PRIMARY KEY NOT NULL,
	"operator_id" uuid NOT NULL,
	"digest" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone,
	CONSTRAINT "password_resets_digest_unique" UNIQUE("digest")
);
--> statement-breakpoint
CREATE TABLE "provider_returns" (
	"digest" "bytea" PRIMARY KEY NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "recovery_codes" (
	"operator_id" uuid NOT NULL,
	"digest" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone,
	CONSTRAINT "recovery_codes_operator_id_digest_pk" PRIMARY KEY("operator_id","digest")
);
--> statement-breakpoint
CREATE TABLE "review_takes" (
	"client_id" uuid NOT NULL,
	"payment_id" uuid NOT NULL,
	"operator_id" uuid NOT NULL,
	"taken_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "review_takes_client_id_payment_id_pk" PRIMARY KEY("client_id","payment_id")
);
--> statement-breakpoint
CREATE TABLE "sign_in_attempts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email_digest" "bytea" NOT NULL,
	"place" text NOT NULL,
	"proof" text,
	"outcome" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sign_in_attempts_outcome" CHECK ("sign_in_attempts"."outcome" in ('failed', 'succeeded', 'forgiven', 'refused'))
);
--> statement-breakpoint
CREATE TABLE "sign_in_challenges" (
	"id" uuid PRIMARY KEY NOT NULL,
	"digest" "bytea" NOT NULL,
	"operator_id" uuid NOT NULL,
	"attempt_id" uuid NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone,
	CONSTRAINT "sign_in_challenges_digest_unique" UNIQUE("digest")
);
--> statement-breakpoint
CREATE TABLE "due_jobs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"ref_id" uuid NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"lane" text DEFAULT 'bookkeeping' NOT NULL,
	"wake_at" timestamp (3) with time zone,
	"queue" uuid,
	"attempts" integer DEFAULT 0 NOT NULL,
	"epoch" integer DEFAULT 0 NOT NULL,
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
CREATE TABLE "page_checks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"checked_at" timestamp (3) with time zone NOT NULL,
	"pages" integer NOT NULL,
	"differences" jsonb NOT NULL,
	"failure" text
);
--> statement-breakpoint
CREATE TABLE "payout_files" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"merchant_id" uuid NOT NULL,
	"bank" text NOT NULL,
	"agreement" text NOT NULL,
	"sequence" integer NOT NULL,
	"content" text NOT NULL,
	"transfers" integer NOT NULL,
	"amount" bigint NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payout_files_sequence" CHECK ("payout_files"."sequence" between 1 and 999999),
	CONSTRAINT "payout_files_header" CHECK (substr("payout_files"."content", 1, 3) = "payout_files"."bank" and btrim(substr("payout_files"."content", 33, 20)) = "payout_files"."agreement"
        and substr("payout_files"."content", 158, 6) = lpad("payout_files"."sequence"::text, 6, '0')),
	CONSTRAINT "payout_files_transfers" CHECK ("payout_files"."transfers" > 0 and "payout_files"."amount" > 0)
);
--> statement-breakpoint
CREATE TABLE "payout_returns" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"merchant_id" uuid NOT NULL,
	"name" text NOT NULL,
	"digest" text NOT NULL,
	"content" text NOT NULL,
	"transfers" integer NOT NULL,
	"taken_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payout_batches" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"merchant_id" uuid NOT NULL,
	"seller_id" uuid,
	"status" text NOT NULL,
	"currency" text DEFAULT 'BRL' NOT NULL,
	"amount" bigint NOT NULL,
	"fee_amount" bigint NOT NULL,
	"withdrawal_fee_amount" bigint NOT NULL,
	"total_fee_amount" bigint NOT NULL,
	"balance_amount" bigint NOT NULL,
	"credit_amount" bigint NOT NULL,
	"refund_amount" bigint NOT NULL,
	"debit_adjustment_amount" bigint NOT NULL,
	"credit_adjustment_amount" bigint NOT NULL,
	"final_balance" bigint NOT NULL,
	"payment_date" date NOT NULL,
	"payout_date" date,
	"feature" text NOT NULL,
	"payment_method" text,
	"payment_arrangement" text,
	"error_reason" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payout_batches_group" UNIQUE NULLS NOT DISTINCT("client_id","merchant_id","seller_id","payment_date","payment_arrangement","payment_method","feature"),
	CONSTRAINT "payout_batches_status" CHECK ("payout_batches"."status" in ('pending','paid','failed','offset')),
	CONSTRAINT "payout_batches_feature" CHECK ("payout_batches"."feature" in ('subacquirer','nupay','general')),
	CONSTRAINT "payout_batches_signs" CHECK ("payout_batches"."amount" >= 0 and "payout_batches"."credit_amount" >= 0 and "payout_batches"."fee_amount" >= 0 and "payout_batches"."refund_amount" >= 0
        and "payout_batches"."debit_adjustment_amount" >= 0 and "payout_batches"."credit_adjustment_amount" >= 0 and "payout_batches"."withdrawal_fee_amount" >= 0
        and "payout_batches"."balance_amount" <= 0),
	CONSTRAINT "payout_batches_fees" CHECK ("payout_batches"."total_fee_amount" = "payout_batches"."fee_amount" + "payout_batches"."withdrawal_fee_amount"),
	CONSTRAINT "payout_batches_identity" CHECK ("payout_batches"."final_balance" = "payout_batches"."amount" + "payout_batches"."balance_amount" + "payout_batches"."credit_amount" + "payout_batches"."credit_adjustment_amount"
        - "payout_batches"."total_fee_amount" - "payout_batches"."refund_amount" - "payout_batches"."debit_adjustment_amount"),
	CONSTRAINT "payout_batches_withdrawal" CHECK ("payout_batches"."final_balance" > 0 or "payout_batches"."withdrawal_fee_amount" = 0),
	CONSTRAINT "payout_batches_offset" CHECK (("payout_batches"."status" = 'offset') = ("payout_batches"."final_balance" <= 0)),
	CONSTRAINT "payout_batches_paid" CHECK ("payout_batches"."payout_date" is null or ("payout_batches"."status" = 'paid' and "payout_batches"."payout_date" >= "payout_batches"."payment_date")),
	CONSTRAINT "payout_batches_error" CHECK (("payout_batches"."error_reason" is not null) = ("payout_batches"."status" = 'failed'))
);
--> statement-breakpoint
CREATE TABLE "payout_holds" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"merchant_id" uuid NOT NULL,
	"seller_id" uuid NOT NULL,
	"cause" text NOT NULL,
	"reason" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"lifted_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "payout_lines" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"batch_id" uuid NOT NULL,
	"type" text NOT NULL,
	"amount" bigint NOT NULL,
	"charge_id" uuid,
	"source_type" text NOT NULL,
	"source_id" uuid NOT NULL,
	"previous_batch_id" uuid,
	"is_live" boolean DEFAULT true NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payout_lines_type" CHECK ("payout_lines"."type" in ('credit','fee','refund','chargeback','adjustment','manual_credit','carried','withdrawal')),
	CONSTRAINT "payout_lines_sign" CHECK (case when "payout_lines"."type" in ('credit', 'manual_credit') then "payout_lines"."amount" > 0
        when "payout_lines"."type" in ('fee', 'refund', 'chargeback', 'carried', 'withdrawal') then "payout_lines"."amount" <= 0 else true end)
);
--> statement-breakpoint
CREATE TABLE "payout_transfers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"merchant_id" uuid NOT NULL,
	"seller_id" uuid NOT NULL,
	"batch_id" uuid NOT NULL,
	"reference" text NOT NULL,
	"rail" text NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text DEFAULT 'BRL' NOT NULL,
	"status" text NOT NULL,
	"destination" jsonb NOT NULL,
	"reason" text,
	"attempted_at" timestamp (3) with time zone,
	"left_as" text,
	"sent_on" date,
	"settled_at" timestamp (3) with time zone,
	"returned_at" timestamp (3) with time zone,
	"queries" smallint DEFAULT 0 NOT NULL,
	"bank_reference" text,
	"file_id" uuid,
	"file_number" text,
	"marked_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payout_transfers_filed" CHECK (("payout_transfers"."file_id" is null) = ("payout_transfers"."file_number" is null)),
	CONSTRAINT "payout_transfers_amount" CHECK ("payout_transfers"."amount" > 0),
	CONSTRAINT "payout_transfers_status" CHECK ("payout_transfers"."status" in ('created','sent','unknown','settled','failed','returned')),
	CONSTRAINT "payout_transfers_sent" CHECK ("payout_transfers"."status" not in ('sent', 'settled', 'returned') or "payout_transfers"."sent_on" is not null)
);
--> statement-breakpoint
CREATE TABLE "seller_adjustments" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"merchant_id" uuid NOT NULL,
	"seller_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text DEFAULT 'BRL' NOT NULL,
	"transfer_id" uuid,
	"reason" text NOT NULL,
	"batch_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "seller_adjustments_amount" CHECK ("seller_adjustments"."amount" <> 0 and ("seller_adjustments"."amount" > 0 or "seller_adjustments"."kind" = 'correction'))
);
--> statement-breakpoint
CREATE TABLE "prepayment_items" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"prepayment_id" uuid NOT NULL,
	"receivable_id" uuid NOT NULL,
	"is_committed" boolean DEFAULT false NOT NULL,
	"settlement_date" date NOT NULL,
	"days_to_anticipate" integer NOT NULL,
	"payment_arrangement" text,
	"gross_amount" bigint NOT NULL,
	"net_amount" bigint NOT NULL,
	"fee_amount" bigint NOT NULL,
	"markup_amount" bigint NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "prepayment_items_price" CHECK ("prepayment_items"."net_amount" > 0 and "prepayment_items"."fee_amount" >= 0 and "prepayment_items"."markup_amount" >= 0
        and "prepayment_items"."gross_amount" = "prepayment_items"."net_amount" + "prepayment_items"."fee_amount" + "prepayment_items"."markup_amount")
);
--> statement-breakpoint
CREATE TABLE "prepayments" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"merchant_id" uuid,
	"seller_id" uuid,
	"status" text NOT NULL,
	"automatic" boolean DEFAULT false NOT NULL,
	"gross_amount" bigint NOT NULL,
	"net_amount" bigint NOT NULL,
	"fee_amount" bigint NOT NULL,
	"markup_amount" bigint NOT NULL,
	"monthly_rate_bps" integer NOT NULL,
	"markup_bps" integer NOT NULL,
	"receipt_dates" date[],
	"end_date" date,
	"payment_date" date NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"committed_at" timestamp (3) with time zone,
	"paid_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "prepayments_status" CHECK ("prepayments"."status" in ('pending','committed','paid','expired')),
	CONSTRAINT "prepayments_price" CHECK ("prepayments"."net_amount" > 0 and "prepayments"."fee_amount" >= 0 and "prepayments"."markup_amount" >= 0
        and "prepayments"."gross_amount" = "prepayments"."net_amount" + "prepayments"."fee_amount" + "prepayments"."markup_amount"),
	CONSTRAINT "prepayments_whose" CHECK (("prepayments"."merchant_id" is null) = ("prepayments"."seller_id" is null)),
	CONSTRAINT "prepayments_chosen" CHECK (num_nonnulls("prepayments"."receipt_dates", "prepayments"."end_date") = 1)
);
--> statement-breakpoint
CREATE TABLE "money_proposals" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"merchant_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"subject_id" uuid NOT NULL,
	"details" jsonb NOT NULL,
	"reason" text NOT NULL,
	"asked_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"ended_by" uuid,
	"outcome" text,
	CONSTRAINT "money_proposals_kind" CHECK ("money_proposals"."kind" in ('payout_paid','payout_failed','payout_returned','payout_file','payout_return','break_closed','adjustment')),
	CONSTRAINT "money_proposals_end" CHECK (num_nonnulls("money_proposals"."ended_at", "money_proposals"."outcome") <> 1),
	CONSTRAINT "money_proposals_two_people" CHECK ("money_proposals"."outcome" <> 'approved' or "money_proposals"."ended_by" <> "money_proposals"."asked_by")
);
--> statement-breakpoint
CREATE TABLE "purchase_moves" (
	"seq" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "purchase_moves_seq_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"client_id" uuid NOT NULL,
	"purchase_id" uuid NOT NULL,
	"machine" text NOT NULL,
	"slot_index" smallint,
	"operation_id" uuid,
	"row" text NOT NULL,
	"fact" text NOT NULL,
	"from" text NOT NULL,
	"to" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "purchase_moves_machine" CHECK ("purchase_moves"."machine" in ('purchase', 'slot', 'operation'))
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
	"split_rules" jsonb,
	"error" text,
	"scenario" text,
	"run_at" timestamp (3) with time zone,
	"lease_until" timestamp (3) with time zone,
	"epoch" integer DEFAULT 0 NOT NULL,
	"idle_claims" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "purchase_operations_type" CHECK ("purchase_operations"."type" in ('authorize', 'rollback', 'capture', 'void', 'refund')),
	CONSTRAINT "purchase_operations_status" CHECK ("purchase_operations"."status" in ('pending', 'processing', 'completed', 'failed')),
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
	"holder" jsonb,
	"split_rules" jsonb,
	"refusal" text,
	"operation_id" uuid,
	"tries" smallint DEFAULT 0 NOT NULL,
	"refused" boolean DEFAULT false NOT NULL,
	"was_captured" boolean DEFAULT false NOT NULL,
	"disputed_in_part" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "purchase_payments_status" CHECK ("purchase_payments"."status" in ('pending', 'processing', 'undetermined', 'pre_authorized', 'authorized', 'failed', 'voided', 'canceled', 'charged_back')),
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
	CONSTRAINT "purchases_status" CHECK ("purchases"."status" in ('pending', 'paid', 'failed', 'cancelled')),
	CONSTRAINT "purchases_amount" CHECK ("purchases"."amount" >= 200),
	CONSTRAINT "purchases_currency" CHECK ("purchases"."currency" = 'BRL'),
	CONSTRAINT "purchases_review" CHECK (("purchases"."review_reason" is null) = ("purchases"."review_since" is null))
);
--> statement-breakpoint
CREATE TABLE "receivables" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"merchant_id" uuid NOT NULL,
	"charge_id" uuid NOT NULL,
	"journal_id" uuid NOT NULL,
	"seller_id" uuid,
	"type" text NOT NULL,
	"status" text NOT NULL,
	"installment" smallint,
	"installments" smallint NOT NULL,
	"currency" char(3) NOT NULL,
	"gross" bigint NOT NULL,
	"fee" bigint DEFAULT 0 NOT NULL,
	"anticipation_fee" bigint DEFAULT 0 NOT NULL,
	"payment_method" text NOT NULL,
	"payment_arrangement" text,
	"payment_date" date NOT NULL,
	"original_payment_date" date NOT NULL,
	"reduces" uuid,
	"available_at" timestamp (3) with time zone,
	"batch_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "receivables_type" CHECK ("receivables"."type" = any ('{credit,refund,refund_reversal,chargeback,chargeback_refund}'::text[])),
	CONSTRAINT "receivables_status" CHECK ("receivables"."status" = any ('{waiting_funds,paid,prepaid}'::text[])),
	CONSTRAINT "receivables_credit" CHECK ("receivables"."type" <> 'credit' or ("receivables"."installment" is not null and "receivables"."gross" > 0
      and "receivables"."fee" >= 0 and "receivables"."anticipation_fee" >= 0 and "receivables"."gross" >= "receivables"."fee" + "receivables"."anticipation_fee" and "receivables"."reduces" is null)),
	CONSTRAINT "receivables_taken_at_once" CHECK ("receivables"."type" = 'credit' or ("receivables"."status" = 'paid' and "receivables"."anticipation_fee" = 0)),
	CONSTRAINT "receivables_sign" CHECK ("receivables"."gross" <> 0 and ("receivables"."gross" > 0) = ("receivables"."type" = any ('{credit,refund_reversal,chargeback_refund}'::text[]))),
	CONSTRAINT "receivables_reduces" CHECK ("receivables"."reduces" is null or "receivables"."type" = any ('{refund,refund_reversal}'::text[])),
	CONSTRAINT "receivables_installment" CHECK ("receivables"."installment" between 1 and "receivables"."installments"),
	CONSTRAINT "receivables_available" CHECK (case "receivables"."status" when 'waiting_funds' then "receivables"."available_at" is null
      when 'paid' then "receivables"."available_at" is not null else true end)
);
--> statement-breakpoint
CREATE TABLE "refund_documents" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"charge_id" uuid NOT NULL,
	"type" text NOT NULL,
	"locale" text NOT NULL,
	"refunds" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "refund_documents_type" CHECK ("refund_documents"."type" in ('cancellation_letter', 'receipt')),
	CONSTRAINT "refund_documents_refunds" CHECK (jsonb_array_length("refund_documents"."refunds") > 0)
);
--> statement-breakpoint
CREATE TABLE "buyer_codes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"buyer_id" uuid NOT NULL,
	"visit_hash" "bytea" NOT NULL,
	"code_hash" "bytea" NOT NULL,
	"tries" smallint DEFAULT 0 NOT NULL,
	"sent_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"entered_at" timestamp (3) with time zone,
	CONSTRAINT "buyer_codes_tries" CHECK ("buyer_codes"."tries" between 0 and 5)
);
--> statement-breakpoint
CREATE TABLE "remembered_buyers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"email" text NOT NULL,
	"name" text NOT NULL,
	"document_type" text NOT NULL,
	"document_number" text NOT NULL,
	"address" jsonb,
	"consented_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "report_addresses" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"email" text NOT NULL,
	"digest" "bytea" NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"confirmed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "report_addresses_digest_unique" UNIQUE("digest")
);
--> statement-breakpoint
CREATE TABLE "report_definitions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"name" text NOT NULL,
	"request" jsonb NOT NULL,
	"language" text NOT NULL,
	"timezone" text NOT NULL,
	"cron" text,
	"time" text,
	"next_at" timestamp (3) with time zone,
	"actor" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "report_definitions_cron" CHECK ("report_definitions"."cron" in ('daily', 'weekly', 'monthly')),
	CONSTRAINT "report_definitions_time" CHECK (("report_definitions"."cron" is null) = ("report_definitions"."time" is null)),
	CONSTRAINT "report_definitions_next" CHECK (("report_definitions"."cron" is null) = ("report_definitions"."next_at" is null))
);
--> statement-breakpoint
CREATE TABLE "reports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"type" text NOT NULL,
	"status" text NOT NULL,
	"email" text NOT NULL,
	"language" text NOT NULL,
	"timezone" text NOT NULL,
	"fields" text[] NOT NULL,
	"filters" jsonb NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	"until" timestamp (3) with time zone NOT NULL,
	"options" jsonb NOT NULL,
	"created_by_key" uuid,
	"actor" text NOT NULL,
	"definition_id" uuid,
	"total" bigint DEFAULT 0 NOT NULL,
	"done" bigint DEFAULT 0 NOT NULL,
	"files" jsonb,
	"sums" jsonb,
	"position" jsonb,
	"sql_version" smallint,
	"signature" text,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"lease_until" timestamp (3) with time zone,
	"epoch" integer DEFAULT 0 NOT NULL,
	"awaits_confirmation" boolean DEFAULT false NOT NULL,
	"emailed_at" timestamp (3) with time zone,
	"opened_at" timestamp (3) with time zone,
	"expired_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "reports_status" CHECK ("reports"."status" in ('created', 'pending', 'processing', 'uploaded', 'sent', 'opened', 'empty', 'error', 'expired', 'canceled')),
	CONSTRAINT "reports_type" CHECK ("reports"."type" in ('transactions', 'transactionsHistory', 'purchases', 'sessions', 'disputes', 'receivables', 'payout_orders', 'payout_batches', 'prepayments', 'ledger', 'subscriptions', 'sellers', 'customers', 'deliveries')),
	CONSTRAINT "reports_fields" CHECK (cardinality("reports"."fields") > 0),
	CONSTRAINT "reports_files" CHECK (("reports"."files" is null) = ("reports"."signature" is null)),
	CONSTRAINT "reports_lease" CHECK (("reports"."status" = 'processing') = ("reports"."lease_until" is not null))
);
--> statement-breakpoint
CREATE TABLE "sale_plan_rates" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"plan_id" uuid NOT NULL,
	"payment_method" text NOT NULL,
	"brand" text,
	"installment_from" smallint NOT NULL,
	"installment_to" smallint NOT NULL,
	"percentage_bps" integer NOT NULL,
	"fixed_amount" bigint NOT NULL,
	"refundable" text NOT NULL,
	"effective_from" date NOT NULL,
	"is_retired" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sale_plan_rates_method" CHECK ("sale_plan_rates"."payment_method" in ('credit', 'debit', 'voucher', 'pix', 'boleto', 'default')),
	CONSTRAINT "sale_plan_rates_refundable" CHECK ("sale_plan_rates"."refundable" in ('none', 'mdr', 'all')),
	CONSTRAINT "sale_plan_rates_band" CHECK (1 <= "sale_plan_rates"."installment_from" and "sale_plan_rates"."installment_from" <= "sale_plan_rates"."installment_to" and "sale_plan_rates"."installment_to" <= 24),
	CONSTRAINT "sale_plan_rates_price" CHECK ("sale_plan_rates"."percentage_bps" between 0 and 10000 and "sale_plan_rates"."fixed_amount" >= 0)
);
--> statement-breakpoint
CREATE TABLE "sale_plans" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"name" text NOT NULL,
	"is_default" boolean DEFAULT false NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"effective_from" date NOT NULL,
	"monthly_rate_bps" integer NOT NULL,
	"markup_bps" integer NOT NULL,
	"withdrawal_fee" bigint NOT NULL,
	"minimum_payout" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sale_plans_status" CHECK ("sale_plans"."status" in ('active', 'inactive')),
	CONSTRAINT "sale_plans_default_active" CHECK ("sale_plans"."status" = 'active' or not "sale_plans"."is_default"),
	CONSTRAINT "sale_plans_terms" CHECK ("sale_plans"."monthly_rate_bps" between 0 and 10000 and "sale_plans"."markup_bps" between 0 and 10000
        and "sale_plans"."withdrawal_fee" >= 0 and "sale_plans"."minimum_payout" >= 0)
);
--> statement-breakpoint
CREATE TABLE "sandbox_analyses" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"provider_id" uuid NOT NULL,
	"charge_id" uuid NOT NULL,
	"reference" text NOT NULL,
	"status" text NOT NULL,
	"score" smallint,
	"failure" text,
	"resolves_at" timestamp (3) with time zone,
	"resolves_to" text,
	"fed" text[] DEFAULT '{}' NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sandbox_anticipations" (
	"client_id" uuid NOT NULL,
	"transaction_id" uuid NOT NULL,
	"installment" smallint NOT NULL,
	"amount" bigint NOT NULL,
	"paid_on" date NOT NULL,
	"cost" bigint NOT NULL,
	CONSTRAINT "sandbox_anticipations_transaction_id_installment_pk" PRIMARY KEY("transaction_id","installment")
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
CREATE TABLE "sandbox_mandates" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"provider_id" uuid NOT NULL,
	"reference" text NOT NULL,
	"fingerprint" "bytea" NOT NULL,
	"amount" bigint NOT NULL,
	"first_payment" text,
	"resolves_to" text,
	"resolves_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"ends_at" timestamp (3) with time zone,
	"ended_by" text,
	"created_at" timestamp (3) with time zone NOT NULL
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
	"reason" text,
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
CREATE TABLE "sandbox_recipient_reviews" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"recipient_id" uuid NOT NULL,
	"requested_fields" text[] NOT NULL,
	"reason" text,
	"opened_at" timestamp (3) with time zone NOT NULL,
	"deadline" timestamp (3) with time zone NOT NULL,
	"submitted_at" timestamp (3) with time zone,
	"answered_at" timestamp (3) with time zone,
	"verdict" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sandbox_recipients" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"provider_id" uuid NOT NULL,
	"merchant_id" uuid,
	"reference" text NOT NULL,
	"fingerprint" "bytea" NOT NULL,
	"document_key" "bytea" NOT NULL,
	"resolves_to" text NOT NULL,
	"resolves_at" timestamp (3) with time zone NOT NULL,
	"delay_seconds" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sandbox_scenarios" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"target_kind" text NOT NULL,
	"target_id" uuid NOT NULL,
	"scenario" text NOT NULL,
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
CREATE TABLE "sandbox_transfers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"reference" text NOT NULL,
	"fingerprint" "bytea" NOT NULL,
	"amount" bigint NOT NULL,
	"resolves_at" timestamp (3) with time zone NOT NULL,
	"resolves_to" text NOT NULL,
	"reason" text,
	"returns_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "saved_views" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"operator_id" uuid NOT NULL,
	"list" text NOT NULL,
	"name" text NOT NULL,
	"query" text NOT NULL,
	"is_shared" boolean NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "saved_views_name" CHECK (length("saved_views"."name") between 1 and 60),
	CONSTRAINT "saved_views_query" CHECK (length("saved_views"."query") <= 2000)
);
--> statement-breakpoint
CREATE TABLE "secret_checks" (
	"name" text NOT NULL,
	"value" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "secret_checks_name_value_pk" PRIMARY KEY("name","value")
);
--> statement-breakpoint
CREATE TABLE "vault"."keys" (
	"name" text PRIMARY KEY NOT NULL,
	"wrapped" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "vault"."sweeps" (
	"name" text PRIMARY KEY NOT NULL,
	"seen" uuid NOT NULL
);
--> statement-breakpoint
CREATE TABLE "seller_accesses" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"seller_id" uuid NOT NULL,
	"email" text NOT NULL,
	"locale" text NOT NULL,
	"invited_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"entered_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "seller_accesses_email_lower" CHECK ("seller_accesses"."email" = lower("seller_accesses"."email"))
);
--> statement-breakpoint
CREATE TABLE "seller_links" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"access_id" uuid NOT NULL,
	"digest" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone,
	CONSTRAINT "seller_links_digest_unique" UNIQUE("digest")
);
--> statement-breakpoint
CREATE TABLE "seller_sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"access_id" uuid NOT NULL,
	"digest" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "seller_sessions_digest_unique" UNIQUE("digest")
);
--> statement-breakpoint
CREATE TABLE "seller_account_changes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"seller_id" uuid NOT NULL,
	"bank_account" jsonb NOT NULL,
	"asked_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"ended_by" uuid,
	"outcome" text,
	CONSTRAINT "seller_account_changes_end" CHECK (num_nonnulls("seller_account_changes"."ended_at", "seller_account_changes"."outcome") <> 1),
	CONSTRAINT "seller_account_changes_two_people" CHECK ("seller_account_changes"."outcome" <> 'confirmed' or "seller_account_changes"."ended_by" <> "seller_account_changes"."asked_by")
);
--> statement-breakpoint
CREATE TABLE "seller_calls" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"registration_id" uuid NOT NULL,
	"call" text NOT NULL,
	"sequence" integer NOT NULL,
	"state" text NOT NULL,
	"document_id" uuid,
	"answer" text,
	"sent_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "seller_calls_call" CHECK ("seller_calls"."call" in ('register','update','document')),
	CONSTRAINT "seller_calls_state" CHECK ("seller_calls"."state" in ('planned','undetermined','approved','declined','not_sent')),
	CONSTRAINT "seller_calls_document" CHECK (("seller_calls"."call" = 'document') = ("seller_calls"."document_id" is not null))
);
--> statement-breakpoint
CREATE TABLE "seller_documents" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"seller_id" uuid,
	"type" text NOT NULL,
	"status" text NOT NULL,
	"mime" text NOT NULL,
	"size" integer NOT NULL,
	"digest" "bytea" NOT NULL,
	"wrapped_key" "bytea",
	"nonce" "bytea",
	"ciphertext" "bytea",
	"expires_at" timestamp (3) with time zone,
	"erased_at" timestamp (3) with time zone,
	"created_by_key" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "seller_documents_type" CHECK ("seller_documents"."type" in ('SELFIE','CNH_FULL','CNH_FRONT','CNH_BACK','RG_FRONT','RG_BACK')),
	CONSTRAINT "seller_documents_status" CHECK ("seller_documents"."status" in ('uploaded','attached','sent')),
	CONSTRAINT "seller_documents_named" CHECK (("seller_documents"."status" = 'uploaded') = ("seller_documents"."seller_id" is null)),
	CONSTRAINT "seller_documents_erased" CHECK (("seller_documents"."erased_at" is null) = ("seller_documents"."ciphertext" is not null) and ("seller_documents"."ciphertext" is null) = ("seller_documents"."wrapped_key" is null)
        and ("seller_documents"."ciphertext" is null) = ("seller_documents"."nonce" is null))
);
--> statement-breakpoint
CREATE TABLE "seller_positions" (
	"client_id" uuid NOT NULL,
	"merchant_id" uuid NOT NULL,
	"seller_id" uuid NOT NULL,
	"debt_since" date,
	"debt_told_at" timestamp (3) with time zone,
	CONSTRAINT "seller_positions_merchant_id_seller_id_pk" PRIMARY KEY("merchant_id","seller_id")
);
--> statement-breakpoint
CREATE TABLE "seller_registrations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"seller_id" uuid NOT NULL,
	"provider_id" uuid NOT NULL,
	"provider_type" text NOT NULL,
	"external_id" text,
	"status" text NOT NULL,
	"external_status" text,
	"external_status_reason" text,
	"queries" smallint DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "seller_registrations_status" CHECK ("seller_registrations"."status" in ('pending','active','refused','blocked','inactive')),
	CONSTRAINT "seller_registrations_active" CHECK ("seller_registrations"."status" <> 'active' or "seller_registrations"."external_id" is not null)
);
--> statement-breakpoint
CREATE TABLE "seller_reviews" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"seller_id" uuid NOT NULL,
	"registration_id" uuid NOT NULL,
	"external_id" text NOT NULL,
	"status" text NOT NULL,
	"requested_fields" text[] NOT NULL,
	"reason" text,
	"deadline" timestamp (3) with time zone NOT NULL,
	"reminded_days" smallint,
	"submitted_at" timestamp (3) with time zone,
	"closed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "seller_reviews_status" CHECK ("seller_reviews"."status" in ('opened','submitted','approved','rejected','expired')),
	CONSTRAINT "seller_reviews_closed" CHECK (("seller_reviews"."closed_at" is not null) = ("seller_reviews"."status" in ('approved', 'rejected', 'expired')))
);
--> statement-breakpoint
CREATE TABLE "sellers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"merchant_id" uuid NOT NULL,
	"mcc" text NOT NULL,
	"status" text NOT NULL,
	"status_reason" text,
	"reason_type" text,
	"is_switched_off" boolean DEFAULT false NOT NULL,
	"owner" jsonb NOT NULL,
	"business" jsonb,
	"bank_account" jsonb NOT NULL,
	"transfer_policy" jsonb NOT NULL,
	"rate_agreements" jsonb,
	"metadata" jsonb,
	"document_key" text NOT NULL,
	"document_number" text NOT NULL,
	"owner_email" text NOT NULL,
	"business_email" text,
	"owner_name" text NOT NULL,
	"business_name" text,
	"plan_id" uuid,
	"sales_plan_id" text,
	"processing_fee" boolean DEFAULT false NOT NULL,
	"liable" boolean DEFAULT false NOT NULL,
	"fare_mdr_bps" integer DEFAULT 0 NOT NULL,
	"fare_fee" bigint DEFAULT 0 NOT NULL,
	"min_negative_balance" bigint DEFAULT 0 NOT NULL,
	"max_refund_days" integer,
	"notify_on_payout" boolean DEFAULT true NOT NULL,
	"transfers_held_until" timestamp (3) with time zone,
	"created_by_key" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "sellers_status" CHECK ("sellers"."status" in ('pending','active','partial','inactive','blocked')),
	CONSTRAINT "sellers_fares" CHECK ("sellers"."fare_mdr_bps" between 0 and 10000 and "sellers"."fare_fee" >= 0),
	CONSTRAINT "sellers_refunds" CHECK ("sellers"."min_negative_balance" >= 0 and ("sellers"."max_refund_days" is null or "sellers"."max_refund_days" >= 0))
);
--> statement-breakpoint
CREATE TABLE "session_history" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"merchant_id" uuid NOT NULL,
	"sequence" bigint GENERATED ALWAYS AS IDENTITY (sequence name "session_history_sequence_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"status" text NOT NULL,
	"actions" text[] NOT NULL,
	"diff" jsonb,
	"actor" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "session_history_sequence" UNIQUE("session_id","sequence")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"merchant_id" uuid NOT NULL,
	"customer_id" uuid,
	"status" text DEFAULT 'created' NOT NULL,
	"is_active" boolean NOT NULL,
	"captcha_enabled" boolean NOT NULL,
	"has_link" boolean NOT NULL,
	"name" text,
	"description" text,
	"order_id" text,
	"amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"capture" boolean NOT NULL,
	"statement_descriptor" text,
	"provider_reference_key" text,
	"due_at" timestamp (3) with time zone,
	"payment_methods" jsonb NOT NULL,
	"items" jsonb NOT NULL,
	"split_rules" jsonb NOT NULL,
	"vendor" jsonb,
	"public_key" uuid NOT NULL,
	"max_payments" integer,
	"subscription" jsonb,
	"payment_count" integer DEFAULT 0 NOT NULL,
	"pending_count" integer DEFAULT 0 NOT NULL,
	"event_version" integer DEFAULT 0 NOT NULL,
	"last_event_at" timestamp (3) with time zone,
	"created_by_key" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sessions_publicKey_unique" UNIQUE("public_key"),
	CONSTRAINT "sessions_status" CHECK ("sessions"."status" in ('created', 'paid', 'canceled', 'voided')),
	CONSTRAINT "sessions_amount" CHECK ("sessions"."amount" >= 0),
	CONSTRAINT "sessions_max_payments" CHECK ("sessions"."max_payments" = -1 or "sessions"."max_payments" between 1 and 99999),
	CONSTRAINT "sessions_counts" CHECK ("sessions"."payment_count" >= 0 and "sessions"."pending_count" >= 0),
	CONSTRAINT "sessions_capacity" CHECK (coalesce("sessions"."max_payments", 1) = -1 or "sessions"."payment_count" + "sessions"."pending_count" <= coalesce("sessions"."max_payments", 1))
);
--> statement-breakpoint
CREATE TABLE "link_settings" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"merchant_id" uuid,
	"main_color" text,
	"secondary_color" text,
	"attention_color" text,
	"error_color" text,
	"success_color" text,
	"background_color" text,
	"logo_file" text,
	"logo_width" integer,
	"logo_height" integer,
	"company_url" text,
	"support_email" text,
	"mastercard_click_to_pay_dpaid" text,
	"several_cards" boolean,
	"least_part" bigint,
	"captcha" boolean,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "link_settings_scope" UNIQUE NULLS NOT DISTINCT("client_id","merchant_id"),
	CONSTRAINT "link_settings_least_part" CHECK ("link_settings"."least_part" >= 0)
);
--> statement-breakpoint
CREATE TABLE "merchant_days" (
	"merchant_id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"statements_through" date,
	"cut_on" date,
	"anticipated_on" date,
	"checked_on" date
);
--> statement-breakpoint
CREATE TABLE "settlement_breaks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"merchant_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"charge_id" uuid,
	"day" date NOT NULL,
	"expected" bigint NOT NULL,
	"found" bigint NOT NULL,
	"owner_id" uuid,
	"note" text,
	"opened_at" timestamp (3) with time zone NOT NULL,
	"closed_at" timestamp (3) with time zone,
	"closed_by" text,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "settlement_breaks_kind" CHECK ("settlement_breaks"."kind" in ('settlement_missing','settlement_mismatch','settlement_unowned','transfer_unknown','transfer_contradicted','identity')),
	CONSTRAINT "settlement_breaks_closed" CHECK (("settlement_breaks"."closed_at" is null) = ("settlement_breaks"."closed_by" is null))
);
--> statement-breakpoint
CREATE TABLE "statement_files" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"merchant_id" uuid NOT NULL,
	"provider_id" uuid NOT NULL,
	"name" text NOT NULL,
	"digest" text NOT NULL,
	"content" text NOT NULL,
	"verdicts" jsonb NOT NULL,
	"net" bigint NOT NULL,
	"uploaded_by" uuid NOT NULL,
	"taken_by" uuid,
	"taken_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "statement_files_taken" CHECK (("statement_files"."taken_at" is null) = ("statement_files"."taken_by" is null))
);
--> statement-breakpoint
CREATE TABLE "statement_lines" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"merchant_id" uuid NOT NULL,
	"provider_id" uuid NOT NULL,
	"external_id" text NOT NULL,
	"provider_tx_id" text,
	"charge_id" uuid,
	"kind" text NOT NULL,
	"installment" smallint NOT NULL,
	"amount" bigint NOT NULL,
	"cost" bigint NOT NULL,
	"settled_on" date NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "statement_lines_kind" CHECK ("statement_lines"."kind" in ('settlement','refund','chargeback','reversal','adjustment')),
	CONSTRAINT "statement_lines_installment" CHECK ("statement_lines"."installment" >= 1)
);
--> statement-breakpoint
CREATE TABLE "subscription_anchors" (
	"client_id" uuid NOT NULL,
	"subscription_id" uuid NOT NULL,
	"from_cycle" integer NOT NULL,
	"start_on" date NOT NULL,
	"interval" text NOT NULL,
	CONSTRAINT "subscription_anchors_subscription_id_from_cycle_pk" PRIMARY KEY("subscription_id","from_cycle"),
	CONSTRAINT "subscription_anchors_interval" CHECK ("subscription_anchors"."interval" in ('weekly', 'monthly', 'quarterly', 'yearly', 'biennial', 'triennial') and "subscription_anchors"."from_cycle" >= 1)
);
--> statement-breakpoint
CREATE TABLE "subscription_changes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"subscription_id" uuid NOT NULL,
	"revision" integer NOT NULL,
	"fact" text NOT NULL,
	"from_status" text,
	"to_status" text NOT NULL,
	"actor" text NOT NULL,
	"reason" text,
	"detail" jsonb,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "subscription_cycles" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"subscription_id" uuid NOT NULL,
	"customer_id" uuid NOT NULL,
	"merchant_id" uuid NOT NULL,
	"cycle" integer NOT NULL,
	"status" text NOT NULL,
	"due_on" date NOT NULL,
	"amount" bigint,
	"split_rules" jsonb,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_retry_on" date,
	"policy" smallint[],
	"refused_on" date,
	"waits_for_card" boolean DEFAULT false NOT NULL,
	"impossible" smallint DEFAULT 0 NOT NULL,
	"returns_to" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "subscription_cycles_status" CHECK ("subscription_cycles"."status" in ('scheduled', 'pending', 'authorized', 'retrying', 'failed', 'canceled') and "subscription_cycles"."cycle" >= 1)
);
--> statement-breakpoint
CREATE TABLE "subscription_mandates" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"subscription_id" uuid NOT NULL,
	"merchant_id" uuid NOT NULL,
	"customer_id" uuid NOT NULL,
	"provider_id" uuid NOT NULL,
	"provider_type" text NOT NULL,
	"journey" text NOT NULL,
	"retry" text NOT NULL,
	"amount" bigint NOT NULL,
	"interval" text NOT NULL,
	"start_on" date NOT NULL,
	"status" text NOT NULL,
	"call" text NOT NULL,
	"sent_at" timestamp (3) with time zone,
	"absent_since" timestamp (3) with time zone,
	"queries" integer DEFAULT 0 NOT NULL,
	"provider_mandate_id" text,
	"qr_code_data" text,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"approved_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"end_reason" text,
	"ending" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "subscription_mandates_status" CHECK ("subscription_mandates"."status" in ('created', 'approved', 'rejected', 'expired', 'canceled')),
	CONSTRAINT "subscription_mandates_call" CHECK ("subscription_mandates"."call" in ('planned', 'sent', 'undetermined', 'known') and "subscription_mandates"."amount" >= 1),
	CONSTRAINT "subscription_mandates_journey" CHECK ("subscription_mandates"."journey" in ('qr', 'qr_with_first_payment')),
	CONSTRAINT "subscription_mandates_retry" CHECK ("subscription_mandates"."retry" in ('none', 'three_in_seven_days')),
	CONSTRAINT "subscription_mandates_known" CHECK (("subscription_mandates"."call" = 'known' and "subscription_mandates"."provider_mandate_id" is not null) or "subscription_mandates"."status" <> 'approved'),
	CONSTRAINT "subscription_mandates_ended" CHECK (("subscription_mandates"."status" in ('created', 'approved')) = ("subscription_mandates"."ended_at" is null))
);
--> statement-breakpoint
CREATE TABLE "subscription_settings" (
	"client_id" uuid PRIMARY KEY NOT NULL,
	"retry_policy" smallint[] NOT NULL,
	"statement_descriptor" text,
	"cancel_after_all_retries" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "subscription_starts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"merchant_id" uuid NOT NULL,
	"customer_id" uuid NOT NULL,
	"card_id" uuid,
	"charge_id" uuid,
	"status" text NOT NULL,
	"start_at" date NOT NULL,
	"trial_end_at" date,
	"terms" jsonb NOT NULL,
	"locale" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "subscription_starts_status" CHECK ("subscription_starts"."status" in ('pending', 'started', 'failed')),
	CONSTRAINT "subscription_starts_ended" CHECK (("subscription_starts"."status" = 'pending') = ("subscription_starts"."ended_at" is null)),
	CONSTRAINT "subscription_starts_first" CHECK (("subscription_starts"."charge_id" is null) = ("subscription_starts"."trial_end_at" is not null)),
	CONSTRAINT "subscription_starts_card" CHECK ("subscription_starts"."card_id" is not null or "subscription_starts"."charge_id" is null)
);
--> statement-breakpoint
CREATE TABLE "subscription_tries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"subscription_id" uuid NOT NULL,
	"cycle_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"kind" text NOT NULL,
	"status" text NOT NULL,
	"charge_id" uuid,
	"card_id" uuid,
	"mandate_id" uuid,
	"settle_on" date,
	"replaced" jsonb,
	"error" text,
	"retry_class" text,
	"actor" text NOT NULL,
	"revision" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "subscription_tries_status" CHECK ("subscription_tries"."status" in ('pending', 'authorized', 'failed')),
	CONSTRAINT "subscription_tries_kind" CHECK ("subscription_tries"."kind" in ('first', 'retry', 'immediate', 'manual') and "subscription_tries"."number" >= 1),
	CONSTRAINT "subscription_tries_settled" CHECK ("subscription_tries"."settle_on" is null or "subscription_tries"."mandate_id" is not null),
	CONSTRAINT "subscription_tries_charged" CHECK ("subscription_tries"."status" = 'failed' or "subscription_tries"."charge_id" is not null)
);
--> statement-breakpoint
CREATE TABLE "subscriptions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"merchant_id" uuid NOT NULL,
	"customer_id" uuid NOT NULL,
	"name" text NOT NULL,
	"reference_key" text,
	"currency" text NOT NULL,
	"items" jsonb NOT NULL,
	"amount" bigint NOT NULL,
	"interval" text NOT NULL,
	"cycles" integer,
	"start_at" date NOT NULL,
	"trial_end_at" date,
	"method" text NOT NULL,
	"card_id" uuid,
	"installments" smallint NOT NULL,
	"split_rules" jsonb NOT NULL,
	"status" text NOT NULL,
	"next_due_on" date,
	"cancel_at_period_end" boolean DEFAULT false NOT NULL,
	"scheduled_cancellation_at" date,
	"scheduled_cancellation_reason" text,
	"cancel_on" date,
	"is_agreed" boolean DEFAULT false NOT NULL,
	"revision" integer DEFAULT 0 NOT NULL,
	"event_version" integer DEFAULT 0 NOT NULL,
	"last_event_at" timestamp (3) with time zone,
	"locale" text DEFAULT 'pt-BR' NOT NULL,
	"session_id" uuid,
	"created_by_key" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "subscriptions_status" CHECK ("subscriptions"."status" in ('created', 'trialing', 'active', 'paused', 'unpaid', 'expired', 'canceled')),
	CONSTRAINT "subscriptions_method" CHECK ("subscriptions"."method" in ('credit', 'pix_automatic')),
	CONSTRAINT "subscriptions_card_paid" CHECK (("subscriptions"."method" = 'credit') = ("subscriptions"."card_id" is not null)),
	CONSTRAINT "subscriptions_interval" CHECK ("subscriptions"."interval" in ('weekly', 'monthly', 'quarterly', 'yearly', 'biennial', 'triennial')),
	CONSTRAINT "subscriptions_amount" CHECK ("subscriptions"."amount" >= 1 and "subscriptions"."installments" between 1 and 24),
	CONSTRAINT "subscriptions_cycles" CHECK ("subscriptions"."cycles" is null or "subscriptions"."cycles" >= 1),
	CONSTRAINT "subscriptions_trial" CHECK ("subscriptions"."trial_end_at" is null or "subscriptions"."start_at" >= "subscriptions"."trial_end_at")
);
--> statement-breakpoint
CREATE TABLE "vendors" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"reference_id" text NOT NULL,
	"identity_type" text NOT NULL,
	"identity" text NOT NULL,
	"mcc" text NOT NULL,
	"name" text NOT NULL,
	"email" text,
	"website" text,
	"phone_number" text,
	"address" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"deleted_at" timestamp (3) with time zone
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
	CONSTRAINT "webhooks_disabled" CHECK ("webhooks"."status" = ("webhooks"."disabled_at" is null))
);
--> statement-breakpoint
CREATE INDEX "api_keys_client_id_index" ON "api_keys" USING btree ("client_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "audit_chain_position" ON "audit_chain" USING btree ("client_id","position");
--> statement-breakpoint
CREATE INDEX "audit_log_client_id_at_id_index" ON "audit_log" USING btree ("client_id","at","id");
--> statement-breakpoint
CREATE INDEX "audit_log_refunds" ON "audit_log" USING btree ("client_id","object_id") WHERE "audit_log"."action" in ('charge.void', 'purchase.refund', 'charge.refund.propose');
--> statement-breakpoint
CREATE INDEX "idempotency_keys_resource" ON "idempotency_keys" USING btree ("resource_id") WHERE "idempotency_keys"."resource_id" is not null;
--> statement-breakpoint
CREATE INDEX "idempotency_keys_created" ON "idempotency_keys" USING btree ("created_at");
--> statement-breakpoint
CREATE INDEX "idempotency_keys_expired" ON "idempotency_keys" USING brin ("keep_until");
--> statement-breakpoint
CREATE INDEX "public_keys_client_id_created_at_index" ON "public_keys" USING btree ("client_id","created_at");
--> statement-breakpoint
CREATE INDEX "request_logs_client_id_created_at_id_index" ON "request_logs" USING btree ("client_id","created_at","id");
--> statement-breakpoint
CREATE INDEX "request_logs_created" ON "request_logs" USING brin ("created_at");
--> statement-breakpoint
CREATE INDEX "request_logs_key" ON "request_logs" USING btree ("client_id","idempotency_key") WHERE "request_logs"."idempotency_key" is not null;
--> statement-breakpoint
CREATE INDEX "buyer_moments_waiting" ON "buyer_moments" USING btree ("event_id") WHERE "buyer_moments"."done_at" is null;
--> statement-breakpoint
CREATE INDEX "captcha_answers_ip_at_index" ON "captcha_answers" USING btree ("ip","at");
--> statement-breakpoint
CREATE INDEX "captcha_answers_age" ON "captcha_answers" USING btree ("at");
--> statement-breakpoint
CREATE INDEX "captcha_spent_age" ON "captcha_spent" USING btree ("spent_at");
--> statement-breakpoint
CREATE INDEX "card_alarms_now" ON "card_alarms" USING btree ("client_id","ref_id","until");
--> statement-breakpoint
CREATE INDEX "card_alarms_client_id_raised_at_index" ON "card_alarms" USING btree ("client_id","raised_at");
--> statement-breakpoint
CREATE INDEX "card_tries_visit" ON "card_tries" USING btree ("client_id","visit","at");
--> statement-breakpoint
CREATE INDEX "card_tries_ip" ON "card_tries" USING btree ("client_id","ip","at");
--> statement-breakpoint
CREATE INDEX "card_tries_link" ON "card_tries" USING btree ("session_id","at");
--> statement-breakpoint
CREATE INDEX "card_tries_card" ON "card_tries" USING btree ("client_id","fingerprint","at");
--> statement-breakpoint
CREATE INDEX "card_tries_merchant" ON "card_tries" USING btree ("merchant_id","at");
--> statement-breakpoint
CREATE INDEX "payment_buyers_email" ON "payment_buyers" USING btree ("client_id","email");
--> statement-breakpoint
CREATE INDEX "charge_changes_client" ON "charge_changes" USING btree ("client_id");
--> statement-breakpoint
CREATE INDEX "charges_listed" ON "charges" USING btree ("client_id","created_at","id","status","payment_type","provider_type","purchase_id");
--> statement-breakpoint
CREATE INDEX "charges_client_id_status_created_at_id_index" ON "charges" USING btree ("client_id","status","created_at","id");
--> statement-breakpoint
CREATE INDEX "charges_declined" ON "charges" USING btree ("client_id","decline_code","created_at","id","purchase_id","payment_type","provider_type") WHERE "charges"."decline_code" is not null;
--> statement-breakpoint
CREATE INDEX "charges_connection" ON "charges" USING btree ("client_id","provider_id","created_at","id","purchase_id") WHERE "charges"."provider_id" is not null;
--> statement-breakpoint
CREATE INDEX "charges_split" ON "charges" USING btree ("client_id","created_at","id","purchase_id") WHERE "charges"."has_split";
--> statement-breakpoint
CREATE INDEX "charges_metadata" ON "charges" USING gin ("client_id","metadata" jsonb_path_ops) WHERE "charges"."metadata" is not null;
--> statement-breakpoint
CREATE INDEX "charges_merchant_id_created_at_id_index" ON "charges" USING btree ("merchant_id","created_at","id");
--> statement-breakpoint
CREATE INDEX "charges_customer" ON "charges" USING btree ("customer_id","created_at") WHERE "charges"."customer_id" is not null;
--> statement-breakpoint
CREATE INDEX "charges_order" ON "charges" USING btree ("client_id","order_id" text_pattern_ops) WHERE "charges"."order_id" is not null;
--> statement-breakpoint
CREATE INDEX "charges_session" ON "charges" USING btree ("session_id") WHERE "charges"."session_id" is not null;
--> statement-breakpoint
CREATE INDEX "charges_purchase" ON "charges" USING btree ("purchase_id") WHERE "charges"."purchase_id" is not null;
--> statement-breakpoint
CREATE INDEX "charges_of_purchases" ON "charges" USING btree ("client_id","provider_type","purchase_id") WHERE "charges"."purchase_id" is not null;
--> statement-breakpoint
CREATE INDEX "charges_subscription" ON "charges" USING btree ("subscription_id") WHERE "charges"."subscription_id" is not null;
--> statement-breakpoint
CREATE INDEX "charges_created_by_key" ON "charges" USING btree ("created_by_key","created_at") WHERE "charges"."created_by_key" is not null;
--> statement-breakpoint
CREATE INDEX "charges_leased" ON "charges" USING btree ("lease_until") WHERE "charges"."lease_until" is not null;
--> statement-breakpoint
CREATE INDEX "charges_source_customer" ON "charges" USING btree ("source_customer_id","created_at") WHERE "charges"."source_customer_id" is not null;
--> statement-breakpoint
CREATE INDEX "charges_card" ON "charges" USING btree ("card_id") WHERE "charges"."card_id" is not null;
--> statement-breakpoint
CREATE INDEX "charges_original_amount" ON "charges" USING btree ("client_id","original_amount","created_at");
--> statement-breakpoint
CREATE INDEX "charges_refunded" ON "charges" USING btree ("client_id","created_at","id","purchase_id") WHERE ("charges"."refunded_amount" > 0 or ("charges"."status" = 'refund_pending' and "charges"."captured_amount" > 0));
--> statement-breakpoint
CREATE INDEX "charges_disputed" ON "charges" USING btree ("client_id","id") WHERE "charges"."is_dispute";
--> statement-breakpoint
CREATE INDEX "charges_in_review" ON "charges" USING btree ("client_id","review_since") WHERE "charges"."review_reason" is not null;
--> statement-breakpoint
CREATE UNIQUE INDEX "provider_notifications_event" ON "provider_notifications" USING btree ("provider_id","event_id");
--> statement-breakpoint
CREATE INDEX "provider_notifications_reference" ON "provider_notifications" USING btree ("provider_id","reference") WHERE "provider_notifications"."reference" is not null;
--> statement-breakpoint
CREATE INDEX "provider_notifications_transaction" ON "provider_notifications" USING btree ("provider_id","transaction_id") WHERE "provider_notifications"."transaction_id" is not null;
--> statement-breakpoint
CREATE INDEX "provider_notifications_charge" ON "provider_notifications" USING btree ("charge_id") WHERE "provider_notifications"."charge_id" is not null;
--> statement-breakpoint
CREATE INDEX "routing_decisions_flow" ON "routing_decisions" USING btree ("flow_id","created_at") WHERE "routing_decisions"."flow_id" is not null;
--> statement-breakpoint
CREATE INDEX "routing_decisions_replayed" ON "routing_decisions" USING btree ("client_id","created_at","charge_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "split_rules_position" ON "split_rules" USING btree ("charge_id","position");
--> statement-breakpoint
CREATE INDEX "transaction_requests_charge_id_index" ON "transaction_requests" USING btree ("charge_id");
--> statement-breakpoint
CREATE INDEX "transaction_requests_measured" ON "transaction_requests" USING btree ("provider_id","created_at") WHERE "transaction_requests"."kind" = 'authorize';
--> statement-breakpoint
CREATE INDEX "transaction_requests_card" ON "transaction_requests" USING btree ("card_id") WHERE "transaction_requests"."card_id" is not null;
--> statement-breakpoint
CREATE UNIQUE INDEX "transaction_requests_reference" ON "transaction_requests" USING btree ("provider_id","reference") WHERE replace("transaction_requests"."reference", '-', '') <> replace("transaction_requests"."id"::text, '-', '');
--> statement-breakpoint
CREATE UNIQUE INDEX "transaction_requests_one_live_authorization" ON "transaction_requests" USING btree ("charge_id") WHERE "transaction_requests"."kind" = 'authorize' and "transaction_requests"."state" in ('sent', 'undetermined', 'approved', 'mismatch');
--> statement-breakpoint
CREATE UNIQUE INDEX "transaction_requests_one_open" ON "transaction_requests" USING btree ("charge_id") WHERE "transaction_requests"."state" in ('sent', 'undetermined') and "transaction_requests"."kind" <> 'notice';
--> statement-breakpoint
CREATE INDEX "transaction_requests_transaction" ON "transaction_requests" USING btree ("client_id","transaction_id" text_pattern_ops) WHERE "transaction_requests"."transaction_id" is not null;
--> statement-breakpoint
CREATE INDEX "transaction_requests_nsu" ON "transaction_requests" USING btree ("client_id","authorization_nsu") WHERE "transaction_requests"."authorization_nsu" is not null;
--> statement-breakpoint
CREATE INDEX "transaction_requests_code" ON "transaction_requests" USING btree ("client_id","authorization_code") WHERE "transaction_requests"."authorization_code" is not null;
--> statement-breakpoint
CREATE INDEX "transaction_requests_on_top" ON "transaction_requests" USING btree ("client_id") WHERE "transaction_requests"."kind" in ('refund', 'notice') and "transaction_requests"."details" ? 'surplus';
--> statement-breakpoint
CREATE INDEX "transaction_requests_late" ON "transaction_requests" USING btree ("client_id") WHERE "transaction_requests"."request_status_reason" = 'paid_after_cancellation';
--> statement-breakpoint
CREATE INDEX "transaction_requests_disputes" ON "transaction_requests" USING btree ("client_id","created_at","id") WHERE "transaction_requests"."request_type" = 'charge_back' or "transaction_requests"."request_status_reason" = 'forced_by_payer_bank';
--> statement-breakpoint
CREATE UNIQUE INDEX "checkout_attempts_one_open" ON "checkout_attempts" USING btree ("session_id","visit_hash") WHERE "checkout_attempts"."state" = 'sent';
--> statement-breakpoint
CREATE INDEX "checkout_attempts_visit" ON "checkout_attempts" USING btree ("session_id","visit_hash","created_at");
--> statement-breakpoint
CREATE INDEX "checkout_attempts_buyer" ON "checkout_attempts" USING btree ("client_id","buyer") WHERE "checkout_attempts"."buyer" is not null;
--> statement-breakpoint
CREATE INDEX "checkout_attempts_charge" ON "checkout_attempts" USING btree ("charge_id") WHERE "checkout_attempts"."charge_id" is not null;
--> statement-breakpoint
CREATE INDEX "link_failures_last" ON "link_failures" USING btree ("client_id","last_at");
--> statement-breakpoint
CREATE INDEX "link_requests_session" ON "link_requests" USING btree ("client_id","session_id","created_at");
--> statement-breakpoint
CREATE INDEX "link_requests_visit" ON "link_requests" USING btree ("session_id","visit_hash","created_at");
--> statement-breakpoint
CREATE INDEX "card_attempts_client_id_fingerprint_merchant_id_at_index" ON "card_attempts" USING btree ("client_id","fingerprint","merchant_id","at");
--> statement-breakpoint
CREATE INDEX "card_tokens_expiry" ON "card_tokens" USING btree ("expires_at");
--> statement-breakpoint
CREATE INDEX "cards_client_id_created_at_id_index" ON "cards" USING btree ("client_id","created_at","id");
--> statement-breakpoint
CREATE INDEX "cards_customer" ON "cards" USING btree ("customer_id","linked_at") WHERE "cards"."customer_id" is not null;
--> statement-breakpoint
CREATE INDEX "cards_client_id_fingerprint_index" ON "cards" USING btree ("client_id","fingerprint");
--> statement-breakpoint
CREATE INDEX "cards_brand" ON "cards" USING btree ("client_id","brand");
--> statement-breakpoint
CREATE INDEX "cards_last_four" ON "cards" USING btree ("client_id","last4digits");
--> statement-breakpoint
CREATE INDEX "cards_holder" ON "cards" USING btree ("client_id",lower(translate("card_holder_name", 'àáâãäåçèéêëìíîïñòóôõöùúûüýÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÑÒÓÔÕÖÙÚÛÜÝ' || chr(768) || chr(769) || chr(770) || chr(771) || chr(776) || chr(778) || chr(807), 'aaaaaaceeeeiiiinooooouuuuyAAAAAACEEEEIIIINOOOOOUUUUY')) text_pattern_ops) WHERE "cards"."customer_id" is null;
--> statement-breakpoint
CREATE UNIQUE INDEX "customers_email" ON "customers" USING btree ("client_id","email") WHERE not "customers"."is_forced" and "customers"."deleted_at" is null;
--> statement-breakpoint
CREATE UNIQUE INDEX "customers_document" ON "customers" USING btree ("client_id",lower("document_type"),"document_number","document_country") WHERE not "customers"."is_forced" and "customers"."deleted_at" is null and lower("customers"."document_type") <> 'nodocument';
--> statement-breakpoint
CREATE INDEX "customers_client_id_created_at_id_index" ON "customers" USING btree ("client_id","created_at","id");
--> statement-breakpoint
CREATE INDEX "customers_client_id_document_number_index" ON "customers" USING btree ("client_id","document_number");
--> statement-breakpoint
CREATE INDEX "customers_email_begins" ON "customers" USING btree ("client_id","email" text_pattern_ops);
--> statement-breakpoint
CREATE INDEX "customers_phone" ON "customers" USING btree ("client_id",right(regexp_replace("phone_number", '[^0-9]', '', 'g'), 8));
--> statement-breakpoint
CREATE INDEX "customers_words" ON "customers" USING gin ("client_id",lower(translate("name" || ' ' || "email", 'àáâãäåçèéêëìíîïñòóôõöùúûüýÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÑÒÓÔÕÖÙÚÛÜÝ' || chr(768) || chr(769) || chr(770) || chr(771) || chr(776) || chr(778) || chr(807), 'aaaaaaceeeeiiiinooooouuuuyAAAAAACEEEEIIIINOOOOOUUUUY')) gin_trgm_ops);
--> statement-breakpoint
CREATE INDEX "card_cvv_expiry" ON "vault"."card_cvv" USING btree ("expires_at");
--> statement-breakpoint
CREATE INDEX "dispute_notes_client_id_dispute_id_created_at_index" ON "dispute_notes" USING btree ("client_id","dispute_id","created_at");
--> statement-breakpoint
CREATE INDEX "engine_events_received" ON "engine_events" USING btree ("received_at");
--> statement-breakpoint
CREATE INDEX "engine_runs_due" ON "engine_runs" USING btree ("wake_at") WHERE "engine_runs"."status" = 'active';
--> statement-breakpoint
CREATE INDEX "engine_runs_leased" ON "engine_runs" USING btree ("workflow","concurrency_key") WHERE "engine_runs"."lease_until" is not null;
--> statement-breakpoint
CREATE INDEX "engine_runs_finished" ON "engine_runs" USING btree ("finished_at") WHERE "engine_runs"."status" <> 'active';
--> statement-breakpoint
CREATE INDEX "engine_waits_awaited" ON "engine_waits" USING btree ("event","path","value");
--> statement-breakpoint
CREATE INDEX "stored_files_expiry" ON "stored_files" USING btree ("expires_at");
--> statement-breakpoint
CREATE INDEX "active_flows_flow_id_index" ON "active_flows" USING btree ("flow_id");
--> statement-breakpoint
CREATE INDEX "active_flows_client_id_index" ON "active_flows" USING btree ("client_id");
--> statement-breakpoint
CREATE INDEX "flow_changes_family" ON "flow_changes" USING btree ("family_id","at","id");
--> statement-breakpoint
CREATE INDEX "flow_replays_flow" ON "flow_replays" USING btree ("flow_id","created_at");
--> statement-breakpoint
CREATE INDEX "flow_replays_open" ON "flow_replays" USING btree ("created_at") WHERE "flow_replays"."status" in ('queued', 'running');
--> statement-breakpoint
CREATE INDEX "flow_tests_family" ON "flow_tests" USING btree ("family_id","created_at","id");
--> statement-breakpoint
CREATE INDEX "flow_tests_client_id_index" ON "flow_tests" USING btree ("client_id");
--> statement-breakpoint
CREATE INDEX "flows_listed" ON "flows" USING btree ("client_id","created_at","id");
--> statement-breakpoint
CREATE UNIQUE INDEX "flows_version" ON "flows" USING btree ("family_id","major");
--> statement-breakpoint
CREATE INDEX "flows_merchants" ON "flows" USING gin ("merchant_ids");
--> statement-breakpoint
CREATE INDEX "invariant_violations_client_id_found_at_index" ON "invariant_violations" USING btree ("client_id","found_at");
--> statement-breakpoint
CREATE UNIQUE INDEX "journals_reversed_once" ON "journals" USING btree ("reverses") WHERE "journals"."reverses" is not null;
--> statement-breakpoint
CREATE INDEX "journals_charge" ON "journals" USING btree ("charge_id") WHERE "journals"."charge_id" is not null;
--> statement-breakpoint
CREATE INDEX "transfers_debits" ON "transfers" USING btree ("debit_account","tx");
--> statement-breakpoint
CREATE INDEX "transfers_credits" ON "transfers" USING btree ("credit_account","tx");
--> statement-breakpoint
CREATE INDEX "email_attachments_email_id_index" ON "email_attachments" USING btree ("email_id");
--> statement-breakpoint
CREATE INDEX "emails_queued" ON "emails" USING btree ("created_at") WHERE "emails"."status" = 'queued';
--> statement-breakpoint
CREATE INDEX "emails_of_account" ON "emails" USING btree ("client_id","created_at");
--> statement-breakpoint
CREATE INDEX "emails_kept" ON "emails" USING btree ("id") WHERE "emails"."status" = 'kept';
--> statement-breakpoint
CREATE INDEX "merchants_client_id_created_at_id_index" ON "merchants" USING btree ("client_id","created_at","id");
--> statement-breakpoint
CREATE UNIQUE INDEX "merchants_owner" ON "merchants" USING btree ("client_id","id");
--> statement-breakpoint
CREATE UNIQUE INDEX "platform_fee_rules_band" ON "platform_fee_rules" USING btree ("merchant_id","payment_method","band") WHERE "platform_fee_rules"."deleted_at" is null;
--> statement-breakpoint
CREATE UNIQUE INDEX "provider_rotations_open" ON "provider_rotations" USING btree ("provider_id") WHERE "provider_rotations"."ended_at" is null;
--> statement-breakpoint
CREATE INDEX "providers_merchant_id_priority_created_at_index" ON "providers" USING btree ("merchant_id","priority","created_at");
--> statement-breakpoint
CREATE INDEX "providers_client_id_created_at_index" ON "providers" USING btree ("client_id","created_at");
--> statement-breakpoint
CREATE INDEX "monitor_events_client_id_monitor_id_window_until_index" ON "monitor_events" USING btree ("client_id","monitor_id","window_until");
--> statement-breakpoint
CREATE UNIQUE INDEX "monitor_events_once" ON "monitor_events" USING btree ("monitor_id","round");
--> statement-breakpoint
CREATE INDEX "monitors_of_account" ON "monitors" USING btree ("client_id","created_at") WHERE "monitors"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "monitors_due" ON "monitors" USING btree ("looked_at") WHERE "monitors"."deleted_at" is null;
--> statement-breakpoint
CREATE UNIQUE INDEX "monitors_owner" ON "monitors" USING btree ("client_id","id");
--> statement-breakpoint
CREATE INDEX "notice_mails_waiting" ON "notice_mails" USING btree ("client_id","operator_id","kind") WHERE "notice_mails"."queued_at" is null;
--> statement-breakpoint
CREATE INDEX "notice_mails_queued" ON "notice_mails" USING btree ("client_id","operator_id","kind","queued_at");
--> statement-breakpoint
CREATE INDEX "notices_of_account" ON "notices" USING btree ("client_id","created_at","id");
--> statement-breakpoint
CREATE INDEX "notices_waiting" ON "notices" USING btree ("created_at") WHERE "notices"."fanned_out_at" is null;
--> statement-breakpoint
CREATE INDEX "notices_of_provider" ON "notices" USING btree ("client_id","provider_id","created_at") WHERE "notices"."kind" in ('provider_down', 'provider_up');
--> statement-breakpoint
CREATE UNIQUE INDEX "custom_roles_owner" ON "custom_roles" USING btree ("client_id","id");
--> statement-breakpoint
CREATE UNIQUE INDEX "custom_roles_name" ON "custom_roles" USING btree ("client_id",lower("name"));
--> statement-breakpoint
CREATE UNIQUE INDEX "invitations_open" ON "invitations" USING btree ("client_id","email") WHERE "invitations"."accepted_at" is null and "invitations"."revoked_at" is null;
--> statement-breakpoint
CREATE INDEX "memberships_client_id_index" ON "memberships" USING btree ("client_id");
--> statement-breakpoint
CREATE INDEX "operator_devices_operator_id_index" ON "operator_devices" USING btree ("operator_id");
--> statement-breakpoint
CREATE INDEX "operator_devices_age" ON "operator_devices" USING btree ("last_sign_in_at");
--> statement-breakpoint
CREATE UNIQUE INDEX "operator_identities_person" ON "operator_identities" USING btree ("operator_id","issuer");
--> statement-breakpoint
CREATE INDEX "operator_sessions_operator_id_index" ON "operator_sessions" USING btree ("operator_id");
--> statement-breakpoint
CREATE INDEX "operator_sessions_expires_at_index" ON "operator_sessions" USING btree ("expires_at");
--> statement-breakpoint
CREATE UNIQUE INDEX "operators_email" ON "operators" USING btree ("email");
--> statement-breakpoint
CREATE INDEX "passkey_challenges_operator_id_index" ON "passkey_challenges" USING btree ("operator_id");
--> statement-breakpoint
CREATE INDEX "passkey_challenges_expires_at_index" ON "passkey_challenges" USING btree ("expires_at");
--> statement-breakpoint
CREATE INDEX "passkeys_operator_id_index" ON "passkeys" USING btree ("operator_id");
--> statement-breakpoint
CREATE INDEX "password_resets_operator_id_created_at_index" ON "password_resets" USING btree ("operator_id","created_at");
--> statement-breakpoint
CREATE INDEX "password_resets_expires_at_index" ON "password_resets" USING btree ("expires_at");
--> statement-breakpoint
CREATE INDEX "provider_returns_expires_at_index" ON "provider_returns" USING btree ("expires_at");
--> statement-breakpoint
CREATE INDEX "sign_in_attempts_email" ON "sign_in_attempts" USING btree ("email_digest","at");
--> statement-breakpoint
CREATE INDEX "sign_in_attempts_place" ON "sign_in_attempts" USING btree ("place","at");
--> statement-breakpoint
CREATE INDEX "sign_in_attempts_at" ON "sign_in_attempts" USING btree ("at");
--> statement-breakpoint
CREATE UNIQUE INDEX "sign_in_attempts_proof" ON "sign_in_attempts" USING btree ("proof") WHERE "sign_in_attempts"."proof" is not null;
--> statement-breakpoint
CREATE INDEX "sign_in_challenges_operator_id_index" ON "sign_in_challenges" USING btree ("operator_id");
--> statement-breakpoint
CREATE INDEX "sign_in_challenges_expires_at_index" ON "sign_in_challenges" USING btree ("expires_at");
--> statement-breakpoint
CREATE INDEX "due_jobs_wake" ON "due_jobs" USING btree ("lane","wake_at") WHERE "due_jobs"."queue" is null;
--> statement-breakpoint
CREATE INDEX "due_jobs_ready" ON "due_jobs" USING btree ("lane","queue","wake_at","id") WHERE "due_jobs"."queue" is not null;
--> statement-breakpoint
CREATE INDEX "due_jobs_running" ON "due_jobs" USING btree ("lane","lease_until") WHERE "due_jobs"."lease_until" is not null;
--> statement-breakpoint
CREATE INDEX "due_jobs_of_account" ON "due_jobs" USING btree ("client_id","due_at");
--> statement-breakpoint
CREATE INDEX "events_client_id_created_at_id_index" ON "events" USING btree ("client_id","created_at","id");
--> statement-breakpoint
CREATE INDEX "events_waiting" ON "events" USING btree ("id") WHERE "events"."fanned_out_at" is null;
--> statement-breakpoint
CREATE INDEX "outbox_waiting" ON "outbox" USING btree ("id") WHERE "outbox"."relayed_at" is null;
--> statement-breakpoint
CREATE INDEX "page_checks_newest" ON "page_checks" USING btree ("checked_at");
--> statement-breakpoint
CREATE UNIQUE INDEX "payout_files_sequence" ON "payout_files" USING btree ("client_id","bank","agreement","sequence");
--> statement-breakpoint
CREATE INDEX "payout_files_merchant" ON "payout_files" USING btree ("merchant_id");
--> statement-breakpoint
CREATE INDEX "payout_files_client" ON "payout_files" USING btree ("client_id","created_at","id");
--> statement-breakpoint
CREATE UNIQUE INDEX "payout_returns_once" ON "payout_returns" USING btree ("merchant_id","digest");
--> statement-breakpoint
CREATE INDEX "payout_returns_client" ON "payout_returns" USING btree ("client_id","created_at","id");
--> statement-breakpoint
CREATE INDEX "payout_batches_client" ON "payout_batches" USING btree ("client_id","created_at","id");
--> statement-breakpoint
CREATE INDEX "payout_batches_seller" ON "payout_batches" USING btree ("seller_id","created_at","id");
--> statement-breakpoint
CREATE INDEX "payout_batches_pending" ON "payout_batches" USING btree ("merchant_id","payment_date") WHERE "payout_batches"."status" = 'pending';
--> statement-breakpoint
CREATE INDEX "payout_batches_offset" ON "payout_batches" USING btree ("merchant_id") WHERE "payout_batches"."status" = 'offset';
--> statement-breakpoint
CREATE UNIQUE INDEX "payout_holds_open" ON "payout_holds" USING btree ("seller_id","cause") WHERE "payout_holds"."lifted_at" is null;
--> statement-breakpoint
CREATE INDEX "payout_holds_seller" ON "payout_holds" USING btree ("seller_id");
--> statement-breakpoint
CREATE INDEX "payout_lines_batch" ON "payout_lines" USING btree ("batch_id","id");
--> statement-breakpoint
CREATE INDEX "payout_lines_source" ON "payout_lines" USING btree ("source_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "payout_lines_once" ON "payout_lines" USING btree ("source_id","type") WHERE "payout_lines"."is_live" and "payout_lines"."type" <> 'withdrawal';
--> statement-breakpoint
CREATE UNIQUE INDEX "payout_transfers_batch" ON "payout_transfers" USING btree ("batch_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "payout_transfers_reference" ON "payout_transfers" USING btree ("reference");
--> statement-breakpoint
CREATE UNIQUE INDEX "payout_transfers_file" ON "payout_transfers" USING btree ("merchant_id","file_number") WHERE "payout_transfers"."file_number" is not null;
--> statement-breakpoint
CREATE INDEX "payout_transfers_open" ON "payout_transfers" USING btree ("merchant_id") WHERE "payout_transfers"."status" in ('created', 'sent', 'unknown');
--> statement-breakpoint
CREATE INDEX "payout_transfers_settled" ON "payout_transfers" USING btree ("merchant_id","sent_on") WHERE "payout_transfers"."status" = 'settled';
--> statement-breakpoint
CREATE INDEX "payout_transfers_marked" ON "payout_transfers" USING btree ("merchant_id","sent_on") WHERE "payout_transfers"."marked_at" is not null;
--> statement-breakpoint
CREATE INDEX "seller_adjustments_ready" ON "seller_adjustments" USING btree ("merchant_id","seller_id") WHERE "seller_adjustments"."batch_id" is null;
--> statement-breakpoint
CREATE UNIQUE INDEX "seller_adjustments_transfer" ON "seller_adjustments" USING btree ("transfer_id") WHERE "seller_adjustments"."transfer_id" is not null;
--> statement-breakpoint
CREATE UNIQUE INDEX "prepayment_items_of" ON "prepayment_items" USING btree ("prepayment_id","receivable_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "prepayment_items_committed" ON "prepayment_items" USING btree ("receivable_id") WHERE "prepayment_items"."is_committed";
--> statement-breakpoint
CREATE INDEX "prepayments_client" ON "prepayments" USING btree ("client_id","created_at","id");
--> statement-breakpoint
CREATE INDEX "prepayments_due" ON "prepayments" USING btree ("client_id","payment_date") WHERE "prepayments"."status" = 'committed';
--> statement-breakpoint
CREATE UNIQUE INDEX "money_proposals_open" ON "money_proposals" USING btree ("subject_id") WHERE "money_proposals"."ended_at" is null and "money_proposals"."kind" <> 'adjustment';
--> statement-breakpoint
CREATE INDEX "money_proposals_waiting" ON "money_proposals" USING btree ("client_id","created_at") WHERE "money_proposals"."ended_at" is null;
--> statement-breakpoint
CREATE INDEX "purchase_moves_purchase_id_seq_index" ON "purchase_moves" USING btree ("purchase_id","seq");
--> statement-breakpoint
CREATE INDEX "purchase_operations_purchase_id_created_at_id_index" ON "purchase_operations" USING btree ("purchase_id","created_at","id");
--> statement-breakpoint
CREATE UNIQUE INDEX "purchase_operations_one_active" ON "purchase_operations" USING btree ("purchase_id") WHERE "purchase_operations"."status" in ('pending', 'processing');
--> statement-breakpoint
CREATE INDEX "purchase_operations_claimable" ON "purchase_operations" USING btree ("run_at") WHERE "purchase_operations"."status" in ('pending', 'processing');
--> statement-breakpoint
CREATE INDEX "purchase_operations_leased" ON "purchase_operations" USING btree ("lease_until") WHERE "purchase_operations"."lease_until" is not null;
--> statement-breakpoint
CREATE UNIQUE INDEX "purchase_payments_slot" ON "purchase_payments" USING btree ("purchase_id","slot_index");
--> statement-breakpoint
CREATE INDEX "purchase_payments_declined" ON "purchase_payments" USING btree ("client_id","decline_reason") WHERE "purchase_payments"."decline_reason" is not null;
--> statement-breakpoint
CREATE INDEX "purchase_payments_disputed" ON "purchase_payments" USING btree ("client_id") WHERE "purchase_payments"."status" = 'charged_back';
--> statement-breakpoint
CREATE INDEX "purchase_payments_refunded" ON "purchase_payments" USING btree ("client_id","purchase_id") WHERE "purchase_payments"."refunded_amount" > 0;
--> statement-breakpoint
CREATE INDEX "purchase_payments_brand" ON "purchase_payments" USING btree ("client_id",("card" ->> 'brand'));
--> statement-breakpoint
CREATE INDEX "purchase_payments_holder" ON "purchase_payments" USING btree ("client_id",("holder" #>> '{document,number}')) WHERE "purchase_payments"."holder" is not null;
--> statement-breakpoint
CREATE INDEX "purchase_payments_amount" ON "purchase_payments" USING btree ("client_id","amount","created_at");
--> statement-breakpoint
CREATE UNIQUE INDEX "purchase_payments_charge" ON "purchase_payments" USING btree ("charge_id") WHERE "purchase_payments"."charge_id" is not null;
--> statement-breakpoint
CREATE INDEX "purchases_client_id_created_at_id_index" ON "purchases" USING btree ("client_id","created_at","id");
--> statement-breakpoint
CREATE INDEX "purchases_client_id_status_created_at_id_index" ON "purchases" USING btree ("client_id","status","created_at","id");
--> statement-breakpoint
CREATE INDEX "purchases_client_id_merchant_id_created_at_index" ON "purchases" USING btree ("client_id","merchant_id","created_at");
--> statement-breakpoint
CREATE INDEX "purchases_amount" ON "purchases" USING btree ("client_id","amount","created_at","id");
--> statement-breakpoint
CREATE INDEX "purchases_customer" ON "purchases" USING btree ("customer_id") WHERE "purchases"."customer_id" is not null;
--> statement-breakpoint
CREATE INDEX "purchases_metadata" ON "purchases" USING gin ("client_id","metadata" jsonb_path_ops) WHERE "purchases"."metadata" is not null;
--> statement-breakpoint
CREATE INDEX "purchases_split" ON "purchases" USING btree ("client_id","created_at","id") WHERE "purchases"."split_rules" is not null;
--> statement-breakpoint
CREATE INDEX "purchases_order" ON "purchases" USING btree ("client_id","order_id" text_pattern_ops) WHERE "purchases"."order_id" is not null;
--> statement-breakpoint
CREATE INDEX "purchases_session" ON "purchases" USING btree ("session_id") WHERE "purchases"."session_id" is not null;
--> statement-breakpoint
CREATE INDEX "purchases_in_review" ON "purchases" USING btree ("client_id","review_since") WHERE "purchases"."review_reason" is not null;
--> statement-breakpoint
CREATE UNIQUE INDEX "receivables_one_per_installment" ON "receivables" USING btree ("charge_id","installment",coalesce("seller_id", '00000000-0000-0000-0000-000000000000'::uuid)) WHERE "receivables"."type" = 'credit';
--> statement-breakpoint
CREATE INDEX "receivables_taken" ON "receivables" USING btree ("charge_id") WHERE "receivables"."type" <> 'credit';
--> statement-breakpoint
CREATE INDEX "receivables_reduced" ON "receivables" USING btree ("reduces") WHERE "receivables"."reduces" is not null;
--> statement-breakpoint
CREATE INDEX "receivables_reducing" ON "receivables" USING btree ("client_id","seller_id") WHERE "receivables"."reduces" is not null;
--> statement-breakpoint
CREATE INDEX "receivables_seller" ON "receivables" USING btree ("seller_id","payment_date","id") WHERE "receivables"."seller_id" is not null;
--> statement-breakpoint
CREATE INDEX "receivables_waiting" ON "receivables" USING btree ("merchant_id","payment_date","charge_id","installment") WHERE "receivables"."status" = 'waiting_funds';
--> statement-breakpoint
CREATE INDEX "receivables_early" ON "receivables" USING btree ("merchant_id") WHERE "receivables"."status" = 'prepaid' and "receivables"."available_at" is null;
--> statement-breakpoint
CREATE INDEX "receivables_ready" ON "receivables" USING btree ("merchant_id","seller_id","id") WHERE "receivables"."batch_id" is null and "receivables"."available_at" is not null;
--> statement-breakpoint
CREATE INDEX "receivables_orders" ON "receivables" USING btree ("client_id","created_at","id") WHERE "receivables"."available_at" is not null;
--> statement-breakpoint
CREATE INDEX "receivables_settling" ON "receivables" USING btree ("merchant_id","original_payment_date") WHERE "receivables"."type" = 'credit';
--> statement-breakpoint
CREATE INDEX "refund_documents_charge" ON "refund_documents" USING btree ("charge_id","created_at","id");
--> statement-breakpoint
CREATE INDEX "buyer_codes_visit" ON "buyer_codes" USING btree ("client_id","visit_hash","sent_at");
--> statement-breakpoint
CREATE INDEX "buyer_codes_buyer" ON "buyer_codes" USING btree ("buyer_id","sent_at");
--> statement-breakpoint
CREATE INDEX "buyer_codes_age" ON "buyer_codes" USING btree ("expires_at");
--> statement-breakpoint
CREATE UNIQUE INDEX "remembered_buyers_email" ON "remembered_buyers" USING btree ("client_id","email");
--> statement-breakpoint
CREATE INDEX "remembered_buyers_age" ON "remembered_buyers" USING btree ("expires_at");
--> statement-breakpoint
CREATE UNIQUE INDEX "report_addresses_email" ON "report_addresses" USING btree ("client_id","email");
--> statement-breakpoint
CREATE INDEX "report_definitions_listed" ON "report_definitions" USING btree ("client_id","created_at","id") WHERE "report_definitions"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "reports_listed" ON "reports" USING btree ("client_id","created_at","id");
--> statement-breakpoint
CREATE INDEX "reports_open" ON "reports" USING btree ("created_at") WHERE "reports"."status" in ('created', 'pending', 'processing');
--> statement-breakpoint
CREATE INDEX "reports_unsent" ON "reports" USING btree ("client_id","email") WHERE "reports"."emailed_at" is null;
--> statement-breakpoint
CREATE INDEX "sale_plan_rates_plan" ON "sale_plan_rates" USING btree ("plan_id","payment_method");
--> statement-breakpoint
CREATE UNIQUE INDEX "sale_plans_default" ON "sale_plans" USING btree ("client_id") WHERE "sale_plans"."is_default";
--> statement-breakpoint
CREATE INDEX "sale_plans_client_id_created_at_id_index" ON "sale_plans" USING btree ("client_id","created_at","id");
--> statement-breakpoint
CREATE UNIQUE INDEX "sandbox_analyses_reference" ON "sandbox_analyses" USING btree ("client_id","provider_id","reference");
--> statement-breakpoint
CREATE UNIQUE INDEX "sandbox_calls_key" ON "sandbox_calls" USING btree ("client_id","provider_id","idempotency_key") WHERE "sandbox_calls"."kept";
--> statement-breakpoint
CREATE INDEX "sandbox_calls_charge" ON "sandbox_calls" USING btree ("client_id","charge_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "sandbox_mandates_reference" ON "sandbox_mandates" USING btree ("client_id","provider_id","reference");
--> statement-breakpoint
CREATE UNIQUE INDEX "sandbox_movements_reference" ON "sandbox_movements" USING btree ("transaction_id","kind","reference");
--> statement-breakpoint
CREATE INDEX "sandbox_movements_day" ON "sandbox_movements" USING btree ("client_id","at");
--> statement-breakpoint
CREATE UNIQUE INDEX "sandbox_notifications_once" ON "sandbox_notifications" USING btree ("transaction_id","type","due_at");
--> statement-breakpoint
CREATE INDEX "sandbox_notifications_due" ON "sandbox_notifications" USING btree ("client_id","due_at") WHERE "sandbox_notifications"."sent_at" is null;
--> statement-breakpoint
CREATE INDEX "sandbox_recipient_reviews_recipient" ON "sandbox_recipient_reviews" USING btree ("recipient_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "sandbox_recipients_reference" ON "sandbox_recipients" USING btree ("client_id","provider_id","reference");
--> statement-breakpoint
CREATE INDEX "sandbox_recipients_document" ON "sandbox_recipients" USING btree ("client_id","document_key");
--> statement-breakpoint
CREATE INDEX "sandbox_scenarios_target" ON "sandbox_scenarios" USING btree ("client_id","target_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "sandbox_transactions_reference" ON "sandbox_transactions" USING btree ("client_id","provider_id","reference","copy");
--> statement-breakpoint
CREATE INDEX "sandbox_transactions_charge" ON "sandbox_transactions" USING btree ("client_id","charge_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "sandbox_transfers_reference" ON "sandbox_transfers" USING btree ("client_id","reference");
--> statement-breakpoint
CREATE UNIQUE INDEX "saved_views_name" ON "saved_views" USING btree ("client_id","operator_id","list","name");
--> statement-breakpoint
CREATE UNIQUE INDEX "seller_accesses_open" ON "seller_accesses" USING btree ("seller_id","email") WHERE "seller_accesses"."revoked_at" is null;
--> statement-breakpoint
CREATE INDEX "seller_accesses_email" ON "seller_accesses" USING btree ("email") WHERE "seller_accesses"."revoked_at" is null;
--> statement-breakpoint
CREATE INDEX "seller_links_access_id_created_at_index" ON "seller_links" USING btree ("access_id","created_at");
--> statement-breakpoint
CREATE INDEX "seller_links_expires_at_index" ON "seller_links" USING btree ("expires_at");
--> statement-breakpoint
CREATE INDEX "seller_sessions_access_id_index" ON "seller_sessions" USING btree ("access_id");
--> statement-breakpoint
CREATE INDEX "seller_sessions_expires_at_index" ON "seller_sessions" USING btree ("expires_at");
--> statement-breakpoint
CREATE UNIQUE INDEX "seller_account_changes_open" ON "seller_account_changes" USING btree ("seller_id") WHERE "seller_account_changes"."ended_at" is null;
--> statement-breakpoint
CREATE UNIQUE INDEX "seller_calls_sequence" ON "seller_calls" USING btree ("registration_id","call","sequence");
--> statement-breakpoint
CREATE UNIQUE INDEX "seller_calls_one_open" ON "seller_calls" USING btree ("registration_id") WHERE "seller_calls"."state" = 'undetermined' or ("seller_calls"."state" = 'planned' and "seller_calls"."sent_at" is not null);
--> statement-breakpoint
CREATE UNIQUE INDEX "seller_calls_registered_once" ON "seller_calls" USING btree ("registration_id") WHERE "seller_calls"."call" = 'register' and "seller_calls"."state" in ('planned', 'undetermined', 'approved');
--> statement-breakpoint
CREATE INDEX "seller_calls_document" ON "seller_calls" USING btree ("document_id") WHERE "seller_calls"."document_id" is not null;
--> statement-breakpoint
CREATE UNIQUE INDEX "seller_documents_content" ON "seller_documents" USING btree ("client_id","type","digest",coalesce("created_by_key", '00000000-0000-0000-0000-000000000000'::uuid)) WHERE "seller_documents"."deleted_at" is null and "seller_documents"."seller_id" is null;
--> statement-breakpoint
CREATE INDEX "seller_documents_client_id_created_at_id_index" ON "seller_documents" USING btree ("client_id","created_at","id");
--> statement-breakpoint
CREATE INDEX "seller_documents_seller" ON "seller_documents" USING btree ("seller_id") WHERE "seller_documents"."seller_id" is not null;
--> statement-breakpoint
CREATE INDEX "seller_documents_expiry" ON "seller_documents" USING btree ("expires_at") WHERE "seller_documents"."expires_at" is not null and "seller_documents"."erased_at" is null;
--> statement-breakpoint
CREATE UNIQUE INDEX "seller_registrations_place" ON "seller_registrations" USING btree ("seller_id","provider_id");
--> statement-breakpoint
CREATE INDEX "seller_registrations_provider" ON "seller_registrations" USING btree ("provider_id","status");
--> statement-breakpoint
CREATE INDEX "seller_registrations_external" ON "seller_registrations" USING btree ("client_id","external_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "seller_reviews_external" ON "seller_reviews" USING btree ("registration_id","external_id");
--> statement-breakpoint
CREATE INDEX "seller_reviews_seller" ON "seller_reviews" USING btree ("seller_id","created_at");
--> statement-breakpoint
CREATE UNIQUE INDEX "sellers_document" ON "sellers" USING btree ("merchant_id","document_key") WHERE "sellers"."deleted_at" is null;
--> statement-breakpoint
CREATE UNIQUE INDEX "sellers_merchant" ON "sellers" USING btree ("merchant_id","id");
--> statement-breakpoint
CREATE INDEX "sellers_counted" ON "sellers" USING btree ("client_id","status") WHERE "sellers"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "sellers_listed" ON "sellers" USING btree ("client_id","created_at","id","status","merchant_id","created_by_key") WHERE "sellers"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "sellers_owner_email" ON "sellers" USING btree ("client_id","owner_email");
--> statement-breakpoint
CREATE INDEX "sellers_business_email" ON "sellers" USING btree ("client_id","business_email");
--> statement-breakpoint
CREATE INDEX "sellers_document_number" ON "sellers" USING btree ("client_id","document_number");
--> statement-breakpoint
CREATE INDEX "sellers_business_words" ON "sellers" USING gin ("client_id",lower("business_name") gin_trgm_ops);
--> statement-breakpoint
CREATE INDEX "sellers_words" ON "sellers" USING gin ("client_id",lower(translate("owner_name" || ' ' || coalesce("business_name", ''), 'àáâãäåçèéêëìíîïñòóôõöùúûüýÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÑÒÓÔÕÖÙÚÛÜÝ' || chr(768) || chr(769) || chr(770) || chr(771) || chr(776) || chr(778) || chr(807), 'aaaaaaceeeeiiiinooooouuuuyAAAAAACEEEEIIIINOOOOOUUUUY')) gin_trgm_ops);
--> statement-breakpoint
CREATE INDEX "sessions_client_id_created_at_id_index" ON "sessions" USING btree ("client_id","created_at","id");
--> statement-breakpoint
CREATE INDEX "sessions_client_id_status_created_at_id_index" ON "sessions" USING btree ("client_id","status","created_at","id");
--> statement-breakpoint
CREATE INDEX "sessions_merchant_id_created_at_id_index" ON "sessions" USING btree ("merchant_id","created_at","id");
--> statement-breakpoint
CREATE INDEX "sessions_order" ON "sessions" USING btree ("client_id","order_id") WHERE "sessions"."order_id" is not null;
--> statement-breakpoint
CREATE INDEX "sessions_words" ON "sessions" USING gin ("client_id",lower(translate(coalesce("name", '') || ' ' || coalesce("description", ''), 'àáâãäåçèéêëìíîïñòóôõöùúûüýÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÑÒÓÔÕÖÙÚÛÜÝ' || chr(768) || chr(769) || chr(770) || chr(771) || chr(776) || chr(778) || chr(807), 'aaaaaaceeeeiiiinooooouuuuyAAAAAACEEEEIIIINOOOOOUUUUY')) gin_trgm_ops) WHERE "sessions"."has_link";
--> statement-breakpoint
CREATE INDEX "sessions_customer" ON "sessions" USING btree ("customer_id") WHERE "sessions"."customer_id" is not null;
--> statement-breakpoint
CREATE INDEX "sessions_created_by_key" ON "sessions" USING btree ("created_by_key","created_at") WHERE "sessions"."created_by_key" is not null;
--> statement-breakpoint
CREATE INDEX "merchant_days_client" ON "merchant_days" USING btree ("client_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "settlement_breaks_open" ON "settlement_breaks" USING btree ("merchant_id","kind","subject") WHERE "settlement_breaks"."closed_at" is null;
--> statement-breakpoint
CREATE INDEX "settlement_breaks_client" ON "settlement_breaks" USING btree ("client_id","opened_at","id");
--> statement-breakpoint
CREATE INDEX "settlement_breaks_waiting" ON "settlement_breaks" USING btree ("client_id") WHERE "settlement_breaks"."closed_at" is null;
--> statement-breakpoint
CREATE UNIQUE INDEX "statement_files_once" ON "statement_files" USING btree ("provider_id","digest");
--> statement-breakpoint
CREATE INDEX "statement_files_client" ON "statement_files" USING btree ("client_id","created_at","id");
--> statement-breakpoint
CREATE UNIQUE INDEX "statement_lines_external" ON "statement_lines" USING btree ("provider_id","external_id");
--> statement-breakpoint
CREATE INDEX "statement_lines_charge" ON "statement_lines" USING btree ("charge_id","installment") WHERE "statement_lines"."charge_id" is not null;
--> statement-breakpoint
CREATE INDEX "statement_lines_day" ON "statement_lines" USING btree ("merchant_id","settled_on");
--> statement-breakpoint
CREATE UNIQUE INDEX "subscription_changes_revision" ON "subscription_changes" USING btree ("subscription_id","revision");
--> statement-breakpoint
CREATE UNIQUE INDEX "subscription_cycles_number" ON "subscription_cycles" USING btree ("subscription_id","cycle");
--> statement-breakpoint
CREATE UNIQUE INDEX "subscription_cycles_open" ON "subscription_cycles" USING btree ("subscription_id") WHERE "subscription_cycles"."status" in ('pending', 'retrying');
--> statement-breakpoint
CREATE INDEX "subscription_cycles_risk" ON "subscription_cycles" USING btree ("client_id","status","amount","subscription_id") WHERE "subscription_cycles"."status" in ('retrying', 'failed');
--> statement-breakpoint
CREATE UNIQUE INDEX "subscription_mandates_open" ON "subscription_mandates" USING btree ("subscription_id") WHERE "subscription_mandates"."status" in ('created', 'approved');
--> statement-breakpoint
CREATE UNIQUE INDEX "subscription_mandates_named" ON "subscription_mandates" USING btree ("provider_id","provider_mandate_id") WHERE "subscription_mandates"."provider_mandate_id" is not null;
--> statement-breakpoint
CREATE INDEX "subscription_mandates_subscription" ON "subscription_mandates" USING btree ("subscription_id","created_at");
--> statement-breakpoint
CREATE UNIQUE INDEX "subscription_starts_charge" ON "subscription_starts" USING btree ("charge_id") WHERE "subscription_starts"."charge_id" is not null;
--> statement-breakpoint
CREATE INDEX "subscription_starts_session" ON "subscription_starts" USING btree ("session_id","created_at");
--> statement-breakpoint
CREATE UNIQUE INDEX "subscription_tries_number" ON "subscription_tries" USING btree ("cycle_id","number");
--> statement-breakpoint
CREATE UNIQUE INDEX "subscription_tries_paid" ON "subscription_tries" USING btree ("cycle_id") WHERE "subscription_tries"."status" in ('pending', 'authorized');
--> statement-breakpoint
CREATE UNIQUE INDEX "subscription_tries_charge" ON "subscription_tries" USING btree ("charge_id") WHERE "subscription_tries"."charge_id" is not null;
--> statement-breakpoint
CREATE UNIQUE INDEX "subscription_tries_revision" ON "subscription_tries" USING btree ("subscription_id","revision");
--> statement-breakpoint
CREATE INDEX "subscriptions_session" ON "subscriptions" USING btree ("session_id","created_at") WHERE "subscriptions"."session_id" is not null;
--> statement-breakpoint
CREATE INDEX "subscriptions_listed" ON "subscriptions" USING btree ("client_id","created_at","id","status");
--> statement-breakpoint
CREATE INDEX "subscriptions_by_status" ON "subscriptions" USING btree ("client_id","status","created_at","id");
--> statement-breakpoint
CREATE INDEX "subscriptions_next" ON "subscriptions" USING btree ("client_id","next_due_on","id") WHERE "subscriptions"."next_due_on" is not null;
--> statement-breakpoint
CREATE INDEX "subscriptions_merchant" ON "subscriptions" USING btree ("merchant_id","client_id","created_at","id");
--> statement-breakpoint
CREATE INDEX "subscriptions_sums" ON "subscriptions" USING btree ("client_id","status","interval","amount");
--> statement-breakpoint
CREATE INDEX "subscriptions_merchant_counts" ON "subscriptions" USING btree ("merchant_id","client_id","status");
--> statement-breakpoint
CREATE INDEX "subscriptions_customer" ON "subscriptions" USING btree ("customer_id","created_at");
--> statement-breakpoint
CREATE INDEX "subscriptions_card" ON "subscriptions" USING btree ("card_id");
--> statement-breakpoint
CREATE INDEX "subscriptions_reference" ON "subscriptions" USING btree ("client_id","reference_key") WHERE "subscriptions"."reference_key" is not null;
--> statement-breakpoint
CREATE INDEX "subscriptions_created_by_key" ON "subscriptions" USING btree ("created_by_key","created_at") WHERE "subscriptions"."created_by_key" is not null;
--> statement-breakpoint
CREATE UNIQUE INDEX "vendors_reference" ON "vendors" USING btree ("client_id","reference_id") WHERE "vendors"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "vendors_client_id_created_at_id_index" ON "vendors" USING btree ("client_id","created_at","id");
--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_attempts_number" ON "webhook_attempts" USING btree ("delivery_id","number");
--> statement-breakpoint
CREATE INDEX "webhook_attempts_recorded" ON "webhook_attempts" USING brin ("recorded_at");
--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_deliveries_one_per_event" ON "webhook_deliveries" USING btree ("event_id","webhook_id") WHERE "webhook_deliveries"."origin" = 'event';
--> statement-breakpoint
CREATE INDEX "webhook_deliveries_listed" ON "webhook_deliveries" USING btree ("webhook_id","created_at","id");
--> statement-breakpoint
CREATE INDEX "webhook_deliveries_ready" ON "webhook_deliveries" USING btree ("webhook_id","ready_at","event_created_at") WHERE "webhook_deliveries"."ready_at" is not null;
--> statement-breakpoint
CREATE INDEX "webhook_deliveries_sending" ON "webhook_deliveries" USING btree ("client_id","webhook_id") WHERE "webhook_deliveries"."status" = 'sending';
--> statement-breakpoint
CREATE INDEX "webhook_deliveries_open" ON "webhook_deliveries" USING btree ("webhook_id","entity_id","entity_version") WHERE "webhook_deliveries"."status" in ('scheduled', 'sending', 'held');
--> statement-breakpoint
CREATE INDEX "webhook_deliveries_created" ON "webhook_deliveries" USING brin ("created_at");
--> statement-breakpoint
CREATE INDEX "webhooks_client_id_created_at_id_index" ON "webhooks" USING btree ("client_id","created_at","id");
--> statement-breakpoint
CREATE UNIQUE INDEX "webhooks_endpoint" ON "webhooks" USING btree ("client_id","address") WHERE "webhooks"."deleted_at" is null;
--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "public_keys" ADD CONSTRAINT "public_keys_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "card_alarms" ADD CONSTRAINT "card_alarms_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "card_protection" ADD CONSTRAINT "card_protection_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "card_tries" ADD CONSTRAINT "card_tries_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "payment_buyers" ADD CONSTRAINT "payment_buyers_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "charges" ADD CONSTRAINT "charges_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "charges" ADD CONSTRAINT "charges_card_id_cards_id_fk" FOREIGN KEY ("card_id") REFERENCES "public"."cards"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "charges" ADD CONSTRAINT "charges_source_customer_id_customers_id_fk" FOREIGN KEY ("source_customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "routing_decisions" ADD CONSTRAINT "routing_decisions_charge_id_charges_id_fk" FOREIGN KEY ("charge_id") REFERENCES "public"."charges"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "split_rules" ADD CONSTRAINT "split_rules_charge_id_charges_id_fk" FOREIGN KEY ("charge_id") REFERENCES "public"."charges"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "transaction_requests" ADD CONSTRAINT "transaction_requests_charge_id_charges_id_fk" FOREIGN KEY ("charge_id") REFERENCES "public"."charges"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "card_credentials" ADD CONSTRAINT "card_credentials_card_id_cards_id_fk" FOREIGN KEY ("card_id") REFERENCES "public"."cards"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "cards" ADD CONSTRAINT "cards_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "dispute_notes" ADD CONSTRAINT "dispute_notes_charge_id_charges_id_fk" FOREIGN KEY ("charge_id") REFERENCES "public"."charges"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "dispute_notes" ADD CONSTRAINT "dispute_notes_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "engine_steps" ADD CONSTRAINT "engine_steps_run_id_engine_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."engine_runs"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "engine_waits" ADD CONSTRAINT "engine_waits_run_id_step_id_engine_steps_run_id_step_id_fk" FOREIGN KEY ("run_id","step_id") REFERENCES "public"."engine_steps"("run_id","step_id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "active_flows" ADD CONSTRAINT "active_flows_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "active_flows" ADD CONSTRAINT "active_flows_flow_id_flows_id_fk" FOREIGN KEY ("flow_id") REFERENCES "public"."flows"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "flow_changes" ADD CONSTRAINT "flow_changes_flow_id_flows_id_fk" FOREIGN KEY ("flow_id") REFERENCES "public"."flows"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "flow_replays" ADD CONSTRAINT "flow_replays_flow_id_flows_id_fk" FOREIGN KEY ("flow_id") REFERENCES "public"."flows"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "flow_tests" ADD CONSTRAINT "flow_tests_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "flows" ADD CONSTRAINT "flows_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "journals" ADD CONSTRAINT "journals_reverses_journals_id_fk" FOREIGN KEY ("reverses") REFERENCES "public"."journals"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "ledger_checkpoints" ADD CONSTRAINT "ledger_checkpoints_account_id_ledger_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."ledger_accounts"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "email_attachments" ADD CONSTRAINT "email_attachments_email_id_emails_id_fk" FOREIGN KEY ("email_id") REFERENCES "public"."emails"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "merchants" ADD CONSTRAINT "merchants_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "platform_fee_rules" ADD CONSTRAINT "platform_fee_rules_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "provider_rotations" ADD CONSTRAINT "provider_rotations_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "provider_rotations" ADD CONSTRAINT "provider_rotations_provider_id_providers_id_fk" FOREIGN KEY ("provider_id") REFERENCES "public"."providers"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "providers" ADD CONSTRAINT "providers_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "providers" ADD CONSTRAINT "providers_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "monitors" ADD CONSTRAINT "monitors_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "notice_choices" ADD CONSTRAINT "notice_choices_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "notice_mails" ADD CONSTRAINT "notice_mails_notice_id_notices_id_fk" FOREIGN KEY ("notice_id") REFERENCES "public"."notices"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "notice_mails" ADD CONSTRAINT "notice_mails_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "notice_reads" ADD CONSTRAINT "notice_reads_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "custom_roles" ADD CONSTRAINT "custom_roles_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_invited_by_operators_id_fk" FOREIGN KEY ("invited_by") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_client_id_custom_role_id_custom_roles_client_id_id_fk" FOREIGN KEY ("client_id","custom_role_id") REFERENCES "public"."custom_roles"("client_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_client_id_custom_role_id_custom_roles_client_id_id_fk" FOREIGN KEY ("client_id","custom_role_id") REFERENCES "public"."custom_roles"("client_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "operator_devices" ADD CONSTRAINT "operator_devices_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "operator_identities" ADD CONSTRAINT "operator_identities_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "operator_sessions" ADD CONSTRAINT "operator_sessions_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "operator_sessions" ADD CONSTRAINT "operator_sessions_active_client_id_clients_id_fk" FOREIGN KEY ("active_client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "operator_totps" ADD CONSTRAINT "operator_totps_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "passkey_challenges" ADD CONSTRAINT "passkey_challenges_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "password_resets" ADD CONSTRAINT "password_resets_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "review_takes" ADD CONSTRAINT "review_takes_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "review_takes" ADD CONSTRAINT "review_takes_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "sign_in_challenges" ADD CONSTRAINT "sign_in_challenges_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "payout_files" ADD CONSTRAINT "payout_files_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "payout_returns" ADD CONSTRAINT "payout_returns_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "payout_batches" ADD CONSTRAINT "payout_batches_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "payout_batches" ADD CONSTRAINT "payout_batches_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "payout_holds" ADD CONSTRAINT "payout_holds_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "payout_lines" ADD CONSTRAINT "payout_lines_batch_id_payout_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."payout_batches"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "payout_transfers" ADD CONSTRAINT "payout_transfers_batch_id_payout_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."payout_batches"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "payout_transfers" ADD CONSTRAINT "payout_transfers_file_id_payout_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."payout_files"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "seller_adjustments" ADD CONSTRAINT "seller_adjustments_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "prepayments" ADD CONSTRAINT "prepayments_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "prepayments" ADD CONSTRAINT "prepayments_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "money_proposals" ADD CONSTRAINT "money_proposals_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "money_proposals" ADD CONSTRAINT "money_proposals_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "purchase_moves" ADD CONSTRAINT "purchase_moves_purchase_id_purchases_id_fk" FOREIGN KEY ("purchase_id") REFERENCES "public"."purchases"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "purchase_operations" ADD CONSTRAINT "purchase_operations_purchase_id_purchases_id_fk" FOREIGN KEY ("purchase_id") REFERENCES "public"."purchases"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "purchase_payments" ADD CONSTRAINT "purchase_payments_purchase_id_purchases_id_fk" FOREIGN KEY ("purchase_id") REFERENCES "public"."purchases"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "purchase_payments" ADD CONSTRAINT "purchase_payments_charge_id_charges_id_fk" FOREIGN KEY ("charge_id") REFERENCES "public"."charges"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "purchases" ADD CONSTRAINT "purchases_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "receivables" ADD CONSTRAINT "receivables_reduces_receivables_id_fk" FOREIGN KEY ("reduces") REFERENCES "public"."receivables"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "refund_documents" ADD CONSTRAINT "refund_documents_charge_id_charges_id_fk" FOREIGN KEY ("charge_id") REFERENCES "public"."charges"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "buyer_codes" ADD CONSTRAINT "buyer_codes_buyer_id_remembered_buyers_id_fk" FOREIGN KEY ("buyer_id") REFERENCES "public"."remembered_buyers"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "sale_plan_rates" ADD CONSTRAINT "sale_plan_rates_plan_id_sale_plans_id_fk" FOREIGN KEY ("plan_id") REFERENCES "public"."sale_plans"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "sale_plans" ADD CONSTRAINT "sale_plans_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "sandbox_anticipations" ADD CONSTRAINT "sandbox_anticipations_transaction_id_sandbox_transactions_id_fk" FOREIGN KEY ("transaction_id") REFERENCES "public"."sandbox_transactions"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "sandbox_movements" ADD CONSTRAINT "sandbox_movements_transaction_id_sandbox_transactions_id_fk" FOREIGN KEY ("transaction_id") REFERENCES "public"."sandbox_transactions"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "sandbox_recipient_reviews" ADD CONSTRAINT "sandbox_recipient_reviews_recipient_id_sandbox_recipients_id_fk" FOREIGN KEY ("recipient_id") REFERENCES "public"."sandbox_recipients"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "seller_accesses" ADD CONSTRAINT "seller_accesses_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "seller_links" ADD CONSTRAINT "seller_links_access_id_seller_accesses_id_fk" FOREIGN KEY ("access_id") REFERENCES "public"."seller_accesses"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "seller_sessions" ADD CONSTRAINT "seller_sessions_access_id_seller_accesses_id_fk" FOREIGN KEY ("access_id") REFERENCES "public"."seller_accesses"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "seller_account_changes" ADD CONSTRAINT "seller_account_changes_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "seller_account_changes" ADD CONSTRAINT "seller_account_changes_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "seller_calls" ADD CONSTRAINT "seller_calls_registration_id_seller_registrations_id_fk" FOREIGN KEY ("registration_id") REFERENCES "public"."seller_registrations"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "seller_calls" ADD CONSTRAINT "seller_calls_document_id_seller_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."seller_documents"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "seller_documents" ADD CONSTRAINT "seller_documents_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "seller_documents" ADD CONSTRAINT "seller_documents_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "seller_positions" ADD CONSTRAINT "seller_positions_merchant_id_seller_id_sellers_merchant_id_id_fk" FOREIGN KEY ("merchant_id","seller_id") REFERENCES "public"."sellers"("merchant_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "seller_registrations" ADD CONSTRAINT "seller_registrations_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "seller_registrations" ADD CONSTRAINT "seller_registrations_provider_id_providers_id_fk" FOREIGN KEY ("provider_id") REFERENCES "public"."providers"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "seller_reviews" ADD CONSTRAINT "seller_reviews_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "seller_reviews" ADD CONSTRAINT "seller_reviews_registration_id_seller_registrations_id_fk" FOREIGN KEY ("registration_id") REFERENCES "public"."seller_registrations"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "sellers" ADD CONSTRAINT "sellers_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "sellers" ADD CONSTRAINT "sellers_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "sellers" ADD CONSTRAINT "sellers_plan_id_sale_plans_id_fk" FOREIGN KEY ("plan_id") REFERENCES "public"."sale_plans"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "session_history" ADD CONSTRAINT "session_history_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "link_settings" ADD CONSTRAINT "link_settings_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "link_settings" ADD CONSTRAINT "link_settings_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "merchant_days" ADD CONSTRAINT "merchant_days_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "statement_files" ADD CONSTRAINT "statement_files_provider_id_providers_id_fk" FOREIGN KEY ("provider_id") REFERENCES "public"."providers"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "statement_lines" ADD CONSTRAINT "statement_lines_provider_id_providers_id_fk" FOREIGN KEY ("provider_id") REFERENCES "public"."providers"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "statement_lines" ADD CONSTRAINT "statement_lines_charge_id_charges_id_fk" FOREIGN KEY ("charge_id") REFERENCES "public"."charges"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "subscription_anchors" ADD CONSTRAINT "subscription_anchors_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."subscriptions"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "subscription_changes" ADD CONSTRAINT "subscription_changes_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."subscriptions"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "subscription_cycles" ADD CONSTRAINT "subscription_cycles_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."subscriptions"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "subscription_mandates" ADD CONSTRAINT "subscription_mandates_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."subscriptions"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "subscription_mandates" ADD CONSTRAINT "subscription_mandates_provider_id_providers_id_fk" FOREIGN KEY ("provider_id") REFERENCES "public"."providers"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "subscription_settings" ADD CONSTRAINT "subscription_settings_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "subscription_starts" ADD CONSTRAINT "subscription_starts_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "subscription_starts" ADD CONSTRAINT "subscription_starts_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "subscription_starts" ADD CONSTRAINT "subscription_starts_charge_id_charges_id_fk" FOREIGN KEY ("charge_id") REFERENCES "public"."charges"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "subscription_tries" ADD CONSTRAINT "subscription_tries_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."subscriptions"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "subscription_tries" ADD CONSTRAINT "subscription_tries_cycle_id_subscription_cycles_id_fk" FOREIGN KEY ("cycle_id") REFERENCES "public"."subscription_cycles"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "subscription_tries" ADD CONSTRAINT "subscription_tries_charge_id_charges_id_fk" FOREIGN KEY ("charge_id") REFERENCES "public"."charges"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "subscription_tries" ADD CONSTRAINT "subscription_tries_mandate_id_subscription_mandates_id_fk" FOREIGN KEY ("mandate_id") REFERENCES "public"."subscription_mandates"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_card_id_cards_id_fk" FOREIGN KEY ("card_id") REFERENCES "public"."cards"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "vendors" ADD CONSTRAINT "vendors_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;
