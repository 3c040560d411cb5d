import type { MockReply, MockRequest } from "@/lib/testing/providers/kit/server";

export type Members = Record<string, unknown>;
export const membersOf = (body: unknown): Members => (typeof body === "object" && body !== null ? { ...body } : {});
export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** A request of an account, about an object where its address names one. */
export interface Asked extends MockRequest {
  account: string;
  id: string;
}
export type Route = (request: Asked) => MockReply;

export const refuse = (status: number, message: string): MockReply => ({ status, body: { message } });
