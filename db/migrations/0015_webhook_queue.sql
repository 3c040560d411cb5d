ALTER TABLE "webhook_attempts" DROP CONSTRAINT "webhook_attempts_delivery_id_webhook_deliveries_id_fk";
--> statement-breakpoint
DROP INDEX "webhook_attempts_recorded";--> statement-breakpoint
DROP INDEX "webhook_deliveries_created";--> statement-breakpoint
CREATE INDEX "webhook_attempts_recorded" ON "webhook_attempts" USING brin ("recorded_at");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_created" ON "webhook_deliveries" USING brin ("created_at");