import { z } from "zod";
import { instantOut, optional, uuid } from "@/lib/http/fields";
import { listOf, pageQuery } from "@/lib/http/pagination";
import { SCOPES } from "@/lib/http/scopes";

/** `*` stands for what a buyer's browser needs (`BUYER_SCOPES`). */
export const KEY_SCOPES = [...SCOPES, "*"] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];
const LONGEST_LIFE_SECONDS = 315_360_000;

const ALLOWED = `must be one or more of ${KEY_SCOPES.join(", ")}`;
const keyScope = z.enum(KEY_SCOPES, { error: ALLOWED });
const expires = z.int().min(0).max(LONGEST_LIFE_SECONDS);

export const newPublicKey = z
  .object({
    scope: z
      .union([keyScope.transform((one) => [one]), z.array(keyScope).min(1)], { error: ALLOWED })
      .transform((scopes) => [...new Set(scopes)])
      .meta({ description: "A list of scopes, or one scope as text" }),
    expires: optional(expires)
      .transform((seconds) => seconds ?? 0)
      .meta({ description: "Seconds from creation; 0, the default, means never" }),
    reportsPersonal: optional(z.boolean()).meta({
      description: "With a secret key only: reports made with the new key may hold personal columns",
    }),
  })
  .meta({ id: "NewPublicKey", description: "A key for code that runs at the buyer's side" });
export type NewPublicKey = z.output<typeof newPublicKey>;

export const publicKeyFilters = pageQuery;

const scope = z.array(z.string());

export const createdPublicKeyBody = z
  .object({ clientId: z.uuid(), publicKey: z.uuid(), scope, expires, createdAt: instantOut })
  .meta({ id: "CreatedPublicKey", description: "A new public key" });

export const publicKeyBody = z
  .object({
    publicKey: z.uuid(),
    scope,
    expires,
    createdAt: instantOut,
    expiresAt: instantOut.nullable(),
    lastUsedAt: instantOut.nullable(),
    reportsPersonal: z.boolean(),
  })
  .meta({ id: "PublicKey", description: "A public key that works now" });

export const publicKeyList = listOf(publicKeyBody);
export const publicKeyParams = z.object({ publicKey: uuid });
