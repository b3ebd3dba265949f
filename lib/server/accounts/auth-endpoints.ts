import "server-only";

/** What an endpoint of better-auth needs here, beside what the library checks. */
interface AuthEndpoint {
  /** Requests of one address in a minute; missing: 200. `false`: any number. */
  maxPerMinute?: number | false;
  /** It changes how an account is signed in to: only a short time after signing in. */
  needsRecentSignIn?: true;
  /** It asks for the present password, of which only some may be tried. */
  asksForPassword?: true;
  /** Its body may have the name of a passkey. */
  namesPasskey?: true;
  /** It has changed how an account is signed in to: the other sessions of the account end. */
  endsOtherSessions?: true;
  /** It ends sessions: what they have open is checked at once. */
  endsSessions?: true;
}

/** What of better-auth is used, below /api/auth; all else does not exist. Each authorises by its cookie, token or body. */
export const authEndpoints = {
  "sign-up/email": { maxPerMinute: 120 },
  "sign-in/email": { maxPerMinute: 40 },
  "sign-in/social": { maxPerMinute: 40 },
  "sign-out": { endsSessions: true },
  "get-session": { maxPerMinute: false },
  "list-sessions": {},
  "revoke-session": { endsSessions: true },
  "revoke-other-sessions": { endsSessions: true },
  "update-user": {},
  "change-password": { needsRecentSignIn: true, asksForPassword: true, endsOtherSessions: true },
  "request-password-reset": { maxPerMinute: 5 },
  "reset-password": { endsSessions: true },
  "two-factor/enable": { maxPerMinute: 20, needsRecentSignIn: true, asksForPassword: true },
  "two-factor/disable": {
    ...{ maxPerMinute: 20, needsRecentSignIn: true, asksForPassword: true },
    endsOtherSessions: true,
  },
  // A code that someone signs in with changes nothing: there is no session yet.
  "two-factor/verify-totp": { maxPerMinute: 20, endsOtherSessions: true },
  "two-factor/verify-backup-code": { maxPerMinute: 20 },
  "two-factor/generate-backup-codes": {
    ...{ maxPerMinute: 20, needsRecentSignIn: true, asksForPassword: true },
    endsOtherSessions: true,
  },
  "passkey/generate-register-options": { needsRecentSignIn: true },
  "passkey/verify-registration": { needsRecentSignIn: true, endsOtherSessions: true, namesPasskey: true },
  "passkey/generate-authenticate-options": {},
  "passkey/verify-authentication": {},
  "passkey/list-user-passkeys": {},
  "passkey/delete-passkey": { needsRecentSignIn: true, endsOtherSessions: true },
  "passkey/update-passkey": { namesPasskey: true },
} as const satisfies Record<string, AuthEndpoint>;

const endpoints: ReadonlyMap<string, AuthEndpoint> = new Map(Object.entries(authEndpoints));

/** Whether an endpoint exists here; `name`: its path below /api/auth. */
export const isUsedEndpoint = (name: string): boolean => endpoints.has(name) || /^callback\/[\w-]{1,40}$/.test(name);

/** What the endpoint at a path needs, e.g. `/change-password`. */
export const findEndpoint = (path: string): AuthEndpoint => endpoints.get(path.slice(1)) ?? {};

/** The limits of the endpoints as better-auth takes them, by path. */
export const toRateLimits = (window: number): Record<string, { window: number; max: number } | false> =>
  Object.fromEntries(
    [...endpoints].flatMap(([name, { maxPerMinute }]) =>
      maxPerMinute === undefined ? [] : [[`/${name}`, maxPerMinute === false ? false : { window, max: maxPerMinute }]],
    ),
  );
