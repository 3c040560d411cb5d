import type { z } from "zod";
import { type FlowChangeRow, type FlowRow, rootOf, versionOf } from "@/lib/flows/queries";
import type { FlowBody, flowChangeBody } from "@/lib/flows/schema";
import type { simulationBody } from "@/lib/flows/schema-simulation";
import type { Simulated } from "@/lib/flows/simulate";
import { BY_PRIORITY } from "@/lib/payments/routing/decide";

/** The only place where a flow's row becomes a wire object. */
export const serializeFlow = (row: FlowRow): FlowBody => ({
  id: row.id,
  clientId: row.clientId,
  parentId: row.parentId,
  restoredFrom: row.restoredFrom,
  name: row.name,
  paymentMethod: row.paymentMethod,
  merchants: row.merchantIds.map((merchantId) => ({ merchantId })),
  status: row.status,
  flow: { version: versionOf(row), root: rootOf(row).map((node) => ({ ...node })) },
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  activatedAt: row.activatedAt,
});

export const serializeChange = (row: FlowChangeRow): z.input<typeof flowChangeBody> => ({
  id: row.id,
  flowId: row.flowId,
  version: row.version,
  action: row.action,
  by: row.actor,
  note: row.note,
  at: row.at,
});

export const serializeSimulation = ({ decision, conditions }: Simulated): z.input<typeof simulationBody> => ({
  path: decision.path,
  analyst: decision.fraudProvider,
  challenge: decision.challenge ?? null,
  providers: decision.providers,
  skipped: decision.skipped,
  reason: decision.providers.length === 0 ? "nobody" : decision.path.includes(BY_PRIORITY) ? "priorities" : "flow",
  bucket: decision.bucket ?? null,
  conditions: conditions.map(({ value, ...seen }) => ({
    ...seen,
    value: typeof value === "object" ? [...value] : value,
  })),
});
