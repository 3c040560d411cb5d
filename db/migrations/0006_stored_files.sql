CREATE TABLE "stored_files" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"name" text NOT NULL,
	"content_type" text NOT NULL,
	"size" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone,
	CONSTRAINT "stored_files_name" UNIQUE("name")
);
--> statement-breakpoint
CREATE INDEX "stored_files_expiry" ON "stored_files" USING btree ("expires_at");