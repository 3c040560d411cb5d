CREATE TABLE "checkout_attempts" (
	"key" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"visit_hash" "bytea" NOT NULL,
	"method" text NOT NULL,
	"state" text DEFAULT 'sent' NOT NULL,
	"charge_id" uuid,
	"purchase_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "checkout_attempts_state" CHECK ("checkout_attempts"."state" in ('sent', 'approved', 'declined', 'expired')),
	CONSTRAINT "checkout_attempts_payment" CHECK (num_nonnulls("checkout_attempts"."charge_id", "checkout_attempts"."purchase_id") = 1),
	CONSTRAINT "checkout_attempts_ended" CHECK (("checkout_attempts"."state" = 'sent') = ("checkout_attempts"."ended_at" is null))
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
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "checkout_attempts_one_open" ON "checkout_attempts" USING btree ("session_id","visit_hash") WHERE "checkout_attempts"."state" = 'sent';--> statement-breakpoint
CREATE INDEX "checkout_attempts_visit" ON "checkout_attempts" USING btree ("session_id","visit_hash","created_at");--> statement-breakpoint
CREATE INDEX "checkout_attempts_charge" ON "checkout_attempts" USING btree ("charge_id") WHERE "checkout_attempts"."charge_id" is not null;--> statement-breakpoint
CREATE INDEX "link_requests_session" ON "link_requests" USING btree ("client_id","session_id","created_at");--> statement-breakpoint
CREATE INDEX "link_requests_visit" ON "link_requests" USING btree ("session_id","visit_hash","created_at");