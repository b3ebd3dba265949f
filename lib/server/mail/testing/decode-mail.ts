import "server-only";

/** The text of a mail that is sent quoted-printable, or as it is. */
export const decodeMail = (mail: string): string =>
  Buffer.from(
    mail
      .replaceAll("=\r\n", "")
      .replaceAll(/=([\dA-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    "latin1",
  ).toString();
