import { expect, test } from "vitest";
import { mayCall } from "../src/may-call.ts";

function request(url: string, authorization?: string): Request {
  return new Request(url, authorization === undefined ? {} : { headers: { Authorization: authorization } });
}

test("without a token only this machine may call", async () => {
  for (const host of ["localhost:8787", "127.0.0.1:1", "[::1]:5"]) {
    expect(await mayCall(request(`http://${host}/mcp/a`), undefined)).toBe(true);
  }
  expect(await mayCall(request("https://computer.example/mcp/a"), undefined)).toBe(false);
  expect(await mayCall(request("https://localhost.example/mcp/a", "Bearer "), "")).toBe(false);
});

test("with a token who sends it may, and nobody else", async () => {
  const url = "https://computer.example/mcp/a";
  expect(await mayCall(request(url, "Bearer secret"), "secret")).toBe(true);
  for (const wrong of ["Bearer secre", "Bearer secret2", "secret", "bearer secret", ""]) {
    expect(await mayCall(request(url, wrong), "secret")).toBe(false);
  }
  expect(await mayCall(request("http://localhost:8787/mcp/a"), "secret")).toBe(false);
});
