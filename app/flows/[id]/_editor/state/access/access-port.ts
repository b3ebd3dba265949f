/** Finds out whether the user still has access, once the session is connected; until then nothing is known. */
export function createAccessPort() {
  let connected: (() => Promise<void>) | null = null;
  return {
    check: async (): Promise<void> => connected?.(),
    attach(check: () => Promise<void>): () => void {
      connected = check;
      return () => {
        if (connected === check) connected = null;
      };
    },
  };
}
