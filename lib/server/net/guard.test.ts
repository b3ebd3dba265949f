import type { LookupAddress } from "node:dns";
import os from "node:os";
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { classifyAddress } from "./address";
import { findAllowed, parseAllowList } from "./allow-list";
import { type Guard, type Lookup, parseHttpUrl, pinTo, resolveTarget } from "./guard";

const hex = (a: number, b: number) => ((a << 8) | b).toString(16);
const groups = ([a, b, c, d]: readonly number[]) => `${hex(a ?? 0, b ?? 0)}:${hex(c ?? 0, d ?? 0)}`;

describe("classifyAddress", () => {
  it.each([
    ["8.8.8.8", "public"],
    ["1.1.1.1", "public"],
    ["2606:4700:4700::1111", "public"],
    ["2a00:1450:4001:82b::200e", "public"],
    ["::ffff:8.8.8.8", "public"],
    ["64:ff9b::808:808", "public"],
    ["127.0.0.1", "loopback"],
    ["127.255.255.254", "loopback"],
    ["::1", "loopback"],
    ["0.0.0.0", "unspecified"],
    ["0.1.2.3", "unspecified"],
    ["::", "unspecified"],
    ["10.1.2.3", "private"],
    ["172.16.0.1", "private"],
    ["172.31.255.255", "private"],
    ["192.168.1.1", "private"],
    ["fd00:ec2::254", "private"],
    ["169.254.169.254", "link-local"],
    ["fe80::1", "link-local"],
    ["fe80::1%eth0", "link-local"],
    ["fec0::1", "reserved"],
    ["100.64.0.1", "carrier-internal"],
    ["100.100.100.200", "carrier-internal"],
    ["168.63.129.16", "cloud-internal"],
    ["224.0.0.1", "multicast"],
    ["239.255.255.255", "multicast"],
    ["ff02::1", "multicast"],
    ["255.255.255.255", "broadcast"],
    ["240.0.0.1", "reserved"],
    ["192.0.0.8", "reserved"],
    ["192.0.2.1", "reserved"],
    ["198.18.0.1", "reserved"],
    ["198.19.255.255", "reserved"],
    ["203.0.113.1", "reserved"],
    ["2001:db8::1", "reserved"],
    ["2001:2::1", "reserved"],
    ["100::1", "reserved"],
    ["5f00::1", "reserved"],
    ["4000::1", "reserved"],
    ["64:ff9b:1::808:808", "reserved"],
    ["2002:808:808::1", "reserved"],
    ["2002:7f00:1::1", "reserved"],
    ["2001:0:808:808::1", "reserved"],
    ["::8.8.8.8", "reserved"],
    ["::7f00:1", "reserved"],
    ["", "unreadable"],
    ["localhost", "unreadable"],
    ["1.2.3.4.5", "unreadable"],
  ])("%s is %s", (address, kind) => {
    expect(classifyAddress(address)).toBe(kind);
  });

  it("sees through every way to write an IPv4 address into an IPv6 one", () => {
    const bytes = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255));
    fc.assert(
      fc.property(bytes, (address) => {
        const plain = classifyAddress(address.join("."));
        expect(classifyAddress(`::ffff:${address.join(".")}`)).toBe(plain);
        expect(classifyAddress(`::ffff:${groups(address)}`)).toBe(plain);
        expect(classifyAddress(`0:0:0:0:0:ffff:${groups(address)}`)).toBe(plain);
        expect(classifyAddress(`::ffff:0:${groups(address)}`)).toBe(plain);
        expect(classifyAddress(`64:ff9b::${groups(address)}`)).toBe(plain);
        expect(classifyAddress(`::${groups(address)}`)).not.toBe("public");
        expect(classifyAddress(`2002:${groups(address)}::`)).not.toBe("public");
        expect(classifyAddress(`2001:0:${groups(address)}::`)).not.toBe("public");
      }),
    );
  });
});

describe("parseHttpUrl", () => {
  it.each([
    ["ftp://example.com/", /http:\/\/ or https:\/\/, found ftp:/],
    ["file:///etc/passwd", /found file:/],
    ["javascript:alert(1)", /found javascript:/],
    ["data:text/plain,x", /found data:/],
    ["http://user@example.com/", /user or a password/],
    ["http://:secret@example.com/", /user or a password/],
    ["example.com", /whole URL/],
    ["http://", /whole URL/],
    ["http://[::1", /whole URL/],
    ["http://a b/", /whole URL/],
  ])("refuses %s", (text, message) => {
    expect(() => parseHttpUrl(text)).toThrow(message);
  });
});

const noAddress = async (): Promise<LookupAddress[]> => {
  throw new Error("an address needs no lookup");
};
const answer =
  (...addresses: string[]) =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));

const toGuard = (allow: string, lookup: Lookup): Guard => ({
  allow: parseAllowList(allow),
  setting: "SWARMLOOM_HTTP_ALLOW",
  ownPort: 3000,
  lookup,
});

describe("resolveTarget", () => {
  it.each([
    "http://127.0.0.1/",
    "http://127.1/",
    "http://2130706433/",
    "http://0x7f000001/",
    "http://0x7f.0.0.1/",
    "http://017700000001/",
    "http://0177.0.0.01/",
    "http://127.0.0.1./",
    "http://①②⑦.⓪.⓪.①/",
    "http://0/",
    "http://[::]/",
    "http://[::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/",
    "http://[0:0:0:0:0:ffff:a9fe:a9fe]/",
    "http://[64:ff9b::7f00:1]/",
    "http://[2002:7f00:1::]/",
    "http://169.254.169.254/latest/meta-data/",
    "http://2852039166/",
    "https://10.0.0.1:8443/",
  ])("refuses %s", async (text) => {
    const target = resolveTarget(parseHttpUrl(text), toGuard("", noAddress));
    await expect(target).rejects.toThrow(/is not reached: its address is [\w-]+, .* SWARMLOOM_HTTP_ALLOW/);
  });

  it("lets a public address through without asking for its name", async () => {
    const guard = toGuard("", noAddress);
    expect(await resolveTarget(new URL("http://8.8.8.8/"), guard)).toEqual([{ address: "8.8.8.8", family: 4 }]);
    expect(await resolveTarget(new URL("http://[2606:4700::1]/"), guard)).toEqual([
      { address: "2606:4700::1", family: 6 },
    ]);
  });

  it.each([
    ["one that is private", ["10.0.0.7"], "private"],
    ["one private among public ones", ["8.8.8.8", "10.0.0.7"], "private"],
    ["a mapped one", ["::ffff:127.0.0.1"], "loopback"],
    ["an unreadable one", ["nonsense"], "unreadable"],
  ])("refuses a name with %s, and does not tell the address", async (_name, addresses, kind) => {
    const target = resolveTarget(new URL("http://inner.test/"), toGuard("", answer(...addresses)));
    await expect(target).rejects.toThrow(`inner.test is not reached: its address is ${kind}`);
    await expect(target).rejects.not.toThrow("10.0.0.7");
  });

  it("reports an unknown name", async () => {
    const url = new URL("http://nowhere.test/");
    const message = 'the host "nowhere.test" was not found';
    await expect(resolveTarget(url, toGuard("", noAddress))).rejects.toThrow(message);
    await expect(resolveTarget(url, toGuard("", answer()))).rejects.toThrow(message);
  });

  it("lets a named host through, and no other that resolves to the same address", async () => {
    const guard = toGuard("inner.test:8080, 10.0.0.5", answer("10.0.0.5"));
    expect(await resolveTarget(new URL("http://INNER.test.:8080/x"), guard)).toHaveLength(1);
    expect(await resolveTarget(new URL("http://10.0.0.5:9/"), guard)).toHaveLength(1);
    for (const other of ["http://inner.test/", "http://a.inner.test:8080/", "http://other.test/", "http://10.0.0.6/"])
      await expect(resolveTarget(new URL(other), guard)).rejects.toThrow("is not reached");
  });
});

describe("this server", () => {
  const names = ["localhost", "a.localhost", "127.0.0.1", "127.9.9.9", "0.0.0.0", "[::1]", "[::]"];
  const mapped = [
    "[::ffff:127.0.0.1]",
    "[::ffff:0.0.0.0]",
    "[64:ff9b::127.0.0.1]",
    "inner.test",
    "10.9.8.7",
    "[fd00::7]",
  ];
  const allowAll = (port: number) => [...names, ...mapped].map((name) => `${name}:${port}`).join();
  const toThisMachine = (host: string) => answer(host === "inner.test" ? "10.9.8.7" : "::1")();
  const network = { netmask: "", mac: "", internal: false, cidr: null };
  afterEach(() => vi.restoreAllMocks());

  it.each([...names, ...mapped])("is never reached as %s, whatever the list allows", async (name) => {
    vi.spyOn(os, "networkInterfaces").mockReturnValue({
      eth0: [
        { ...network, family: "IPv4", address: "10.9.8.7" },
        { ...network, family: "IPv6", address: "fd00:0::7", scopeid: 0 },
      ],
    });
    const guard = toGuard(`${allowAll(3000)},${allowAll(3001)}`, toThisMachine);
    const own = "is not reached: it is the address of this server itself";
    await expect(resolveTarget(new URL(`http://${name}:3000/`), guard)).rejects.toThrow(own);
    await expect(resolveTarget(new URL(`https://${name}:3000/`), guard)).rejects.toThrow(own);
    expect(await resolveTarget(new URL(`http://${name}:3001/`), guard)).toHaveLength(1);
  });

  it("is reached at a default port neither", async () => {
    const guard = { ...toGuard("127.0.0.1:80, 127.0.0.1:443", noAddress), ownPort: 80 };
    await expect(resolveTarget(new URL("http://127.0.0.1/"), guard)).rejects.toThrow("this server itself");
    expect(await resolveTarget(new URL("https://127.0.0.1/"), guard)).toHaveLength(1);
  });

  it("lends its port to no other machine", async () => {
    const guard = toGuard("10.0.0.5:3000", noAddress);
    expect(await resolveTarget(new URL("http://10.0.0.5:3000/"), guard)).toHaveLength(1);
    expect(await resolveTarget(new URL("http://8.8.8.8:3000/"), guard)).toHaveLength(1);
  });
});

describe("other ports of this machine", () => {
  it.each(["127.0.0.1", "::1", "0.0.0.0", "::ffff:127.0.0.1"])(
    "are not opened by a name without a port that resolves to %s",
    async (address) => {
      const url = new URL("http://inner.test:6379/");
      const message = "it is this machine; an administrator names its port, too, in SWARMLOOM_HTTP_ALLOW";
      await expect(resolveTarget(url, toGuard("inner.test", answer(address)))).rejects.toThrow(message);
      expect(await resolveTarget(url, toGuard("inner.test, inner.test:6379", answer(address)))).toHaveLength(1);
    },
  );

  it.each([
    "localhost",
    "LOCALHOST.",
    "a.localhost",
    "127.0.0.1",
    "127.1",
    "127.255.0.1",
    "0.0.0.0",
    "0",
    "::1",
    "[::1]",
    "::",
    "::ffff:127.0.0.1",
    "[::ffff:7f00:1]",
  ])("need one in the list: %s", (entry) => {
    const message = `expected a port with an address of this machine, such as localhost:8080, found "${entry}"`;
    expect(() => parseAllowList(`ok.test,${entry}`)).toThrow(message);
  });
});

describe("the allow list", () => {
  it.each([
    ["localhost:80", "http://localhost/", true],
    ["localhost:80", "https://localhost/", false],
    ["localhost:443", "https://localhost/", true],
    ["10.0.0.5", "http://10.0.0.5:1234/", true],
    ["fd00::5", "http://[fd00:0::5]:1234/", true],
    ["[::1]:3000", "http://[0:0:0:0:0:0:0:1]:3000/", true],
    ["127.1:80", "http://127.0.0.1/", true],
    [" A.test ,, b.test ", "http://b.test/", true],
    ["", "http://localhost/", false],
  ])("%j and %s", (list, url, expected) => {
    expect(findAllowed(new URL(url), parseAllowList(list)) !== undefined).toBe(expected);
  });

  it.each([
    "http://a.test",
    "a.test/path",
    "*.test",
    "a.test:0",
    "a.test:99999",
    "a@b",
    "10.0.0.0/8",
    "[::1",
    "1.2.3.4.5",
  ])("refuses %s", (list) => {
    expect(() => parseAllowList(`ok.test,${list}`)).toThrow(`found "${list}"`);
  });
});

describe("pinTo", () => {
  const addresses = [
    { address: "8.8.8.8", family: 4 },
    { address: "2606:4700::1", family: 6 },
  ];
  const ask = (options: { all?: boolean; family?: number }) =>
    new Promise((resolve) => {
      pinTo(addresses)("other.test", options, (error, found, family) =>
        resolve(error ? error.message : family === undefined ? found : [found, family]),
      );
    });

  it("answers with the checked addresses, whatever is asked", async () => {
    expect(await ask({ all: true })).toEqual(addresses);
    expect(await ask({ all: true, family: 6 })).toEqual([addresses[1]]);
    expect(await ask({})).toEqual(["8.8.8.8", 4]);
    expect(await ask({ family: 6 })).toEqual(["2606:4700::1", 6]);
  });
});
