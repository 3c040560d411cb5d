import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { SignInForm, type SignInState } from "@/components/sign-in/sign-in-form";
import { WordsProvider } from "@/components/ui/words";
import { messages } from "@/lib/i18n/messages";

const { signIn: texts } = messages.en;

const shown = (initial?: SignInState): string =>
  renderToStaticMarkup(
    <WordsProvider words={messages.en.ui}>
      <SignInForm
        action={async (state) => state}
        returnTo="/dashboard"
        initial={initial}
        said={texts.signedOut}
        forgot={null}
        texts={{ ...texts, problems: texts }}
      />
    </WordsProvider>,
  );

test("what brought somebody here gives way to the next step and to what went wrong", () => {
  expect(shown()).toContain(texts.signedOut);
  expect(shown({ email: "", challenge: "abc" })).not.toContain(texts.signedOut);
  expect(shown({ email: "a@b.example", problem: "wrong" })).not.toContain(texts.signedOut);
});
