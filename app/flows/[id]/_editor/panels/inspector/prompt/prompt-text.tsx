import { useEffect, useEffectEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { afterPaint } from "@/app/_ui/loading/after-paint";
import { useSession } from "../../../state/session-context";
import { inputClass } from "../fields/fields";
import { createPromptEditor, type PromptEditor } from "./prompt-editor";
import type { Variable } from "./variables";

interface PromptTextProps {
  label: string;
  value: string;
  placeholder: string;
  variables: readonly Variable[];
  isLarge?: boolean;
  onCommit(value: string): void;
}

export default function PromptText({
  label,
  value,
  placeholder,
  variables,
  isLarge = false,
  onCommit,
}: PromptTextProps) {
  const session = useSession();
  const box = useRef<HTMLDivElement>(null);
  const promptEditor = useRef<PromptEditor>(null);
  const [isLoaded, setLoaded] = useState(isLarge);
  const commit = useEffectEvent(onCommit);
  const listVariables = useEffectEvent(() => variables);
  const create = useEffectEvent((parent: HTMLElement) =>
    createPromptEditor(parent, session, {
      value,
      look: { label, hint: placeholder, isLarge },
      listVariables: () => listVariables(),
      onCommit: (text) => commit(text),
      onAddVariable: (name) => session.actions.edit({ type: "set-var", name, value: "" }),
    }),
  );

  useEffect(() => {
    let isUnmounted = false;
    const mount = (): void => {
      if (!isUnmounted && box.current) promptEditor.current = create(box.current);
    };
    // A dialog focuses the editor immediately; next to the canvas, the canvas is painted first.
    if (isLarge) mount();
    else
      void afterPaint().then(() => {
        mount();
        // Synchronously, so that no frame shows both.
        if (!isUnmounted) flushSync(() => setLoaded(true));
      });
    return () => {
      isUnmounted = true;
      promptEditor.current?.destroy();
      promptEditor.current = null;
    };
  }, [isLarge]);
  useEffect(() => promptEditor.current?.show(value), [value]);
  useEffect(() => {
    if (variables.length > 0) promptEditor.current?.check();
  }, [variables]);

  return (
    <>
      {!isLoaded && <StaticText value={value} placeholder={placeholder} />}
      <div ref={box} />
    </>
  );
}

function StaticText({ value, placeholder }: { value: string; placeholder: string }) {
  return (
    <p
      className={`${inputClass} min-h-[104px] whitespace-pre-wrap [overflow-wrap:anywhere] ${value === "" ? "text-text-faint" : ""}`}
    >
      {value || placeholder}
    </p>
  );
}
