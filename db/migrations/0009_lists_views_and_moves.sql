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
DROP INDEX "charges_client_id_created_at_id_index";--> statement-breakpoint
ALTER TABLE "charges" ADD COLUMN "decline_code" text;--> statement-breakpoint
ALTER TABLE "purchase_moves" ADD CONSTRAINT "purchase_moves_purchase_id_purchases_id_fk" FOREIGN KEY ("purchase_id") REFERENCES "public"."purchases"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "purchase_moves_purchase_id_seq_index" ON "purchase_moves" USING btree ("purchase_id","seq");--> statement-breakpoint
CREATE UNIQUE INDEX "saved_views_name" ON "saved_views" USING btree ("client_id","operator_id","list","name");--> statement-breakpoint
CREATE INDEX "charges_listed" ON "charges" USING btree ("client_id","created_at","id","status","payment_type","provider_type","purchase_id");--> statement-breakpoint
CREATE INDEX "charges_declined" ON "charges" USING btree ("client_id","decline_code","created_at","id") WHERE "charges"."decline_code" is not null;--> statement-breakpoint
CREATE INDEX "charges_metadata" ON "charges" USING gin ("client_id","metadata" jsonb_path_ops) WHERE "charges"."metadata" is not null;--> statement-breakpoint
CREATE INDEX "purchase_payments_amount" ON "purchase_payments" USING btree ("client_id","amount","created_at");--> statement-breakpoint
CREATE INDEX "purchases_amount" ON "purchases" USING btree ("client_id","amount","created_at","id");--> statement-breakpoint
CREATE INDEX "purchases_customer" ON "purchases" USING btree ("customer_id") WHERE "purchases"."customer_id" is not null;--> statement-breakpoint
CREATE INDEX "purchases_metadata" ON "purchases" USING gin ("client_id","metadata" jsonb_path_ops) WHERE "purchases"."metadata" is not null;--> statement-breakpoint
UPDATE "charges" c SET "decline_code" = coalesce((SELECT a."provider_error"->>$$declinedCode$$ FROM "transaction_requests" a WHERE a."charge_id" = c."id" AND a."provider_error" IS NOT NULL ORDER BY a."created_at" DESC, a."id" DESC LIMIT 1), $$generic$$) WHERE c."status" = $$failed$$;
