export interface Instruction {
  /** FROM, COPY, RUN … */
  readonly name: string;
  readonly text: string;
}

export interface Stage {
  readonly name: string;
  readonly base: string;
  readonly instructions: readonly Instruction[];
}

/** The stages of a Dockerfile, in their order: comments and escaped line ends are gone. */
export function parseDockerfile(text: string): Stage[] {
  const stages: { name: string; base: string; instructions: Instruction[] }[] = [];
  const lines = text
    .replaceAll(/^\s*#.*\n/gm, "")
    .replaceAll(/\\\n/g, " ")
    .split("\n");
  for (const line of lines) {
    const [, name, rest] = /^([A-Z]+)\s+(.+)$/.exec(line.trim()) ?? [];
    if (name === undefined || rest === undefined) continue;
    if (name === "FROM") {
      const [, base = "", as = ""] = /^(\S+)(?:\s+AS\s+(\S+))?$/.exec(rest) ?? [];
      stages.push({ name: as, base, instructions: [] });
    } else {
      stages.at(-1)?.instructions.push({ name, text: rest });
    }
  }
  return stages;
}

export interface Copy {
  readonly from: string | undefined;
  readonly sources: readonly string[];
  readonly target: string;
}

export function copyOf({ text }: Instruction): Copy {
  const words = text.split(/\s+/);
  const from = words.find((word) => word.startsWith("--from="))?.slice("--from=".length);
  const paths = words.filter((word) => !word.startsWith("--"));
  return { from, sources: paths.slice(0, -1), target: paths.at(-1) ?? "" };
}

/** The variables an image is given: ENV NAME=value NAME=value. */
export const variablesOf = ({ instructions }: Stage): Record<string, string> =>
  Object.fromEntries(
    instructions
      .filter(({ name }) => name === "ENV")
      .flatMap(({ text }) => text.split(/\s+/).map((pair) => pair.split("=") as [string, string])),
  );

/** The JSON form, which needs no shell. */
export function commandOf(stage: Stage, name: "CMD" | "HEALTHCHECK"): string[] {
  const text = stage.instructions.findLast((instruction) => instruction.name === name)?.text ?? "";
  const list: unknown = JSON.parse(text.slice(text.indexOf("[")));
  if (!Array.isArray(list)) throw new Error(`${name} is not in its JSON form`);
  return list.map(String);
}
