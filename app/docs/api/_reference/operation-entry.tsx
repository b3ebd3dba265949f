import { z } from "zod";
import { FieldList } from "./field-list";

const contentSchema = z.record(z.string(), z.object({ schema: z.unknown() }));
const entrySchema = z.object({
  summary: z.string(),
  description: z.string().optional(),
  parameters: z.array(
    z.object({ name: z.string(), in: z.string(), required: z.boolean().optional(), schema: z.unknown() }),
  ),
  requestBody: z.object({ content: contentSchema }).optional(),
  responses: z.record(z.string(), z.object({ description: z.string().optional(), content: contentSchema.optional() })),
});

const methodColors: Record<string, string> = {
  GET: "bg-success-soft text-success",
  POST: "bg-accent-soft text-accent-text",
  PUT: "bg-warning-soft text-warning",
  PATCH: "bg-warning-soft text-warning",
  DELETE: "bg-danger-soft text-danger",
};

interface OperationEntryProps {
  name: string;
  method: string;
  path: string;
  /** Of the OpenAPI document. */
  entry: object;
}

/** One operation; its parameters, body and answers open on click. */
export function OperationEntry({ name, method, path, entry }: OperationEntryProps) {
  const { summary, description, parameters, requestBody, responses } = entrySchema.parse(entry);
  const answers = Object.entries(responses).filter(([status]) => status !== "default");
  return (
    <li id={name} className="scroll-mt-4">
      <details className="group">
        <summary className="flex cursor-pointer flex-wrap items-baseline gap-x-3 gap-y-1 rounded-lg px-4 py-2.5 hover:bg-surface-hover">
          <span
            className={`w-16 shrink-0 rounded px-1.5 py-0.5 text-center font-mono font-semibold text-xs ${methodColors[method]}`}
          >
            {method}
          </span>
          <code className="font-mono text-xs [overflow-wrap:anywhere]">{path}</code>
          <span className="basis-full text-pretty text-text-muted sm:flex-1 sm:basis-60">{summary}</span>
        </summary>
        <div className="flex flex-col gap-4 border-line border-t bg-surface-sunken px-4 py-3">
          {description !== undefined && <p>{description.replaceAll("`", "")}</p>}
          {parameters.length > 0 && <FieldList title="Parameters" fields={parameters.map(toField)} />}
          {Object.values(requestBody?.content ?? {}).map(({ schema }) => (
            <FieldList key="body" title="Body" schema={schema} />
          ))}
          {answers.map(([status, { description: meaning, content = {} }]) =>
            Object.entries(content).length === 0 ? (
              <FieldList key={status} title={`Answer ${status}`} note="Without a body." />
            ) : (
              Object.entries(content).map(([media, { schema }]) => (
                <FieldList
                  key={`${status} ${media}`}
                  title={`Answer ${status}`}
                  note={[meaning === "Done." ? "" : meaning, media === "application/json" ? "" : media]
                    .filter(Boolean)
                    .join(" ")}
                  schema={schema}
                />
              ))
            ),
          )}
        </div>
      </details>
    </li>
  );
}

const toField = ({
  name,
  in: position,
  required = false,
  schema,
}: z.infer<typeof entrySchema>["parameters"][number]) => ({
  name,
  schema,
  isRequired: required,
  note: position === "query" ? "" : position,
});
