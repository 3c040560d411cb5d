CREATE TABLE "invariant_breaks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"invariant" text NOT NULL,
	"row_id" uuid NOT NULL,
	"found_at" timestamp (3) with time zone NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL,
	"closed_at" timestamp (3) with time zone,
	CONSTRAINT "invariant_breaks_row" UNIQUE("invariant","row_id")
);
--> statement-breakpoint
CREATE TABLE "invariant_runs" (
	"invariant" text PRIMARY KEY NOT NULL,
	"ran_at" timestamp (3) with time zone NOT NULL,
	"duration_ms" integer NOT NULL,
	"checked" integer NOT NULL,
	"cursor" uuid,
	"pass_began_at" timestamp (3) with time zone,
	"pass_ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE INDEX "invariant_breaks_client_id_found_at_index" ON "invariant_breaks" USING btree ("client_id","found_at");