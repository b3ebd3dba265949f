import "server-only";
import { auditOperations } from "./audit-operations";
import { catalogOperations } from "./catalog-operations";
import { commentOperations } from "./comment-operations";
import { flowOperations } from "./flow-operations";
import { keyOperations } from "./key-operations";
import { memberOperations } from "./member-operations";
import type { Operation, Operations } from "./operation";
import { runOperations } from "./run-operations";
import { stepOperations } from "./step-operations";
import { teamOperations } from "./team-operations";
import { triggerOperations } from "./trigger-operations";

/** The operations of the API in parts, in the order of its reference. */
export const apiParts: readonly { title: string; operations: Operations }[] = [
  { title: "Flows", operations: flowOperations },
  { title: "Comments and inbox", operations: commentOperations },
  { title: "Runs", operations: runOperations },
  { title: "Steps and agents", operations: stepOperations },
  { title: "Schedules and webhooks", operations: triggerOperations },
  { title: "Connections and settings", operations: teamOperations },
  { title: "Teams and members", operations: memberOperations },
  { title: "API keys", operations: keyOperations },
  { title: "Audit log", operations: auditOperations },
  { title: "Models and templates", operations: catalogOperations },
];

/** An operation with its name and the title of its part. */
export interface NamedOperation {
  name: string;
  part: string;
  operation: Operation;
}

/** All operations of the API, in the order of its reference. */
export const listOperations = (): NamedOperation[] =>
  apiParts.flatMap(({ title, operations }) =>
    Object.entries(operations).map(([name, operation]) => ({ name, part: title, operation })),
  );
