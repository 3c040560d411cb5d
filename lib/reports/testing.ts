import { loadAccount } from "@/lib/accounts/service";
import { systemContext } from "@/lib/context";
import { newId } from "@/lib/ids";
import { runReport } from "@/lib/reports/run";
import type { TestClient } from "@/lib/testing/api";
import type { CallOptions } from "@/lib/testing/api-client";

export interface ReportReply {
  id: string;
  status: string;
  email: string;
  fields: string[];
  files?: string[];
  filters: Record<string, unknown>;
  awaitingConfirmation: boolean;
  progress: { rows: number; total: number };
}

export const newReport = (changes: Record<string, unknown> = {}) => ({
  sendTo: "fin@example.com",
  type: "transactions",
  fields: ["transaction__id", "transaction__amount", "transaction__status"],
  filters: {},
  ...changes,
});

/** Asks for a report and does the worker's work. */
export async function madeReport(
  client: TestClient,
  changes: Record<string, unknown> = {},
  options: CallOptions = {},
): Promise<ReportReply> {
  const { id } = await client.make<ReportReply>("POST", "/v1/reports", { ...options, body: newReport(changes) });
  await runReport(systemContext(await loadAccount(client.clientId), newId()), id);
  return client.make<ReportReply>("GET", `/v1/reports/${id}`);
}

/** The text of one of its files. */
export async function textOf(client: TestClient, { id }: { id: string }, page = 1): Promise<string> {
  const reply = await client.call("GET", `/v1/reports/${id}/files/${page}`);
  if (reply.status !== 200) throw new Error(`the file answered ${reply.status}: ${reply.text}`);
  // With its mark at the beginning, which a decoder of the web leaves out.
  return Buffer.from(reply.bytes).toString();
}
