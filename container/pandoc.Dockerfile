# The base with pandoc and typst, for PDFs. Build it at the root of the checkout:
#   npm run images
ARG DEBIAN=debian:stable-slim
FROM ${DEBIAN}

RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates curl git \
 && apt-get clean && rm -rf /var/lib/apt/lists/*

COPY packages/computerd/dist/computerd /usr/local/bin/computerd
COPY packages/document-tools/dist /opt/document-tools

ENV PATH=/opt/document-tools/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
ENV PORT=8080 MOUNT_POINT=/workspace FUSE_MOUNT=auto FUSE_DRIVER=kernel
EXPOSE 8080
CMD ["computerd"]
