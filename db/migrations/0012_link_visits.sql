CREATE TABLE "link_visits" (
	"session_id" uuid NOT NULL,
	"visit_hash" "bytea" NOT NULL,
	"client_id" uuid NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "link_visits_session_id_visit_hash_pk" PRIMARY KEY("session_id","visit_hash")
);
--> statement-breakpoint
ALTER TABLE "link_requests" ADD COLUMN "answered_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "link_requests" ADD COLUMN "answered_with" uuid;