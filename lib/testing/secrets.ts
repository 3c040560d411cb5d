import { createHash } from "node:crypto";

const secret = (name: string) => createHash("sha256").update(`test ${name}`).digest("base64");

/** Of every test database: the template notes them. */
export const TEST_SECRETS = {
  TRILHO_KEK: secret("key encryption key"),
  TRILHO_SECRET: secret("server key"),
  AUTH_SECRET: secret("sign-in"),
};
