import { systemDb } from "@/db/client";
import type { Context } from "@/lib/context";
import { newId } from "@/lib/ids";
import type { RoleName } from "@/lib/operators/permissions";
import { createOperator } from "@/lib/sign-in/service";
import type { TestClient } from "@/lib/testing/api";

const PASSWORD = "correct horse battery staple";

/** A new colleague of an account, as they act in it. */
export async function person(client: TestClient, role: RoleName): Promise<Context> {
  const email = `${role}-${newId().slice(-8)}@equipe.example`;
  const { clientId } = client;
  const { id } = await createOperator(systemDb(), { email, name: role, password: PASSWORD, clientId, role });
  return { ...(await client.context()), principal: { kind: "operator", operatorId: id } };
}
