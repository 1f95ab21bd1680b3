# A Linux computer: computerd, one executable, over a mounted workspace. Build it at the root of the checkout:
#   npm run images
ARG DEBIAN=debian:stable-slim
FROM ${DEBIAN}

RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates curl git \
 && apt-get clean && rm -rf /var/lib/apt/lists/*

COPY packages/computerd/dist/computerd /usr/local/bin/computerd

# With /dev/fuse, as Cloudflare gives it, the workspace is mounted; without, its files are real ones in the same place.
ENV PORT=8080 MOUNT_POINT=/workspace FUSE_MOUNT=auto FUSE_DRIVER=kernel
EXPOSE 8080
CMD ["computerd"]
