"""Does random things in two directories that must come out the same: `random-operations.py DIR ORACLE`, told by lines of its input.

    steps SEED PLACE COUNT    what the seed decides, below PLACE in both; answers `ok`, or says what differed and ends
    race SEED PLACE COUNT     the same in DIR alone while others do so too; only errors that no race explains are told
    close                     closes all files that are open
    compare PLACE             compares all that is below PLACE in both
    check PLACE               whether what is below PLACE in DIR fits together
"""

import collections, ctypes, errno, fcntl, hashlib, mmap, os, random, stat, sys

SIDES = sys.argv[1:3]
NAMES = ["a", "b", "c", "d.txt", "dä", "e e", "f" * 200] + ["n%d" % n for n in range(25)]
XATTRS = ["user.a", "user.b", "user.other"]
MAX_BYTES = 600_000
MOST_READ = 8 << 20
CHUNK = 262_144
MOST_OPEN = 8
# What a race may bring. Anything else, above all EIO, ESTALE and ENOTCONN, is a fault.
RACES = {errno.ENOENT, errno.EEXIST, errno.ENOTDIR, errno.EISDIR, errno.ENOTEMPTY, errno.EINVAL, errno.ELOOP, errno.EPERM,
         errno.ENODATA, errno.EAGAIN, errno.ENXIO, errno.EACCES, errno.EBADF, errno.EXDEV, errno.EBUSY}
# Times that were set are before this, in seconds; what the clock gave is after it.
LONG_AGO = 1_000_000_000
libc = ctypes.CDLL(None, use_errno=True)


class Open:
    """A file that is open on each side, with a mapping where there is one."""

    def __init__(self, path):
        self.path, self.fds, self.maps, self.directory = path, [], [], False

    def close(self):
        for each in self.maps:
            each.close()
        for fd in self.fds:
            os.close(fd)


opened = []
# The last steps, to be told where one differs.
before = collections.deque(maxlen=60)


def check_call(result):
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def rename_with(flags, old, new):
    return check_call(libc.renameat2(-100, os.fsencode(old), -100, os.fsencode(new), flags))


def fallocate(fd, mode, offset, length):
    return check_call(libc.fallocate(fd, mode, ctypes.c_long(offset), ctypes.c_long(length)))


def digest(data):
    return len(data), hashlib.blake2b(data, digest_size=8).hexdigest()


def contents(path):
    # A fifo that has come in between would wait for its other end.
    fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    with open(fd, "rb") as file:
        return digest(file.read(MOST_READ))


def told(status):
    """What both sides must agree on. The time of a change is told where it was set, else only that it was not."""
    kind = stat.S_IFMT(status.st_mode)
    time = status.st_mtime_ns if status.st_mtime < LONG_AGO else "of the clock"
    size = None if kind == stat.S_IFDIR else status.st_size
    return oct(status.st_mode), status.st_nlink, size, status.st_uid, status.st_gid, time


def write_mapped(entry, side, at, data, time):
    """Through a mapping and seen by a read before it is flushed."""
    fd = entry.fds[side]
    if len(entry.maps) <= side:
        size = min(os.fstat(fd).st_size, MAX_BYTES)
        if size == 0:
            return "empty"
        entry.maps.append(mmap.mmap(fd, size))
    mapping = entry.maps[side]
    end = min(os.fstat(fd).st_size, len(mapping), at + len(data))
    if end <= at:
        return "beyond"
    mapping[at:end] = data[: end - at]
    seen = os.pread(fd, end - at, at)
    mapping.flush()
    # When the time of a change through a mapping moves, is up to each system.
    os.utime(fd, ns=(time, time))
    return digest(seen), digest(mapping[at:end])


def one_step(r):
    """A name for it, and what does it on a side below a root; all that is random has been decided."""
    def place(most=3):
        return "/".join(r.choice(NAMES) for _ in range(r.randint(1, most)))
    path, other = place(), place()
    data = r.randbytes(61) * r.randrange(1, 80 if r.random() < 0.8 else 4000)
    at = max(0, CHUNK * r.randrange(3) - r.randrange(3)) if r.random() < 0.3 else r.randrange(MAX_BYTES)
    length = r.randrange(1, MAX_BYTES // 2)
    mode = r.randrange(0o10000)
    time = r.randrange(LONG_AGO * 10**9)
    xattr = r.choice(XATTRS)
    owner = r.choice([0, 1, 1000])

    def named(action):
        return lambda root, side: action(os.path.join(root, path), os.path.join(root, other))

    def put(flags):
        def action(p, _):
            fd = os.open(p, os.O_WRONLY | os.O_CREAT | os.O_NONBLOCK | flags, 0o666)
            try:
                return os.write(fd, data)
            finally:
                os.close(fd)
        return named(action)

    def utime(p, _):
        os.utime(p, ns=(time, time))
        return os.stat(p).st_mtime_ns, os.stat(p).st_atime_ns

    def truncate(p, _):
        os.truncate(p, at)
        # Whether this moves the time where the size was the same already, is up to each system.
        os.utime(p, ns=(time, time))

    def remove_tree(p, _):
        for directory, dirs, files in os.walk(p, topdown=False):
            for name in files:
                os.unlink(os.path.join(directory, name))
            for name in dirs:
                full = os.path.join(directory, name)
                os.unlink(full) if os.path.islink(full) else os.rmdir(full)

    def populate(p, _):
        os.mkdir(p)
        for number in range(40):
            fd = os.open("%s/n%d" % (p, number), os.O_WRONLY | os.O_CREAT | os.O_NONBLOCK)
            try:
                os.write(fd, data[: number * 40])
            finally:
                os.close(fd)

    common = [
        ("mkdir", 6, named(lambda p, _: os.mkdir(p, mode))),
        ("populate", 1, named(populate)),
        ("create", 8, put(os.O_TRUNC)), ("create exclusively", 2, put(os.O_TRUNC | os.O_EXCL)),
        ("append", 5, put(os.O_APPEND)),
        ("read", 6, named(lambda p, _: contents(p) if stat.S_ISREG(os.stat(p).st_mode) else "no file")),
        ("truncate", 3, named(truncate)),
        ("unlink", 4, named(lambda p, _: os.unlink(p))),
        ("rmdir", 2, named(lambda p, _: os.rmdir(p))),
        ("remove tree", 1, named(remove_tree)),
        ("rename", 8, named(os.rename)),
        ("rename without replacing", 2, named(lambda p, q: rename_with(1, p, q))),
        ("exchange", 3, named(lambda p, q: rename_with(2, p, q))),
        ("link", 4, named(lambda p, q: os.link(p, q, follow_symlinks=False))),
        ("symlink", 2, named(lambda p, q: os.symlink(other.split("/")[-1], p))),
        ("readlink", 1, named(lambda p, _: os.readlink(p))),
        ("chmod", 3, named(lambda p, _: os.chmod(p, mode))),
        ("chown", 2, named(lambda p, _: os.lchown(p, owner, owner))),
        ("utime", 4, named(utime)),
        ("mkfifo", 1, named(lambda p, _: os.mkfifo(p, 0o600))),
        ("mknod", 1, named(lambda p, _: os.mknod(p, stat.S_IFSOCK | 0o600))),
        ("setxattr", 3, named(lambda p, _: os.setxattr(p, xattr, data[: length % 900], r_flag))),
        ("getxattr", 2, named(lambda p, _: digest(os.getxattr(p, xattr)))),
        ("listxattr", 2, named(lambda p, _: sorted(os.listxattr(p)))),
        ("removexattr", 1, named(lambda p, _: os.removexattr(p, xattr))),
        ("list", 3, named(lambda p, _: sorted(os.listdir(p)))),
        ("lstat", 3, named(lambda p, _: told(os.lstat(p)))), ("stat", 3, named(lambda p, _: told(os.stat(p)))),
    ]
    r_flag = r.choice([0, 0, os.XATTR_CREATE, os.XATTR_REPLACE])
    name, _, action = r.choices(common, [weight for _, weight, _ in common])[0]
    if r.random() < 0.5:
        return "%s %s %s" % (name, path, other), action

    flags = os.O_RDWR | r.choice([0, os.O_CREAT, os.O_CREAT, os.O_CREAT | os.O_TRUNC, os.O_CREAT | os.O_APPEND])
    what = r.random()
    if not opened or what < 0.2:
        entry = Open(path)
        kind = r.choice(["file", "file", "file", "unnamed", "directory"])
        def open_it(root, side):
            full = os.path.join(root, path)
            if kind == "directory":
                entry.directory = True
                fd = os.open(full, os.O_RDONLY | os.O_DIRECTORY)
            elif kind == "unnamed":
                fd = os.open(os.path.dirname(full), os.O_RDWR | os.O_TMPFILE, 0o644)
            else:
                # A fifo would wait for its other end.
                fd = os.open(full, flags | os.O_NONBLOCK, 0o644)
                if not stat.S_ISREG(os.fstat(fd).st_mode):
                    os.close(fd)
                    return "no file"
            if not entry.fds:
                opened.append(entry)
            entry.fds.append(fd)
            return told(os.fstat(fd))
        return "open %s %s" % (kind, path), open_it

    entry = r.choice(opened)
    if entry.directory:
        inside = r.choice(NAMES)
        def create_in(root, side):
            fd = os.open(inside, os.O_WRONLY | os.O_CREAT | os.O_NONBLOCK, 0o640, dir_fd=entry.fds[side])
            try:
                return os.write(fd, data[:100]) if stat.S_ISREG(os.fstat(fd).st_mode) else "no file"
            finally:
                os.close(fd)
        steps = [
            ("list open", lambda root, side: sorted(os.listdir(entry.fds[side]))),
            ("create in open", create_in),
            ("mkdir in open", lambda root, side: os.mkdir(inside, dir_fd=entry.fds[side])),
            ("rename from open", lambda root, side: os.rename(inside, os.path.join(root, other), src_dir_fd=entry.fds[side])),
            ("remove open", lambda root, side: os.rmdir(os.path.join(root, entry.path))),
        ]
    else:
        second = r.choice([each for each in opened if not each.directory])
        lock = r.choice([fcntl.LOCK_EX, fcntl.LOCK_SH, fcntl.LOCK_UN])
        keep = r.choice([0, 1, 3])
        def copy_range(root, side):
            if entry is second:
                return "same"
            copied = os.copy_file_range(entry.fds[side], second.fds[side], length, at, at // 2)
            return copied, digest(os.pread(second.fds[side], length, at // 2))
        def prealloc(root, side):
            fallocate(entry.fds[side], keep, at, length)
            os.utime(entry.fds[side], ns=(time, time))
            return told(os.fstat(entry.fds[side])), digest(os.pread(entry.fds[side], length, at))
        def revive(root, side):
            os.link("/proc/self/fd/%d" % entry.fds[side], os.path.join(root, other), follow_symlinks=True)
        steps = [
            ("pwrite", lambda root, side: os.pwrite(entry.fds[side], data, at)),
            ("write", lambda root, side: os.write(entry.fds[side], data)),
            ("pread", lambda root, side: digest(os.pread(entry.fds[side], length, at))),
            ("read on", lambda root, side: digest(os.read(entry.fds[side], 20_000))),
            ("seek", lambda root, side: os.lseek(entry.fds[side], at % 50_000, os.SEEK_SET)),
            ("ftruncate", lambda root, side: os.ftruncate(entry.fds[side], at)),
            ("fstat", lambda root, side: told(os.fstat(entry.fds[side]))),
            ("fsync", lambda root, side: os.fsync(entry.fds[side])), ("fallocate", prealloc), ("copy_file_range", copy_range), ("link again", revive),
            ("unlink open", lambda root, side: os.unlink(os.path.join(root, entry.path))),
            ("flock", lambda root, side: fcntl.flock(entry.fds[side], lock | fcntl.LOCK_NB)),
            ("lockf", lambda root, side: fcntl.lockf(entry.fds[side], lock if lock == fcntl.LOCK_UN else lock | fcntl.LOCK_NB, length % 1000 + 1, at % 1000)),
            ("fchmod", lambda root, side: os.fchmod(entry.fds[side], mode)),
        ]
        if not racing:
            mapped = ("map", lambda root, side: write_mapped(entry, side, at % 50_000, data[:9000], time))
            steps += [mapped] * 3
    name, action = r.choice(steps)
    return "%s %s (%s) %s" % (name, entry.path, entry.fds[0], other), action


racing = False


def outcome(action, root, side):
    try:
        result = action(root, side)
        return "done" if result is None else result
    except OSError as error:
        return errno.errorcode.get(error.errno, str(error.errno))


def fail(message):
    print(message.replace("\n", "\n  "), flush=True)
    sys.exit(1)


def maybe_close(r):
    if len(opened) > MOST_OPEN or (opened and r.random() < 0.04):
        opened.pop(r.randrange(len(opened))).close()


def steps(seed, place, count):
    r = random.Random(seed)
    for number in range(count):
        name, action = one_step(r)
        ours, theirs = (outcome(action, os.path.join(SIDES[side], place), side) for side in (0, 1))
        before.append("%s %s: %s" % (seed, name, theirs))
        if ours != theirs:
            fail("step %d of %s in %s: %s\nhere: %r\nthere: %r\nbefore it:\n%s"
                 % (number, seed, place, name, ours, theirs, "\n".join(before)))
        maybe_close(r)


def race(seed, place, count):
    global racing
    racing = True
    r = random.Random(seed)
    for number in range(count):
        name, action = one_step(r)
        result = outcome(action, os.path.join(SIDES[0], place), 0)
        if isinstance(result, str) and getattr(errno, result, 0) not in RACES | {0}:
            fail("step %d of a race, %s in %s: %s came to %s" % (number, seed, place, name, result))
        maybe_close(r)
    close_all()
    racing = False


def tree(root):
    """All below a directory by its path: what it is, what is in it, and which other name it has."""
    found, names = {}, {}
    for directory, dirs, files in os.walk(root):
        for name in sorted(dirs + files):
            full = os.path.join(directory, name)
            status = os.lstat(full)
            kind = stat.S_IFMT(status.st_mode)
            inside = contents(full) if kind == stat.S_IFREG else os.readlink(full) if kind == stat.S_IFLNK else None
            attributes = {} if kind == stat.S_IFLNK else {x: os.getxattr(full, x) for x in os.listxattr(full) if x[:5] == "user."}
            path = os.path.relpath(full, root)
            first = names.setdefault(status.st_ino, path) if kind != stat.S_IFDIR else path
            found[path] = (told(status), inside, attributes, first)
    return found


def compare(place):
    ours, theirs = (tree(os.path.join(side, place)) for side in SIDES)
    # Which of the names of a file comes first is up to the order in which they are found.
    def groups(found):
        by_first = {}
        for path, (_, _, _, first) in found.items():
            by_first.setdefault(first, set()).add(path)
        return sorted(sorted(paths) for paths in by_first.values())
    if groups(ours) != groups(theirs):
        fail("the names of files below %s differ:\n%r\n%r" % (place, [g for g in groups(ours) if g not in groups(theirs)],
                                                            [g for g in groups(theirs) if g not in groups(ours)]))
    for path in theirs:
        if ours[path][:3] != theirs[path][:3]:
            fail("%s below %s differs\nhere: %r\nthere: %r" % (path, place, ours[path], theirs[path]))
    return len(theirs)


def check(place):
    root = os.path.join(SIDES[0], place)
    links, count, inside = {}, {}, 0
    for directory, dirs, files in os.walk(root):
        own = os.lstat(directory).st_nlink
        below = sum(1 for name in dirs if not os.path.islink(os.path.join(directory, name)))
        if own != 2 + below:
            fail("%s has %d links and %d directories" % (directory, own, below))
        for name in dirs + files:
            full = os.path.join(directory, name)
            status = os.lstat(full)
            inside += 1
            if stat.S_ISDIR(status.st_mode):
                continue
            links[status.st_ino] = status.st_nlink
            count.setdefault(status.st_ino, []).append(full)
            if stat.S_ISREG(status.st_mode) and contents(full)[0] != min(status.st_size, MOST_READ):
                fail("%s says %d bytes and has %d" % (full, status.st_size, contents(full)[0]))
    for ino, paths in count.items():
        if links[ino] != len(paths):
            fail("%r: %d links" % (paths, links[ino]))
    return inside


def close_all():
    while opened:
        opened.pop().close()


os.umask(0o022)
for line in sys.stdin:
    word, *rest = line.split()
    if word == "steps":
        steps(rest[0], rest[1], int(rest[2]))
    elif word == "race":
        race(rest[0], rest[1], int(rest[2]))
    elif word == "close":
        close_all()
    elif word == "compare":
        print("ok", compare(rest[0]), flush=True)
        continue
    elif word == "check":
        print("ok", check(rest[0]), flush=True)
        continue
    print("ok", flush=True)
