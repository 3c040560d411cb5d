import { isAbsolute, join, relative } from "node:path";

/** As somebody in the installation's folder would type it; where the data is elsewhere, by the name that was set. */
export function demoFile(dataDir: string, from = process.cwd()): string {
  const folder = relative(from, dataDir);
  return folder.startsWith("..") || isAbsolute(folder) ? "$TRILHO_DATA_DIR/demo.json" : join(folder, "demo.json");
}

/** The same as an expression of JavaScript, for a command that reads it. */
export function demoFileExpression(dataDir: string, from = process.cwd()): string {
  const file = demoFile(dataDir, from);
  return file.startsWith("$") ? 'process.env.TRILHO_DATA_DIR + "/demo.json"' : JSON.stringify(`./${file}`);
}
