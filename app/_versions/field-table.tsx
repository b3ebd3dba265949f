import type { ReactNode } from "react";
import { formatCount } from "@/lib/core/flow/format-count";
import { type FieldChange, type FlowDiff, isEmptyDiff, type NodeChange } from "@/lib/core/source/query/diff-flows";
import { KindIcon } from "../_kinds/kind-icon";
import { ChangedWords } from "../_ui/text/changed-words";
import { compareWords, type WordChange } from "../_ui/text/word-diff";
import { changeStyles } from "./change-styles";

/** What differs between two flows, node by node and field by field. */
export function FieldTable({ diff, isSameText }: { diff: FlowDiff; isSameText: boolean }) {
  if (isEmptyDiff(diff))
    return (
      <p className="text-text-muted">
        {isSameText
          ? "The texts are the same. Only positions or notes on the canvas can differ."
          : "The flows do the same. Only comments, order or formatting of the texts differ."}
      </p>
    );
  return (
    <div className="grid gap-3">
      {diff.flow.length > 0 && (
        <Block title={<h3 className="font-semibold">Flow</h3>} label="Flow" fields={diff.flow} />
      )}
      {diff.nodes.map((node) => (
        <Block
          key={`${node.type} ${node.name}`}
          title={<NodeTitle node={node} />}
          label={node.name}
          fields={node.fields}
        />
      ))}
    </div>
  );
}

function NodeTitle({ node }: { node: NodeChange }) {
  const { icon: Icon, word, color } = changeStyles[node.type];
  return (
    <>
      <KindIcon kind={node.kind} size={14} />
      <h3 className="min-w-0 truncate font-semibold">{node.name}</h3>
      <span className={`flex shrink-0 items-center gap-1 font-medium text-xs ${color}`}>
        <Icon size={13} aria-hidden /> {word}
      </span>
      {node.type === "renamed" && <span className="truncate text-text-muted text-xs">was {node.oldName}</span>}
    </>
  );
}

interface BlockProps {
  title: ReactNode;
  label: string;
  fields: readonly FieldChange[];
}

const Block = ({ title, label, fields }: BlockProps) => (
  <section className="overflow-hidden rounded-md border border-line bg-surface">
    <div className="flex h-8 items-center gap-2 px-3">{title}</div>
    {fields.length > 0 && (
      <table aria-label={`Fields of ${label}`} className="w-full table-fixed border-line border-t text-left text-xs">
        <colgroup>
          <col className="w-1/5 max-sm:w-1/4" />
          <col />
          <col />
        </colgroup>
        <thead className="sr-only">
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {fields.map(({ field, before, after }) => (
            <tr key={field} className="align-top">
              <th scope="row" className="px-3 py-1.5 font-mono font-normal text-text-muted [overflow-wrap:anywhere]">
                {field}
              </th>
              <Value type="removed" text={before} other={after} />
              <Value type="added" text={after} other={before} />
            </tr>
          ))}
        </tbody>
      </table>
    )}
  </section>
);

/** In UTF-16 units. */
const longestShown = 2000;
const tints = { removed: "bg-danger-soft no-underline", added: "bg-success-soft no-underline" };

interface ValueProps {
  type: "removed" | "added";
  text: string | null;
  /** The value on the other side: where both are set only the changed words are marked. */
  other: string | null;
}

function Value({ type, text, other }: ValueProps) {
  return (
    <td className="px-2 py-1">
      {text === null ? (
        <span className="text-text-muted italic">not set</span>
      ) : (
        <span
          className={`block whitespace-pre-wrap rounded px-1.5 py-0.5 font-mono [overflow-wrap:anywhere] ${other === null ? tints[type] : ""}`}
        >
          {text === "" ? (
            <span className="text-text-muted italic">empty</span>
          ) : (
            <ChangedWords changes={toMarked(type, text, other)} styles={tints} />
          )}
          {text.length > longestShown && (
            <span className="text-text-muted"> … {formatCount(text.length - longestShown)} more characters</span>
          )}
        </span>
      )}
    </td>
  );
}

function toMarked(type: "removed" | "added", text: string, other: string | null): WordChange[] {
  const [own, opposite] = [text.slice(0, longestShown), other?.slice(0, longestShown)];
  if (opposite === undefined) return [{ type: "same", text: own }];
  const changes = type === "removed" ? compareWords(own, opposite) : compareWords(opposite, own);
  return changes.filter((change) => change.type === "same" || change.type === type);
}
