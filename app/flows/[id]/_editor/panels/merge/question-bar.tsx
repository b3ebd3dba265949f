import { FileQuestion, GitMerge } from "lucide-react";
import type { MouseEvent } from "react";
import { Banner } from "@/app/_ui/controls/banner";
import { Button } from "@/app/_ui/controls/button";
import type { LostWriting } from "../../state/live/live";
import { useLive, useSession } from "../../state/session-context";
import type { EditorViewState } from "../../state/view";
import { describeTwin } from "./describe-twin";

// The field in which the user writes keeps the focus, and has it again after the dialog.
const keepFocus = (event: MouseEvent): void => event.preventDefault();

/** What others did to a text of this user: a user who is typing goes on, and opens the dialog at any time. */
export function QuestionBar() {
  const { view } = useSession();
  const twin = useLive(({ twins }) => twins[0]);
  const lost = useLive((state) => state.lost);
  const toOpener = (dialog: EditorViewState["dialog"], label: string) => (
    <Button size="small" onMouseDown={keepFocus} onClick={() => view.setState({ dialog })}>
      {label}
    </Button>
  );
  return (
    <div role="status" aria-label="Questions" className="shrink-0">
      {twin && (
        <Banner icon={GitMerge} isRow className="border-b" actions={toOpener("twins", "Compare…")}>
          {describeTwin(twin)}
        </Banner>
      )}
      {lost.length > 0 && (
        <Banner icon={FileQuestion} isRow className="border-b" actions={toOpener("lost", "See your text…")}>
          {describeLost(lost)}
        </Banner>
      )}
    </div>
  );
}

function describeLost(lost: readonly LostWriting[]): string {
  const [first, ...others] = lost;
  if (!first || others.length > 0) return "Others deleted parts of the flow that you were writing in.";
  const act = first.isReplaced ? "replaced" : "deleted";
  return `${first.by ?? "Someone else"} ${act} ${first.owner} while you were writing in it.`;
}
