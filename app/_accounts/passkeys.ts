import { anyAnswer, requestAccount } from "./request-account";

const isOptions = (value: unknown): value is { challenge: string } =>
  typeof value === "object" && value !== null && "challenge" in value && typeof value.challenge === "string";
const isRequestOptions = (value: unknown): value is PublicKeyCredentialRequestOptionsJSON => isOptions(value);
const isCreationOptions = (value: unknown): value is PublicKeyCredentialCreationOptionsJSON =>
  isOptions(value) && "rp" in value && "user" in value && "pubKeyCredParams" in value;

const toSchema = <T>(isValid: (value: unknown) => value is T) => ({
  parse(value: unknown): T {
    if (isValid(value)) return value;
    throw new Error("The server's answer has an unexpected format. Reload the page.");
  },
});

/** Whether this browser has passkeys: only on pages that are encrypted or of this machine. */
export const hasPasskeys = (): boolean =>
  typeof PublicKeyCredential === "function" && "parseRequestOptionsFromJSON" in PublicKeyCredential;

/** Throws RequestError, and an Error that tells what to do where the browser has refused. */
export async function signInWithPasskey(): Promise<void> {
  const options = await requestAccount("passkey/generate-authenticate-options", toSchema(isRequestOptions));
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const response = await toJson(navigator.credentials.get({ publicKey }));
  await requestAccount("passkey/verify-authentication", anyAnswer, { json: { response } });
}

/** Throws as `signInWithPasskey` does. */
export async function addPasskey(name: string): Promise<void> {
  const options = await requestAccount("passkey/generate-register-options", toSchema(isCreationOptions));
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const response = await toJson(navigator.credentials.create({ publicKey }));
  await requestAccount("passkey/verify-registration", anyAnswer, { json: { response, name } });
}

async function toJson(request: Promise<Credential | null>): Promise<PublicKeyCredentialJSON> {
  const credential = await request.catch((error: unknown) => {
    const isKnown = error instanceof Error && error.name === "InvalidStateError";
    throw new Error(
      isKnown
        ? "This device has a passkey for this account already."
        : "The browser gave no passkey: it was cancelled, took too long, or this device has none for this server.",
    );
  });
  if (!(credential instanceof PublicKeyCredential)) throw new Error("The browser gave no passkey. Try again.");
  return credential.toJSON();
}
