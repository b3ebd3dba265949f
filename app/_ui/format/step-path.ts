import { keyNames } from "@/lib/core/flow/node-key";

/** The path of a step in words: `clerk#llm-1#tool-2` is "clerk › model call 1 › tool call 2". */
export function describePath(path: string): string {
  const parts = path.split("/").flatMap((segment) => {
    const [name = "", ...marks] = segment.split("#");
    const [unescaped = ""] = keyNames(name);
    const visit = marks.filter((mark) => /^\d/.test(mark)).map((number) => ` (${number})`);
    return [unescaped + visit.join(""), ...marks.flatMap(describeMark)];
  });
  return parts.filter((part) => part !== "").join(" › ");
}

const markNames: readonly [RegExp, string][] = [
  [/^llm-(\d+)$/, "model call $1"],
  [/^tool-(\d+)$/, "tool call $1"],
  [/^visit-(\d+)$/, "visit $1"],
  [/^spawn-(\d+)$/, "spawned agent $1"],
  [/^call-(\d+)-(\d+)$/, "for tool call $2 of model call $1"],
  [/^fallback$/, "fallback model"],
];

function describeMark(mark: string): string[] {
  return markNames.flatMap(([pattern, name]) => (pattern.test(mark) ? [mark.replace(pattern, name)] : []));
}
