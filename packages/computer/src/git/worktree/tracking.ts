/** How a branch stands to the one it follows. */

import { aheadBehind } from "../history/ancestry.ts";
import { shortName } from "../repository/ref-name.ts";
import type { Repository } from "../repository/repository.ts";
import { upstreamOf } from "../repository/rev-parse.ts";

export interface Tracking {
  /** `origin/main` and the like. */
  readonly upstream: string;
  /** Undefined where the upstream is gone. */
  readonly counts: { readonly ahead: number; readonly behind: number } | undefined;
}

/** How a branch, given in full, stands to its upstream; undefined where it has none. */
export function trackingOf(repository: Repository, branch: string | undefined): Tracking | undefined {
  if (branch === undefined) return undefined;
  const upstream = upstreamOf(repository, branch.replace(/^refs\/heads\//, ""));
  if (upstream === undefined) return undefined;
  const [ours, theirs] = [repository.refs.resolve(branch), repository.refs.resolve(upstream)];
  const counts = ours === undefined || theirs === undefined ? undefined : aheadBehind(repository.objects, ours, theirs);
  return { upstream: shortName(upstream), counts };
}

/** In the words of a long status. */
export function trackingText(tracking: Tracking | undefined): string {
  if (tracking === undefined) return "";
  const { upstream, counts } = tracking;
  if (counts === undefined) {
    return `Your branch is based on '${upstream}', but the upstream is gone.\n  (use "git branch --unset-upstream" to fixup)\n`;
  }
  const { ahead, behind } = counts;
  const commits = (count: number): string => `${count} commit${count === 1 ? "" : "s"}`;
  if (ahead === 0 && behind === 0) return `Your branch is up to date with '${upstream}'.\n`;
  if (behind === 0) {
    return `Your branch is ahead of '${upstream}' by ${commits(ahead)}.\n  (use "git push" to publish your local commits)\n`;
  }
  if (ahead === 0) {
    return `Your branch is behind '${upstream}' by ${commits(behind)}, and can be fast-forwarded.\n  (use "git pull" to update your local branch)\n`;
  }
  return `Your branch and '${upstream}' have diverged,\nand have ${ahead} and ${behind} different commits each, respectively.\n  (use "git pull" to merge the remote branch into yours)\n`;
}
