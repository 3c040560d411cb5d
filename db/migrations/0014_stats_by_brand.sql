ALTER TABLE "payment_stats_hourly" ADD COLUMN "brand" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "payment_stats_hourly" DROP CONSTRAINT "payment_stats_hourly_key";
--> statement-breakpoint
ALTER TABLE "payment_stats_hourly" ADD CONSTRAINT "payment_stats_hourly_key" PRIMARY KEY("client_id","hour","merchant_id","provider","method","brand","status","decline_code","currency");--> statement-breakpoint
INSERT INTO "payment_stats_stale" ("client_id", "hour") SELECT DISTINCT "client_id", "hour" FROM "payment_stats_hourly";
