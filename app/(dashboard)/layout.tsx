import { Archive, type LucideIcon, ShieldAlert } from "lucide-react";
import { cookies } from "next/headers";
import Link from "next/link";
import { getFormatter, getTranslations } from "next-intl/server";
import { type ReactNode, Suspense } from "react";
import { findSignedIn } from "@/app/(auth)/signed-in";
import { signOutAction, switchAccountAction } from "@/app/(dashboard)/dashboard/actions";
import { NoticeBell } from "@/app/(dashboard)/notice-bell";
import { roleNamer, roleTexts } from "@/app/(dashboard)/role-texts";
import { searchPlaces } from "@/app/(dashboard)/search-places";
import { groupNamer, SECTION_GROUPS, type SectionGroup, sectionNamer, sectionsFor } from "@/app/(dashboard)/sections";
import { waitingNow } from "@/app/(dashboard)/waiting";
import { PreferenceControls } from "@/app/preference-controls";
import { CLOSED_GROUPS_COOKIE, closedGroupsIn } from "@/components/dashboard/closed-groups";
import { Keyboard } from "@/components/dashboard/keyboard";
import { LeavingGuard } from "@/components/dashboard/leaving-guard";
import { Navigation } from "@/components/dashboard/navigation";
import { Shell } from "@/components/dashboard/shell";
import { TravelBar } from "@/components/dashboard/travel-bar";
import { SearchBox } from "@/components/search/search-box";
import { loadAccount } from "@/lib/accounts/service";
import { isClosed, may } from "@/lib/operators/permissions";
import { isOnRealTime, nowOn } from "@/lib/time";

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
  const [nameSection, nameGroup] = await Promise.all([sectionNamer(), groupNamer()]);
  const closed = closedGroupsIn((await cookies()).get(CLOSED_GROUPS_COOKIE)?.value);
  const open = withoutFactor ? [] : sectionsFor(account);
  const clock = account?.mode === "sandbox" ? await testClockText(account.id) : undefined;
  const places = open.map((section) => ({ ...section, text: nameSection(section) }));
  // Guarantee: the keys of the table are the groups.
  const groups = (Object.keys(SECTION_GROUPS) as SectionGroup[])
    .map((key) => ({
      key,
      title: nameGroup(key),
      items: places
        .filter(({ group }) => group === key)
        .map(({ href, text, icon: Icon }) => ({ href, text, icon: <Icon key={href} aria-hidden /> })),
    }))
    .filter(({ items }) => items.length > 0);
  return (
    <Shell
      operator={{ name: operator.name, email: operator.email }}
      account={shown.find(({ id }) => id === lookedAt?.id)}
      accounts={shown}
      navigation={
        <Navigation
          groups={groups}
          closed={closed}
          waiting={account ? waitingNow() : Promise.resolve({})}
          texts={{ label: t("navigation"), docs: t("docs"), waiting: t("waiting") }}
        />
      }
      search={
        account ? (
          <SearchBox
            pages={await searchPlaces(account)}
            texts={{
              open: search("open"),
              label: search("label"),
              placeholder: search(may(account.role, "buyers.see") ? "placeholder" : "placeholderMasked"),
              nothing: search("nothing"),
              inPayments: may(account.role, "payments.see") ? search("inPayments") : undefined,
              failed: search("failed"),
              goTo: search("goTo"),
              recent: search("recent"),
              looking: search("looking"),
              stillLooking: search("stillLooking"),
              keys: search("keys"),
            }}
          />
        ) : null
      }
      preferences={
        <>
          <LeavingGuard
            text={t("offline")}
            question={{
              typed: t("leaveTyped"),
              changed: t("leaveChanged"),
              text: t("leaveText"),
              keep: t("leaveKeep"),
              discard: t("leaveDiscard"),
            }}
          />
          <TravelBar label={t("pageComing")} />
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
                    ...places.map(({ letter, text }) => ({ keys: `g ${letter}`, text })),
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
                    { keys: "b", text: keys("selection") },
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
        home: t("home"),
        sandbox: t("accountSandbox"),
        live: t("accountLive"),
        sandboxBand: clock ? t("sandboxBandClock", { clock }) : t("sandboxBand"),
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

/** What a sandbox account's clock shows, unless it is the present. */
async function testClockText(clientId: string): Promise<string | undefined> {
  const [{ clock }, format] = await Promise.all([loadAccount(clientId), getFormatter()]);
  return isOnRealTime(clock) ? undefined : format.dateTime(nowOn(clock), { dateStyle: "medium", timeStyle: "short" });
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
