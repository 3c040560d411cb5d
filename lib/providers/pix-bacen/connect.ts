import type { BankLine } from "@/lib/providers/pix-bacen/call";
import { receiverOf } from "@/lib/providers/pix-bacen/receiver";
import { webhookAnswer } from "@/lib/providers/pix-bacen/wire";
import type { ConnectionCall, ConnectionResult } from "@/lib/providers/provider";

/**
 * Registers our address for the key: a bank answers that only to its owner. For mandates and what is charged under them
 * as well, where the credentials keep any.
 */
export async function connect(line: BankLine, call: ConnectionCall): Promise<ConnectionResult> {
  const key = `/webhook/${encodeURIComponent(call.credentials.reveal().pixKey ?? "")}`;
  const paths = receiverOf(call.credentials) ? [key, "/webhookrec", "/webhookcobr"] : [key];
  const body = { webhookUrl: call.notificationsUrl };
  let words = "";
  for (const path of paths) {
    const read = await line.ask(call, { method: "PUT", path, body }, webhookAnswer);
    if (!read.ok) {
      const { outcome } = read;
      return { ok: false, words: outcome.kind === "rejected" ? `${outcome.problem}: ${outcome.detail}` : outcome.kind };
    }
    words = String(read.status);
  }
  return { ok: true, words };
}
