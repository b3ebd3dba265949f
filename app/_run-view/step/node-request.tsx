import { CircleMinus } from "lucide-react";
import { isJsonObject, parseJson } from "@/lib/core/flow/parse-json";
import { toOfferedTools } from "@/lib/core/trace/model/offered-tools";
import type { RunNode } from "@/lib/core/trace/model/run-state";
import type { RunSource } from "../../_run/steps/run-source";
import { FullText } from "../text/full-text";
import { FormedText, TextBlock } from "../text/text-block";

interface RequestProps {
  source: RunSource;
  id: number;
  request: NonNullable<RunNode["request"]>;
}

export function NodeRequest({ source, id, request }: RequestProps) {
  const { url, body, dropped = [] } = request;
  return (
    <>
      {dropped.length > 0 && (
        <section
          aria-label="Parameters left out"
          className="m-4 mb-0 rounded-md border border-warning/40 bg-warning-soft p-3"
        >
          <h3 className="flex items-center gap-1.5 font-medium text-warning">
            <CircleMinus size={14} aria-hidden /> Left out
          </h3>
          <ul className="mt-1 flex flex-col gap-1">
            {dropped.map(({ parameter, reason }) => (
              <li key={parameter} className="[overflow-wrap:anywhere]">
                <code className="font-mono text-xs">{parameter}</code>: {reason}
              </li>
            ))}
          </ul>
        </section>
      )}
      <TextBlock
        textRef={{ source, id, field: "request" }}
        payload={body}
        as="json"
        empty="Nothing was sent."
        label="Request"
        caption={`POST ${url}`}
      />
    </>
  );
}

export function NodeTools({ source, id, request }: RequestProps) {
  return (
    <FullText textRef={{ source, id, field: "request" }} payload={request.body} title="The request">
      {(text) => <Tools body={text} />}
    </FullText>
  );
}

function Tools({ body }: { body: string }) {
  const parsed = parseJson(body);
  if (!isJsonObject(parsed))
    return <p className="p-4 text-text-muted">The request is not JSON; see the Request tab.</p>;
  const tools = toOfferedTools(parsed.tools);
  if (tools.length === 0) return <p className="p-4 text-text-muted">No tools were offered.</p>;
  return (
    <ul aria-label="Tools offered" className="flex flex-col gap-4 p-4">
      {Array.from(tools.entries(), ([index, { name, description, parameters }]) => (
        <li key={index}>
          <h3 className="font-medium font-mono text-[13px]">{name}</h3>
          {description && <p className="whitespace-pre-wrap text-text-muted">{description}</p>}
          <div className="mt-1 rounded-md border border-line bg-surface-sunken p-2">
            <FormedText text={JSON.stringify(parameters ?? {}, null, 2)} as="json" />
          </div>
        </li>
      ))}
    </ul>
  );
}
