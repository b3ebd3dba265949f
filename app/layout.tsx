import type { Metadata, Viewport } from "next";
import { cookies, headers } from "next/headers";
import type { ReactNode } from "react";
import { preload } from "react-dom";
import "./globals.css";
import { AccountMenu } from "./_accounts/menu/account-menu";
import { Providers } from "./_ui/shell/providers";
import { TopBar } from "./_ui/shell/top-bar";
import { readThemeChoice, themeCookie, themeScript } from "./_ui/theme/theme";
import { readPageUser } from "./_viewer/page-user";

export const metadata: Metadata = {
  title: { default: "Swarmloom", template: "%s · Swarmloom" },
  description: "Draw swarms of LLM agents, run them, and read what happened.",
};

export const viewport: Viewport = { width: "device-width", initialScale: 1 };

const mainFont = new URL("@fontsource-variable/inter/files/inter-latin-wght-normal.woff2", import.meta.url);

export default async function RootLayout({ children }: { children: ReactNode }) {
  preload(mainFont.pathname, { as: "font", type: "font/woff2", crossOrigin: "anonymous" });
  const theme = readThemeChoice((await cookies()).get(themeCookie)?.value);
  const nonce = (await headers()).get("x-nonce") ?? undefined;
  const user = await readPageUser();
  return (
    <html
      lang="en"
      data-theme={theme === "dark" ? "dark" : "light"}
      data-team={user.account?.teamId ?? undefined}
      data-user={user.account?.id}
      suppressHydrationWarning
    >
      <head>
        <script nonce={nonce} suppressHydrationWarning>
          {themeScript}
        </script>
      </head>
      <body className="flex h-dvh flex-col overflow-hidden">
        <Providers theme={theme}>
          {user.isSignedIn && <TopBar menu={user.account && <AccountMenu account={user.account} />} />}
          <main id="main" className="flex min-h-0 flex-1 flex-col overflow-auto">
            {children}
          </main>
        </Providers>
      </body>
    </html>
  );
}
