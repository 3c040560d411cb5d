import { z } from "zod";
import type { ThreeDSRequest } from "@/lib/providers/provider";

const text = z.string().optional().catch(undefined);
const asked = z.object({
  dataOnly: z.boolean().optional().catch(undefined),
  mpi: z
    .object({ version: text, eci: text, cavv: text, directoryServerTransactionId: text, xid: text })
    .optional()
    .catch(undefined),
});

/** What another party authenticated, in the words of a sale; undefined where the shop brought none of that. */
export function externalAuthentication({ data }: ThreeDSRequest): Record<string, unknown> | undefined {
  const parsed = asked.safeParse(data);
  const told = parsed.success ? parsed.data.mpi : undefined;
  if (!told?.eci) return undefined;
  return {
    // Of two digits in some answers, of one here.
    Eci: told.eci.replace(/^0(?=\d$)/, ""),
    ...(told.cavv ? { Cavv: told.cavv } : {}),
    ...(told.xid ? { Xid: told.xid } : {}),
    ...(told.version ? { Version: told.version.slice(0, 1) } : {}),
    ...(told.directoryServerTransactionId ? { ReferenceId: told.directoryServerTransactionId } : {}),
    ...(parsed.success && parsed.data.dataOnly ? { DataOnly: true } : {}),
  };
}
