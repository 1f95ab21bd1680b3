# A Linux computer: computerd over a mounted workspace. Build it at the root of the checkout:
#   docker build -f container/base.Dockerfile -t computer-base .
FROM node:24-trixie-slim

RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates curl fuse3 git libfuse2t64 util-linux \
 && apt-get clean && rm -rf /var/lib/apt/lists/*

WORKDIR /opt/computer
COPY package.json pnpm-lock.yaml pnpm-workspace.yaml tsconfig.base.json ./
COPY packages packages
RUN npx -y pnpm@12.21.0 install --frozen-lockfile --prod --filter "@cloudflare/computerd..." \
 && rm -rf /root/.npm /root/.cache /root/.local/share/pnpm

ENV PORT=8080 MOUNT_POINT=/workspace FUSE_MOUNT=fuse
EXPOSE 8080
WORKDIR /
CMD ["node", "/opt/computer/packages/computerd/src/main.ts"]
