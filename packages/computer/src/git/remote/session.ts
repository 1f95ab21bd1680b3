/** What a verb works with that waits for the network in between: each step finds the repository as it then is. */

import { absolutePath } from "../../files/absolute-path.ts";
import { UnsupportedError } from "../git-error.ts";
import type { Repository, Surroundings } from "../repository/repository.ts";
import { HttpRemote } from "./http-remote.ts";
import { LocalRemote, openLocal } from "./local-remote.ts";
import type { Network } from "./network.ts";
import type { Remote } from "./remote.ts";

export interface Session {
  readonly network: Network;
  readonly surroundings: Surroundings;
  /** Runs a step that happens as a whole or not at all. */
  step<T>(work: () => T): T;
  /** The repository as it is now. */
  open(): Repository;
}

/** The remote at an address or path. `EUNSUPPORTED` for a protocol that is not spoken here. */
export function remoteAt(session: Session, url: string, base: string): Remote {
  const { surroundings } = session;
  if (/^https?:\/\//i.test(url)) return new HttpRemote(url, withHeaders(session, url), surroundings.files.store);
  const path = url.startsWith("file://") ? url.slice("file://".length) : url;
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(path) || /^[\w.-]+@?[\w.-]*:(?!\/\/)/.test(path)) {
    throw new UnsupportedError(`the address '${url}': give one that begins with https://`);
  }
  const absolute = absolutePath(base, path);
  const open = (): Repository => {
    surroundings.files.forget();
    return openLocal(surroundings.files, absolute, { ...surroundings, settings: [] });
  };
  open();
  return new LocalRemote(url, open, (work) => session.step(work));
}

/** The network with the headers that the settings ask for. */
function withHeaders(session: Session, url: string): Network {
  const settings = extraHeaders(session, url);
  if (settings.length === 0) return session.network;
  const headers: Record<string, string> = {};
  for (const line of settings) {
    const colon = line.indexOf(":");
    if (colon > 0) headers[line.slice(0, colon).trim()] = line.slice(colon + 1).trim();
  }
  return { ...session.network, headers: { ...headers, ...session.network.headers } };
}

function extraHeaders(session: Session, url: string): string[] {
  const { surroundings } = session;
  const fromCommand = surroundings.settings.flatMap((setting) => {
    const match = /^http\.(?:(.*)\.)?extraheader=(.*)$/is.exec(setting);
    return match === null || (match[1] !== undefined && !url.startsWith(match[1])) ? [] : [match[2]!];
  });
  try {
    const { config } = session.open();
    const bases = config.subsections("http").filter((base) => url.startsWith(base));
    return [...config.all("http.extraheader"), ...bases.flatMap((base) => config.all(`http.${base}.extraheader`))];
  } catch {
    return fromCommand;
  }
}
