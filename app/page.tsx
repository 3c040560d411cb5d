import { Clock3, Database, GitBranch, HelpCircle, LockKeyhole, Repeat1 } from "lucide-react";
import { getLocale, getTranslations } from "next-intl/server";
import { PreferenceControls } from "@/app/preference-controls";
import { Wordmark } from "@/components/brand/wordmark";
import { money } from "@/components/checkout/formats";
import { boletoCommand, cardCommand, keysCommand, payPixCommand, pixCommand } from "@/components/onboarding/commands";
import { CommandTabs } from "@/components/start/command-tabs";
import { Promises } from "@/components/start/promises";
import { RouteDiagram } from "@/components/start/route-diagram";
import { SiteHeader } from "@/components/start/site-header";
import { TestCards } from "@/components/start/test-cards";
import { CodeBlock } from "@/components/ui/code-block";
import { LinkButton } from "@/components/ui/link-button";
import { demoFileExpression } from "@/lib/demo-file";
import { demoSessionId } from "@/lib/demo-link";
import { env } from "@/lib/env";
import { DEFAULT_LOCALE, isLocale } from "@/lib/i18n/locales";
import { sandboxPan } from "@/lib/reference/sandbox-pans";
import { paymentLinkOf } from "@/lib/sessions/serializer";

/** Of the payment that the diagram follows. */
const DIAGRAM_CENTS = 10_500;
const FIRST_CHARGE = "first-charge";
/** Three beside each other on the narrowest desktop. */
const IN_A_ROW = "lg:px-3.5 xl:px-5";

export default async function StartPage() {
  const t = await getTranslations("start");
  const spoken = await getLocale();
  const locale = isLocale(spoken) ? spoken : DEFAULT_LOCALE;
  const demo = demoSessionId(env().TRILHO_DATA_DIR);
  const pages = await getTranslations("pages");
  const testCard = (number: string, outcome: string) => ({ number, outcome, copyLabel: t("copyNumber", { outcome }) });
  return (
    <>
      <a
        href="#content"
        className="sr-only z-50 rounded-md bg-accent px-4 py-2 text-on-accent focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        {pages("skipToContent")}
      </a>
      <SiteHeader
        navigationLabel={t("menu")}
        links={[
          { href: `#${FIRST_CHARGE}`, text: t("chargeLink") },
          { href: "/docs", text: t("docs") },
        ]}
        action={{ href: "/dashboard", text: t("dashboard") }}
        preferences={<PreferenceControls />}
      />
      <main id="content">
        <section className="mx-auto grid max-w-6xl items-center gap-14 px-5 pt-14 pb-20 sm:px-8 sm:pt-20 sm:pb-28 lg:grid-cols-[1.3fr_1fr] lg:gap-10">
          <div>
            <p className="font-medium text-accent-ink text-sm">{t("eyebrow")}</p>
            <h1 className="mt-4 font-semibold text-4xl text-ink sm:text-5xl">{t("heroTitle")}</h1>
            <p className="mt-6 max-w-xl text-ink-2 text-lg sm:text-xl">{t("heroText")}</p>
            <div className="mt-9 flex flex-wrap gap-2">
              <LinkButton href={`#${FIRST_CHARGE}`} tone="primary" size="lg" className={IN_A_ROW}>
                {t("ctaCharge")}
              </LinkButton>
              {demo ? (
                <LinkButton href={paymentLinkOf(demo)} size="lg" prefetch={false} className={IN_A_ROW}>
                  {t("ctaCheckout")}
                </LinkButton>
              ) : null}
              <LinkButton href="/docs" size="lg" prefetch={false} className={IN_A_ROW}>
                {t("ctaDocs")}
              </LinkButton>
            </div>
          </div>
          <RouteDiagram
            texts={{
              caption: t("diagramCaption"),
              charge: t("diagramCharge"),
              amount: t("diagramAmount", { amount: money(locale, DIAGRAM_CENTS, "BRL") }),
              attempt: t("diagramAttempt"),
              declined: t("diagramDeclined"),
              approved: t("diagramApproved"),
              ledger: t("diagramLedger"),
              providerA: t("diagramProvider", { letter: "A" }),
              providerB: t("diagramProvider", { letter: "B" }),
            }}
          />
        </section>
        <Promises
          title={t("promisesTitle")}
          text={t("promisesText")}
          promises={[
            { icon: Repeat1, title: t("promiseOnceTitle"), text: t("promiseOnceText") },
            { icon: GitBranch, title: t("promiseRouteTitle"), text: t("promiseRouteText") },
            { icon: HelpCircle, title: t("promiseTruthTitle"), text: t("promiseTruthText") },
            { icon: LockKeyhole, title: t("promiseVaultTitle"), text: t("promiseVaultText") },
            { icon: Clock3, title: t("promiseClockTitle"), text: t("promiseClockText") },
            { icon: Database, title: t("promisePostgresTitle"), text: t("promisePostgresText") },
          ]}
        />
        <section id={FIRST_CHARGE} className="mx-auto max-w-6xl px-5 py-20 sm:px-8 sm:py-24">
          <div className="max-w-2xl">
            <h2 className="font-semibold text-3xl text-ink">{t("chargeTitle")}</h2>
            <p className="mt-4 text-ink-2 text-lg">{t("chargeIntro")}</p>
          </div>
          <div className="mt-12 grid grid-cols-1 gap-x-14 gap-y-12 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.15fr)]">
            <div className="grid grid-cols-1 content-start gap-10">
              <CodeBlock
                title={t("keysStep")}
                code={keysCommand(demoFileExpression(env().TRILHO_DATA_DIR))}
                copyLabel={t("copyCommand")}
              />
              <TestCards
                title={t("testCardsTitle")}
                text={t("testCardsText")}
                columns={{ number: t("testCardsColumnNumber"), outcome: t("testCardsColumnOutcome") }}
                cards={[
                  testCard(sandboxPan("approve"), t("outcomeApproved")),
                  testCard(sandboxPan("decline:insufficient_funds"), t("outcomeFunds")),
                  testCard(sandboxPan("timeout_authorised_at_provider"), t("outcomeTimeout")),
                  testCard(sandboxPan("pending_then_approved"), t("outcomePending")),
                  testCard(sandboxPan("chargeback_full"), t("outcomeChargeback")),
                ]}
              />
            </div>
            <CommandTabs
              label={t("chargeTitle")}
              copyLabel={t("copyCommand")}
              tabs={[
                {
                  id: "card",
                  name: t("tabCard"),
                  text: t("chargeCardText"),
                  commands: [{ title: "POST /v1/charges", code: cardCommand }],
                },
                {
                  id: "pix",
                  name: t("tabPix"),
                  text: t("chargePixText"),
                  commands: [
                    { title: "POST /v1/charges", code: pixCommand },
                    { title: "POST /v1/sandbox/pix/{id}/pay", code: payPixCommand },
                  ],
                },
                {
                  id: "boleto",
                  name: t("tabBoleto"),
                  text: t("chargeBoletoText"),
                  commands: [{ title: "POST /v1/charges", code: boletoCommand }],
                },
              ]}
            />
          </div>
        </section>
      </main>
      <footer className="border-line border-t">
        <div className="track h-3 opacity-70" aria-hidden />
        <div className="mx-auto flex max-w-6xl flex-wrap items-center gap-x-8 gap-y-4 px-5 py-10 text-sm sm:px-8">
          <Wordmark />
          <p className="text-ink-3">{t("footerLicence")}</p>
          <nav aria-label={t("footerNavigation")} className="flex flex-wrap gap-x-6 gap-y-2 sm:ml-auto">
            <a href="/docs" className="rounded-sm text-ink-2 hover:text-ink hover:underline">
              {t("docs")}
            </a>
            <a href="/openapi.json" className="rounded-sm text-ink-2 hover:text-ink hover:underline">
              {t("openapi")}
            </a>
            <a href="/dashboard" className="rounded-sm text-ink-2 hover:text-ink hover:underline">
              {t("dashboard")}
            </a>
          </nav>
        </div>
      </footer>
    </>
  );
}
