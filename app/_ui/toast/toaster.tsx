import { Toaster as Base } from "sonner";

export default function Toaster() {
  return (
    <Base
      position="bottom-center"
      toastOptions={{
        style: { background: "var(--surface-raised)", color: "var(--text)", border: "1px solid var(--line-strong)" },
        actionButtonStyle: { background: "var(--accent)", color: "var(--on-accent)" },
      }}
    />
  );
}
