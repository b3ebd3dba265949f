import { findFoldsAround } from "@/lib/core/flow/edit";
import type { Problem } from "@/lib/core/flow/problem";
import type { Session } from "../state/session";
import { problemId, stepProblem } from "./problem-order";

export function goToProblem(problem: Problem, { editor, actions, view, text }: Session): void {
  const { arrangement, layout } = editor.store.getState();
  const key = problem.nodes?.find(
    (candidate) =>
      findFoldsAround(layout, candidate).length > 0 || arrangement.nodes.some((node) => node.key === candidate),
  );
  if (key !== undefined) actions.show(key);
  const narrowPane = key === undefined ? "text" : "canvas";
  view.setState({ problem: problemId(problem) });
  if (!problem.range) return;
  view.setState({ textOpen: true, narrowPane });
  text.goTo(problem.range);
}

export function walkProblems(session: Session, step: 1 | -1): void {
  const { problems } = session.editor.store.getState();
  const next = stepProblem(problems, session.view.getState().problem, step);
  if (next) goToProblem(next, session);
  else session.notify.info("There are no problems.");
}

export function fixProblem(session: Session): void {
  const { editor, view, actions, notify } = session;
  const { problems } = editor.store.getState();
  const current = view.getState().problem;
  const problem = problems.find((candidate) => problemId(candidate) === current) ?? stepProblem(problems, null, 1);
  const repair = problem?.repairs?.[0];
  if (!problem) notify.info("There are no problems.");
  else if (problem.fix) editor.applyFix(problem);
  else if (repair) actions.edit(repair.edit);
  else notify.info(`There is no quick fix for this: ${problem.message}`);
}
