DROP INDEX "charges_declined";--> statement-breakpoint
CREATE INDEX "charges_of_purchases" ON "charges" USING btree ("client_id","provider_type","purchase_id") WHERE "charges"."purchase_id" is not null;--> statement-breakpoint
CREATE INDEX "purchase_payments_declined" ON "purchase_payments" USING btree ("client_id","decline_reason") WHERE "purchase_payments"."decline_reason" is not null;--> statement-breakpoint
CREATE INDEX "purchase_payments_disputed" ON "purchase_payments" USING btree ("client_id") WHERE "purchase_payments"."status" = 'charged_back';--> statement-breakpoint
CREATE INDEX "charges_declined" ON "charges" USING btree ("client_id","decline_code","created_at","id","purchase_id","payment_type","provider_type") WHERE "charges"."decline_code" is not null;