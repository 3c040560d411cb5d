# syntax=docker/dockerfile:1
# One image for every role: the pages' server by default, the worker and the migration by their own command.

FROM node:24-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
COPY scripts/empty-package scripts/empty-package
RUN npm ci --omit=dev

FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY scripts/empty-package scripts/empty-package
RUN npm ci
COPY tsconfig.json next.config.ts ./
COPY app app
COPY components components
COPY db db
COPY inngest inngest
COPY lib lib
COPY scripts scripts
RUN node --import tsx scripts/build.ts && rm -rf .next/kept-cache .next/building

FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 TRILHO_ROLE=web TRILHO_DIST=.next/current TRILHO_DATA_DIR=/data NEXT_TELEMETRY_DISABLED=1
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY package.json tsconfig.json next.config.ts LICENSE ./
COPY app app
COPY components components
COPY db db
COPY inngest inngest
COPY lib lib
COPY scripts scripts
COPY --from=build /app/public public
COPY --from=build /app/.next .next
RUN mkdir /data && chown node:node /data
USER node
# What has no S3 and no mail server is kept here; everything else of the file system may be read-only.
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=4s --start-period=60s --retries=3 CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/livez`).then((reply) => process.exit(reply.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--enable-source-maps", ".next/current/server.mjs"]
