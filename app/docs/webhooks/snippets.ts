import { readFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = join(process.cwd(), "app", "docs", "webhooks", "snippets");

/** In the order in which they are shown. */
export const SNIPPETS = [
  { language: "Node", file: "receiver.mjs" },
  { language: "Python", file: "receiver.py" },
  { language: "PHP", file: "verify.php" },
  { language: "Go", file: "verify.go" },
  { language: "Ruby", file: "verify.rb" },
  { language: "Java", file: "Verify.java" },
  { language: "C#", file: "Verify.cs" },
] as const;

export const readSnippet = (file: (typeof SNIPPETS)[number]["file"]): string =>
  readFileSync(/* turbopackIgnore: true */ join(FOLDER, file), "utf8");
