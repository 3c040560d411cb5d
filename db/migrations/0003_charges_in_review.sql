CREATE TABLE "buyer_moments" (
	"payment_id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"client_id" uuid NOT NULL,
	"done_at" timestamp (3) with time zone,
	CONSTRAINT "buyer_moments_event_id_pk" PRIMARY KEY("event_id")
);
--> statement-breakpoint
CREATE TABLE "captcha_answers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"ip" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "captcha_spent" (
	"key" text PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"spent_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "card_alarms" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"scope" text NOT NULL,
	"ref_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"cause" text NOT NULL,
	"tried" integer NOT NULL,
	"declined" integer NOT NULL,
	"raised_at" timestamp (3) with time zone NOT NULL,
	"until" timestamp (3) with time zone NOT NULL,
	"lifted_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "card_protection" (
	"client_id" uuid PRIMARY KEY NOT NULL,
	"is_on" boolean NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "card_tries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"merchant_id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"visit" text NOT NULL,
	"ip" text NOT NULL,
	"fingerprint" text NOT NULL,
	"bin" text NOT NULL,
	"amount" bigint NOT NULL,
	"charge_id" uuid,
	"purchase_id" uuid,
	"slot_index" integer,
	"outcome" text,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "card_tries_charge" UNIQUE("charge_id"),
	CONSTRAINT "card_tries_slot" UNIQUE("purchase_id","slot_index"),
	CONSTRAINT "card_tries_payment" CHECK (num_nonnulls("card_tries"."charge_id", "card_tries"."purchase_id") = 1)
);
--> statement-breakpoint
CREATE TABLE "payment_buyers" (
	"payment_id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"merchant_id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"email" text NOT NULL,
	"locale" text NOT NULL,
	"confirming_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "card_alarms" ADD CONSTRAINT "card_alarms_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "card_protection" ADD CONSTRAINT "card_protection_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "card_tries" ADD CONSTRAINT "card_tries_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_buyers" ADD CONSTRAINT "payment_buyers_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "buyer_moments_waiting" ON "buyer_moments" USING btree ("event_id") WHERE "buyer_moments"."done_at" is null;--> statement-breakpoint
CREATE INDEX "captcha_answers_ip_at_index" ON "captcha_answers" USING btree ("ip","at");--> statement-breakpoint
CREATE INDEX "captcha_answers_age" ON "captcha_answers" USING btree ("at");--> statement-breakpoint
CREATE INDEX "captcha_spent_age" ON "captcha_spent" USING btree ("spent_at");--> statement-breakpoint
CREATE INDEX "card_alarms_now" ON "card_alarms" USING btree ("client_id","ref_id","until");--> statement-breakpoint
CREATE INDEX "card_alarms_client_id_raised_at_index" ON "card_alarms" USING btree ("client_id","raised_at");--> statement-breakpoint
CREATE INDEX "card_tries_visit" ON "card_tries" USING btree ("client_id","visit","at");--> statement-breakpoint
CREATE INDEX "card_tries_ip" ON "card_tries" USING btree ("client_id","ip","at");--> statement-breakpoint
CREATE INDEX "card_tries_link" ON "card_tries" USING btree ("session_id","at");--> statement-breakpoint
CREATE INDEX "card_tries_card" ON "card_tries" USING btree ("client_id","fingerprint","at");--> statement-breakpoint
CREATE INDEX "card_tries_merchant" ON "card_tries" USING btree ("merchant_id","at");--> statement-breakpoint
CREATE INDEX "charges_in_review" ON "charges" USING btree ("client_id","review_since") WHERE "charges"."review_reason" is not null;