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
CREATE INDEX "link_failures_last" ON "link_failures" USING btree ("client_id","last_at");