const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** One attempt as a shell command: the very bytes and signatures, which a receiver refuses after five minutes. */
export const deliveryCurl = (endpoint: string, headers: Readonly<Record<string, string>>, body: string): string =>
  [
    `curl -X POST ${quoted(endpoint)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    `--data-raw ${quoted(body)}`,
  ].join(" \\\n  ");
