import { useSyncExternalStore } from "react";

/** The part of the address after its hash, which browsers send to no server; null until the page runs in a browser. */
export const useHash = (): string | null =>
  useSyncExternalStore(
    followHash,
    () => window.location.hash.slice(1),
    () => null,
  );

function followHash(onChange: () => void): () => void {
  window.addEventListener("hashchange", onChange);
  return () => window.removeEventListener("hashchange", onChange);
}

/** The proof of a mailed link for a new account, with the address that it is for. */
export interface AddressProof {
  proof: string;
  email: string;
}

export function readAddressProof(hash: string): AddressProof | null {
  const parameters = new URLSearchParams(hash);
  const [proof, email] = [parameters.get("proof"), parameters.get("email")];
  return proof === null || email === null ? null : { proof, email };
}
