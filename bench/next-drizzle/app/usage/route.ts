import { statementCount } from "../../db";

export const dynamic = "force-dynamic";

export function GET(): Response {
  const { user, system } = process.cpuUsage();
  return Response.json({ cpuSeconds: (user + system) / 1_000_000, statements: statementCount() });
}
