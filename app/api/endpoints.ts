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
import * as route11 from "@/app/api/v1/charges/[id]/refund-documents/[documentId]/route";
import * as route12 from "@/app/api/v1/charges/[id]/refund-documents/route";
import * as route13 from "@/app/api/v1/charges/[id]/route";
import * as route14 from "@/app/api/v1/charges/[id]/void/route";
import * as route15 from "@/app/api/v1/charges/route";
import * as route16 from "@/app/api/v1/customers/[id]/cards/[cardId]/route";
import * as route17 from "@/app/api/v1/customers/[id]/cards/route";
import * as route18 from "@/app/api/v1/customers/[id]/route";
import * as route19 from "@/app/api/v1/customers/route";
import * as route20 from "@/app/api/v1/dry-runs/route";
import * as route21 from "@/app/api/v1/events/[id]/route";
import * as route22 from "@/app/api/v1/events/route";
import * as route23 from "@/app/api/v1/explanations/route";
import * as route24 from "@/app/api/v1/flows/[id]/changes/route";
import * as route25 from "@/app/api/v1/flows/[id]/replays/[replayId]/route";
import * as route26 from "@/app/api/v1/flows/[id]/replays/route";
import * as route27 from "@/app/api/v1/flows/[id]/restore/route";
import * as route28 from "@/app/api/v1/flows/[id]/route";
import * as route29 from "@/app/api/v1/flows/route";
import * as route30 from "@/app/api/v1/flows/simulations/route";
import * as route31 from "@/app/api/v1/invariants/route";
import * as route32 from "@/app/api/v1/logs/route";
import * as route33 from "@/app/api/v1/merchants/[id]/platform-fee/[platformFeeId]/route";
import * as route34 from "@/app/api/v1/merchants/[id]/platform-fee/enabled/route";
import * as route35 from "@/app/api/v1/merchants/[id]/platform-fee/route";
import * as route36 from "@/app/api/v1/merchants/[id]/providers/route";
import * as route37 from "@/app/api/v1/merchants/[id]/route";
import * as route38 from "@/app/api/v1/merchants/route";
import * as route39 from "@/app/api/v1/payouts/balance/route";
import * as route40 from "@/app/api/v1/payouts/orders/[id]/route";
import * as route41 from "@/app/api/v1/payouts/orders/route";
import * as route42 from "@/app/api/v1/payouts/payment-batches/[id]/lines/route";
import * as route43 from "@/app/api/v1/payouts/payment-batches/[id]/orders/route";
import * as route44 from "@/app/api/v1/payouts/payment-batches/[id]/route";
import * as route45 from "@/app/api/v1/payouts/payment-batches/route";
import * as route46 from "@/app/api/v1/providers/[id]/notifications/[rest]/route";
import * as route47 from "@/app/api/v1/providers/[id]/notifications/route";
import * as route48 from "@/app/api/v1/providers/[id]/route";
import * as route49 from "@/app/api/v1/purchases/[id]/capture/route";
import * as route50 from "@/app/api/v1/purchases/[id]/route";
import * as route51 from "@/app/api/v1/purchases/[id]/void/route";
import * as route52 from "@/app/api/v1/purchases/route";
import * as route53 from "@/app/api/v1/reports/[id]/files.zip/route";
import * as route54 from "@/app/api/v1/reports/[id]/files/[pageNumber]/route";
import * as route55 from "@/app/api/v1/reports/[id]/manifest/route";
import * as route56 from "@/app/api/v1/reports/[id]/route";
import * as route57 from "@/app/api/v1/reports/fields/route";
import * as route58 from "@/app/api/v1/reports/manifest-key/route";
import * as route59 from "@/app/api/v1/reports/route";
import * as route60 from "@/app/api/v1/reports/schedules/[id]/route";
import * as route61 from "@/app/api/v1/reports/schedules/route";
import * as route62 from "@/app/api/v1/sandbox/boletos/[chargeId]/pay/route";
import * as route63 from "@/app/api/v1/sandbox/calls/route";
import * as route64 from "@/app/api/v1/sandbox/charges/[id]/chargeback/reverse/route";
import * as route65 from "@/app/api/v1/sandbox/charges/[id]/chargeback/route";
import * as route66 from "@/app/api/v1/sandbox/clock/route";
import * as route67 from "@/app/api/v1/sandbox/ledger/route";
import * as route68 from "@/app/api/v1/sandbox/outcomes/route";
import * as route69 from "@/app/api/v1/sandbox/pix/[txid]/med/route";
import * as route70 from "@/app/api/v1/sandbox/pix/[txid]/pay/route";
import * as route71 from "@/app/api/v1/sandbox/scenarios/[id]/route";
import * as route72 from "@/app/api/v1/sandbox/scenarios/route";
import * as route73 from "@/app/api/v1/sandbox/settings/route";
import * as route74 from "@/app/api/v1/sellers/[id]/registration-reviews/[reviewId]/route";
import * as route75 from "@/app/api/v1/sellers/[id]/registration-reviews/[reviewId]/submit/route";
import * as route76 from "@/app/api/v1/sellers/[id]/registration-reviews/route";
import * as route77 from "@/app/api/v1/sellers/[id]/route";
import * as route78 from "@/app/api/v1/sellers/documents/[documentId]/route";
import * as route79 from "@/app/api/v1/sellers/documents/route";
import * as route80 from "@/app/api/v1/sellers/route";
import * as route81 from "@/app/api/v1/sessions/[id]/cancel/route";
import * as route82 from "@/app/api/v1/sessions/[id]/charge/route";
import * as route83 from "@/app/api/v1/sessions/[id]/history/route";
import * as route84 from "@/app/api/v1/sessions/[id]/link/route";
import * as route85 from "@/app/api/v1/sessions/[id]/route";
import * as route86 from "@/app/api/v1/sessions/cards/route";
import * as route87 from "@/app/api/v1/sessions/customers/[id]/cards/route";
import * as route88 from "@/app/api/v1/sessions/customers/[id]/route";
import * as route89 from "@/app/api/v1/sessions/customers/route";
import * as route90 from "@/app/api/v1/sessions/route";
import * as route91 from "@/app/api/v1/sessions/tokens/route";
import * as route92 from "@/app/api/v1/settings/route";
import * as route93 from "@/app/api/v1/subacquirer/plans/[id]/route";
import * as route94 from "@/app/api/v1/subacquirer/plans/route";
import * as route95 from "@/app/api/v1/subacquirer/prepayment/[id]/commit/route";
import * as route96 from "@/app/api/v1/subacquirer/prepayment/[id]/route";
import * as route97 from "@/app/api/v1/subacquirer/prepayment/receivables/route";
import * as route98 from "@/app/api/v1/subacquirer/prepayment/route";
import * as route99 from "@/app/api/v1/subscriptions/[id]/cancel/route";
import * as route100 from "@/app/api/v1/subscriptions/[id]/cycles/[cycleId]/retry/route";
import * as route101 from "@/app/api/v1/subscriptions/[id]/cycles/[cycleId]/route";
import * as route102 from "@/app/api/v1/subscriptions/[id]/cycles/route";
import * as route103 from "@/app/api/v1/subscriptions/[id]/pause/route";
import * as route104 from "@/app/api/v1/subscriptions/[id]/preview/route";
import * as route105 from "@/app/api/v1/subscriptions/[id]/resume/route";
import * as route106 from "@/app/api/v1/subscriptions/[id]/route";
import * as route107 from "@/app/api/v1/subscriptions/route";
import * as route108 from "@/app/api/v1/subscriptions/settings/route";
import * as route109 from "@/app/api/v1/tokens/route";
import * as route110 from "@/app/api/v1/vendors/[id]/route";
import * as route111 from "@/app/api/v1/vendors/route";
import * as route112 from "@/app/api/v1/webhooks/[id]/deliveries/[deliveryId]/resend/route";
import * as route113 from "@/app/api/v1/webhooks/[id]/deliveries/route";
import * as route114 from "@/app/api/v1/webhooks/[id]/listen/route";
import * as route115 from "@/app/api/v1/webhooks/[id]/replay/route";
import * as route116 from "@/app/api/v1/webhooks/[id]/rotate-key/route";
import * as route117 from "@/app/api/v1/webhooks/[id]/route";
import * as route118 from "@/app/api/v1/webhooks/route";
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
  route12.POST,
  route12.GET,
  route13.GET,
  route13.POST,
  route14.POST,
  route15.POST,
  route15.GET,
  route16.DELETE,
  route17.POST,
  route17.GET,
  route18.GET,
  route18.PATCH,
  route18.DELETE,
  route19.POST,
  route19.GET,
  route20.POST,
  route21.GET,
  route22.GET,
  route23.GET,
  route24.GET,
  route25.GET,
  route25.DELETE,
  route26.POST,
  route27.POST,
  route28.GET,
  route28.PATCH,
  route29.POST,
  route29.GET,
  route30.POST,
  route31.GET,
  route32.GET,
  route33.DELETE,
  route34.PATCH,
  route35.POST,
  route35.GET,
  route35.PUT,
  route36.POST,
  route37.GET,
  route37.PATCH,
  route37.DELETE,
  route38.POST,
  route38.GET,
  route39.GET,
  route40.GET,
  route41.GET,
  route42.GET,
  route43.GET,
  route44.GET,
  route45.GET,
  route46.POST,
  route46.GET,
  route47.POST,
  route47.GET,
  route48.PATCH,
  route48.DELETE,
  route49.POST,
  route50.GET,
  route51.POST,
  route52.POST,
  route52.GET,
  route53.GET,
  route54.GET,
  route55.GET,
  route56.GET,
  route56.DELETE,
  route57.GET,
  route58.GET,
  route59.POST,
  route59.GET,
  route60.DELETE,
  route61.POST,
  route61.GET,
  route62.POST,
  route63.GET,
  route64.POST,
  route65.POST,
  route66.GET,
  route66.POST,
  route67.GET,
  route68.GET,
  route69.POST,
  route70.POST,
  route71.DELETE,
  route72.POST,
  route72.GET,
  route73.GET,
  route73.PATCH,
  route74.GET,
  route75.POST,
  route76.GET,
  route76.POST,
  route77.GET,
  route77.PATCH,
  route77.DELETE,
  route78.GET,
  route78.DELETE,
  route79.POST,
  route79.GET,
  route80.POST,
  route80.GET,
  route80.PATCH,
  route80.DELETE,
  route81.POST,
  route82.POST,
  route83.GET,
  route84.GET,
  route85.GET,
  route85.PATCH,
  route86.POST,
  route87.POST,
  route87.GET,
  route88.GET,
  route89.POST,
  route90.POST,
  route90.GET,
  route91.POST,
  route92.POST,
  route92.GET,
  route92.PATCH,
  route93.GET,
  route94.GET,
  route95.POST,
  route96.GET,
  route97.GET,
  route98.POST,
  route98.GET,
  route99.PATCH,
  route99.POST,
  route100.POST,
  route101.GET,
  route102.GET,
  route103.PATCH,
  route103.POST,
  route104.GET,
  route105.PATCH,
  route105.POST,
  route106.GET,
  route106.PUT,
  route107.POST,
  route107.GET,
  route108.GET,
  route108.PATCH,
  route109.POST,
  route110.GET,
  route110.PATCH,
  route110.DELETE,
  route111.POST,
  route111.GET,
  route112.POST,
  route113.GET,
  route114.POST,
  route115.POST,
  route116.POST,
  route117.GET,
  route117.PATCH,
  route117.DELETE,
  route118.POST,
  route118.GET,
];
