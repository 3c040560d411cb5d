CREATE TABLE "notice_choices" (
	"client_id" uuid NOT NULL,
	"operator_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"on_dashboard" boolean NOT NULL,
	"by_email" boolean NOT NULL,
	CONSTRAINT "notice_choices_client_id_operator_id_kind_pk" PRIMARY KEY("client_id","operator_id","kind"),
	CONSTRAINT "notice_choices_kind" CHECK ("notice_choices"."kind" in ('payment_in_review','refund_waiting','review_waiting','credentials_waiting','provider_down','provider_up','monitor_fired','monitor_recovered','webhook_failing','webhook_paused','webhook_recovered','card_testing','cards_paused','chargeback','new_sign_in','new_key','role_changed'))
);
--> statement-breakpoint
CREATE TABLE "notice_mails" (
	"notice_id" uuid NOT NULL,
	"operator_id" uuid NOT NULL,
	"client_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"queued_at" timestamp (3) with time zone,
	CONSTRAINT "notice_mails_notice_id_operator_id_pk" PRIMARY KEY("notice_id","operator_id")
);
--> statement-breakpoint
CREATE TABLE "notice_reads" (
	"client_id" uuid NOT NULL,
	"operator_id" uuid NOT NULL,
	"until" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "notice_reads_client_id_operator_id_pk" PRIMARY KEY("client_id","operator_id")
);
--> statement-breakpoint
CREATE TABLE "notices" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"merchant_id" uuid,
	"operator_id" uuid,
	"name" text,
	"amount" bigint,
	"currency" text,
	"path" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"fanned_out_at" timestamp (3) with time zone,
	CONSTRAINT "notices_kind" CHECK ("notices"."kind" in ('payment_in_review','refund_waiting','review_waiting','credentials_waiting','provider_down','provider_up','monitor_fired','monitor_recovered','webhook_failing','webhook_paused','webhook_recovered','card_testing','cards_paused','chargeback','new_sign_in','new_key','role_changed')),
	CONSTRAINT "notices_path" CHECK ("notices"."path" like '/dashboard%')
);
--> statement-breakpoint
ALTER TABLE "notice_choices" ADD CONSTRAINT "notice_choices_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notice_mails" ADD CONSTRAINT "notice_mails_notice_id_notices_id_fk" FOREIGN KEY ("notice_id") REFERENCES "public"."notices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notice_mails" ADD CONSTRAINT "notice_mails_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notice_reads" ADD CONSTRAINT "notice_reads_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "notice_mails_waiting" ON "notice_mails" USING btree ("client_id","operator_id","kind") WHERE "notice_mails"."queued_at" is null;--> statement-breakpoint
CREATE INDEX "notice_mails_queued" ON "notice_mails" USING btree ("client_id","operator_id","kind","queued_at");--> statement-breakpoint
CREATE INDEX "notices_of_account" ON "notices" USING btree ("client_id","created_at","id");--> statement-breakpoint
CREATE INDEX "notices_waiting" ON "notices" USING btree ("created_at") WHERE "notices"."fanned_out_at" is null;--> statement-breakpoint
CREATE INDEX "notices_of_provider" ON "notices" USING btree ("client_id","name","created_at") WHERE "notices"."kind" in ('provider_down', 'provider_up');