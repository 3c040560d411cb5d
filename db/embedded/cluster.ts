import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import type { ServerAccount } from "@/db/embedded/account";
import type { Binaries } from "@/db/embedded/binaries";

export const SUPERUSER = "postgres";
const PASSWORD_BYTES = 24;

/** The login of the running processes: a member of their roles, and nothing by itself (db/migrating/login.ts). */
export const RUNTIME_LOGIN = "trilho";

export const passwordFile = (cluster: string): string => `${cluster}.password`;

export function readPassword(cluster: string): string {
  const file = passwordFile(cluster);
  if (!existsSync(file)) {
    throw new Error(
      `The password file ${file} is missing, so the database in ${cluster} cannot be opened. Restore it.`,
    );
  }
  return readFileSync(file, "utf8").trim();
}

export const runtimePasswordFile = (cluster: string): string => `${cluster}.login.password`;

/** Made when missing: a folder of an earlier version gets its login with the next start. */
export function runtimePassword(cluster: string): string {
  const file = runtimePasswordFile(cluster);
  if (existsSync(file)) return readFileSync(file, "utf8").trim();
  const password = randomBytes(PASSWORD_BYTES).toString("base64url");
  writeFileSync(file, `${password}\n`, { mode: 0o600 });
  return password;
}

/** Makes the cluster beside its place and moves it in: a half-made one cannot be met by a later start. */
export async function createCluster(cluster: string, account: ServerAccount, binaries: Binaries, durable: boolean) {
  const parent = dirname(cluster);
  const draft = mkdtempSync(join(parent, `${basename(cluster)}.new-`));
  const password = randomBytes(PASSWORD_BYTES).toString("base64url");
  try {
    const secret = join(draft, "password");
    const data = join(draft, "data");
    writeFileSync(secret, password, { mode: 0o600 });
    mkdirSync(data, { mode: 0o700 });
    if (account.uid !== undefined && account.gid !== undefined) {
      for (const path of [draft, secret, data]) chownSync(path, account.uid, account.gid);
    }
    await runProgram(binaries.initdb, account, [
      ...["-D", data, "-U", SUPERUSER, "--pwfile", secret, "--auth=scram-sha-256", "--encoding=UTF8"],
      ...["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--no-instructions"],
      ...(durable ? [] : ["--no-sync"]),
    ]);
    writeFileSync(passwordFile(cluster), `${password}\n`, { mode: 0o600 });
    renameSync(data, cluster);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** The server's own environment: its messages in English, and none of our secrets. */
export const serverEnvironment = (): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  SystemRoot: process.env.SystemRoot,
  TZ: "UTC",
  LC_ALL: "C",
  NODE_ENV: process.env.NODE_ENV,
});

export function runProgram(program: string, account: ServerAccount, args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      env: serverEnvironment(),
      cwd: dirname(program),
      stdio: ["ignore", "pipe", "pipe"],
      ...(account.uid === undefined ? {} : { uid: account.uid, gid: account.gid }),
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        output += chunk.toString();
      });
    }
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${basename(program)} ended with ${code}:\n${output.trim()}`));
    });
  });
}
