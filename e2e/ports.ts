import { execFileSync } from "node:child_process";

/** One that nobody listens on; asked of another process, so that it is known at once. */
export function freePort(): string {
  const script =
    "const s=require('net').createServer().listen(0,'127.0.0.1',()=>{process.stdout.write(String(s.address().port));s.close()})";
  return execFileSync(process.execPath, ["-e", script], { encoding: "utf8" }).trim();
}
