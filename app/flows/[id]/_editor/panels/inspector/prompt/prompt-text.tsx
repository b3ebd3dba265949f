"use client";

import { useEffect, useEffectEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { afterPaint } from "@/app/_ui/loading/after-paint";
import { useSession } from "../../../state/session-context";
import { inputClass } from "../fields/fields";
import { createPromptEditor, type PromptEditor } from "./prompt-editor";
import type { Variable } from "./variables";

export interface PromptTextProps {
  label: string;
  value: string;
  placeholder: string;
  variables: readonly Variable[];
  isLarge?: boolean;
  onCommit(value: string): void;
}

const pauseMs = 400;

export default function PromptText({
  label,
  value,
  placeholder,
  variables,
  isLarge = false,
  onCommit,
}: PromptTextProps) {
  const { drafts, editor } = useSession();
  const box = useRef<HTMLDivElement>(null);
  const code = useRef<PromptEditor>(null);
  const [isThere, setThere] = useState(isLarge);
  const waiting = useRef<{ text: string; timer: ReturnType<typeof setTimeout>; close(): void } | null>(null);

  const flush = useEffectEvent((): void => {
    const { current } = waiting;
    waiting.current = null;
    clearTimeout(current?.timer);
    current?.close();
    if (current && current.text !== value) onCommit(current.text);
  });
  const type = useEffectEvent((text: string): void => {
    clearTimeout(waiting.current?.timer);
    const close = waiting.current?.close ?? drafts.open(() => flush());
    waiting.current = { text, timer: setTimeout(() => flush(), pauseMs), close };
  });
  const step = useEffectEvent((way: "undo" | "redo"): void => {
    flush();
    editor[way]();
  });
  const listVariables = useEffectEvent(() => variables);
  const create = useEffectEvent((parent: HTMLElement) =>
    createPromptEditor(parent, value, {
      look: { label, hint: placeholder, isLarge },
      events: {
        onType: (text) => type(text),
        onLeave: () => flush(),
        onUndo: () => step("undo"),
        onRedo: () => step("redo"),
        variables: () => listVariables(),
      },
    }),
  );

  useEffect(() => {
    let isOver = false;
    const make = (): void => {
      if (!isOver && box.current) code.current = create(box.current);
    };
    // A dialog focuses the editor immediately; next to the canvas, the canvas is painted first.
    if (isLarge) make();
    else
      void afterPaint().then(() => {
        make();
        // Synchronously, so that no frame shows both.
        if (!isOver) flushSync(() => setThere(true));
      });
    return () => {
      isOver = true;
      flush();
      code.current?.destroy();
      code.current = null;
    };
  }, [isLarge]);
  useEffect(() => {
    if (!waiting.current) code.current?.show(value);
  }, [value]);
  useEffect(() => {
    if (variables.length > 0) code.current?.check();
  }, [variables]);

  return (
    <>
      {!isThere && (
        <p
          className={`${inputClass} max-h-80 min-h-[104px] overflow-hidden whitespace-pre-wrap [overflow-wrap:anywhere] ${value === "" ? "text-text-faint" : ""}`}
        >
          {value || placeholder}
        </p>
      )}
      <div ref={box} />
    </>
  );
}
