import { z } from "zod";
import type { More } from "@/lib/providers/adyen/wire";
import type { ThreeDSRequest } from "@/lib/providers/provider";

const optional = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);
const text = optional(z.string());
const number = optional(z.coerce.number().int());

const browser = z.object({
  acceptHeader: text,
  language: text,
  userAgent: text,
  colorDepth: number,
  screenHeight: number,
  screenWidth: number,
  timeZoneOffset: number,
  javaEnabled: optional(z.boolean()),
  javaScriptEnabled: optional(z.boolean()),
  ip: text,
});

const mpi = z.object({
  version: text,
  eci: text,
  cavv: text,
  directoryServerTransactionId: text,
  xid: text,
  transStatus: text,
  challenged: optional(z.boolean()),
});

const asked = z.object({
  browser: optional(browser),
  requestorURL: text,
  dataOnly: optional(z.boolean()),
  mpi: optional(mpi),
});

/** What the shop, or our page, saw of the buyer's browser; or what another party authenticated already. */
export function authenticationFields(request: ThreeDSRequest): Record<string, unknown> {
  const external = mpiFieldsOf(request);
  if (external) return { mpiData: external };
  const given = givenIn(request);
  // Our own checkout shows the issuer's pages itself; a shop's own is redirected, and needs no script of Adyen's.
  const isNative = request.deviceUrl !== undefined && given.browser?.javaScriptEnabled === true;
  return {
    authenticationData: {
      attemptAuthentication: "always",
      threeDSRequestData: {
        nativeThreeDS: isNative ? "preferred" : "disabled",
        ...(isNative ? { challengeWindowSize: "05" } : {}),
        ...(given.dataOnly ? { dataOnly: "true" } : {}),
      },
    },
    // Where the issuer brings the answer of its challenge, as who uses none of Adyen's components must say.
    ...(isNative ? { threeDS2RequestData: { notificationURL: request.returnUrl } } : {}),
    channel: "Web",
    ...(given.requestorURL && URL.canParse(given.requestorURL) ? { origin: new URL(given.requestorURL).origin } : {}),
    ...(given.browser?.ip ? { shopperIP: given.browser.ip } : {}),
    ...(given.browser ? { browserInfo: browserFields(given.browser) } : {}),
  };
}

function givenIn({ data }: ThreeDSRequest): z.output<typeof asked> {
  const parsed = asked.safeParse(data);
  return parsed.success ? parsed.data : {};
}

const browserFields = (seen: z.output<typeof browser>) => ({
  acceptHeader: seen.acceptHeader ?? "*/*",
  language: seen.language ?? "pt-BR",
  userAgent: seen.userAgent ?? "",
  colorDepth: seen.colorDepth ?? 24,
  screenHeight: seen.screenHeight ?? 0,
  screenWidth: seen.screenWidth ?? 0,
  timeZoneOffset: seen.timeZoneOffset ?? 180,
  javaEnabled: seen.javaEnabled ?? false,
  ...(seen.javaScriptEnabled === undefined ? {} : { javaScriptEnabled: seen.javaScriptEnabled }),
});

const AFTER_A_CHALLENGE: readonly string[] = ["Y", "N", "U", "A"];

/** What another party authenticated, where the shop brought that. */
export function mpiFieldsOf(request: ThreeDSRequest): Record<string, string> | undefined {
  const told = givenIn(request).mpi;
  if (!told) return undefined;
  const { transStatus } = told;
  const isAnswered = told.challenged === true && transStatus !== undefined && AFTER_A_CHALLENGE.includes(transStatus);
  return {
    ...(told.cavv ? { cavv: told.cavv } : {}),
    ...(told.eci ? { eci: told.eci } : {}),
    ...(transStatus ? { directoryResponse: transStatus } : {}),
    ...(isAnswered ? { authenticationResponse: transStatus } : {}),
    ...(told.directoryServerTransactionId ? { dsTransID: told.directoryServerTransactionId } : {}),
    ...(told.xid ? { xid: told.xid } : {}),
    ...(told.version ? { threeDSVersion: told.version } : {}),
  };
}

const SHIFTING: readonly string[] = ["05", "02", "06", "01"];
const NOT_SHIFTING: readonly string[] = ["07", "00"];
const WORDS: Readonly<Record<string, boolean>> = { true: true, false: false };

/** Adyen's own word, else that of the network; undefined where the account is not told either. */
export function liabilityShiftIn(more: Pick<More, "liabilityShift" | "eci"> | null | undefined): boolean | undefined {
  const told = WORDS[more?.liabilityShift?.toLowerCase() ?? ""];
  if (told !== undefined) return told;
  if (SHIFTING.includes(more?.eci ?? "")) return true;
  return NOT_SHIFTING.includes(more?.eci ?? "") ? false : undefined;
}
