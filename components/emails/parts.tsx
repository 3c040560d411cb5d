import type { ReactNode } from "react";
import { Button, Heading, Link, Section, Text } from "react-email";
import type { Tokens } from "@/lib/branding/palette";

interface Part {
  look: Tokens;
  children: ReactNode;
}

export const Title = ({ look, children }: Part) => (
  <Heading
    as="h1"
    className="text"
    style={{ fontSize: "22px", lineHeight: "30px", fontWeight: 700, color: look.text, margin: "0 0 12px" }}
  >
    {children}
  </Heading>
);

export const Subtitle = ({ look, children }: Part) => (
  <Heading
    as="h2"
    className="text"
    style={{ fontSize: "16px", lineHeight: "24px", fontWeight: 600, color: look.text, margin: "20px 0 6px" }}
  >
    {children}
  </Heading>
);

export const Paragraph = ({ look, children }: Part) => (
  <Text className="text" style={{ fontSize: "16px", lineHeight: "25px", color: look.text, margin: "0 0 14px" }}>
    {children}
  </Text>
);

export const Note = ({ look, children }: Part) => (
  <Text className="muted" style={{ fontSize: "14px", lineHeight: "22px", color: look.muted, margin: "0 0 12px" }}>
    {children}
  </Text>
);

/** Said in words too: the colour alone tells nothing. */
export const Warning = ({ look, children }: Part) => (
  <Text
    className="warning"
    style={{
      fontSize: "16px",
      lineHeight: "25px",
      fontWeight: 600,
      color: look.attention,
      borderLeft: `4px solid ${look.attention}`,
      paddingLeft: "12px",
      margin: "0 0 16px",
    }}
  >
    {children}
  </Text>
);

export const Action = ({ look, href, children }: Part & { href: string }) => (
  <Section style={{ margin: "20px 0" }}>
    <Button
      className="button"
      href={href}
      style={{
        backgroundColor: look.primary,
        color: look.onPrimary,
        borderRadius: "8px",
        fontSize: "16px",
        lineHeight: "24px",
        fontWeight: 600,
        padding: "12px 20px",
        textDecoration: "none",
      }}
    >
      {children}
    </Button>
  </Section>
);

export const Anchor = ({ look, href, children }: Part & { href: string }) => (
  <Link className="link" href={href} style={{ color: look.link, textDecoration: "underline" }}>
    {children}
  </Link>
);

interface CodeProps extends Part {
  /** Typed by hand group by group, as the line of a slip is: none is cut in two. */
  readonly isGrouped?: boolean;
}

/** Text that is copied as it stands: a Pix code, the line of a slip. */
export const Code = ({ look, children, isGrouped = false }: CodeProps) => (
  <Text
    className="code"
    style={{
      fontFamily: "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace",
      fontSize: "14px",
      lineHeight: "22px",
      color: look.text,
      backgroundColor: look.surface,
      border: `1px solid ${look.border}`,
      borderRadius: "8px",
      padding: "12px",
      margin: "0 0 16px",
      ...(isGrouped ? { overflowWrap: "break-word" } : { wordBreak: "break-all" }),
    }}
  >
    {children}
  </Text>
);

/** Read from one screen and typed into another. */
export const TypedCode = ({ look, children }: Part) => (
  <Text
    className="code"
    style={{
      fontSize: "32px",
      lineHeight: "40px",
      fontWeight: 700,
      letterSpacing: "6px",
      textAlign: "center",
      color: look.text,
      backgroundColor: look.surface,
      border: `1px solid ${look.border}`,
      borderRadius: "8px",
      padding: "16px 12px",
      margin: "0 0 16px",
    }}
  >
    {children}
  </Text>
);

export type Fact = readonly [label: string, value: string | null | undefined];

/** What has no value is not shown. A table of text: mail without HTML shows its lines as lines. */
export const Facts = ({ look, facts }: { look: Tokens; facts: readonly Fact[] }) => {
  const cell = {
    fontSize: "14px",
    lineHeight: "21px",
    verticalAlign: "top",
    textAlign: "left",
    padding: "5px 0",
  } as const;
  const shown = facts.filter(([, value]) => value).map(([label, value], line) => ({ line, label, value }));
  if (shown.length === 0) return null;
  return (
    <table
      className="facts"
      role="presentation"
      width="100%"
      style={{ margin: "0 0 16px", borderCollapse: "collapse" }}
    >
      <tbody>
        {shown.map(({ line, label, value }) => (
          <tr key={line}>
            <td className="muted" style={{ ...cell, width: "40%", paddingRight: "12px", color: look.muted }}>
              {label}
            </td>
            <td className="text" style={{ ...cell, color: look.text, wordBreak: "break-word" }}>
              {value}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};
