import { getTranslations } from "next-intl/server";
import { type Place, placesFor } from "@/app/(dashboard)/dashboard/settings/places";
import { type Section, sectionNamer, sectionsFor } from "@/app/(dashboard)/sections";
import type { SearchPlace } from "@/components/search/places";
import type { FrameControl } from "@/components/ui/asked-for";
import { may, type Right } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";

const SETTINGS = {
  brand: "brand",
  protection: "protection",
  alerts: "alerts",
  team: "team",
  account: "account",
  security: "security",
  profile: "profile",
} as const satisfies Record<Place, string>;

interface Action {
  /** Its words are the messages of this name, and with "Also" behind it those that mean the same. */
  name:
    | "refundThis"
    | "captureThis"
    | "refundOne"
    | "captureOne"
    | "seeRefunded"
    | "newLink"
    | "newKey"
    | "newWebhook"
    | "invite"
    | "newAlert"
    | "newFlow"
    | "pauseProvider"
    | "newSeller"
    | "newReport"
    | "newPrepayment"
    | "moveClock";
  href: string;
  right: Right;
  isOfPayment?: boolean;
  only?: "sandbox";
}

/** What can be done from anywhere; each leads to the form that asks before anything happens. */
const ACTIONS: readonly Action[] = [
  { name: "refundThis", href: "{here}?do=refund", right: "payments.refund", isOfPayment: true },
  { name: "captureThis", href: "{here}?do=capture", right: "payments.capture", isOfPayment: true },
  { name: "refundOne", href: "/dashboard/payments?status=authorized", right: "payments.refund", isOfPayment: false },
  {
    name: "captureOne",
    href: "/dashboard/payments?status=pre_authorized",
    right: "payments.capture",
    isOfPayment: false,
  },
  { name: "seeRefunded", href: "/dashboard/payments?status=refunded", right: "payments.see" },
  { name: "newLink", href: "/dashboard/links/new", right: "links.edit" },
  { name: "moveClock", href: "/dashboard/developers/sandbox", right: "sandbox.control", only: "sandbox" },
  { name: "newKey", href: "/dashboard/developers/keys?do=create", right: "keys.manage" },
  { name: "newWebhook", href: "/dashboard/developers/webhooks?do=create", right: "webhooks.edit" },
  { name: "invite", href: "/dashboard/settings/team?do=invite", right: "team.manage" },
  { name: "newFlow", href: "/dashboard/flows?do=create", right: "flows.edit" },
  { name: "pauseProvider", href: "/dashboard/flows", right: "providers.pause" },
  { name: "newSeller", href: "/dashboard/sellers/new", right: "sellers.edit" },
  { name: "newReport", href: "/dashboard/reports/new", right: "reports.create" },
  { name: "newPrepayment", href: "/dashboard/payouts/prepayments/new", right: "prepayment.simulate" },
  { name: "newAlert", href: "/dashboard/settings/alerts?do=create", right: "monitors.edit" },
];

const ACTION_TEXTS = {
  refundThis: { named: "refundThis", also: "refundThisAlso" },
  captureThis: { named: "captureThis", also: "captureThisAlso" },
  refundOne: { named: "refundOne", also: "refundThisAlso" },
  captureOne: { named: "captureOne", also: "captureThisAlso" },
  seeRefunded: { named: "seeRefunded", also: "refundThisAlso" },
  newLink: { named: "newLink", also: "newLinkAlso" },
  newKey: { named: "newKey", also: "newKeyAlso" },
  newWebhook: { named: "newWebhook", also: "newWebhookAlso" },
  invite: { named: "invite", also: "inviteAlso" },
  newFlow: { named: "newFlow", also: "newFlowAlso" },
  pauseProvider: { named: "pauseProvider", also: "pauseProviderAlso" },
  newSeller: { named: "newSeller", also: "newSellerAlso" },
  newReport: { named: "newReport", also: "newReportAlso" },
  newPrepayment: { named: "newPrepayment", also: "newPrepaymentAlso" },
  newAlert: { named: "newAlert", also: "newAlertAlso" },
  moveClock: { named: "moveClock", also: "moveClockAlso" },
} as const satisfies Record<Action["name"], { named: string; also: string }>;

/** Of the frame around every page; each opens by what it is called there. */
const CONTROLS = { theme: "themeAlso", language: "languageAlso", signOut: "signOutAlso" } as const satisfies Record<
  FrameControl,
  string
>;

/** Messages of `search`: what people type who mean a section and call it something else. */
const SECTION_ALSO = {
  home: "alsoHome",
  payments: "alsoPayments",
  reviews: "alsoReviews",
  disputes: "alsoDisputes",
  links: "alsoLinks",
  customers: "alsoCustomers",
  subscriptions: "alsoSubscriptions",
  sellers: "alsoSellers",
  payouts: "alsoPayouts",
  finance: "alsoFinance",
  reports: "alsoReports",
  flows: "alsoFlows",
  merchants: "alsoMerchants",
  keys: "alsoKeys",
  webhooks: "alsoWebhooks",
  requests: "alsoRequests",
  sandbox: "alsoSandbox",
  goingLive: "alsoGoingLive",
  proof: "alsoProof",
  audit: "alsoAudit",
  settings: "alsoSettings",
} as const satisfies Record<Section["name"], string>;

const SETTINGS_ALSO = {
  brand: "alsoSettingsBrand",
  protection: "alsoSettingsProtection",
  alerts: "alsoSettingsAlerts",
  team: "alsoSettingsTeam",
  account: "alsoSettingsAccount",
  security: "alsoSettingsSecurity",
  profile: "alsoSettingsProfile",
} as const satisfies Record<Place, string>;

/** Sections, settings and actions by their names, for the search box; only what the person may open or do. */
export async function searchPlaces(account: { role: OperatorRole; mode: "sandbox" | "live" }): Promise<SearchPlace[]> {
  const [nameOf, settings, t, ui, dashboard] = await Promise.all([
    sectionNamer(),
    getTranslations("settings"),
    getTranslations("search"),
    getTranslations("ui"),
    getTranslations("dashboard"),
  ]);
  const controls = { theme: ui("theme"), language: ui("language"), signOut: dashboard("signOut") };
  return [
    ...ACTIONS.filter(({ right, only }) => may(account.role, right) && (!only || only === account.mode)).map(
      ({ name, href, isOfPayment }) => ({
        href,
        text: t(ACTION_TEXTS[name].named),
        also: t(ACTION_TEXTS[name].also),
        ...(isOfPayment === undefined ? {} : { isOfPayment }),
      }),
    ),
    ...sectionsFor(account).map((section) => ({
      href: section.href,
      text: nameOf(section),
      also: t(SECTION_ALSO[section.name]),
    })),
    // Guarantee: the keys of the table are its controls.
    ...(Object.keys(CONTROLS) as FrameControl[]).map((control) => ({
      href: `#${control}`,
      control,
      text: controls[control],
      also: t(CONTROLS[control]),
    })),
    ...placesFor(account.role).map(({ name, href }) => ({
      href,
      text: settings(SETTINGS[name]),
      also: [settings("title"), t(SETTINGS_ALSO[name])].join(" "),
    })),
  ];
}
