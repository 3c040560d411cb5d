import type { Locale } from "@/lib/i18n/locales";
import enAccess from "@/lib/i18n/messages/en/access.json";
import enAccount from "@/lib/i18n/messages/en/account.json";
import enAddresses from "@/lib/i18n/messages/en/addresses.json";
import enAlerts from "@/lib/i18n/messages/en/alerts.json";
import enAudit from "@/lib/i18n/messages/en/audit.json";
import enAway from "@/lib/i18n/messages/en/away.json";
import enBrand from "@/lib/i18n/messages/en/brand.json";
import enCheckout from "@/lib/i18n/messages/en/checkout.json";
import enCredentials from "@/lib/i18n/messages/en/credentials.json";
import enCustomers from "@/lib/i18n/messages/en/customers.json";
import enDashboard from "@/lib/i18n/messages/en/dashboard.json";
import enDisputes from "@/lib/i18n/messages/en/disputes.json";
import enDocs from "@/lib/i18n/messages/en/docs.json";
import enEventCatalogue from "@/lib/i18n/messages/en/event-catalogue.json";
import enEvents from "@/lib/i18n/messages/en/events.json";
import enExplanations from "@/lib/i18n/messages/en/explanations.json";
import enExports from "@/lib/i18n/messages/en/exports.json";
import enFinance from "@/lib/i18n/messages/en/finance.json";
import enFlows from "@/lib/i18n/messages/en/flows.json";
import enGoingLive from "@/lib/i18n/messages/en/going-live.json";
import enHome from "@/lib/i18n/messages/en/home.json";
import enInvariants from "@/lib/i18n/messages/en/invariants.json";
import enKeyboard from "@/lib/i18n/messages/en/keyboard.json";
import enKeys from "@/lib/i18n/messages/en/keys.json";
import enLinks from "@/lib/i18n/messages/en/links.json";
import enMail from "@/lib/i18n/messages/en/mail.json";
import enMailbox from "@/lib/i18n/messages/en/mailbox.json";
import enMerchants from "@/lib/i18n/messages/en/merchants.json";
import enNotices from "@/lib/i18n/messages/en/notices.json";
import enOperatorMail from "@/lib/i18n/messages/en/operator-mail.json";
import enPages from "@/lib/i18n/messages/en/pages.json";
import enPayments from "@/lib/i18n/messages/en/payments.json";
import enPayouts from "@/lib/i18n/messages/en/payouts.json";
import enPlans from "@/lib/i18n/messages/en/plans.json";
import enPrepayments from "@/lib/i18n/messages/en/prepayments.json";
import enPreview from "@/lib/i18n/messages/en/preview.json";
import enProfile from "@/lib/i18n/messages/en/profile.json";
import enProof from "@/lib/i18n/messages/en/proof.json";
import enProtection from "@/lib/i18n/messages/en/protection.json";
import enReports from "@/lib/i18n/messages/en/reports.json";
import enRequests from "@/lib/i18n/messages/en/requests.json";
import enRetention from "@/lib/i18n/messages/en/retention.json";
import enReviews from "@/lib/i18n/messages/en/reviews.json";
import enRights from "@/lib/i18n/messages/en/rights.json";
import enSalePlans from "@/lib/i18n/messages/en/sale-plans.json";
import enSandbox from "@/lib/i18n/messages/en/sandbox.json";
import enSearch from "@/lib/i18n/messages/en/search.json";
import enSecurity from "@/lib/i18n/messages/en/security.json";
import enSellerMail from "@/lib/i18n/messages/en/seller-mail.json";
import enSellerPage from "@/lib/i18n/messages/en/seller-page.json";
import enSellers from "@/lib/i18n/messages/en/sellers.json";
import enSettings from "@/lib/i18n/messages/en/settings.json";
import enSignIn from "@/lib/i18n/messages/en/sign-in.json";
import enSplit from "@/lib/i18n/messages/en/split.json";
import enStart from "@/lib/i18n/messages/en/start.json";
import enStatements from "@/lib/i18n/messages/en/statements.json";
import enSubscriptions from "@/lib/i18n/messages/en/subscriptions.json";
import enTasks from "@/lib/i18n/messages/en/tasks.json";
import enTeam from "@/lib/i18n/messages/en/team.json";
import enUi from "@/lib/i18n/messages/en/ui.json";
import enWebhooks from "@/lib/i18n/messages/en/webhooks.json";
import ptAccess from "@/lib/i18n/messages/pt-BR/access.json";
import ptAccount from "@/lib/i18n/messages/pt-BR/account.json";
import ptAddresses from "@/lib/i18n/messages/pt-BR/addresses.json";
import ptAlerts from "@/lib/i18n/messages/pt-BR/alerts.json";
import ptAudit from "@/lib/i18n/messages/pt-BR/audit.json";
import ptAway from "@/lib/i18n/messages/pt-BR/away.json";
import ptBrand from "@/lib/i18n/messages/pt-BR/brand.json";
import ptCheckout from "@/lib/i18n/messages/pt-BR/checkout.json";
import ptCredentials from "@/lib/i18n/messages/pt-BR/credentials.json";
import ptCustomers from "@/lib/i18n/messages/pt-BR/customers.json";
import ptDashboard from "@/lib/i18n/messages/pt-BR/dashboard.json";
import ptDisputes from "@/lib/i18n/messages/pt-BR/disputes.json";
import ptDocs from "@/lib/i18n/messages/pt-BR/docs.json";
import ptEventCatalogue from "@/lib/i18n/messages/pt-BR/event-catalogue.json";
import ptEvents from "@/lib/i18n/messages/pt-BR/events.json";
import ptExplanations from "@/lib/i18n/messages/pt-BR/explanations.json";
import ptExports from "@/lib/i18n/messages/pt-BR/exports.json";
import ptFinance from "@/lib/i18n/messages/pt-BR/finance.json";
import ptFlows from "@/lib/i18n/messages/pt-BR/flows.json";
import ptGoingLive from "@/lib/i18n/messages/pt-BR/going-live.json";
import ptHome from "@/lib/i18n/messages/pt-BR/home.json";
import ptInvariants from "@/lib/i18n/messages/pt-BR/invariants.json";
import ptKeyboard from "@/lib/i18n/messages/pt-BR/keyboard.json";
import ptKeys from "@/lib/i18n/messages/pt-BR/keys.json";
import ptLinks from "@/lib/i18n/messages/pt-BR/links.json";
import ptMail from "@/lib/i18n/messages/pt-BR/mail.json";
import ptMailbox from "@/lib/i18n/messages/pt-BR/mailbox.json";
import ptMerchants from "@/lib/i18n/messages/pt-BR/merchants.json";
import ptNotices from "@/lib/i18n/messages/pt-BR/notices.json";
import ptOperatorMail from "@/lib/i18n/messages/pt-BR/operator-mail.json";
import ptPages from "@/lib/i18n/messages/pt-BR/pages.json";
import ptPayments from "@/lib/i18n/messages/pt-BR/payments.json";
import ptPayouts from "@/lib/i18n/messages/pt-BR/payouts.json";
import ptPlans from "@/lib/i18n/messages/pt-BR/plans.json";
import ptPrepayments from "@/lib/i18n/messages/pt-BR/prepayments.json";
import ptPreview from "@/lib/i18n/messages/pt-BR/preview.json";
import ptProfile from "@/lib/i18n/messages/pt-BR/profile.json";
import ptProof from "@/lib/i18n/messages/pt-BR/proof.json";
import ptProtection from "@/lib/i18n/messages/pt-BR/protection.json";
import ptReports from "@/lib/i18n/messages/pt-BR/reports.json";
import ptRequests from "@/lib/i18n/messages/pt-BR/requests.json";
import ptRetention from "@/lib/i18n/messages/pt-BR/retention.json";
import ptReviews from "@/lib/i18n/messages/pt-BR/reviews.json";
import ptRights from "@/lib/i18n/messages/pt-BR/rights.json";
import ptSalePlans from "@/lib/i18n/messages/pt-BR/sale-plans.json";
import ptSandbox from "@/lib/i18n/messages/pt-BR/sandbox.json";
import ptSearch from "@/lib/i18n/messages/pt-BR/search.json";
import ptSecurity from "@/lib/i18n/messages/pt-BR/security.json";
import ptSellerMail from "@/lib/i18n/messages/pt-BR/seller-mail.json";
import ptSellerPage from "@/lib/i18n/messages/pt-BR/seller-page.json";
import ptSellers from "@/lib/i18n/messages/pt-BR/sellers.json";
import ptSettings from "@/lib/i18n/messages/pt-BR/settings.json";
import ptSignIn from "@/lib/i18n/messages/pt-BR/sign-in.json";
import ptSplit from "@/lib/i18n/messages/pt-BR/split.json";
import ptStart from "@/lib/i18n/messages/pt-BR/start.json";
import ptStatements from "@/lib/i18n/messages/pt-BR/statements.json";
import ptSubscriptions from "@/lib/i18n/messages/pt-BR/subscriptions.json";
import ptTasks from "@/lib/i18n/messages/pt-BR/tasks.json";
import ptTeam from "@/lib/i18n/messages/pt-BR/team.json";
import ptUi from "@/lib/i18n/messages/pt-BR/ui.json";
import ptWebhooks from "@/lib/i18n/messages/pt-BR/webhooks.json";

const portuguese = {
  access: ptAccess,
  account: ptAccount,
  addresses: ptAddresses,
  audit: ptAudit,
  checkout: ptCheckout,
  profile: ptProfile,
  security: ptSecurity,
  team: ptTeam,
  rights: ptRights,
  dashboard: ptDashboard,
  docs: ptDocs,
  finance: ptFinance,
  flows: ptFlows,
  goingLive: ptGoingLive,
  home: ptHome,
  invariants: ptInvariants,
  mail: ptMail,
  mailbox: ptMailbox,
  operatorMail: ptOperatorMail,
  search: ptSearch,
  keyboard: ptKeyboard,
  statements: ptStatements,
  subscriptions: ptSubscriptions,
  tasks: ptTasks,
  keys: ptKeys,
  merchants: ptMerchants,
  credentials: ptCredentials,
  customers: ptCustomers,
  reviews: ptReviews,
  webhooks: ptWebhooks,
  links: ptLinks,
  sandbox: ptSandbox,
  pages: ptPages,
  payments: ptPayments,
  payouts: ptPayouts,
  plans: ptPlans,
  prepayments: ptPrepayments,
  disputes: ptDisputes,
  alerts: ptAlerts,
  notices: ptNotices,
  eventCatalogue: ptEventCatalogue,
  events: ptEvents,
  explanations: ptExplanations,
  exports: ptExports,
  proof: ptProof,
  reports: ptReports,
  requests: ptRequests,
  retention: ptRetention,
  salePlans: ptSalePlans,
  sellerMail: ptSellerMail,
  sellerPage: ptSellerPage,
  sellers: ptSellers,
  settings: ptSettings,
  away: ptAway,
  brand: ptBrand,
  preview: ptPreview,
  protection: ptProtection,
  signIn: ptSignIn,
  split: ptSplit,
  start: ptStart,
  ui: ptUi,
};

/** Portuguese is the shape; a language that lacks a message of it does not compile. */
export type Messages = typeof portuguese;

export const messages: Record<Locale, Messages> = {
  "pt-BR": portuguese,
  en: {
    access: enAccess,
    account: enAccount,
    addresses: enAddresses,
    audit: enAudit,
    checkout: enCheckout,
    profile: enProfile,
    security: enSecurity,
    team: enTeam,
    rights: enRights,
    dashboard: enDashboard,
    docs: enDocs,
    finance: enFinance,
    flows: enFlows,
    goingLive: enGoingLive,
    home: enHome,
    invariants: enInvariants,
    mail: enMail,
    mailbox: enMailbox,
    operatorMail: enOperatorMail,
    search: enSearch,
    keyboard: enKeyboard,
    statements: enStatements,
    subscriptions: enSubscriptions,
    tasks: enTasks,
    keys: enKeys,
    merchants: enMerchants,
    credentials: enCredentials,
    customers: enCustomers,
    reviews: enReviews,
    webhooks: enWebhooks,
    links: enLinks,
    sandbox: enSandbox,
    pages: enPages,
    payments: enPayments,
    payouts: enPayouts,
    plans: enPlans,
    prepayments: enPrepayments,
    disputes: enDisputes,
    alerts: enAlerts,
    notices: enNotices,
    eventCatalogue: enEventCatalogue,
    events: enEvents,
    explanations: enExplanations,
    exports: enExports,
    proof: enProof,
    reports: enReports,
    requests: enRequests,
    retention: enRetention,
    salePlans: enSalePlans,
    sellerMail: enSellerMail,
    sellerPage: enSellerPage,
    sellers: enSellers,
    settings: enSettings,
    away: enAway,
    brand: enBrand,
    preview: enPreview,
    protection: enProtection,
    signIn: enSignIn,
    split: enSplit,
    start: enStart,
    ui: enUi,
  },
};
