CREATE TABLE "dispute_notes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"dispute_id" uuid NOT NULL,
	"charge_id" uuid NOT NULL,
	"operator_id" uuid NOT NULL,
	"text" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "dispute_notes_text" CHECK (length("dispute_notes"."text") between 1 and 2000)
);
--> statement-breakpoint
ALTER TABLE "dispute_notes" ADD CONSTRAINT "dispute_notes_charge_id_charges_id_fk" FOREIGN KEY ("charge_id") REFERENCES "public"."charges"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dispute_notes" ADD CONSTRAINT "dispute_notes_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "dispute_notes_client_id_dispute_id_created_at_index" ON "dispute_notes" USING btree ("client_id","dispute_id","created_at");--> statement-breakpoint
CREATE INDEX "transaction_requests_disputes" ON "transaction_requests" USING btree ("client_id","created_at","id") WHERE "transaction_requests"."request_type" = 'charge_back';