import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { messages } from "@/lib/i18n/messages";
import { type Scan, scanSource } from "@/lib/i18n/text-scan";

/** Names and code: the same in every language. */
const SAME_EVERYWHERE = new Set(["Trilho", "bash", "POST /v1/charges", "POST /v1/sandbox/pix/{id}/pay"]);

function flat(tree: object, prefix = ""): Map<string, string> {
  const found = new Map<string, string>();
  for (const [key, value] of Object.entries(tree)) {
    if (typeof value === "string") found.set(prefix + key, value);
    else for (const [inner, text] of flat(value, `${prefix}${key}.`)) found.set(inner, text);
  }
  return found;
}

const portuguese = flat(messages["pt-BR"]);
const english = flat(messages.en);
const sources = filesUnder(["app", "components"]);
const scans = sources.map((file) => scanSource(file, readFileSync(file, "utf8"), SAME_EVERYWHERE));
/** The server's own pages, for when no page of the framework can be made. */
const servers = filesUnder([join("scripts", "server")]).map((file) => readFileSync(file, "utf8"));
const words = (text: string): ReadonlySet<string> => new Set(text.match(/\w+/g));
const used = new Set(scans.flatMap((scan) => [...scan.used]));

describe("messages", () => {
  test("both languages have the same keys", () => {
    expect([...english.keys()].sort()).toEqual([...portuguese.keys()].sort());
  });

  test("no message is empty, and both languages take the same variables and marks", () => {
    for (const [key, text] of portuguese) {
      const other = english.get(key) ?? "";
      expect(text.trim(), key).not.toBe("");
      expect(other.trim(), key).not.toBe("");
      expect(placeholders(other), key).toEqual(placeholders(text));
    }
  });

  test("every message a page asks for exists", () => {
    expect([...used].filter((key) => !portuguese.has(key))).toEqual([]);
  });

  test("every message is used, directly or through a table of keys in the source", () => {
    const isInTable = (key: string) => {
      const [namespace = "", name = ""] = key.split(".");
      return scans.some(
        (scan) => scan.words.has(name) && (scan.namespaces.has(namespace) || readsFile(scan, namespace)),
      );
    };
    const isInServer = (key: string) => {
      const [namespace = "", name = ""] = key.split(".");
      return servers.some((text) => text.includes(`messages[locale].${namespace}`) && words(text).has(name));
    };
    const isRead = (key: string) => used.has(key) || isInTable(key) || isInServer(key);
    expect([...portuguese.keys()].filter((key) => !isRead(key))).toEqual([]);
  });

  test("no page says words of its own or glues messages together", () => {
    expect(scans.flatMap((scan) => scan.problems)).toEqual([]);
  });
});

describe("the scan itself", () => {
  const problemsOf = (source: string) => scanSource("planted.tsx", source, SAME_EVERYWHERE).problems;

  test.each([
    ["text between tags", "const a = <p>Hello there</p>;"],
    ["a string child", 'const a = <p>{"Olá"}</p>;'],
    ["an attribute that is read aloud", 'const a = <button aria-label="Fechar" />;'],
    ["an attribute given as an expression", 'const a = <img alt={"A logo"} />;'],
    ["a title in an object", 'const metadata = { title: "Painel" };'],
    ["a message glued with +", 'const t = useTranslations("x"); const a = t("one") + name;'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the source being scanned holds the template
    ["a message glued in a template", 'const t = useTranslations("x"); const a = `${t("one")}: ${name}`;'],
  ])("finds %s", (_what, source) => {
    expect(problemsOf(source)).toHaveLength(1);
  });

  test.each([
    ["messages", 'const t = useTranslations("x"); const a = <p title={t("one")}>{t("two", { name })}</p>;'],
    ["class names, punctuation and brand", 'const a = <p className="text-ink font-medium">Trilho · {name}</p>;'],
  ])("lets %s be", (_what, source) => {
    expect(problemsOf(source)).toEqual([]);
  });

  test("knows which message is asked for", () => {
    const source = 'const t = await getTranslations("start"); t("title"); t.rich("body", {});';
    expect([...scanSource("planted.tsx", source, SAME_EVERYWHERE).used]).toEqual(["start.title", "start.body"]);
    const together = 'const [rows, t] = await Promise.all([read(), getTranslations("start")]); t("title");';
    expect([...scanSource("planted.tsx", together, SAME_EVERYWHERE).used]).toEqual(["start.title"]);
  });
});

/** The page of last resort reads the catalogue itself. */
const readsFile = (scan: Scan, namespace: string): boolean =>
  [...scan.words].some((word) => word.endsWith(`/messages/en/${namespace}.json`));

function filesUnder(folders: string[]): string[] {
  return folders
    .flatMap((folder) => readdirSync(folder, { recursive: true }).map((file) => join(folder, String(file))))
    .filter((file) => /(?<!\.test|\.d)\.tsx?$/.test(file) && !file.startsWith(join("app", "api")));
}

/** Variables and marks; what stands in the braces of a plural's or a choice's case is text. */
const placeholders = (text: string): string[] =>
  [...text.matchAll(/\{(\w+)\s*[,}]|<(\w+)>/g)].map(([mark, variable]) => variable ?? mark).sort();
