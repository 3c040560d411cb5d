import { systemDb } from "@/db/client";
import type { Context } from "@/lib/context";
import { newId } from "@/lib/ids";
import type { RoleName } from "@/lib/operators/permissions";
import { createOperator, signIn } from "@/lib/sign-in/service";
import type { TestClient } from "@/lib/testing/api";
import { realNow } from "@/lib/time";

const PASSWORD = "correct horse battery staple";

async function colleague({ clientId }: Pick<TestClient, "clientId">, role: RoleName) {
  const email = `${role}-${newId().slice(-8)}@equipe.example`;
  const { id } = await createOperator(systemDb(), { email, name: role, password: PASSWORD, clientId, role });
  return { id, email };
}

/** A new colleague of an account, as they act in it. */
export async function person(client: TestClient, role: RoleName): Promise<Context> {
  const { id } = await colleague(client, role);
  return { ...(await client.context()), principal: { kind: "operator", operatorId: id } };
}

/** The session of a new colleague; `before` makes of them what else they are to be. */
export async function signedIn(
  client: Pick<TestClient, "clientId">,
  role: RoleName,
  before: (operatorId: string) => Promise<unknown> = async () => undefined,
): Promise<string> {
  const { id, email } = await colleague(client, role);
  await before(id);
  const outcome = await signIn(systemDb(), { email, password: PASSWORD, address: null, userAgent: null }, realNow());
  if (outcome.kind !== "signed_in") throw new Error(outcome.kind);
  return outcome.sessionId;
}
