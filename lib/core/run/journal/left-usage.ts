import { addUsage, noUsage, type Usage } from "../events/usage";
import { isAbandoned, type Journal, type JournalStep } from "./journal";

/**
 * What the steps of a journal used that an engine did not come to again, because it was stopped before or took another way.
 * By the ids of those that had not ended, with what is inside of them; `null`: all of them together.
 */
export function sumLeftUsage(journal: Journal, openUsageOf: (step: JournalStep) => Usage): Map<number | null, Usage> {
  const steps = journal.listSteps();
  const byId = new Map(steps.map((step) => [step.id, step]));
  const usages = new Map<number | null, Usage>();
  const add = (id: number | null, usage: Usage): void => {
    usages.set(id, addUsage(usages.get(id) ?? noUsage, usage));
  };
  // What is inside of a step began after it.
  for (const step of steps.toReversed()) {
    if (isAbandoned(step)) add(step.id, openUsageOf(step));
    const above = step.parent === undefined ? undefined : byId.get(step.parent);
    const usage = step.result?.usage ?? usages.get(step.id) ?? noUsage;
    if (above && isAbandoned(above)) add(above.id, usage);
    // What is inside of a step that had ended is in the usage of that one.
    else if (!step.isReached && !above?.result) add(null, usage);
  }
  return usages;
}
