// Written by scripts/endpoints.ts from app/api/v1; a test compares it with the route modules.
import * as route0 from "@/app/api/v1/auth/[publicKey]/route";
import * as route1 from "@/app/api/v1/auth/route";
import * as route2 from "@/app/api/v1/captcha/route";
import * as route3 from "@/app/api/v1/cards/[id]/route";
import * as route4 from "@/app/api/v1/cards/route";
import * as route5 from "@/app/api/v1/charges/3ds/setup/route";
import * as route6 from "@/app/api/v1/charges/[id]/3ds/return/route";
import * as route7 from "@/app/api/v1/charges/[id]/antifraud/route";
import * as route8 from "@/app/api/v1/charges/[id]/barcode/route";
import * as route9 from "@/app/api/v1/charges/[id]/capture/route";
import * as route10 from "@/app/api/v1/charges/[id]/qrcode/route";
import * as route11 from "@/app/api/v1/charges/[id]/route";
import * as route12 from "@/app/api/v1/charges/[id]/void/route";
import * as route13 from "@/app/api/v1/charges/route";
import * as route14 from "@/app/api/v1/customers/[id]/cards/[cardId]/route";
import * as route15 from "@/app/api/v1/customers/[id]/cards/route";
import * as route16 from "@/app/api/v1/customers/[id]/route";
import * as route17 from "@/app/api/v1/customers/route";
import * as route18 from "@/app/api/v1/events/[id]/route";
import * as route19 from "@/app/api/v1/events/route";
import * as route20 from "@/app/api/v1/invariants/route";
import * as route21 from "@/app/api/v1/logs/route";
import * as route22 from "@/app/api/v1/merchants/[id]/platform-fee/[platformFeeId]/route";
import * as route23 from "@/app/api/v1/merchants/[id]/platform-fee/enabled/route";
import * as route24 from "@/app/api/v1/merchants/[id]/platform-fee/route";
import * as route25 from "@/app/api/v1/merchants/[id]/providers/route";
import * as route26 from "@/app/api/v1/merchants/[id]/route";
import * as route27 from "@/app/api/v1/merchants/route";
import * as route28 from "@/app/api/v1/providers/[id]/notifications/route";
import * as route29 from "@/app/api/v1/providers/[id]/route";
import * as route30 from "@/app/api/v1/purchases/[id]/capture/route";
import * as route31 from "@/app/api/v1/purchases/[id]/route";
import * as route32 from "@/app/api/v1/purchases/[id]/void/route";
import * as route33 from "@/app/api/v1/purchases/route";
import * as route34 from "@/app/api/v1/sandbox/boletos/[chargeId]/pay/route";
import * as route35 from "@/app/api/v1/sandbox/calls/route";
import * as route36 from "@/app/api/v1/sandbox/charges/[id]/chargeback/reverse/route";
import * as route37 from "@/app/api/v1/sandbox/charges/[id]/chargeback/route";
import * as route38 from "@/app/api/v1/sandbox/clock/route";
import * as route39 from "@/app/api/v1/sandbox/ledger/route";
import * as route40 from "@/app/api/v1/sandbox/outcomes/route";
import * as route41 from "@/app/api/v1/sandbox/pix/[txid]/med/route";
import * as route42 from "@/app/api/v1/sandbox/pix/[txid]/pay/route";
import * as route43 from "@/app/api/v1/sandbox/scenarios/[id]/route";
import * as route44 from "@/app/api/v1/sandbox/scenarios/route";
import * as route45 from "@/app/api/v1/sandbox/settings/route";
import * as route46 from "@/app/api/v1/sessions/[id]/cancel/route";
import * as route47 from "@/app/api/v1/sessions/[id]/charge/route";
import * as route48 from "@/app/api/v1/sessions/[id]/history/route";
import * as route49 from "@/app/api/v1/sessions/[id]/link/route";
import * as route50 from "@/app/api/v1/sessions/[id]/route";
import * as route51 from "@/app/api/v1/sessions/cards/route";
import * as route52 from "@/app/api/v1/sessions/customers/[id]/cards/route";
import * as route53 from "@/app/api/v1/sessions/customers/[id]/route";
import * as route54 from "@/app/api/v1/sessions/customers/route";
import * as route55 from "@/app/api/v1/sessions/route";
import * as route56 from "@/app/api/v1/sessions/tokens/route";
import * as route57 from "@/app/api/v1/settings/route";
import * as route58 from "@/app/api/v1/tokens/route";
import * as route59 from "@/app/api/v1/webhooks/[id]/deliveries/[deliveryId]/resend/route";
import * as route60 from "@/app/api/v1/webhooks/[id]/deliveries/route";
import * as route61 from "@/app/api/v1/webhooks/[id]/listen/route";
import * as route62 from "@/app/api/v1/webhooks/[id]/replay/route";
import * as route63 from "@/app/api/v1/webhooks/[id]/rotate-key/route";
import * as route64 from "@/app/api/v1/webhooks/[id]/route";
import * as route65 from "@/app/api/v1/webhooks/route";
import type { Endpoint } from "@/lib/http/endpoint";

export const ENDPOINTS: readonly Endpoint[] = [
  route0.DELETE,
  route1.POST,
  route1.GET,
  route2.GET,
  route3.GET,
  route3.DELETE,
  route4.POST,
  route4.GET,
  route5.POST,
  route6.POST,
  route6.GET,
  route7.PATCH,
  route8.GET,
  route9.POST,
  route10.GET,
  route11.GET,
  route11.POST,
  route12.POST,
  route13.POST,
  route13.GET,
  route14.DELETE,
  route15.POST,
  route15.GET,
  route16.GET,
  route16.PATCH,
  route16.DELETE,
  route17.POST,
  route17.GET,
  route18.GET,
  route19.GET,
  route20.GET,
  route21.GET,
  route22.DELETE,
  route23.PATCH,
  route24.POST,
  route24.GET,
  route24.PUT,
  route25.POST,
  route26.GET,
  route26.PATCH,
  route26.DELETE,
  route27.POST,
  route27.GET,
  route28.POST,
  route29.PATCH,
  route29.DELETE,
  route30.POST,
  route31.GET,
  route32.POST,
  route33.POST,
  route33.GET,
  route34.POST,
  route35.GET,
  route36.POST,
  route37.POST,
  route38.GET,
  route38.POST,
  route39.GET,
  route40.GET,
  route41.POST,
  route42.POST,
  route43.DELETE,
  route44.POST,
  route44.GET,
  route45.GET,
  route45.PATCH,
  route46.POST,
  route47.POST,
  route48.GET,
  route49.GET,
  route50.GET,
  route50.PATCH,
  route51.POST,
  route52.POST,
  route52.GET,
  route53.GET,
  route54.POST,
  route55.POST,
  route55.GET,
  route56.POST,
  route57.POST,
  route57.GET,
  route57.PATCH,
  route58.POST,
  route59.POST,
  route60.GET,
  route61.POST,
  route62.POST,
  route63.POST,
  route64.GET,
  route64.PATCH,
  route64.DELETE,
  route65.POST,
  route65.GET,
];
