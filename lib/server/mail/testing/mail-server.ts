import "server-only";
import { text } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";

export interface MailServer {
  /** `smtp://…` */
  url: string;
  /** What it accepted, with headers, in order. */
  mails: { to: string[]; text: string }[];
  close(): Promise<void>;
}

/** An SMTP server on loopback; it refuses recipients of `refused.example`. */
export async function startMailServer(): Promise<MailServer> {
  const mails: MailServer["mails"] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onRcptTo: ({ address }, _, done) => done(address.endsWith("refused.example") ? new Error("No such box") : null),
    onData: (stream, { envelope }, done) => {
      text(stream).then((body) => {
        mails.push({ to: envelope.rcptTo.map(({ address }) => address), text: body });
        done();
      }, done);
    },
  });
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.server.address();
  if (address === null || typeof address === "string") throw new Error("the mail server has no port");
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    mails,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
