import { expect, test } from "vitest";
import { LOCALES } from "@/lib/i18n/locales";
import { messages } from "@/lib/i18n/messages";

test.each(LOCALES)("in %s each way to prove who one is has one name, wherever it is met", (locale) => {
  const { signIn, security, team, dashboard, audit } = messages[locale];
  const [app, passkey] = [security.app, team.factorPasskey].map((name) => name.toLowerCase());
  const ofApp = [
    team.factorApp,
    security.add,
    security.addTitle,
    security.appBeside,
    security.beginText,
    security.codeHint,
    security.firstCodeHint,
    security.doneRemoved,
    security.removeTitle,
    security.removeButton,
    security.passkeysText,
    signIn.codeHint,
    dashboard.factorNotice,
    audit.didTotpAdd,
  ];
  expect(ofApp.filter((text) => !text.toLowerCase().includes(app ?? "?"))).toEqual([]);
  const ofPasskey = [
    signIn.passkey,
    security.passkeyAdd,
    security.passkeyAddTitle,
    security.appBeside,
    dashboard.factorNotice,
    audit.didPasskeyAdd,
  ];
  expect(ofPasskey.filter((text) => !text.toLowerCase().includes(passkey ?? "?"))).toEqual([]);
  expect([signIn.code, signIn.codeHint]).toEqual([security.code, security.codeHint]);
  expect(messages[locale].access.newPassword).toBe(security.newPassword);
});
