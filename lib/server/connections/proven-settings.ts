import "server-only";
import type { EnteredConnection } from "../models/model-port";

type Setting = Pick<EnteredConnection, "apiKey" | "baseUrl">;

/** The settings that were tested last and gave answers, by team and provider: one that is saved then has been used. */
const proven = new Map<string, Setting & { at: Date }>();

const keyOf = (teamId: string, provider: string): string => JSON.stringify([teamId, provider]);

export const noteProven = (teamId: string, provider: string, { apiKey, baseUrl }: Setting): void =>
  void proven.set(keyOf(teamId, provider), { apiKey, baseUrl, at: new Date() });

/** When this setting gave answers; null: it was not tested in this process. */
export function findProven(teamId: string, provider: string, { apiKey, baseUrl }: Setting): Date | null {
  const tested = proven.get(keyOf(teamId, provider));
  return tested && tested.apiKey === apiKey && tested.baseUrl === baseUrl ? tested.at : null;
}
