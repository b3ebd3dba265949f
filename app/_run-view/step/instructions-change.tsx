import { ChangedWords } from "../../_ui/text/changed-words";
import { compareWords } from "../../_ui/text/word-diff";
import { LongText } from "../text/long-text";

const styles = {
  removed: "rounded-sm bg-danger-soft text-danger line-through",
  added: "rounded-sm bg-success-soft text-success underline decoration-1",
};

/** Longest instructions that are compared, in UTF-16 units. */
const longestCompared = 200_000;

export default function InstructionsChange({ older, newer }: { older: string; newer: string }) {
  if (older === newer)
    return (
      <div className="p-4">
        <p className="mb-2 font-medium">
          {newer === "" ? "No instructions, as in the previous call." : "Same as in the previous call."}
        </p>
        {newer !== "" && <LongText text={newer} label="Instructions, whole" />}
      </div>
    );
  if (older.length + newer.length > longestCompared)
    return (
      <p className="p-4 text-text-muted">The instructions changed, but are too long for a word-by-word comparison.</p>
    );
  return (
    <div className="p-4">
      <p className="mb-2 font-medium">
        Changed since the previous call: <del className={styles.removed}>removed</del>{" "}
        <ins className={styles.added}>added</ins>
      </p>
      <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">
        <ChangedWords changes={compareWords(older, newer)} styles={styles} />
      </p>
    </div>
  );
}
