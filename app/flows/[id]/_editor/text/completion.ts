import type { CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { agentFieldSchema } from "@/lib/core/flow/edit";

/** What can be written in a flow file just now. */
export interface Vocabulary {
  /** Declared agents, groups and swarms. */
  names: readonly string[];
  /** As written in the file: `provider:model`. */
  models: readonly string[];
  tools: readonly { name: string; description: string }[];
}

const keysOf: ReadonlyMap<string, readonly string[]> = new Map([
  ["agents", agentFieldSchema.options],
  ["groups", ["type", "flow", "agents", "separator"]],
  ["swarms", ["type", "flow", "agents", "edges", "max_handoffs", "separator"]],
  ["swarm", ["type", "flow", "agents", "edges", "max_handoffs", "separator"]],
  ["", ["name", "vars", "agents", "groups", "swarms", "swarm", "compat"]],
]);

/** Offers models, tools, names or keys, by what the line before the caret says. */
export const completeFlowFile =
  (vocabulary: () => Vocabulary) =>
  (context: CompletionContext): CompletionResult | null => {
    const line = context.state.doc.lineAt(context.pos);
    const before = line.text.slice(0, context.pos - line.from);
    const { names, models, tools } = vocabulary();
    const model = /\bmodel:\s*["']?([^"',}]*)$/.exec(before);
    if (model) return offer(context, model[1], models.map(toOption));
    const tool = /\btools:\s*\[(?:[^\]]*,)?\s*["']?([\w-]*)$/.exec(before);
    if (tool)
      return offer(
        context,
        tool[1],
        tools.map(({ name, description }) => ({ label: name, info: description })),
      );
    const member = /\b(?:flow|agents|edges):.*?([^\s>|(),[\]"]*)$/.exec(before);
    if (member && !/\{[^}]*$/.test(before)) return offer(context, member[1], names.map(toOption));
    const key = /^\s*([a-z_]*)$/.exec(before) ?? /[{,]\s*([a-z_]*)$/.exec(before);
    if (!key || (!context.explicit && !key[1])) return null;
    const keys = keysOf.get(findSection(context, line.number, before)) ?? [];
    return offer(
      context,
      key[1],
      keys.map((label) => ({ label, type: "property", apply: `${label}: ` })),
    );
  };

const toOption = (label: string) => ({ label });

function offer(context: CompletionContext, typed = "", options: CompletionResult["options"]): CompletionResult | null {
  return options.length === 0 ? null : { from: context.pos - typed.length, options, validFor: /^[\w:.@/-]*$/ };
}

/** The top-level key that the line stands under; `""` for a line that is not indented. */
function findSection(context: CompletionContext, lineNumber: number, before: string): string {
  if (/^[a-z_]*$/.test(before)) return "";
  for (let number = lineNumber; number >= 1; number--) {
    const key = /^([a-z_]+):/.exec(context.state.doc.line(number).text);
    if (key?.[1]) return key[1];
  }
  return "";
}
