import { z } from "zod";
import { uuid } from "@/lib/http/fields";

export const newSetup = z
  .discriminatedUnion("sourceType", [
    z.object({ sourceType: z.literal("card"), cardId: uuid }),
    z.object({ sourceType: z.literal("token"), tokenId: uuid }),
  ])
  .meta({ id: "New3DSSetup" });
export type NewSetup = z.output<typeof newSetup>;

export const setupBody = z
  .object({
    id: z.string().meta({ description: "sent later as threeDSecure2.setupId; valid 1 h" }),
    token: z.string().meta({ description: "posted by the browser to collectUrl, form field JWT, in a hidden frame" }),
    collectUrl: z.string(),
    providerType: z.string(),
    error: z
      .object({ type: z.string(), declinedCode: z.string(), message: z.string(), details: z.array(z.string()) })
      .nullable(),
  })
  .meta({ id: "ThreeDSSetup" });
