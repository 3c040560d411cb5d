CREATE TABLE "session_history" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"merchant_id" uuid NOT NULL,
	"sequence" bigint GENERATED ALWAYS AS IDENTITY (sequence name "session_history_sequence_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"status" text NOT NULL,
	"actions" text[] NOT NULL,
	"diff" jsonb,
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
	"payment_count" integer DEFAULT 0 NOT NULL,
	"pending_count" integer DEFAULT 0 NOT NULL,
	"event_version" integer DEFAULT 0 NOT NULL,
	"last_event_at" timestamp (3) with time zone,
	"created_by_key" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sessions_publicKey_unique" UNIQUE("public_key"),
	CONSTRAINT "sessions_status" CHECK ("sessions"."status" in ('created','paid','canceled','voided')),
	CONSTRAINT "sessions_amount" CHECK ("sessions"."amount" >= 0),
	CONSTRAINT "sessions_max_payments" CHECK ("sessions"."max_payments" = -1 or "sessions"."max_payments" between 1 and 99999),
	CONSTRAINT "sessions_counts" CHECK ("sessions"."payment_count" >= 0 and "sessions"."pending_count" >= 0),
	CONSTRAINT "sessions_capacity" CHECK ("sessions"."max_payments" = -1 or "sessions"."payment_count" + "sessions"."pending_count" <= coalesce("sessions"."max_payments", 1))
);
--> statement-breakpoint
ALTER TABLE "session_history" ADD CONSTRAINT "session_history_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "sessions_client_id_created_at_id_index" ON "sessions" USING btree ("client_id","created_at","id");--> statement-breakpoint
CREATE INDEX "sessions_client_id_status_created_at_id_index" ON "sessions" USING btree ("client_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "sessions_merchant_id_created_at_id_index" ON "sessions" USING btree ("merchant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "sessions_order" ON "sessions" USING btree ("client_id","order_id") WHERE "sessions"."order_id" is not null;--> statement-breakpoint
CREATE INDEX "sessions_created_by_key" ON "sessions" USING btree ("created_by_key","created_at") WHERE "sessions"."created_by_key" is not null;