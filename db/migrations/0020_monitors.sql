CREATE TABLE "monitor_events" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"monitor_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"value" double precision NOT NULL,
	"limit_value" double precision NOT NULL,
	"samples" integer NOT NULL,
	"window_from" timestamp (3) with time zone NOT NULL,
	"window_until" timestamp (3) with time zone NOT NULL,
	"round" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "monitor_events_kind" CHECK ("monitor_events"."kind" in ('fired', 'recovered'))
);
--> statement-breakpoint
CREATE TABLE "monitors" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"name" text NOT NULL,
	"metric" text NOT NULL,
	"kind" text NOT NULL,
	"threshold" double precision NOT NULL,
	"window_minutes" integer NOT NULL,
	"by_email" boolean NOT NULL,
	"state" text DEFAULT 'quiet' NOT NULL,
	"since" timestamp (3) with time zone,
	"muted_until" timestamp (3) with time zone,
	"looked_at" timestamp (3) with time zone,
	"value" double precision,
	"samples" integer,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "monitors_name" CHECK (length(btrim("monitors"."name")) between 1 and 80),
	CONSTRAINT "monitors_metric" CHECK ("monitors"."metric" in ('approval','declines','latency','unknowns','webhooks','refunds','card_testing')),
	CONSTRAINT "monitors_window" CHECK ("monitors"."window_minutes" between 5 and 1440),
	CONSTRAINT "monitors_anomaly" CHECK ("monitors"."kind" = 'fixed' or "monitors"."window_minutes" = 60),
	CONSTRAINT "monitors_threshold" CHECK ("monitors"."threshold" > 0)
);
--> statement-breakpoint
ALTER TABLE "monitors" ADD CONSTRAINT "monitors_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "monitor_events_client_id_monitor_id_window_until_index" ON "monitor_events" USING btree ("client_id","monitor_id","window_until");--> statement-breakpoint
CREATE UNIQUE INDEX "monitor_events_once" ON "monitor_events" USING btree ("monitor_id","round");--> statement-breakpoint
CREATE INDEX "monitors_of_account" ON "monitors" USING btree ("client_id","created_at") WHERE "monitors"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "monitors_due" ON "monitors" USING btree ("looked_at") WHERE "monitors"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "monitors_owner" ON "monitors" USING btree ("client_id","id");