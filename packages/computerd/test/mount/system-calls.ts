/** System calls that neither Node nor a shell makes, as lines of Perl. */

const X64 = { read: 0, mmap: 9, msync: 26, setxattr: 188, renameat2: 316 };
const ARM64 = { read: 63, mmap: 222, msync: 227, setxattr: 5, renameat2: 276 };

/** Their numbers on this machine. */
export const CALLS: Readonly<Record<keyof typeof X64, number>> = process.arch === "arm64" ? ARM64 : X64;

/** Perl that renames `a` to `b` with flags, and prints what came of it. */
export function renameWith(flags: number): string {
  return `perl -e 'my ($a, $b) = ("a", "b"); print syscall(${CALLS.renameat2}, -100, $a, -100, $b, ${flags}) == 0 ? "done" : $!'`;
}

/** Perl that maps a file, shared, writes to the mapping what stands in its input, and says what msync says. */
export function writeMapped(file: string): string {
  return `perl -e 'open F, "+<", "${file}" or die;
    my $at = syscall(${CALLS.mmap}, 0, 4096, 3, 1, fileno(F), 0); die "mmap: $!" if $at < 0 && $at > -4096;
    syscall(${CALLS.read}, 0, $at + 100, 6) == 6 or die "read: $!";
    print syscall(${CALLS.msync}, $at, 4096, 4)'`;
}
