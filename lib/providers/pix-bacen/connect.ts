import type { BankLine } from "@/lib/providers/pix-bacen/call";
import { webhookAnswer } from "@/lib/providers/pix-bacen/wire";
import type { ConnectionCall, ConnectionResult } from "@/lib/providers/provider";

/** Registers our address for the key: a bank answers that only to its owner. */
export async function connect(line: BankLine, call: ConnectionCall): Promise<ConnectionResult> {
  const path = `/webhook/${encodeURIComponent(call.credentials.reveal().pixKey ?? "")}`;
  const body = { webhookUrl: call.notificationsUrl };
  const read = await line.ask(call, { method: "PUT", path, body }, webhookAnswer);
  if (read.ok) return { ok: true, words: String(read.status) };
  const { outcome } = read;
  if (outcome.kind === "rejected") return { ok: false, words: `${outcome.problem}: ${outcome.detail}` };
  return { ok: false, words: outcome.kind };
}
