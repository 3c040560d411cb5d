// Written by scripts/endpoints.ts from app/api/v1; a test compares it with the route modules.
import * as route0 from "@/app/api/v1/auth/[publicKey]/route";
import * as route1 from "@/app/api/v1/auth/route";
import * as route2 from "@/app/api/v1/cards/[id]/route";
import * as route3 from "@/app/api/v1/cards/route";
import * as route4 from "@/app/api/v1/charges/3ds/setup/route";
import * as route5 from "@/app/api/v1/charges/[id]/3ds/return/route";
import * as route6 from "@/app/api/v1/charges/[id]/antifraud/route";
import * as route7 from "@/app/api/v1/charges/[id]/barcode/route";
import * as route8 from "@/app/api/v1/charges/[id]/capture/route";
import * as route9 from "@/app/api/v1/charges/[id]/qrcode/route";
import * as route10 from "@/app/api/v1/charges/[id]/route";
import * as route11 from "@/app/api/v1/charges/[id]/void/route";
import * as route12 from "@/app/api/v1/charges/route";
import * as route13 from "@/app/api/v1/customers/[id]/cards/[cardId]/route";
import * as route14 from "@/app/api/v1/customers/[id]/cards/route";
import * as route15 from "@/app/api/v1/customers/[id]/route";
import * as route16 from "@/app/api/v1/customers/route";
import * as route17 from "@/app/api/v1/events/[id]/route";
import * as route18 from "@/app/api/v1/events/route";
import * as route19 from "@/app/api/v1/invariants/route";
import * as route20 from "@/app/api/v1/logs/route";
import * as route21 from "@/app/api/v1/merchants/[id]/platform-fee/[platformFeeId]/route";
import * as route22 from "@/app/api/v1/merchants/[id]/platform-fee/enabled/route";
import * as route23 from "@/app/api/v1/merchants/[id]/platform-fee/route";
import * as route24 from "@/app/api/v1/merchants/[id]/providers/route";
import * as route25 from "@/app/api/v1/merchants/[id]/route";
import * as route26 from "@/app/api/v1/merchants/route";
import * as route27 from "@/app/api/v1/providers/[id]/notifications/route";
import * as route28 from "@/app/api/v1/providers/[id]/route";
import * as route29 from "@/app/api/v1/purchases/[id]/capture/route";
import * as route30 from "@/app/api/v1/purchases/[id]/route";
import * as route31 from "@/app/api/v1/purchases/[id]/void/route";
import * as route32 from "@/app/api/v1/purchases/route";
import * as route33 from "@/app/api/v1/sandbox/boletos/[chargeId]/pay/route";
import * as route34 from "@/app/api/v1/sandbox/calls/route";
import * as route35 from "@/app/api/v1/sandbox/charges/[id]/chargeback/reverse/route";
import * as route36 from "@/app/api/v1/sandbox/charges/[id]/chargeback/route";
import * as route37 from "@/app/api/v1/sandbox/clock/route";
import * as route38 from "@/app/api/v1/sandbox/ledger/route";
import * as route39 from "@/app/api/v1/sandbox/outcomes/route";
import * as route40 from "@/app/api/v1/sandbox/pix/[txid]/med/route";
import * as route41 from "@/app/api/v1/sandbox/pix/[txid]/pay/route";
import * as route42 from "@/app/api/v1/sandbox/scenarios/[id]/route";
import * as route43 from "@/app/api/v1/sandbox/scenarios/route";
import * as route44 from "@/app/api/v1/sandbox/settings/route";
import * as route45 from "@/app/api/v1/sessions/[id]/cancel/route";
import * as route46 from "@/app/api/v1/sessions/[id]/charge/route";
import * as route47 from "@/app/api/v1/sessions/[id]/history/route";
import * as route48 from "@/app/api/v1/sessions/[id]/link/route";
import * as route49 from "@/app/api/v1/sessions/[id]/route";
import * as route50 from "@/app/api/v1/sessions/cards/route";
import * as route51 from "@/app/api/v1/sessions/customers/[id]/cards/route";
import * as route52 from "@/app/api/v1/sessions/customers/[id]/route";
import * as route53 from "@/app/api/v1/sessions/customers/route";
import * as route54 from "@/app/api/v1/sessions/route";
import * as route55 from "@/app/api/v1/sessions/tokens/route";
import * as route56 from "@/app/api/v1/settings/route";
import * as route57 from "@/app/api/v1/tokens/route";
import * as route58 from "@/app/api/v1/webhooks/[id]/deliveries/[deliveryId]/resend/route";
import * as route59 from "@/app/api/v1/webhooks/[id]/deliveries/route";
import * as route60 from "@/app/api/v1/webhooks/[id]/listen/route";
import * as route61 from "@/app/api/v1/webhooks/[id]/replay/route";
import * as route62 from "@/app/api/v1/webhooks/[id]/rotate-key/route";
import * as route63 from "@/app/api/v1/webhooks/[id]/route";
import * as route64 from "@/app/api/v1/webhooks/route";
import type { Endpoint } from "@/lib/http/endpoint";

export const ENDPOINTS: readonly Endpoint[] = [
  route0.DELETE,
  route1.POST,
  route1.GET,
  route2.GET,
  route2.DELETE,
  route3.POST,
  route3.GET,
  route4.POST,
  route5.POST,
  route5.GET,
  route6.PATCH,
  route7.GET,
  route8.POST,
  route9.GET,
  route10.GET,
  route10.POST,
  route11.POST,
  route12.POST,
  route12.GET,
  route13.DELETE,
  route14.POST,
  route14.GET,
  route15.GET,
  route15.PATCH,
  route15.DELETE,
  route16.POST,
  route16.GET,
  route17.GET,
  route18.GET,
  route19.GET,
  route20.GET,
  route21.DELETE,
  route22.PATCH,
  route23.POST,
  route23.GET,
  route23.PUT,
  route24.POST,
  route25.GET,
  route25.PATCH,
  route25.DELETE,
  route26.POST,
  route26.GET,
  route27.POST,
  route28.PATCH,
  route28.DELETE,
  route29.POST,
  route30.GET,
  route31.POST,
  route32.POST,
  route32.GET,
  route33.POST,
  route34.GET,
  route35.POST,
  route36.POST,
  route37.GET,
  route37.POST,
  route38.GET,
  route39.GET,
  route40.POST,
  route41.POST,
  route42.DELETE,
  route43.POST,
  route43.GET,
  route44.GET,
  route44.PATCH,
  route45.POST,
  route46.POST,
  route47.GET,
  route48.GET,
  route49.GET,
  route49.PATCH,
  route50.POST,
  route51.POST,
  route51.GET,
  route52.GET,
  route53.POST,
  route54.POST,
  route54.GET,
  route55.POST,
  route56.POST,
  route56.GET,
  route56.PATCH,
  route57.POST,
  route58.POST,
  route59.GET,
  route60.POST,
  route61.POST,
  route62.POST,
  route63.GET,
  route63.PATCH,
  route63.DELETE,
  route64.POST,
  route64.GET,
];
