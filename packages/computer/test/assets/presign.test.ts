/** Signature Version 4 in the query, against the vectors that AWS publishes, and as a server would check it. */

import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { presign } from "../../src/assets/presign.ts";
import { signatureAsServed, signatureOf } from "./s3-server.ts";

/** Of AWS's signing test suite: requests with a signature in the query, for one hour. */
const SUITE = {
  endpoint: "https://example.amazonaws.com",
  accessKeyId: "AKIDEXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
  region: "us-east-1",
  service: "service",
  expires: 3600,
  now: Date.UTC(2015, 7, 30, 12, 36),
  payload: createHash("sha256").update("").digest("hex"),
};
const UNRESERVED = "-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

test.each([
  ["get-unreserved", { path: `/${UNRESERVED}` }, "95968482db1b9e0fadef6efc1bd24689f77c77d9ef56919c96a28cc92e0d6005"],
  ["get-utf8", { path: "/ሴ" }, "10eae3f14a260bd3911cc6d008d3c576d143b05b62f09782a7a4b37f52178e44"],
  [
    "get-vanilla-utf8-query",
    { path: "/", query: { ሴ: "bar" } },
    "0bdd809b1519ac4f0c1dc3540e2cc46bd0c7f778eda408b2ebf3b913d21ff600",
  ],
  [
    "get-vanilla-query-unreserved",
    { path: "/", query: { [UNRESERVED]: UNRESERVED } },
    "8e76a88a7433637b12778d5592799b29ad21ecd6cf6325051c21d86f0acda2bf",
  ],
  [
    "get-vanilla-query-order-encoded",
    { path: "/", query: { "Param-3": "Value3", Param: "Value2", ሴ: "Value1" } },
    "c5f1848ceec943ac2ca68ee720460c23aaae30a2300586597ada94c4a65e4787",
  ],
])("AWS's test suite: %s", (_, request, signature) => {
  expect(signatureOf(presign({ ...SUITE, ...request }))).toBe(signature);
});

test("the example of a presigned URL in the documentation of S3", () => {
  const link = presign({
    endpoint: "https://examplebucket.s3.amazonaws.com",
    path: "/test.txt",
    accessKeyId: "AKIAIOSFODNN7EXAMPLE",
    secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    region: "us-east-1",
    service: "s3",
    expires: 86_400,
    now: Date.UTC(2013, 4, 24),
  });
  expect(link).toBe(
    "https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404",
  );
});

test.each(["a b!*'().png", "é.txt", "100%.txt", "a+b.txt", "q?#.txt", "a&b=c;.txt", "%41.txt", "../x", "日本/語.txt"])(
  "a server that reads the link finds the key %s and the same signature",
  (name) => {
    const path = `/bucket/prefix/ID/${name}`;
    const link = presign({ ...SUITE, service: "s3", path, query: { "response-x": name }, payload: undefined });
    // What a client sends is what was signed: a URL parser changes nothing of it, unless the path has dots to resolve.
    if (!name.includes("..")) expect(new URL(link).href).toBe(link);
    expect(link).not.toMatch(/[!*'()+ ]/);
    expect(decodeURIComponent(link.replace(/^https:\/\/[^/]+|\?.*$/g, ""))).toBe(path);
    expect(signatureAsServed(link, SUITE.secretAccessKey)).toBe(signatureOf(link));
  },
);

test("an endpoint with a port and a path keeps both", () => {
  const link = presign({ ...SUITE, endpoint: "http://localhost:9000/s3/", path: "/bucket/key" });
  expect(link).toMatch(/^http:\/\/localhost:9000\/s3\/bucket\/key\?/);
});
