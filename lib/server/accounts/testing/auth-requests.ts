import "server-only";
import { handleAuthRequest } from "../handle-auth-request";
import { requireViewer } from "../read-viewer";

/** The address of the server in tests of accounts. */
export const testUrl = "https://flows.example.org";
export const testPassword = "a long password";

const host = { host: "flows.example.org", origin: testUrl, "x-swarmloom-address": "203.0.113.7" };

/** Posts to an endpoint of accounts as a browser does. */
export const postToAuth = (endpoint: string, body: object, headers: Record<string, string> = {}): Promise<Response> =>
  handleAuthRequest(
    new Request(`${testUrl}/api/auth/${endpoint}`, {
      method: "POST",
      headers: { ...host, "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    }),
  );

export const signUp = (name: string, bearer?: string): Promise<Response> =>
  postToAuth(
    "sign-up/email",
    { name, email: `${name.toLowerCase()}@example.org`, password: testPassword },
    bearer === undefined ? {} : { authorization: `Bearer ${bearer}` },
  );

export const signIn = (email: string, password = testPassword, headers = {}): Promise<Response> =>
  postToAuth("sign-in/email", { email, password }, headers);

/** The cookies that a response sets, as a browser sends them. */
export const cookieOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");

/** The user whom cookies sign in. Throws AppError `unauthorized`. */
export const viewerOfCookie = (cookie: string) => requireViewer(new Headers({ ...host, cookie }));
