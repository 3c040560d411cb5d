CREATE TABLE "operator_identities" (
	"issuer" text NOT NULL,
	"subject" text NOT NULL,
	"operator_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "operator_identities_issuer_subject_pk" PRIMARY KEY("issuer","subject")
);
--> statement-breakpoint
CREATE TABLE "provider_returns" (
	"digest" "bytea" PRIMARY KEY NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "clients" DROP CONSTRAINT "clients_status";--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "allowed_addresses" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "clients" ADD COLUMN "closed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "clients" ADD COLUMN "time_zone" text;--> statement-breakpoint
ALTER TABLE "clients" ADD COLUMN "allowed_addresses" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "operator_sessions" ADD COLUMN "by_company_factor" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "operator_identities" ADD CONSTRAINT "operator_identities_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "operator_identities_person" ON "operator_identities" USING btree ("operator_id","issuer");--> statement-breakpoint
CREATE INDEX "provider_returns_expires_at_index" ON "provider_returns" USING btree ("expires_at");--> statement-breakpoint
ALTER TABLE "clients" ADD CONSTRAINT "clients_closed" CHECK (("clients"."status" = 'closed') = ("clients"."closed_at" is not null));--> statement-breakpoint
ALTER TABLE "clients" ADD CONSTRAINT "clients_status" CHECK ("clients"."status" in ('active', 'disabled', 'closed'));