import { useState } from "react";
import type * as z from "zod/mini";
import { fetchJson, messageOf } from "@/app/_ui/loading/fetch-json";

/** What came of the last save. */
export interface SaveResult {
  ok: boolean;
  text: string;
}

/** A setting that the server keeps under an address, and what comes of saving it. */
export function useSaved<T>(address: string, schema: z.ZodMiniType<T>, initial: T) {
  const [stored, setStored] = useState(initial);
  const [pending, setPending] = useState(false);
  const [outcome, setOutcome] = useState<SaveResult | null>(null);
  /** Resolves to what is stored now; null: it was refused. */
  const save = async (json: object): Promise<T | null> => {
    setPending(true);
    setOutcome(null);
    try {
      const saved = await fetchJson(address, schema, { json, method: "PUT" });
      setStored(saved);
      setOutcome({ ok: true, text: "Saved." });
      return saved;
    } catch (error) {
      setOutcome({ ok: false, text: messageOf(error) });
      return null;
    } finally {
      setPending(false);
    }
  };
  return { stored, pending, outcome, save };
}
