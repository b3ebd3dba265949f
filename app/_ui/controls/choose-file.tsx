"use client";
import { FileUp } from "lucide-react";
import { type ComponentProps, useRef } from "react";
import { Button } from "./button";

interface ChooseFileProps extends Pick<ComponentProps<typeof Button>, "size" | "variant" | "children"> {
  /** Name of the field that takes the file, for assistive technology. */
  label: string;
  /** What the browser offers first, as in `accept` of a file field. */
  accept: string;
  onChoose(file: File): void;
}

/** A button that asks for a file of this computer. The same file may be chosen again. */
export function ChooseFile({ label, accept, onChoose, children, ...buttonProps }: ChooseFileProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button {...buttonProps} onClick={() => input.current?.click()}>
        <FileUp size={14} aria-hidden /> {children}
      </Button>
      <input
        ref={input}
        type="file"
        accept={accept}
        hidden
        aria-label={label}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file) onChoose(file);
          target.value = "";
        }}
      />
    </>
  );
}
