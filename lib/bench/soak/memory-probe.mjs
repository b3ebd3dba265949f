// Loaded into the server by the soak: collects garbage on request and answers with what is left.
import v8 from "node:v8";
import vm from "node:vm";

v8.setFlagsFromString("--expose-gc");
const collect = vm.runInNewContext("gc");

process.on("message", () => {
  // What finalizers let go is collected the second time.
  collect();
  setImmediate(() => {
    collect();
    const { rss, heapUsed, external } = process.memoryUsage();
    process.send?.({ rss, heapUsed, external });
  });
});
process.channel?.unref();
