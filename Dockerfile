# The mock, and the program as a whole, in an image: docs/recipes/docker.md.

FROM node:24-slim AS build
WORKDIR /src
COPY package.json package-lock.json bootstrap.cjs ./
RUN npm_config_ignore_scripts=true node bootstrap.cjs --program
COPY . .
# What the image holds is what the package holds.
RUN mkdir /app && npm pack --pack-destination /tmp && tar -xzf /tmp/agent-contract-*.tgz -C /app --strip-components=1
WORKDIR /app
# The lock file is no part of the package; with it the image has the versions that were tested.
COPY package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:24-alpine
LABEL org.opencontainers.image.title="agent-contract" \
  org.opencontainers.image.description="Contract, stateful mock server and conformance runner for the Agent Builder Service" \
  org.opencontainers.image.version="0.1.0" \
  org.opencontainers.image.licenses="MIT"
WORKDIR /app
COPY --from=build /app ./
# Loopback, the usual address, cannot be reached from outside of a container. Who can reach this one is up to the ports
# that are published: compose.yaml publishes them to the machine itself.
ENV NODE_ENV=production \
  AGENT_CONTRACT_HOST=0.0.0.0 \
  AGENT_CONTRACT_PORT=4010
# The user "node" of that image, by its number, so that Kubernetes can tell that it is not root.
USER 1000:1000
EXPOSE 4010
HEALTHCHECK --interval=5s --timeout=3s --start-period=10s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.AGENT_CONTRACT_PORT}/__admin/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/dist/cli/bin.js"]
CMD ["mock"]
