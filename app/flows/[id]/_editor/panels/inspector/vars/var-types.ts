import type { Flow } from "@/lib/core/flow/flow";

export type VarValue = Flow["vars"] extends ReadonlyMap<string, infer Value> ? Value : never;

export const varTypes = ["string", "number", "boolean"] as const;
export type VarType = (typeof varTypes)[number];

export function convertVar(value: VarValue, type: VarType): VarValue {
  if (type === "string") return String(value);
  if (type === "boolean") return typeof value === "string" ? /^(?:true|yes|1)$/i.test(value.trim()) : Boolean(value);
  const number = Number(value);
  return Number.isFinite(number) ? number : 0;
}
