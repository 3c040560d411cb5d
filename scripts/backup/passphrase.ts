import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { MIN_PASSPHRASE } from "@/scripts/backup/sealed";

/** From TRILHO_BACKUP_PASSPHRASE, else asked for on the terminal, unseen; twice where a new one is chosen. */
export async function passphraseFor(use: "backup" | "restore"): Promise<string> {
  const given = process.env.TRILHO_BACKUP_PASSPHRASE;
  if (given === undefined && !process.stdin.isTTY) throw new Error("Set TRILHO_BACKUP_PASSPHRASE, or use a terminal.");
  const passphrase = given ?? (await ask("Passphrase: "));
  if (use === "restore") return passphrase;
  if (passphrase.length < MIN_PASSPHRASE)
    throw new Error(`The passphrase protects every secret: choose at least ${MIN_PASSPHRASE} characters.`);
  if (given === undefined && (await ask("Once more: ")) !== passphrase) throw new Error("The two are not the same.");
  return passphrase;
}

async function ask(question: string): Promise<string> {
  process.stderr.write(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  try {
    return await terminal.question("");
  } finally {
    terminal.close();
    process.stderr.write("\n");
  }
}
