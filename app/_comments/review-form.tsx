import { useState } from "react";
import { Checkbox } from "../_ui/controls/checkbox";
import { LoadProblem } from "../_ui/controls/load-problem";
import { useLoaded } from "../_ui/loading/use-loaded";
import { CommentForm } from "./comment-form";
import { requestThreads, writeComment } from "./requests";

interface ReviewFormProps {
  flowId: string;
  revision: string;
  onSent(): void;
  onCancel(): void;
}

/** Asks members of the team to review a version. */
export function ReviewForm({ flowId, revision, onSent, onCancel }: ReviewFormProps) {
  const [reviewers, setReviewers] = useState<readonly string[]>([]);
  const target = { type: "revision", id: revision } as const;
  const { value, problem, retry } = useLoaded({ key: revision }, (signal) =>
    requestThreads({ flowId, target, state: "open" }, signal),
  );
  if (problem !== null) return <LoadProblem onRetry={retry}>The members could not be loaded: {problem}</LoadProblem>;
  if (!value) return <p className="text-text-muted">Reading the members…</p>;
  return (
    <section aria-label="Ask for a review" className="grid gap-2 rounded-md border border-line p-3">
      <fieldset className="flex max-h-40 flex-wrap gap-x-4 gap-y-1 overflow-y-auto">
        <legend className="mb-1 font-medium">Who should review this version?</legend>
        {value.members.map(({ id, name }) => (
          <Checkbox
            key={id}
            label={name}
            checked={reviewers.includes(id)}
            onChange={(isChosen) =>
              setReviewers(isChosen ? [...reviewers, id] : reviewers.filter((other) => other !== id))
            }
          />
        ))}
      </fieldset>
      <CommentForm
        draft={{ key: `review.${flowId}.${revision}` }}
        label="What should they look at?"
        submit="Ask for a review"
        members={value.members}
        onCancel={onCancel}
        onSubmit={async (body) => {
          if (reviewers.length === 0) throw new Error("Choose at least one member.");
          await writeComment(flowId, { body, target, reviewers });
          onSent();
        }}
      />
    </section>
  );
}
