import { Toaster as Base } from "sonner";

export default function Toaster() {
  return (
    <Base
      position="bottom-center"
      style={{ fontFamily: "var(--font-sans)" }}
      toastOptions={{
        style: { background: "var(--surface-raised)", color: "var(--text)", border: "1px solid var(--line-strong)" },
        actionButtonStyle: { background: "var(--accent)", color: "var(--on-accent)" },
      }}
    />
  );
}
