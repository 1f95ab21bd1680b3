# The base with pandoc and typst, for PDFs. Build it after the base, at the root of the checkout:
#   docker build -f container/pandoc.Dockerfile -t computer-pandoc .
ARG BASE=computer-base
FROM ${BASE}

RUN apt-get update \
 && apt-get install -y --no-install-recommends pandoc \
 && apt-get clean && rm -rf /var/lib/apt/lists/*

# Debian has pandoc but no typst: that one comes from npm.
RUN cd /opt/computer \
 && npx -y pnpm@12.21.0 install --frozen-lockfile --prod --filter @cloudflare/computer-document-tools --filter "@cloudflare/computerd..." \
 && node packages/document-tools/build.ts \
 && ln -s /opt/computer/packages/document-tools/dist/bin/typst /usr/local/bin/typst \
 && rm -rf /root/.npm /root/.cache /root/.local/share/pnpm
