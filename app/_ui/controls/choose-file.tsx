import { FileUp } from "lucide-react";
import { type ComponentProps, useRef } from "react";
import { Button } from "./button";

interface ChooseFileProps extends Pick<ComponentProps<typeof Button>, "size" | "variant" | "children"> {
  label: string;
  accept: string;
  onChoose(file: File): void;
}

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
