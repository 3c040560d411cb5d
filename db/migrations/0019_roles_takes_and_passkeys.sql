CREATE TABLE "custom_roles" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"name" text NOT NULL,
	"origin" text NOT NULL,
	"added" text[] NOT NULL,
	"removed" text[] NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "custom_roles_name" CHECK (length(btrim("custom_roles"."name")) between 1 and 40),
	CONSTRAINT "custom_roles_origin" CHECK ("custom_roles"."origin" in ('developer', 'operations', 'finance', 'support', 'viewer'))
);
--> statement-breakpoint
CREATE TABLE "passkey_challenges" (
	"id" uuid PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"operator_id" uuid NOT NULL,
	"challenge" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone,
	CONSTRAINT "passkey_challenges_challenge_unique" UNIQUE("challenge"),
	CONSTRAINT "passkey_challenges_purpose" CHECK ("passkey_challenges"."purpose" in ('add', 'sign-in'))
);
--> statement-breakpoint
CREATE TABLE "passkeys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"operator_id" uuid NOT NULL,
	"credential_id" text NOT NULL,
	"public_key" "bytea" NOT NULL,
	"counter" bigint NOT NULL,
	"transports" text[] NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	CONSTRAINT "passkeys_credentialId_unique" UNIQUE("credential_id"),
	CONSTRAINT "passkeys_name" CHECK (length(btrim("passkeys"."name")) between 1 and 60)
);
--> statement-breakpoint
CREATE TABLE "review_takes" (
	"client_id" uuid NOT NULL,
	"payment_id" uuid NOT NULL,
	"operator_id" uuid NOT NULL,
	"taken_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "review_takes_client_id_payment_id_pk" PRIMARY KEY("client_id","payment_id")
);
--> statement-breakpoint
ALTER TABLE "invitations" ADD COLUMN "custom_role_id" uuid;--> statement-breakpoint
ALTER TABLE "invitations" ADD COLUMN "merchant_ids" uuid[];--> statement-breakpoint
ALTER TABLE "memberships" ADD COLUMN "custom_role_id" uuid;--> statement-breakpoint
ALTER TABLE "memberships" ADD COLUMN "merchant_ids" uuid[];--> statement-breakpoint
ALTER TABLE "custom_roles" ADD CONSTRAINT "custom_roles_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkey_challenges" ADD CONSTRAINT "passkey_challenges_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_takes" ADD CONSTRAINT "review_takes_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_takes" ADD CONSTRAINT "review_takes_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."operators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "custom_roles_owner" ON "custom_roles" USING btree ("client_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "custom_roles_name" ON "custom_roles" USING btree ("client_id",lower("name"));--> statement-breakpoint
CREATE INDEX "passkey_challenges_operator_id_index" ON "passkey_challenges" USING btree ("operator_id");--> statement-breakpoint
CREATE INDEX "passkey_challenges_expires_at_index" ON "passkey_challenges" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "passkeys_operator_id_index" ON "passkeys" USING btree ("operator_id");--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_client_id_custom_role_id_custom_roles_client_id_id_fk" FOREIGN KEY ("client_id","custom_role_id") REFERENCES "public"."custom_roles"("client_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_client_id_custom_role_id_custom_roles_client_id_id_fk" FOREIGN KEY ("client_id","custom_role_id") REFERENCES "public"."custom_roles"("client_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_limits" CHECK ("memberships"."role" <> 'owner' or ("memberships"."custom_role_id" is null and "memberships"."merchant_ids" is null));