import type { StoreApi } from "zustand/vanilla";

/** Stores keep their first state for hydration: afterwards it would hold a second flow and arrangement in memory. */
export function forgetFirstState<State extends object>({ getInitialState, getState }: StoreApi<State>): void {
  Object.assign(getInitialState(), getState());
}
