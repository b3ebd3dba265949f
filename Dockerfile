# The full image has the compiler that better-sqlite3 needs where there is no binary of it.
FROM node:20-bookworm AS build
WORKDIR /app
COPY . .
RUN npm ci --no-audit --no-fund
RUN npx next build
# What is only needed to build: development packages, the command of Prisma, the compilers, icons that are in the build.
RUN npm prune --omit=dev --ignore-scripts --no-audit --no-fund \
  && cd node_modules \
  && rm -rf prisma effect @electric-sql typescript lucide-react @next/swc-* \
    @prisma/dev @prisma/engines @prisma/fetch-engine @prisma/query-plan-executor @prisma/streams-local @prisma/studio-core
# Links the build into the folder that is served, as the first start would: containers copy nothing when they start.
RUN npx tsx --conditions=react-server -e \
    'import("./lib/cli/server/builds.ts").then(({ claimBuild }) => { if (!claimBuild("/app")) process.exitCode = 1; })' \
  && rm -rf .next .next-served/*/server-* \
  && mkdir -p node_modules/.swarmloom data

FROM node:20-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production
COPY --from=build --chown=node:node /app /app
USER node
VOLUME /app/data
EXPOSE 3000
HEALTHCHECK --interval=15s --timeout=10s --start-period=30s CMD ["node", ".config/check-health.mjs"]
CMD ["node", "lib/cli/swarmloom.mjs", "start"]
