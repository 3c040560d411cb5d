import { cookies } from "next/headers";
import { getLocale } from "next-intl/server";
import { chooseLocale, chooseTheme } from "@/app/preferences";
import { LocaleSwitch } from "@/components/ui/locale-switch";
import { ThemeToggle } from "@/components/ui/theme-toggle";
import { THEME_COOKIE, themeOf } from "@/lib/i18n/theme";

export async function PreferenceControls() {
  const theme = themeOf((await cookies()).get(THEME_COOKIE)?.value);
  return (
    <>
      <LocaleSwitch locale={await getLocale()} onChoose={chooseLocale} />
      <ThemeToggle theme={theme} onChoose={chooseTheme} />
    </>
  );
}
