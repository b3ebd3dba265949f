import "server-only";
import ipaddr from "ipaddr.js";

/** `10.0.0.2, fd00::/8`: addresses and networks, each with its prefix length. Throws an Error for anything else. */
export const parseNetworks = (text: string): string[] =>
  text
    .split(/[\s,]+/)
    .filter((entry) => entry !== "")
    .map((entry) => {
      const network = entry.includes("/") ? entry : `${entry}/${entry.includes(":") ? 128 : 32}`;
      if (ipaddr.isValidCIDR(network)) return network;
      throw new Error(`expected addresses and networks, e.g. 10.0.0.2 or 10.0.0.0/8, found "${entry.slice(0, 100)}"`);
    });
