import { z } from "zod";
import type { Action } from "@/lib/providers/adyen/wire";
import type { NextAction } from "@/lib/providers/provider";

/**
 * The steps of a bank without Adyen's script: its tokens say where the issuer's own pages are, and the checkout shows
 * those. Requests and answers are those of the document; what is in a token, and how a result is written, is as Adyen's
 * published web component reads and writes them (Adyen/adyen-web, packages/lib/src/components/ThreeDS2).
 */

const deviceToken = z.object({ threeDSServerTransID: z.string().min(1), threeDSMethodUrl: z.string().optional() });
const challengeToken = z.object({
  acsURL: z.string(),
  acsTransID: z.string().min(1),
  messageVersion: z.string().min(1),
  threeDSServerTransID: z.string().min(1),
});

/** What `/payments/details` is told; of the first two the document says what is in them. */
type Detail = "threeds2.fingerprint" | "threeDSResult" | "threeds2.challengeResult";

const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64");
const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

function decoded(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, "base64").toString("utf8"));
  } catch {
    return undefined;
  }
}

const isSecure = (url: string | undefined): url is string =>
  url !== undefined && URL.canParse(url) && new URL(url).protocol === "https:";

const keptFor = (detail: Detail, { paymentData, authorisationToken }: Action): Readonly<Record<string, string>> => ({
  detail,
  ...(detail === "threeDSResult" && authorisationToken ? { authorisationToken } : {}),
  ...(detail !== "threeDSResult" && paymentData ? { paymentData } : {}),
});

/** Where the issuer looks at the browser; nothing where it has no page for that, or nobody would see it end. */
function deviceStep(action: Action, deviceUrl: string | undefined): NextAction | undefined {
  const { success, data } = deviceToken.safeParse(decoded(action.token ?? ""));
  if (!success || deviceUrl === undefined || !isSecure(data.threeDSMethodUrl)) return undefined;
  const { threeDSServerTransID, threeDSMethodUrl: url } = data;
  const threeDSMethodData = base64url({ threeDSServerTransID, threeDSMethodNotificationURL: deviceUrl });
  return { type: "device", url, fields: { threeDSMethodData }, kept: keptFor("threeds2.fingerprint", action) };
}

const FULL_SCREEN = "05";

function challengeStep(action: Action): NextAction | undefined {
  const { success, data } = challengeToken.safeParse(decoded(action.token ?? ""));
  if (!success || !isSecure(data.acsURL)) return undefined;
  const { acsURL: url, ...ids } = data;
  const creq = base64url({ ...ids, messageType: "CReq", challengeWindowSize: FULL_SCREEN });
  const detail = action.authorisationToken ? "threeDSResult" : "threeds2.challengeResult";
  const kept = { ...keptFor(detail, action), acsTransID: ids.acsTransID };
  return { type: "redirect", url, method: "POST", fields: { creq }, kept };
}

export function nativeStep(action: Action, deviceUrl: string | undefined): NextAction | undefined {
  if (action.subtype === "fingerprint") return deviceStep(action, deviceUrl);
  return action.subtype === "challenge" ? challengeStep(action) : undefined;
}

/** What a fingerprint that nobody can take is answered with, so that the payment goes on: it did not come about. */
export function skippedDevice(action: Action | null | undefined, deviceUrl: string | undefined) {
  if (action?.type !== "threeDS2" || action.subtype !== "fingerprint" || deviceStep(action, deviceUrl))
    return undefined;
  const { success, data } = deviceToken.safeParse(decoded(action.token ?? ""));
  const hasPage = !success || isSecure(data.threeDSMethodUrl);
  return { details: hasPage ? "N" : "U", kept: keptFor("threeds2.fingerprint", action) };
}

const challengeAnswer = z.object({ acsTransID: z.string(), transStatus: z.string().length(1) });

/**
 * Of a challenge's answer the one letter counts. One that cannot be read, or that is about another challenge, does not
 * say how this one ended.
 */
function endOf(cres: string, acsTransID: string | undefined): string {
  const { data } = challengeAnswer.safeParse(decoded(cres));
  return data && data.acsTransID === acsTransID ? data.transStatus : "U";
}

/** The body of `/payments/details`, of what a browser brought and what was kept of the step that it comes from. */
export function detailsOf(brought: string, kept: Readonly<Record<string, string>> = {}): Record<string, unknown> {
  const { detail, paymentData, authorisationToken, acsTransID } = kept;
  if (detail === undefined) return { details: { redirectResult: brought } };
  const result =
    detail === "threeds2.fingerprint"
      ? { threeDSCompInd: brought }
      : { transStatus: endOf(brought, acsTransID), ...(authorisationToken ? { authorisationToken } : {}) };
  return { details: { [detail]: base64(result) }, ...(paymentData ? { paymentData } : {}) };
}
