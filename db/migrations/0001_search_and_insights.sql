CREATE EXTENSION IF NOT EXISTS pg_trgm;--> statement-breakpoint
CREATE EXTENSION IF NOT EXISTS btree_gin;--> statement-breakpoint
CREATE TABLE "payment_stats_hourly" (
	"client_id" uuid NOT NULL,
	"hour" timestamp (3) with time zone NOT NULL,
	"merchant_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"method" text NOT NULL,
	"status" text NOT NULL,
	"decline_code" text NOT NULL,
	"currency" text NOT NULL,
	"charges" integer NOT NULL,
	"amount" bigint NOT NULL,
	"captured" bigint NOT NULL,
	"refunded" bigint NOT NULL,
	CONSTRAINT "payment_stats_hourly_key" PRIMARY KEY("client_id","hour","merchant_id","provider","method","status","decline_code","currency")
);
--> statement-breakpoint
CREATE TABLE "payment_stats_stale" (
	"client_id" uuid NOT NULL,
	"hour" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "provider_stats_hourly" (
	"client_id" uuid NOT NULL,
	"hour" timestamp (3) with time zone NOT NULL,
	"merchant_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"state" text NOT NULL,
	"attempts" integer NOT NULL,
	"timed" integer NOT NULL,
	"response_ms" bigint NOT NULL,
	CONSTRAINT "provider_stats_hourly_key" PRIMARY KEY("client_id","hour","merchant_id","provider","state")
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
	"failure" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone,
	CONSTRAINT "emails_once" UNIQUE NULLS NOT DISTINCT("client_id","dedupe"),
	CONSTRAINT "emails_data" CHECK (("emails"."status" = 'queued') = ("emails"."data" is not null))
);
--> statement-breakpoint
DROP INDEX "customers_client_id_email_index";--> statement-breakpoint
DROP INDEX "charges_order";--> statement-breakpoint
DROP INDEX "transaction_requests_transaction";--> statement-breakpoint
DROP INDEX "purchases_order";--> statement-breakpoint
ALTER TABLE "email_attachments" ADD CONSTRAINT "email_attachments_email_id_emails_id_fk" FOREIGN KEY ("email_id") REFERENCES "public"."emails"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "payment_stats_stale_hour" ON "payment_stats_stale" USING btree ("client_id","hour");--> statement-breakpoint
CREATE INDEX "email_attachments_email_id_index" ON "email_attachments" USING btree ("email_id");--> statement-breakpoint
CREATE INDEX "emails_of_account" ON "emails" USING btree ("client_id","created_at");--> statement-breakpoint
CREATE INDEX "emails_kept" ON "emails" USING btree ("id") WHERE "emails"."status" = 'kept';--> statement-breakpoint
CREATE INDEX "customers_email_begins" ON "customers" USING btree ("client_id","email" text_pattern_ops);--> statement-breakpoint
CREATE INDEX "customers_words" ON "customers" USING gin ("client_id",lower("name" || ' ' || "email") gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "charges_order" ON "charges" USING btree ("client_id","order_id" text_pattern_ops) WHERE "charges"."order_id" is not null;--> statement-breakpoint
CREATE INDEX "transaction_requests_transaction" ON "transaction_requests" USING btree ("client_id","transaction_id" text_pattern_ops) WHERE "transaction_requests"."transaction_id" is not null;--> statement-breakpoint
CREATE INDEX "purchases_order" ON "purchases" USING btree ("client_id","order_id" text_pattern_ops) WHERE "purchases"."order_id" is not null;
--> statement-breakpoint
INSERT INTO "payment_stats_stale" ("client_id", "hour") SELECT DISTINCT "client_id", date_trunc('hour', "created_at", 'UTC') FROM "charges";
