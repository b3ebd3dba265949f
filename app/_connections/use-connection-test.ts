import { useEffect, useRef, useState } from "react";
import type { ConnectionTest } from "@/lib/server/connections/test-connection";
import { messageOf } from "../_ui/loading/fetch-json";
import { type ConnectionDraft, testConnection } from "./requests";

export type TestState =
  | { type: "none" }
  | { type: "pending" }
  | { type: "tested"; result: ConnectionTest }
  | { type: "failed"; message: string };

/** One test at a time of a provider's connection; leaving ends it. */
export function useConnectionTest(provider: string) {
  const [state, setState] = useState<TestState>({ type: "none" });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const cancel = (): void => {
    running.current?.abort();
    setState({ type: "none" });
  };
  const start = (draft: ConnectionDraft & { model?: string } = {}): void => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setState({ type: "pending" });
    const settle = (next: TestState): void => {
      if (!controller.signal.aborted) setState(next);
    };
    testConnection(provider, draft, controller.signal).then(
      (result) => settle({ type: "tested", result }),
      (error: unknown) => settle({ type: "failed", message: messageOf(error).replace(/^`\w+`: /, "") }),
    );
  };
  return { state, start, cancel };
}
