import { Archive, type LucideIcon, ShieldAlert } from "lucide-react";
import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { type ReactNode, Suspense } from "react";
import { findSignedIn } from "@/app/(auth)/signed-in";
import { signOutAction, switchAccountAction } from "@/app/(dashboard)/dashboard/actions";
import { placesFor } from "@/app/(dashboard)/dashboard/settings/places";
import { NoticeBell } from "@/app/(dashboard)/notice-bell";
import { roleNamer, roleTexts } from "@/app/(dashboard)/role-texts";
import { PreferenceControls } from "@/app/preference-controls";
import { Keyboard } from "@/components/dashboard/keyboard";
import { SECTIONS, type Section } from "@/components/dashboard/sections";
import { Shell } from "@/components/dashboard/shell";
import { SearchBox } from "@/components/search/search-box";
import { isClosed, may, type Right } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";

/** What opens with which right; home is everybody's, and the settings open with any of theirs. */
const SECTION_RIGHTS: Record<Exclude<Section, "home" | "settings">, Right> = {
  payments: "payments.see",
  reviews: "payments.see",
  disputes: "disputes.see",
  links: "payments.see",
  customers: "payments.see",
  merchants: "merchants.see",
  keys: "keys.manage",
  webhooks: "webhooks.see",
  requests: "requests.see",
  sandbox: "sandbox.control",
  proof: "proof.see",
  audit: "audit.see",
};

function sectionsFor(account: { role: OperatorRole; mode: "sandbox" | "live" } | undefined): Section[] {
  return SECTIONS.map(({ name }) => name).filter((name) => {
    if (name === "home") return true;
    if (!account) return false;
    if (name === "settings") return placesFor(account.role).length > 0;
    return may(account.role, SECTION_RIGHTS[name]) && (name !== "sandbox" || account.mode === "sandbox");
  });
}

export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const signedIn = await findSignedIn();
  // The page itself sends to sign-in, and knows where to come back to.
  if (!signedIn) return children;
  const { operator, account, accounts, withoutFactor } = signedIn;
  const lookedAt = account ?? withoutFactor;
  const t = await getTranslations("dashboard");
  const pages = await getTranslations("pages");
  const nameOf = roleNamer(await roleTexts());
  const shown = accounts.map(({ id, name, mode, role }) => ({ id, name, mode, role: nameOf(role) }));
  const search = await getTranslations("search");
  const keys = await getTranslations("keyboard");
  const names = sectionNames(t);
  const open = withoutFactor ? [] : sectionsFor(account);
  const places = SECTIONS.filter(({ name }) => open.includes(name));
  return (
    <Shell
      operator={{ name: operator.name, email: operator.email }}
      account={shown.find(({ id }) => id === lookedAt?.id)}
      accounts={shown}
      sections={open}
      search={
        account ? (
          <SearchBox
            pages={places.map(({ name, href }) => ({ href, text: names[name] }))}
            texts={{
              open: search("open"),
              label: search("label"),
              placeholder: search("placeholder"),
              nothing: search("nothing"),
              failed: search("failed"),
              goTo: search("goTo"),
              recent: search("recent"),
              stillLooking: search("stillLooking"),
              keys: search("keys"),
            }}
          />
        ) : null
      }
      preferences={
        <>
          {account ? (
            <Keyboard
              title={keys("title")}
              label={keys("open")}
              single={{ label: keys("single"), hint: keys("singleHint") }}
              places={places.map(({ letter, href }) => ({ letter, href }))}
              groups={[
                {
                  title: keys("go"),
                  keys: [
                    ...places.map(({ letter, name }) => ({ keys: `g ${letter}`, text: names[name] })),
                    ...(shown.length > 1 ? [{ keys: "g a", text: keys("accounts") }] : []),
                  ],
                },
                {
                  title: keys("everywhere"),
                  keys: [
                    { keys: "/", text: keys("search") },
                    { keys: "Ctrl K", text: keys("searchAll") },
                    { keys: "?", text: keys("title") },
                    { keys: "w", text: keys("why") },
                    { keys: "n", text: keys("new") },
                    { keys: "e", text: keys("export") },
                    { keys: "Esc", text: keys("close") },
                  ],
                },
                {
                  title: keys("lists"),
                  keys: [
                    { keys: "j", text: keys("next") },
                    { keys: "k", text: keys("previous") },
                    { keys: "Enter", text: keys("openRow") },
                    { keys: "x", text: keys("select") },
                    { keys: "Shift x", text: keys("selectRange") },
                    { keys: ".", text: keys("rowActions") },
                    { keys: "f", text: keys("filters") },
                    { keys: "v", text: keys("views") },
                  ],
                },
                {
                  title: keys("payment"),
                  keys: [
                    { keys: "r", text: keys("refund") },
                    { keys: "c", text: keys("capture") },
                    { keys: "u", text: keys("recheck") },
                    { keys: "y", text: keys("copyId") },
                    { keys: "[", text: keys("previousPayment") },
                    { keys: "]", text: keys("nextPayment") },
                  ],
                },
              ]}
            />
          ) : null}
          {account ? (
            <Suspense fallback={<span className="size-9" />}>
              <NoticeBell />
            </Suspense>
          ) : null}
          <PreferenceControls />
        </>
      }
      onSignOut={signOutAction}
      onSwitchAccount={switchAccountAction}
      texts={{
        skipToContent: pages("skipToContent"),
        menu: t("menu"),
        navigation: t("navigation"),
        ...names,
        groupSetup: t("groupSetup"),
        groupAccount: t("groupAccount"),
        docs: t("docs"),
        sandbox: t("accountSandbox"),
        live: t("accountLive"),
        sandboxBand: t("sandboxBand"),
        switchAccount: t("accountSwitch"),
        userMenu: t("userMenu", { name: operator.name }),
        signOut: t("signOut"),
        yourProfile: t("yourProfile"),
        yourSecurity: t("yourSecurity"),
      }}
    >
      {account && isClosed(account.role) ? (
        <FrameNotice
          icon={Archive}
          text={t("closedNotice")}
          link={{ href: "/dashboard/settings/account", text: t("closedLink") }}
        />
      ) : null}
      {withoutFactor ? (
        <FrameNotice icon={ShieldAlert} text={t("factorNotice", { account: withoutFactor.name })} />
      ) : null}
      {children}
    </Shell>
  );
}

interface FrameNoticeProps {
  icon: LucideIcon;
  text: string;
  link?: { href: string; text: string };
}

/** Above every page, until what it tells of is mended. */
function FrameNotice({ icon: Icon, text, link }: FrameNoticeProps) {
  return (
    <p className="mb-6 flex flex-wrap items-center gap-x-3 gap-y-1 rounded-md bg-warning-soft px-4 py-2.5 text-sm text-warning">
      <Icon aria-hidden className="size-4 shrink-0" />
      {text}
      {link ? (
        <Link href={link.href} className="rounded-sm font-medium underline underline-offset-4 hover:no-underline">
          {link.text}
        </Link>
      ) : null}
    </p>
  );
}

const sectionNames = (t: Awaited<ReturnType<typeof getTranslations<"dashboard">>>): Record<Section, string> => ({
  home: t("home"),
  payments: t("payments"),
  reviews: t("reviews"),
  disputes: t("disputes"),
  links: t("links"),
  customers: t("customers"),
  merchants: t("merchants"),
  keys: t("keys"),
  webhooks: t("webhooks"),
  requests: t("requests"),
  sandbox: t("sandboxSection"),
  proof: t("proof"),
  audit: t("audit"),
  settings: t("settings"),
});
