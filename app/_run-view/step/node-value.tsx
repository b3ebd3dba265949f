import type { Json } from "@/lib/core/flow/flow";
import type { RunNode } from "@/lib/core/trace/model/run-state";
import type { RunSource } from "../../_run/steps/run-source";
import { FormedText, TextBlock } from "../text/text-block";

export function NodeValue({ source, node }: { source: RunSource; node: RunNode }) {
  const { schema, cut } = node.metadata;
  return (
    <div className="grid h-full min-h-0 gap-px bg-line [grid-template-columns:repeat(auto-fit,minmax(min(100%,280px),1fr))]">
      <section aria-label="Value" className="min-w-0 bg-surface">
        <h3 className="px-4 pt-3 font-medium">{node.status === "SUCCESS" ? "Value" : "Answer that does not match"}</h3>
        <TextBlock
          textRef={{ source, id: node.id, field: "output" }}
          payload={node.output}
          as="json"
          empty="There is no value."
          label="Value"
        />
      </section>
      <section aria-label="Schema" className="min-w-0 bg-surface">
        <h3 className="px-4 pt-3 pb-2 font-medium">Schema</h3>
        <div className="px-4 pb-4">
          {schema ? (
            <FormedText text={JSON.stringify(schema satisfies Json, null, 2)} as="json" />
          ) : (
            <p className="text-text-muted">
              {cut === true
                ? "The schema is too large to store with the step; see the flow."
                : "The schema was not recorded."}
            </p>
          )}
        </div>
      </section>
    </div>
  );
}
