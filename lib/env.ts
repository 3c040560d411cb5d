import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { addressesIn } from "@/lib/addresses";
import { testHosts } from "@/lib/test-hosts";

const KEK_BYTES = 32;
const MIN_SECRET_CHARACTERS = 32;
const MAX_PORT = 65_535;
const DEFAULT_PORT = 3000;
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

const oneOf = <const T extends readonly [string, ...string[]]>(...values: T) =>
  z.enum(values, { error: `must be one of ${values.join(", ")}` });

const flag = (byDefault: boolean) =>
  oneOf("true", "false")
    .default(byDefault ? "true" : "false")
    .transform((text) => text === "true");

const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, { error: `must be a whole number from ${least} to ${most}`, abort: true })
    .transform(Number)
    .refine((value) => value >= least && value <= most, { error: `must be a whole number from ${least} to ${most}` });

const address = (schemes: readonly string[], what: string) =>
  z.string().refine((text) => URL.canParse(text) && schemes.includes(new URL(text).protocol.slice(0, -1)), {
    error: `must be ${what}, starting with ${schemes.map((scheme) => `${scheme}://`).join(" or ")}`,
  });

const webAddress = address(["http", "https"], "an address").transform((text) => text.replace(/\/+$/, ""));

const secret = z
  .string({ error: "is missing; npm start makes one in TRILHO_DATA_DIR, elsewhere set it" })
  .min(MIN_SECRET_CHARACTERS, { error: `must have at least ${MIN_SECRET_CHARACTERS} characters` });

/** One or several with commas between them: the first writes, all read. */
export type SecretList = [string, ...string[]];

const listOf = (one: z.ZodType<string, string>) =>
  z
    .string({ error: "is missing; npm start makes one in TRILHO_DATA_DIR, elsewhere set it" })
    .transform((text): SecretList => {
      const [first = "", ...others] = text.split(",").map((part) => part.trim());
      return [first, ...others];
    })
    .pipe(z.tuple([one], one));

const keyEncryptionKeys = listOf(
  z.string().refine((text) => Buffer.from(text, "base64").length === KEK_BYTES, {
    error: `must be ${KEK_BYTES} bytes in base64, or several of them with commas between them`,
  }),
);

/** As the provider writes it, to the last slash; plain http never leaves this machine. */
const issuer = address(["http", "https"], "the address of an OpenID Connect provider").refine(
  (text) => !URL.canParse(text) || !text.startsWith("http:") || LOOPBACK.has(new URL(text).hostname),
  { error: "must start with https://" },
);

const addressList = z
  .string()
  .transform(addressesIn)
  .refine(({ unknown }) => unknown.length === 0, { error: "must be IP addresses or networks with commas between them" })
  .transform(({ addresses }) => addresses);

/** "on" is 1, "off" is Infinity, a number multiplies every limit. */
const rateLimits = z
  .string()
  .default("on")
  .transform((text) => (text === "on" ? 1 : text === "off" ? Number.POSITIVE_INFINITY : Number(text)))
  .refine((factor) => factor > 0, { error: "must be on, off or a number above 0 that multiplies the limits" });

/** "off" is Infinity. */
const queueLimit = z
  .string()
  .default("1000")
  .transform((text) => (text === "off" ? Number.POSITIVE_INFINITY : Number(text)))
  .refine((limit) => limit >= 1, { error: "must be off or a number from 1 on" });

/** Every variable the product reads. The name, its default and its meaning are listed in .env.example. */
export const variables = {
  NODE_ENV: oneOf("development", "production", "test").default("production"),
  DATABASE_URL: address(["postgres", "postgresql"], "a PostgreSQL address").optional(),
  DATABASE_OWNER_URL: address(["postgres", "postgresql"], "a PostgreSQL address").optional(),
  DATABASE_POOL: wholeNumber(1, 1000).optional(),
  PORT: wholeNumber(1, MAX_PORT).default(DEFAULT_PORT),
  HOST: z.string().optional(),
  BASE_URL: webAddress.optional(),
  CHECKOUT_URL: webAddress.optional(),
  TRILHO_DATA_DIR: z
    .string()
    .default(".data")
    .transform((folder) => resolve(folder)),
  TRILHO_ROLE: oneOf("web", "worker", "all").default("all"),
  WEB_PROCESSES: wholeNumber(1, 64).optional(),
  SHUTDOWN_GRACE_SECONDS: wholeNumber(0, 60).default(5),
  PURCHASE_QUEUE_LIMIT: queueLimit,
  TRILHO_KEK: keyEncryptionKeys,
  TRILHO_SECRET: secret,
  AUTH_SECRET: listOf(secret),
  INNGEST_EVENT_KEY: z.string().optional(),
  INNGEST_SIGNING_KEY: z.string().optional(),
  INNGEST_SIGNING_KEY_FALLBACK: z.string().optional(),
  INNGEST_BASE_URL: webAddress.optional(),
  INNGEST_SERVE_ORIGIN: webAddress.optional(),
  SMTP_URL: address(["smtp", "smtps"], "the address of a mail server").optional(),
  MAIL_FROM: z
    .string()
    .regex(/^(?:[^<>\r\n]*<[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/, {
      error: "must be an e-mail address, with or without a name: Trilho <pay@example.com>",
    })
    .optional(),
  OPERATOR_EMAIL: z.email({ error: "must be an e-mail address" }).optional(),
  S3_ENDPOINT: webAddress.optional(),
  S3_BUCKET: z.string().optional(),
  S3_REGION: z.string().default("us-east-1"),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  REPORT_REDIRECT: oneOf("off", "on").default("off"),
  SANDBOX_ENABLED: flag(true),
  SANDBOX_TRANSPORT: oneOf("in-process", "http").default("http"),
  SANDBOX_PROVIDER_URL: webAddress.optional(),
  PROVIDER_TIMEOUT_MS: wholeNumber(50, 20_000).default(20_000),
  MTLS_CLIENT_HEADER: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,100}$/, { error: "must be the name of a header" })
    .transform((name) => name.toLowerCase())
    .optional(),
  PROVIDER_TEST_HOSTS: testHosts.optional(),
  PROVIDER_TEST_CA: z.string().optional(),
  RATE_LIMITS: rateLimits,
  WEBHOOK_ADDRESSES: oneOf("public", "private").default("public"),
  WEBHOOK_EGRESS_ADDRESSES: addressList.optional(),
  TRUST_PROXY: wholeNumber(0, 10).default(0),
  CAPTCHA_PROVIDER: oneOf("pow", "turnstile", "hcaptcha").default("pow"),
  CAPTCHA_SITE_KEY: z.string().optional(),
  CAPTCHA_SECRET: z.string().optional(),
  CAPTCHA_FRAME_ORIGIN: webAddress.optional(),
  OIDC_ISSUER: issuer.optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  METRICS_TOKEN: z
    .string()
    .min(MIN_SECRET_CHARACTERS, { error: `must have at least ${MIN_SECRET_CHARACTERS} characters` })
    .optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: webAddress.optional(),
  LOG_LEVEL: oneOf("trace", "debug", "info", "warn", "error", "fatal", "silent").default("info"),
} as const;

/** The variables npm start can make by itself. */
export const SECRETS = ["TRILHO_KEK", "TRILHO_SECRET", "AUTH_SECRET"] as const;
export type GeneratedSecret = (typeof SECRETS)[number];
const NEVER_SHOWN: ReadonlySet<string> = new Set([
  ...SECRETS,
  "DATABASE_URL",
  "DATABASE_OWNER_URL",
  "INNGEST_EVENT_KEY",
  "INNGEST_SIGNING_KEY",
  "INNGEST_SIGNING_KEY_FALLBACK",
  "SMTP_URL",
  "S3_ACCESS_KEY_ID",
  "S3_SECRET_ACCESS_KEY",
  "CAPTCHA_SECRET",
  "OIDC_CLIENT_SECRET",
  "METRICS_TOKEN",
]);

/** Given all together or not at all: half a configuration would fail at the first use instead of at the start. */
const GROUPS = [
  ["INNGEST_EVENT_KEY", "INNGEST_SIGNING_KEY"],
  ["SMTP_URL", "MAIL_FROM"],
  ["S3_ENDPOINT", "S3_BUCKET", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"],
  ["CAPTCHA_SITE_KEY", "CAPTCHA_SECRET", "CAPTCHA_FRAME_ORIGIN"],
  ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"],
] as const;

const schema = z.object(variables);
type Parsed = z.output<typeof schema>;

export interface Env extends Omit<Parsed, "HOST" | "BASE_URL" | "CHECKOUT_URL"> {
  HOST: string;
  /** Without a slash at the end, like every address here. */
  BASE_URL: string;
  CHECKOUT_URL: string;
}

export type EnvSource = Readonly<Record<string, string | undefined>>;
export type ParsedEnv = { ok: true; value: Env } | { ok: false; problems: string[] };

export function parseEnv(source: EnvSource): ParsedEnv {
  // An empty variable is how compose files and dashboards spell "not set".
  const given: EnvSource = Object.fromEntries(Object.entries(source).filter(([, value]) => value?.trim()));
  const parsed = schema.safeParse(given);
  const problems = [
    ...(parsed.error?.issues ?? []).map(({ path, message }) => problem(String(path[0]), message, given)),
    ...GROUPS.flatMap((group) => incomplete(group, given)),
    ...captchaProblems(given),
    ...proxyProblems(given),
  ];
  if (!parsed.success || problems.length > 0) return { ok: false, problems };
  const baseUrl = parsed.data.BASE_URL ?? `http://localhost:${parsed.data.PORT}`;
  return {
    ok: true,
    value: {
      ...parsed.data,
      HOST: parsed.data.HOST ?? (given.DATABASE_URL === undefined ? "127.0.0.1" : "0.0.0.0"),
      BASE_URL: baseUrl,
      CHECKOUT_URL: parsed.data.CHECKOUT_URL ?? baseUrl,
    },
  };
}

function problem(name: string, message: string, given: EnvSource): string {
  const value = given[name];
  const shown = value === undefined || NEVER_SHOWN.has(name) ? "" : ` (it is ${JSON.stringify(value)})`;
  return `${name} ${message}${shown}`;
}

function incomplete(group: readonly string[], given: EnvSource): string[] {
  const missing = group.filter((name) => given[name] === undefined);
  if (missing.length === 0 || missing.length === group.length) return [];
  const present = group.filter((name) => given[name] !== undefined);
  return [`${present.join(", ")} ${present.length > 1 ? "need" : "needs"} ${missing.join(", ")} too`];
}

/** Without a proxy anybody could write the header that a proxy vouches for. */
const proxyProblems = ({ MTLS_CLIENT_HEADER, TRUST_PROXY }: EnvSource): string[] =>
  MTLS_CLIENT_HEADER !== undefined && Number(TRUST_PROXY ?? 0) === 0
    ? ["MTLS_CLIENT_HEADER needs TRUST_PROXY too"]
    : [];

/** The script of a captcha service runs in a frame of ours on another origin, never beside the buyer's card. */
function captchaProblems({ CAPTCHA_PROVIDER, CAPTCHA_FRAME_ORIGIN, CHECKOUT_URL, BASE_URL }: EnvSource): string[] {
  if (CAPTCHA_PROVIDER === undefined || CAPTCHA_PROVIDER === "pow") return [];
  if (CAPTCHA_FRAME_ORIGIN === undefined) {
    return ["CAPTCHA_PROVIDER needs CAPTCHA_SITE_KEY, CAPTCHA_SECRET and CAPTCHA_FRAME_ORIGIN too"];
  }
  const origins = [CHECKOUT_URL ?? BASE_URL, CAPTCHA_FRAME_ORIGIN].map((text) =>
    text !== undefined && URL.canParse(text) ? new URL(text).origin : undefined,
  );
  return origins[0] === origins[1] ? ["CAPTCHA_FRAME_ORIGIN must be another origin than the checkout's"] : [];
}

export const secretsFile = (dataDir: string): string => join(dataDir, "secrets.json");

const savedSecrets = z.partialRecord(z.enum(SECRETS), z.string());

/** The secrets npm start made for this data folder; variables given from outside win over them. */
export function readSecrets(dataDir: string): Partial<Record<GeneratedSecret, string>> {
  const file = secretsFile(dataDir);
  if (!existsSync(file)) return {};
  const parsed = savedSecrets.safeParse(contentOf(file));
  if (!parsed.success) throw new Error(`${file} is damaged: restore it from a backup, the card vault depends on it`);
  return parsed.data;
}

function contentOf(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return undefined;
    throw thrown;
  }
}

export const withSecrets = (source: EnvSource): EnvSource => {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value?.trim()));
  return { ...readSecrets(resolve(given.TRILHO_DATA_DIR ?? ".data")), ...given };
};

const LISTENS_ON_LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/;

/** Whether nobody but this machine reaches the installation: by what it listens on, its own address, and no proxy before it. */
export const isOnLoopback = ({
  HOST,
  BASE_URL,
  TRUST_PROXY,
}: Pick<Env, "HOST" | "BASE_URL" | "TRUST_PROXY">): boolean =>
  TRUST_PROXY === 0 && LISTENS_ON_LOOPBACK.test(HOST) && LOOPBACK.has(new URL(BASE_URL).hostname);
/** As a variable, not by the secrets file. */
export const isGivenFromOutside = (name: GeneratedSecret): boolean => Boolean(process.env[name]?.trim());

let memo: Env | undefined;

/** The configuration of this process, read once. */
export function env(): Env {
  if (memo) return memo;
  const parsed = parseEnv(withSecrets(process.env));
  if (!parsed.ok)
    throw new Error(`The configuration is not usable:\n${parsed.problems.map((p) => `- ${p}`).join("\n")}`);
  memo = parsed.value;
  return memo;
}
