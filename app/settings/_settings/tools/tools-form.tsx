"use client";
import { useState } from "react";
import * as z from "zod/mini";
import { Button } from "@/app/_ui/controls/button";
import { Field } from "@/app/_ui/controls/field";
import { inputStyle } from "@/app/_ui/controls/input-style";
import { Select } from "@/app/_ui/controls/select";
import type { ToolOffer } from "@/lib/core/check/offer";
import type { ToolRules } from "@/lib/server/tools/tool-rules";
import { SaveOutcome } from "../save-outcome";
import { useSaved } from "../use-saved";

/** As they are sent; the server knows the names. */
type WrittenRules = Record<Exclude<keyof ToolRules, "httpHosts">, string[]> & Pick<ToolRules, "httpHosts">;

const rulesSchema: z.ZodMiniType<WrittenRules> = z.object({
  switchedOff: z.array(z.string()),
  needApproval: z.array(z.string()),
  httpHosts: z.nullable(z.array(z.string())),
});

const uses = [
  ["on", "On"],
  ["approval", "Asks first"],
  ["off", "Off"],
] as const;

interface ToolsFormProps {
  initial: WrittenRules;
  tools: readonly ToolOffer[];
  /** Tools that can only be made to ask first. */
  always: readonly string[];
}

export function ToolsForm({ initial, tools, always }: ToolsFormProps) {
  const { stored, pending, outcome, save } = useSaved("/api/v1/settings/tools", rulesSchema, initial);
  const [rules, setRules] = useState(stored);
  const [hosts, setHosts] = useState(() => rules.httpHosts?.join("\n") ?? "");
  const findUse = (name: string): string =>
    rules.switchedOff.includes(name) ? "off" : rules.needApproval.includes(name) ? "approval" : "on";
  const setUse = (name: string, use: string): void => {
    const without = (names: readonly string[]): string[] => names.filter((one) => one !== name);
    setRules({
      ...rules,
      switchedOff: [...without(rules.switchedOff), ...(use === "off" ? [name] : [])],
      needApproval: [...without(rules.needApproval), ...(use === "approval" ? [name] : [])],
    });
  };
  const send = async (): Promise<void> => {
    const lines = hosts.split(/[\s,]+/).filter((line) => line !== "");
    const saved = await save({ ...rules, httpHosts: lines.length === 0 ? null : lines });
    if (!saved) return;
    setRules(saved);
    setHosts(saved.httpHosts?.join("\n") ?? "");
  };
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <ToolList tools={tools} always={always} findUse={findUse} onUse={setUse} />
      <Field
        label="Hosts that http_request may reach"
        hint="One a line, such as api.example.org or *.example.org. Without any it reaches every public address. Addresses in private networks stay out of reach unless the server allows them."
      >
        {(attributes) => (
          <textarea
            {...attributes}
            rows={3}
            placeholder="every public address"
            spellCheck={false}
            value={hosts}
            onChange={({ target }) => setHosts(target.value)}
            className={`${inputStyle} h-auto py-1.5 font-mono`}
          />
        )}
      </Field>
      <Button type="submit" variant="primary" pending={pending} className="self-start">
        Save
      </Button>
      <SaveOutcome outcome={outcome} />
    </form>
  );
}

interface ToolListProps extends Pick<ToolsFormProps, "tools" | "always"> {
  findUse(name: string): string;
  onUse(name: string, use: string): void;
}

const ToolList = ({ tools, always, findUse, onUse }: ToolListProps) => (
  <ul aria-label="Tools" className="rounded-md border">
    {tools.map(({ name, description, missing }) => (
      <li key={name} className="flex items-start gap-3 px-3 py-2 not-last:border-b">
        <div className="min-w-0 flex-1">
          <p className="font-medium font-mono text-xs">{name}</p>
          <p className="text-pretty text-text-muted text-xs">{toFirstSentence(description)}</p>
          {missing !== undefined && <p className="text-warning text-xs">Needs {missing} on the server.</p>}
        </div>
        <Select
          label={`Use of ${name}`}
          value={findUse(name)}
          options={always.includes(name) ? uses.filter(([use]) => use !== "off") : uses}
          onChange={(use) => onUse(name, use)}
          className="h-8 rounded-md border-line-input px-2"
        />
      </li>
    ))}
  </ul>
);

const toFirstSentence = (text: string): string => /^.*?[.](?=\s|$)/.exec(text)?.[0] ?? text;
