/** Which S3 service signs for a bucket, and with what. */

import { ComputerError } from "@cloudflare/computer-rpc";

/** Variables that fill in what a configuration leaves out. */
export type AssetsEnv = { readonly [name: string]: string | undefined };

/** A bucket as an S3 service knows it. What is left out comes from the environment. */
export interface S3Config {
  /** The bucket's name, not that of its binding. */
  bucket: string;
  /** Default `CLOUDFLARE_ACCOUNT_ID`; not needed beside an endpoint. */
  accountId?: string | undefined;
  /** Default `R2_ACCESS_KEY_ID`, else `AWS_ACCESS_KEY_ID`. */
  accessKeyId?: string | undefined;
  /** Default `R2_SECRET_ACCESS_KEY`, else `AWS_SECRET_ACCESS_KEY`. */
  secretAccessKey?: string | undefined;
  /** Default `R2_ENDPOINT`, else R2's of the account. */
  endpoint?: string | undefined;
  /** Default `auto`, which is R2's. */
  region?: string | undefined;
  /** Default `s3`. */
  service?: string | undefined;
}

/** A configuration with nothing left out. */
export interface ResolvedS3 {
  bucket: string;
  endpoint: string;
  accessKeyId: string;
  secretAccessKey: string;
  region: string;
  service: string;
}

/** Fills a configuration in; `EOPTION` names what is still missing, and the variables that it could be in. */
export function resolveS3(s3: S3Config, env: AssetsEnv): ResolvedS3 {
  const { accountId, accessKeyId, secretAccessKey, endpoint } = found(s3, env);
  const missing = [
    ...(filled(s3.bucket) === undefined ? ["bucket"] : []),
    ...(accessKeyId === undefined ? ["accessKeyId (or R2_ACCESS_KEY_ID)"] : []),
    ...(secretAccessKey === undefined ? ["secretAccessKey (or R2_SECRET_ACCESS_KEY)"] : []),
    ...(endpoint === undefined && accountId === undefined ? ["accountId (or CLOUDFLARE_ACCOUNT_ID)"] : []),
  ];
  if (accessKeyId === undefined || secretAccessKey === undefined || missing.length > 0) {
    throw new ComputerError("EOPTION", `The S3 configuration of createAssets lacks ${missing.join(", ")}.`);
  }
  return {
    bucket: s3.bucket,
    endpoint: httpOrigin(endpoint ?? `https://${accountId}.r2.cloudflarestorage.com`),
    accessKeyId,
    secretAccessKey,
    region: s3.region ?? "auto",
    service: s3.service ?? "s3",
  };
}

/** Whether there are no credentials at all, so that nothing can be signed and nothing was half configured. */
export function withoutCredentials(s3: S3Config, env: AssetsEnv): boolean {
  const { accessKeyId, secretAccessKey } = found(s3, env);
  return accessKeyId === undefined && secretAccessKey === undefined;
}

function found(s3: S3Config, env: AssetsEnv): Partial<Omit<S3Config, "bucket">> {
  return {
    accountId: filled(s3.accountId) ?? filled(env.CLOUDFLARE_ACCOUNT_ID),
    accessKeyId: filled(s3.accessKeyId) ?? filled(env.R2_ACCESS_KEY_ID) ?? filled(env.AWS_ACCESS_KEY_ID),
    secretAccessKey:
      filled(s3.secretAccessKey) ?? filled(env.R2_SECRET_ACCESS_KEY) ?? filled(env.AWS_SECRET_ACCESS_KEY),
    endpoint: filled(s3.endpoint) ?? filled(env.R2_ENDPOINT),
  };
}

/** A variable that is set to nothing is not set. */
function filled(value: string | undefined): string | undefined {
  return value === "" ? undefined : value;
}

function httpOrigin(endpoint: string): string {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.search === "" && url.username === "") {
    return endpoint.replace(/\/+$/, "");
  }
  throw new ComputerError(
    "EOPTION",
    "The S3 endpoint of createAssets (or R2_ENDPOINT) is no address: give one such as https://ACCOUNT.r2.cloudflarestorage.com.",
  );
}
