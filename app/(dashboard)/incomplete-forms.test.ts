import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createFormatter, createTranslator } from "next-intl";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { systemDb, systemSql } from "@/db/client";
import { env } from "@/lib/env";
import { messages } from "@/lib/i18n/messages";
import { findOperatorSession } from "@/lib/operators/sessions";
import { openClient, type TestClient } from "@/lib/testing/api";
import { MAKERS } from "@/lib/testing/fuzz/world";
import { signedIn } from "@/lib/testing/people";
import { realNow } from "@/lib/time";

/** Whoever sends a form by hand sends what they like of it: each action answers that with a message, never with a fault. */

const request = vi.hoisted(() => ({ sessionId: undefined as string | undefined, origin: "" }));
vi.mock("@/app/(auth)/auth", () => ({
  auth: async () => ({ sessionId: request.sessionId }),
  SignInRefused: class extends Error {},
  signIn: async () => undefined,
  signOut: async () => undefined,
}));
vi.mock("next/headers", () => ({
  headers: async () => new Headers({ origin: request.origin, host: "elsewhere" }),
  cookies: async () => ({ get: () => undefined, set: () => undefined, delete: () => undefined }),
}));
vi.mock("next/cache", () => ({ revalidatePath: () => undefined }));
vi.mock("next-intl/server", () => {
  const locale = "en" as const;
  return {
    getLocale: async () => locale,
    getTimeZone: async () => "UTC",
    getFormatter: async () => createFormatter({ locale, timeZone: "UTC" }),
    // Guarantee: the pages' own types hold their namespaces against the messages.
    getTranslations: async (namespace: never) => createTranslator({ locale, messages: messages[locale], namespace }),
  };
});

/** Is refused, and is in nothing that was written. */
const CARD = "4111 1111 1111 1111";
const APP = join(import.meta.dirname, "..");
const FIELD = /(?:textOf|rawOf)\(form, "(\w+)"|form\.get(?:All)?\("(\w+)"|text\("(\w+)"/g;

const actions = ["(auth)", "(dashboard)"].flatMap((folder) =>
  readdirSync(join(APP, folder), { recursive: true })
    .map((file) => join(folder, String(file)))
    .filter((file) => /\.ts$/.test(file) && /^"use server";/.test(readFileSync(join(APP, file), "utf8")))
    .flatMap((file) => {
      const source = readFileSync(join(APP, file), "utf8");
      const fields = [...source.matchAll(FIELD)].flatMap((match) => match.slice(1).filter(Boolean));
      return [...source.matchAll(/^export async function (\w+)\(([^)]*)\)/gm)].map(([, name = "", takes = ""]) => ({
        file,
        name,
        takes,
        fields: [...new Set([...fields, "id", "typed", "key", "reason", "note"])],
      }));
    }),
);

let client: TestClient;
let known: string[];
beforeAll(async () => {
  client = await openClient();
  known = [
    await MAKERS.charge(client),
    await MAKERS.webhook(client),
    await MAKERS.session(client),
    await MAKERS.merchant(client),
    await MAKERS.customer(client),
  ];
});
beforeEach(async () => {
  request.origin = env().BASE_URL;
  if (request.sessionId && (await findOperatorSession(systemDb(), request.sessionId, realNow()))) return;
  request.sessionId = await signedIn(client, "owner");
});

const formOf = (fields: readonly string[], value: string): FormData => {
  const form = new FormData();
  for (const field of fields) form.set(field, value);
  return form;
};

/** What came of it: nothing but an answer, a redirect or the page that does not exist. */
async function faultOf(work: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (thrown) {
    const digest = thrown instanceof Error && "digest" in thrown ? String(thrown.digest) : "";
    if (/^NEXT_(?:REDIRECT|HTTP_ERROR_FALLBACK;404)/.test(digest)) return undefined;
    return thrown instanceof Error ? `${thrown.message} ${String(thrown.cause ?? "")}` : String(thrown);
  }
}

test("the walk knows every action", () => expect(actions.length).toBeGreaterThan(70));

describe.each(actions)("$file $name", ({ file, name, takes, fields }) => {
  test("answers an empty form, a part of one, and one of nonsense", { timeout: 60_000 }, async () => {
    // Guarantee: found above as an exported function of this file.
    const module = (await import(/* @vite-ignore */ join(APP, file))) as Record<
      string,
      (...given: unknown[]) => Promise<unknown>
    >;
    const run = (form: FormData) => {
      if (!takes.includes("form")) return module[name]?.(...(takes === "" ? [] : ["", ""]));
      return takes.startsWith("form") ? module[name]?.(form) : module[name]?.({}, form);
    };
    const faults: Record<string, string> = {};
    const judge = async (what: string, form: FormData) => {
      const fault = await faultOf(async () => run(form));
      if (fault !== undefined) faults[what] = fault;
    };
    await judge("nothing", new FormData());
    for (const value of ["x", "-1", "9".repeat(40), "\u0000", CARD, ...known.slice(0, 2)])
      await judge(value, formOf(fields, value));
    // Each part once: whichever field an action needs first is missing in one of them.
    for (const [at, left] of fields.entries()) {
      await judge(
        `without ${left}`,
        formOf(
          fields.filter((field) => field !== left),
          known[at % known.length] ?? "",
        ),
      );
    }
    expect(faults).toEqual({});
  });
});

test("and the account is whole", async () => {
  const [row] = await systemSql()<{ status: string }[]>`select status from clients where id = ${client.clientId}`;
  expect(row?.status).toBe("active");
});

test("and no table holds the card number", async () => {
  const tables = await systemSql()<{ name: string }[]>`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname = 'public'`;
  const holding = tables.map(({ name }) => `select '${name}' as name from ${name} t where t::text like '%${CARD}%'`);
  expect([...(await systemSql().unsafe(holding.join(" union all ")))]).toEqual([]);
});
