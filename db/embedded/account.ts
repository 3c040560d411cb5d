import { readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** The account the server runs as; undefined ids mean "the one we already are". */
export interface ServerAccount {
  readonly name: string;
  readonly uid: number | undefined;
  readonly gid: number | undefined;
}

const SELF: ServerAccount = { name: "the current user", uid: undefined, gid: undefined };
const UNPRIVILEGED = ["postgres", "nobody", "daemon"];

/** PostgreSQL refuses to run as root, so root hands it to an account without rights. */
export function accountFor(cluster: string): ServerAccount {
  const uid = process.getuid?.();
  const owner = ownerOf(cluster);
  if (uid === undefined) return SELF;
  if (uid !== 0) {
    if (owner !== undefined && owner !== uid) {
      throw new Error(
        `The database folder ${cluster} belongs to ${nameOf(owner)}. Start as that user (or as root), or choose another folder with TRILHO_DATA_DIR.`,
      );
    }
    return SELF;
  }
  if (owner === 0) {
    throw new Error(`The database folder ${cluster} belongs to root, who may not run PostgreSQL. Change its owner.`);
  }
  const account =
    owner === undefined
      ? accounts().find(({ name }) => UNPRIVILEGED.includes(name))
      : accounts().find((each) => each.uid === owner);
  if (account === undefined) {
    throw new Error("Started as root, and there is no unprivileged account for PostgreSQL. Start as an ordinary user.");
  }
  return account;
}

/** A checkout inside a private folder cannot be used by the account root hands the server to. */
export function checkReach(account: ServerAccount, path: string): void {
  if (account.uid === undefined) return;
  for (let folder = realpathSync(path); ; folder = dirname(folder)) {
    const { mode, uid, gid } = statSync(folder);
    const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) {
      throw new Error(
        `Started as root, so PostgreSQL runs as "${account.name}", who cannot enter the private folder ${folder}. ` +
          `Start as an ordinary user, move the checkout and TRILHO_DATA_DIR out of it, or set DATABASE_URL.`,
      );
    }
    if (folder === dirname(folder)) return;
  }
}

function accounts(): (ServerAccount & { uid: number })[] {
  return readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"))
    .filter((fields) => fields.length >= 4)
    .map(([name, , uid, gid]) => ({ name: name ?? "", uid: Number(uid), gid: Number(gid) }))
    .sort((one, other) => UNPRIVILEGED.indexOf(one.name) - UNPRIVILEGED.indexOf(other.name));
}

function ownerOf(folder: string): number | undefined {
  return statSync(resolve(folder), { throwIfNoEntry: false })?.uid;
}

function nameOf(uid: number): string {
  return accounts().find((each) => each.uid === uid)?.name ?? `user ${uid}`;
}
