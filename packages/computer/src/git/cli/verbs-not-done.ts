/** What real git can do beside the verbs that are here: such a word is no misspelling, and is refused by name. */
export const VERBS_NOT_DONE: ReadonlySet<string> = new Set(
  `am annotate apply archive bisect blame bugreport bundle check-attr check-ignore check-mailmap check-ref-format cherry cherry-pick
  citool commit-graph commit-tree count-objects credential describe diff-files diff-index diff-tree difftool fast-export fast-import
  fetch-pack filter-branch fmt-merge-msg for-each-ref for-each-repo format-patch fsck gc grep gui gitk hook imap-send index-pack
  instaweb interpret-trailers ls-remote mailinfo mailsplit maintenance merge-base merge-file merge-index merge-tree mergetool mktag
  mktree multi-pack-index mv name-rev notes p4 pack-objects pack-redundant pack-refs patch-id prune prune-packed range-diff read-tree
  rebase reflog repack replace request-pull rerere rev-list revert scalar send-email send-pack shell shortlog show-branch show-index show-ref
  sparse-checkout stage stripspace submodule svn unpack-file unpack-objects update-index update-server-info var verify-commit
  verify-pack verify-tag whatchanged worktree write-tree`.split(/\s+/),
);
