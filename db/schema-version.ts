/**
 * The version of the schema this code is written for: of the migrations, the policies and the rows written after them.
 * A release that only expands raises `minor`, and code of the release before runs on it. A release that takes
 * something away raises `major`, and older code refuses to start. Each migration names its version in its first line.
 */
export const SCHEMA_VERSION: SchemaVersion = { major: 1, minor: 0 };

export interface SchemaVersion {
  readonly major: number;
  readonly minor: number;
}

/** ready: this code may serve; behind: migrations of this code are missing; ahead: only newer code may serve. */
export type SchemaStanding = "ready" | "behind" | "ahead";

export function standingOf(stored: SchemaVersion | undefined): SchemaStanding {
  if (stored === undefined) return "behind";
  if (stored.major !== SCHEMA_VERSION.major) return stored.major > SCHEMA_VERSION.major ? "ahead" : "behind";
  return stored.minor < SCHEMA_VERSION.minor ? "behind" : "ready";
}

/** Below 0: `one` is the older. */
export const compareVersions = (one: SchemaVersion, other: SchemaVersion): number =>
  one.major - other.major || one.minor - other.minor;

export const versionText = ({ major, minor }: SchemaVersion): string => `${major}.${minor}`;
