import { FlaskConical } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { Mark } from "@/components/brand/mark";
import { Wordmark } from "@/components/brand/wordmark";
import { AccountSwitcher, type ShownAccount } from "@/components/dashboard/account-switcher";
import { MenuSheet } from "@/components/dashboard/menu-sheet";
import { UserMenu } from "@/components/dashboard/user-menu";

export interface ShellTexts {
  home: string;
  skipToContent: string;
  menu: string;
  sandbox: string;
  live: string;
  sandboxBand: string;
  switchAccount: string;
  userMenu: string;
  signOut: string;
  yourProfile: string;
  yourSecurity: string;
}

interface ShellProps {
  operator: { name: string; email: string };
  account: ShownAccount | undefined;
  accounts: readonly ShownAccount[];
  /** The sections that the person may open. */
  navigation: ReactNode;
  /** Finds everything; stands on every page of an account. */
  search: ReactNode;
  preferences: ReactNode;
  texts: ShellTexts;
  onSignOut: () => Promise<void>;
  onSwitchAccount: (id: string) => Promise<void>;
  children: ReactNode;
}

export function Shell(props: ShellProps) {
  const { operator, account, accounts, navigation, search, preferences, texts, onSignOut, onSwitchAccount, children } =
    props;
  const sections = (
    <>
      {account ? (
        <AccountSwitcher account={account} accounts={accounts} texts={texts} onSwitch={onSwitchAccount} />
      ) : null}
      {navigation}
    </>
  );
  return (
    <div className="min-h-dvh lg:grid print:block! lg:grid-cols-[15.500rem_minmax(0,1fr)]">
      <a
        href="#content"
        className="sr-only z-50 rounded-md bg-accent px-4 py-2 text-on-accent focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        {texts.skipToContent}
      </a>
      <aside className="sticky top-0 hidden h-dvh flex-col gap-4 border-line border-r bg-sunken px-3 py-3 lg:flex">
        <Link href="/dashboard" className="flex h-10 items-center rounded-md px-2">
          <Wordmark />
        </Link>
        {sections}
      </aside>
      <div className="flex min-h-dvh min-w-0 flex-col">
        {account?.mode === "sandbox" ? (
          <section
            aria-label={texts.sandbox}
            className="sandbox-stripes flex min-h-8 items-center justify-center border-line border-b px-4 py-1 text-sandbox text-xs"
          >
            <p className="flex items-center gap-1.5 rounded-full bg-sandbox-soft px-2.5 py-0.5 font-medium">
              <FlaskConical aria-hidden className="size-3.5" />
              {texts.sandboxBand}
            </p>
          </section>
        ) : null}
        <header className="sticky top-0 z-30 flex h-14 items-center gap-1 border-line border-b bg-canvas/90 px-3 backdrop-blur-md sm:px-6">
          <MenuSheet label={texts.menu}>{sections}</MenuSheet>
          <Link href="/dashboard" className="flex items-center rounded-md p-1 lg:hidden">
            <Mark className="text-accent" />
            <span className="sr-only">{texts.home}</span>
          </Link>
          {search}
          <div className="ml-auto flex items-center gap-0.5">
            {preferences}
            <UserMenu
              name={operator.name}
              email={operator.email}
              role={account?.role}
              label={texts.userMenu}
              links={[
                { href: "/dashboard/settings/profile", text: texts.yourProfile },
                { href: "/dashboard/settings/security", text: texts.yourSecurity },
              ]}
              signOutText={texts.signOut}
              onSignOut={onSignOut}
            />
          </div>
        </header>
        <main id="content" className="mx-auto w-full max-w-7xl flex-1 px-4 py-6 sm:px-8 sm:py-7">
          {children}
        </main>
      </div>
    </div>
  );
}
