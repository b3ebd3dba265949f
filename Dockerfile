# The full image has the compiler that better-sqlite3 needs where there is no binary of it.
FROM node:20-trixie AS build
WORKDIR /app
COPY . .
RUN npm ci --no-audit --no-fund
RUN npx next build
RUN node .config/pack-installation.mjs /packed

FROM node:20-trixie-slim
# For `swarmloom backup` and `restore`. The package itself depends on Perl, which is 50 MB.
RUN apt-get update \
  && apt-get install -y --no-install-recommends libpq5 liblz4-1 libreadline8t64 libzstd1 \
  && cd /tmp \
  && apt-get download postgresql-client-17 \
  && dpkg-deb --fsys-tarfile postgresql-client-17_*.deb \
    | tar -x -C /usr/local/bin --strip-components=6 --wildcards '*/bin/pg_dump' '*/bin/pg_restore' '*/bin/psql' \
  && rm -rf /tmp/*.deb /var/lib/apt/lists/* \
  && pg_dump --version && pg_restore --version && psql --version
WORKDIR /app
ENV NODE_ENV=production
COPY --from=build --chown=node:node /packed /app
USER node
VOLUME /app/data
EXPOSE 3000
HEALTHCHECK --interval=15s --timeout=10s --start-period=30s CMD ["node", ".config/check-health.mjs"]
CMD ["node", "lib/cli/swarmloom.mjs", "start"]
