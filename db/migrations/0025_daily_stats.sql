CREATE TABLE "payment_stats_daily" (
	"client_id" uuid NOT NULL,
	"day" timestamp (3) with time zone NOT NULL,
	"merchant_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"method" text NOT NULL,
	"brand" text DEFAULT '' NOT NULL,
	"status" text NOT NULL,
	"decline_code" text NOT NULL,
	"currency" text NOT NULL,
	"charges" integer NOT NULL,
	"amount" bigint NOT NULL,
	"captured" bigint NOT NULL,
	"refunded" bigint NOT NULL,
	CONSTRAINT "payment_stats_daily_key" PRIMARY KEY("client_id","day","merchant_id","provider","method","brand","status","decline_code","currency")
);
--> statement-breakpoint
INSERT INTO "payment_stats_daily" SELECT "client_id", date_bin('1 day', "hour", '2020-01-01T03:00:00Z'), "merchant_id", "provider", "method", "brand", "status", "decline_code", "currency", sum("charges"), sum("amount"), sum("captured"), sum("refunded") FROM "payment_stats_hourly" GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9;
