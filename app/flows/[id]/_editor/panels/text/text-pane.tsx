import { useEffect, useRef } from "react";
import { useSession } from "../../state/session-context";
import { createCodeEditor } from "./code-editor";

export default function TextPane() {
  const session = useSession();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => (box.current ? createCodeEditor(box.current, session) : undefined), [session]);
  return <div ref={box} className="h-full min-h-0 overflow-hidden" />;
}
