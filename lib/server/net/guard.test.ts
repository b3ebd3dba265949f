import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isAllowed, parseAllowList } from "./allow-list";
import { type Address, classifyAddress, parseHttpUrl, pinTo, resolveTarget } from "./guard";

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

const noAddress = async (): Promise<Address[]> => {
  throw new Error("nobody is asked for the name of an address");
};
const answer =
  (...addresses: string[]) =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));

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
    const target = resolveTarget(parseHttpUrl(text), { allow: [], lookup: noAddress });
    await expect(target).rejects.toThrow(/is not reached: its address is [\w-]+, .* SWARMLOOM_HTTP_ALLOW/);
  });

  it("lets a public address through without asking for its name", async () => {
    const guard = { allow: [], lookup: noAddress };
    expect(await resolveTarget(new URL("http://8.8.8.8/"), guard)).toEqual([{ address: "8.8.8.8", family: 4 }]);
    expect(await resolveTarget(new URL("http://[2606:4700::1]/"), guard)).toEqual([
      { address: "2606:4700::1", family: 6 },
    ]);
  });

  it.each([
    ["one that is private", ["10.0.0.7"], "private"],
    ["one private among public ones", ["8.8.8.8", "10.0.0.7"], "private"],
    ["a mapped one", ["::ffff:127.0.0.1"], "loopback"],
    ["one that nobody can read", ["nonsense"], "unreadable"],
  ])("refuses a name with %s, and does not tell the address", async (_name, addresses, kind) => {
    const target = resolveTarget(new URL("http://inner.test/"), { allow: [], lookup: answer(...addresses) });
    await expect(target).rejects.toThrow(`inner.test is not reached: its address is ${kind}`);
    await expect(target).rejects.not.toThrow("10.0.0.7");
  });

  it("says that a name is unknown", async () => {
    const url = new URL("http://nowhere.test/");
    const message = 'the host "nowhere.test" was not found';
    await expect(resolveTarget(url, { allow: [], lookup: noAddress })).rejects.toThrow(message);
    await expect(resolveTarget(url, { allow: [], lookup: answer() })).rejects.toThrow(message);
  });

  it("lets a named host through, and no other that resolves to the same address", async () => {
    const guard = { allow: parseAllowList("inner.test:8080, 10.0.0.5"), lookup: answer("10.0.0.5") };
    expect(await resolveTarget(new URL("http://INNER.test.:8080/x"), guard)).toHaveLength(1);
    expect(await resolveTarget(new URL("http://10.0.0.5:9/"), guard)).toHaveLength(1);
    for (const other of ["http://inner.test/", "http://a.inner.test:8080/", "http://other.test/", "http://10.0.0.6/"])
      await expect(resolveTarget(new URL(other), guard)).rejects.toThrow("is not reached");
  });
});

describe("the allow list", () => {
  it.each([
    ["localhost:80", "http://localhost/", true],
    ["localhost:80", "https://localhost/", false],
    ["localhost:443", "https://localhost/", true],
    ["localhost", "http://localhost:1234/", true],
    ["[::1]:3000", "http://[0:0:0:0:0:0:0:1]:3000/", true],
    ["127.1", "http://127.0.0.1/", true],
    [" A.test ,, b.test ", "http://b.test/", true],
    ["", "http://localhost/", false],
  ])("%j and %s", (list, url, expected) => {
    expect(isAllowed(new URL(url), parseAllowList(list))).toBe(expected);
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
