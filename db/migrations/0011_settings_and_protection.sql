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
ALTER TABLE "card_alarms" ADD COLUMN "note" text;--> statement-breakpoint
ALTER TABLE "card_protection" ADD COLUMN "limits" jsonb;--> statement-breakpoint
ALTER TABLE "providers" ADD COLUMN "tested_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "providers" ADD COLUMN "test_passed" boolean;--> statement-breakpoint
ALTER TABLE "providers" ADD COLUMN "test_words" text;--> statement-breakpoint
ALTER TABLE "link_settings" ADD COLUMN "several_cards" boolean;--> statement-breakpoint
ALTER TABLE "link_settings" ADD COLUMN "least_part" bigint;--> statement-breakpoint
ALTER TABLE "link_settings" ADD COLUMN "captcha" boolean;--> statement-breakpoint
ALTER TABLE "provider_rotations" ADD CONSTRAINT "provider_rotations_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provider_rotations" ADD CONSTRAINT "provider_rotations_provider_id_providers_id_fk" FOREIGN KEY ("provider_id") REFERENCES "public"."providers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "provider_rotations_open" ON "provider_rotations" USING btree ("provider_id") WHERE "provider_rotations"."ended_at" is null;--> statement-breakpoint
ALTER TABLE "link_settings" ADD CONSTRAINT "link_settings_least_part" CHECK ("link_settings"."least_part" >= 0);