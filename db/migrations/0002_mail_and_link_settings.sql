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
	"mastercard_click_to_pay_dpaid" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "link_settings_scope" UNIQUE NULLS NOT DISTINCT("client_id","merchant_id")
);
--> statement-breakpoint
ALTER TABLE "link_settings" ADD CONSTRAINT "link_settings_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "link_settings" ADD CONSTRAINT "link_settings_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;