/** What a command finds in its environment: a small base, the computer's own variables, and what the call passes. */

const PREFIX = "COMPUTER_VAR_";
const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** Variables by name. */
export type Environment = Readonly<Record<string, string>>;

/** The environment every command starts from, out of the daemon's own: nothing else of the daemon's is passed on. */
export function commandBase(daemon: Readonly<Record<string, string | undefined>>): Environment {
  const base: Record<string, string> = {
    PATH: daemon.PATH || PATH,
    HOME: daemon.HOME || "/root",
    LANG: daemon.LANG || "C.UTF-8",
    SHELL: "/bin/sh",
    TERM: daemon.TERM || "dumb",
  };
  for (const [name, value] of Object.entries(daemon)) {
    if (name.startsWith(PREFIX) && name.length > PREFIX.length && value !== undefined) {
      base[name.slice(PREFIX.length)] = value;
    }
  }
  return base;
}

/** Why these cannot be environment variables, or undefined where they can. */
export function environmentFault(env: Environment): string | undefined {
  for (const [name, value] of Object.entries(env)) {
    if (name === "" || /[=\0]/.test(name)) return `${JSON.stringify(name)} cannot be the name of a variable`;
    if (value.includes("\0")) return `the value of ${name} has a NUL byte`;
  }
  return undefined;
}
