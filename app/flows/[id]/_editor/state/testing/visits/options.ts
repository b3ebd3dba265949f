/** Which seeds are run; `anew`: the shared document begins anew at times. */
export interface VisitsOptions {
  seeds: number;
  from: number;
  /** So many at once, in one process. */
  parallel: number;
  anew: boolean;
}

declare module "vitest" {
  interface ProvidedContext {
    visits: VisitsOptions;
  }
}
