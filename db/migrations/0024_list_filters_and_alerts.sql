DROP INDEX "transaction_requests_disputes";--> statement-breakpoint
ALTER TABLE "monitors" ADD COLUMN "by_webhook" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "charges_split" ON "charges" USING btree ("client_id","created_at","id","purchase_id") WHERE "charges"."has_split";--> statement-breakpoint
CREATE INDEX "cards_brand" ON "cards" USING btree ("client_id","brand");--> statement-breakpoint
CREATE INDEX "purchase_payments_brand" ON "purchase_payments" USING btree ("client_id",("card" ->> 'brand'));--> statement-breakpoint
CREATE INDEX "purchases_split" ON "purchases" USING btree ("client_id","created_at","id") WHERE "purchases"."split_rules" is not null;--> statement-breakpoint
CREATE INDEX "transaction_requests_disputes" ON "transaction_requests" USING btree ("client_id","created_at","id") WHERE "transaction_requests"."request_type" = 'charge_back' or "transaction_requests"."request_status_reason" = 'forced_by_payer_bank';