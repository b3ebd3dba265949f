import { X } from "lucide-react";
import { colorOfName } from "@/app/_kinds/node-color";
import { describeNode, type NodeFact } from "@/app/_kinds/node-facts";
import { AgentTile } from "@/app/_ui/badges/agent-tile";
import { IconButton } from "@/app/_ui/controls/icon-button";
import { keyNames, type NodeKey } from "@/lib/core/flow/node-key";
import { readSource } from "@/lib/core/source/read-source";

interface NodeReaderProps {
  source: string;
  nodeKey: NodeKey;
  onClose(): void;
}

/** A node of a flow to read: cards cut its texts. */
export default function NodeReader({ source, nodeKey, onClose }: NodeReaderProps) {
  const { flow } = readSource(source, {});
  const name = keyNames(nodeKey).at(-1) ?? "";
  const { kind, facts } = describeNode(flow, name);
  return (
    <aside
      aria-label={name}
      className="flex min-h-0 shrink-0 flex-col border-line bg-surface max-sm:max-h-1/2 max-sm:border-t sm:w-80 sm:border-l"
    >
      <div className="flex h-12 shrink-0 items-center gap-2 pr-2 pl-3">
        <AgentTile name={name} color={colorOfName(flow, name)} size="large" />
        <div className="min-w-0 flex-1">
          <h2 className="truncate font-semibold text-sm">{name}</h2>
          <p className="truncate text-text-muted text-xs">{kind}</p>
        </div>
        <IconButton label={`Close ${name}`} onClick={onClose}>
          <X size={16} aria-hidden />
        </IconButton>
      </div>
      <dl
        // A region that scrolls is reached by keyboard.
        tabIndex={0}
        className="grid min-h-0 content-start gap-3 overflow-y-auto p-3 pt-1"
      >
        {facts.map((fact) => (
          <Fact key={fact.label} {...fact} />
        ))}
      </dl>
    </aside>
  );
}

const Fact = ({ label, text, isLong = false }: NodeFact) => (
  <div className="grid gap-1">
    <dt className="font-medium text-text-muted text-xs">{label}</dt>
    <dd
      className={`whitespace-pre-wrap [overflow-wrap:anywhere] ${isLong ? "rounded-md bg-surface-sunken p-2 leading-5" : ""}`}
    >
      {text}
    </dd>
  </div>
);
