import type { NodeResult } from "../events/event-recorder";
import type { RunError } from "../events/events";
import { addUsage, noUsage } from "../events/usage";
import type { ScopeStop } from "./cancel-scope";
import type { RunPosition } from "./engine";

/** A success that used nothing. */
export const toSuccess = (output: string, metadata?: NodeResult["metadata"]): NodeResult => ({
  status: "SUCCESS",
  output,
  usage: noUsage,
  simulated: false,
  ...(metadata && { metadata }),
});

/** The end of something that was stopped, without output. */
export const toStopped = ({ status, error }: ScopeStop): NodeResult => ({
  status,
  output: "",
  usage: noUsage,
  simulated: false,
  error,
});

/** A failure without output. */
export const toFailure = (error: RunError): NodeResult => toStopped({ status: "FAILED", error });

/** How a node ends whose child did not succeed. A time limit of the child alone is a failure of its parent. */
export const toParentOutcome = (
  { scope }: RunPosition,
  { status, error }: NodeResult,
): Pick<NodeResult, "status" | "error"> => ({
  status: scope.stop || status === "SUCCESS" ? status : "FAILED",
  ...(error && { error }),
});

export const toInternalFailure = (error: unknown): NodeResult =>
  toFailure({ code: "internal", message: `The engine met an error that it did not expect: ${toErrorMessage(error)}` });

/** The message of a thrown value. */
export const toErrorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));

type Expense = Pick<NodeResult, "usage" | "simulated">;

/** What several results used together, as fields of the result above them. */
export class ExpenseTotal implements Expense {
  usage = noUsage;
  simulated = false;

  add({ usage, simulated }: Expense): void {
    this.usage = addUsage(this.usage, usage);
    this.simulated ||= simulated;
  }
}
