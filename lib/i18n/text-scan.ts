import { parseAst } from "vitest/node";

/** What a reader of the page sees or hears, and so must come from the messages. */
const SPOKEN_ATTRIBUTES = new Set(["aria-label", "aria-description", "alt", "title", "placeholder", "label", "text"]);
const SPOKEN_PROPERTIES = new Set(["title", "description", "label", "text", "message", "placeholder"]);
const LETTERS = /\p{L}{2,}/u;
const TRANSLATOR_MAKERS = new Set(["useTranslations", "getTranslations"]);

export interface Scan {
  /** Full keys asked for by name. */
  used: Set<string>;
  /** Namespaces the file translates from. */
  namespaces: Set<string>;
  /** Every string and member name in the file: a table of keys is used through these. */
  words: Set<string>;
  problems: string[];
}

interface Node {
  type: string;
  start: number;
  [property: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";

/** Reads one source file: which messages it asks for, and which words it says without asking. */
export function scanSource(file: string, source: string, allowed: ReadonlySet<string>): Scan {
  const scan: Scan = { used: new Set(), namespaces: new Set(), words: new Set(), problems: [] };
  const translators = new Map<string, string>();
  const at = (node: Node) => `${file}:${source.slice(0, node.start).split("\n").length}`;
  const literal = (node: unknown): string | undefined => {
    if (!isNode(node)) return undefined;
    if (node.type === "Literal" && typeof node.value === "string") return node.value;
    if (node.type === "JSXExpressionContainer") return literal(node.expression);
    return undefined;
  };
  const complain = (node: Node, text: string) => {
    const shown = text.replace(/^[^\p{L}]+|[^\p{L}\p{N})}]+$/gu, "");
    if (LETTERS.test(shown) && !allowed.has(shown)) scan.problems.push(`${at(node)} says "${shown}" by itself`);
  };
  const translatorOf = (call: unknown): string | undefined => {
    if (!isNode(call) || call.type !== "CallExpression" || !isNode(call.callee)) return undefined;
    const { callee } = call;
    const name = callee.type === "MemberExpression" ? callee.object : callee;
    return isNode(name) && typeof name.name === "string" ? translators.get(name.name) : undefined;
  };

  const tree = parseAst(source, { lang: file.endsWith("x") ? "tsx" : "ts" });
  visit(tree, (node) => {
    if (node.type === "VariableDeclarator") rememberTranslator(node, translators);
    if (node.type === "Literal" && typeof node.value === "string") scan.words.add(node.value);
    if (node.type === "MemberExpression" && isNode(node.property)) scan.words.add(String(node.property.name));
  });
  scan.namespaces = new Set(translators.values());
  visit(tree, (node) => {
    // Made and handed on at once: a table of the same file holds its keys.
    if (node.type === "CallExpression" && isNode(node.callee) && TRANSLATOR_MAKERS.has(String(node.callee.name))) {
      const made = Array.isArray(node.arguments) ? literal(node.arguments[0]) : undefined;
      if (made !== undefined) scan.namespaces.add(made);
    }
    const namespace = translatorOf(node);
    if (namespace !== undefined && Array.isArray(node.arguments)) {
      const key = literal(node.arguments[0]);
      if (key !== undefined) scan.used.add(`${namespace}.${key}`);
    }
    if (node.type === "JSXText") complain(node, String(node.value));
    if (node.type === "JSXExpressionContainer") {
      const text = literal(node.expression);
      if (text !== undefined && node.isChild) complain(node, text);
    }
    if (node.type === "JSXAttribute" && isNode(node.name) && SPOKEN_ATTRIBUTES.has(String(node.name.name))) {
      const text = literal(node.value);
      if (text !== undefined) complain(node, text);
    }
    if (node.type === "Property" && isNode(node.key) && SPOKEN_PROPERTIES.has(String(node.key.name))) {
      const text = literal(node.value);
      if (text !== undefined) complain(node, text);
    }
    const parts =
      node.type === "BinaryExpression" && node.operator === "+"
        ? [node.left, node.right]
        : node.type === "TemplateLiteral" && Array.isArray(node.quasis) && node.quasis.length > 1
          ? node.expressions
          : [];
    if (Array.isArray(parts) && parts.some((part) => translatorOf(part) !== undefined)) {
      scan.problems.push(`${at(node)} glues a message to something else: give the message a variable instead`);
    }
  });
  return scan;
}

/** `const t = await getTranslations("start")` makes t("x") the message start.x; so does one of several asked for together. */
function rememberTranslator(node: Node, translators: Map<string, string>): void {
  const value = isNode(node.init) && node.init.type === "AwaitExpression" ? node.init.argument : node.init;
  if (!isNode(value) || value.type !== "CallExpression" || !isNode(value.callee) || !isNode(node.id)) return;
  const [together] = Array.isArray(value.arguments) ? value.arguments : [];
  if (node.id.type === "ArrayPattern" && isNode(together) && Array.isArray(together.elements)) {
    const names = Array.isArray(node.id.elements) ? node.id.elements : [];
    for (const [index, init] of together.elements.entries()) {
      const id: unknown = names[index];
      if (isNode(id)) rememberTranslator({ ...node, id, init }, translators);
    }
    return;
  }
  // The words of interactive components reach them as an object instead of a function.
  if (value.callee.name === "useWords") translators.set(String(node.id.name), "ui");
  if (!TRANSLATOR_MAKERS.has(String(value.callee.name)) || !Array.isArray(value.arguments)) return;
  const [namespace] = value.arguments;
  if (isNode(namespace) && typeof namespace.value === "string") translators.set(String(node.id.name), namespace.value);
}

function visit(node: unknown, see: (node: Node) => void): void {
  if (Array.isArray(node)) for (const item of node) visit(item, see);
  else if (isNode(node)) {
    if ((node.type === "JSXElement" || node.type === "JSXFragment") && Array.isArray(node.children)) {
      for (const child of node.children) if (isNode(child)) child.isChild = true;
    }
    see(node);
    for (const value of Object.values(node)) visit(value, see);
  }
}
