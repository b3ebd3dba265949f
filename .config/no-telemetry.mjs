// Next and Prisma send usage data and look for updates unless the environment refuses it. Imported by everything that starts them.
Object.assign(process.env, {
  NEXT_TELEMETRY_DISABLED: "1",
  CHECKPOINT_DISABLE: "1",
  PRISMA_HIDE_UPDATE_MESSAGE: "1",
});
