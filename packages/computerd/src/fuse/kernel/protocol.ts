/** The kernel's FUSE protocol, version 7: operations, flags and the structs of requests, replies and notices. */

export const MAJOR = 7;
/** The newest minor version whose structs these are, and the oldest that has all that is needed here. */
export const MINOR = 41;
export const OLDEST_MINOR = 31;

/** The node that is mounted. */
export const ROOT_NODE = 1;

/** What the kernel asks for. */
export const OPERATIONS = {
  LOOKUP: 1,
  FORGET: 2,
  GETATTR: 3,
  SETATTR: 4,
  READLINK: 5,
  SYMLINK: 6,
  MKNOD: 8,
  MKDIR: 9,
  UNLINK: 10,
  RMDIR: 11,
  RENAME: 12,
  LINK: 13,
  OPEN: 14,
  READ: 15,
  WRITE: 16,
  STATFS: 17,
  RELEASE: 18,
  FSYNC: 20,
  SETXATTR: 21,
  GETXATTR: 22,
  LISTXATTR: 23,
  REMOVEXATTR: 24,
  FLUSH: 25,
  INIT: 26,
  OPENDIR: 27,
  READDIR: 28,
  RELEASEDIR: 29,
  FSYNCDIR: 30,
  GETLK: 31,
  SETLK: 32,
  SETLKW: 33,
  ACCESS: 34,
  CREATE: 35,
  INTERRUPT: 36,
  BMAP: 37,
  DESTROY: 38,
  IOCTL: 39,
  POLL: 40,
  NOTIFY_REPLY: 41,
  BATCH_FORGET: 42,
  FALLOCATE: 43,
  READDIRPLUS: 44,
  RENAME2: 45,
  LSEEK: 46,
  COPY_FILE_RANGE: 47,
  SETUPMAPPING: 48,
  REMOVEMAPPING: 49,
  SYNCFS: 50,
  TMPFILE: 51,
  STATX: 52,
  COPY_FILE_RANGE_64: 53,
} as const;

export type Operation = keyof typeof OPERATIONS;

/** One more than the largest operation there is. */
export const OPERATION_COUNT = 64;

/** What the daemon tells the kernel unasked, instead of an error in a reply. */
export const NOTICES = { INVAL_INODE: 2, INVAL_ENTRY: 3 } as const;

/** Features, bit by bit; those from 32 on stand in `flags2`. */
export const INIT_FLAGS = {
  ASYNC_READ: 0x1,
  BIG_WRITES: 0x20,
  DO_READDIRPLUS: 0x2000,
  ASYNC_DIO: 0x8000,
  NO_OPEN_SUPPORT: 0x20000,
  PARALLEL_DIROPS: 0x40000,
  ABORT_ERROR: 0x200000,
  MAX_PAGES: 0x400000,
  CACHE_SYMLINKS: 0x800000,
  NO_OPENDIR_SUPPORT: 0x1000000,
  EXPLICIT_INVAL_DATA: 0x2000000,
  HANDLE_KILLPRIV_V2: 0x10000000,
  INIT_EXT: 0x40000000,
} as const;

/** Which fields of a SETATTR count. */
export const SETATTR_VALID = {
  MODE: 0x1,
  UID: 0x2,
  GID: 0x4,
  SIZE: 0x8,
  ATIME: 0x10,
  MTIME: 0x20,
  ATIME_NOW: 0x80,
  MTIME_NOW: 0x100,
  KILL_SUIDGID: 0x800,
} as const;

/** A write that takes the set-user and set-group bits off. */
export const WRITE_KILL_SUIDGID = 4;

export const RENAME_FLAGS = { NOREPLACE: 1, EXCHANGE: 2, WHITEOUT: 4 } as const;

export const FALLOCATE_MODES = { KEEP_SIZE: 1, PUNCH_HOLE: 2, ZERO_RANGE: 16 } as const;

export const XATTR_FLAGS = { CREATE: 1, REPLACE: 2 } as const;

// Structs: where each field starts in bytes, and the size of the whole. Some end in room for fields to come.

/** The header of every request. */
export const InHeader = {
  len: 0,
  opcode: 4,
  unique: 8,
  nodeid: 16,
  uid: 24,
  gid: 28,
  pid: 32,
  totalExtlen: 36,
  padding: 38,
  BYTES: 40,
} as const;

/** The header of every reply and notice; `error` is a negative errno, or the number of a notice. */
export const OutHeader = { len: 0, error: 4, unique: 8, BYTES: 16 } as const;

export const Attributes = {
  ino: 0,
  size: 8,
  blocks: 16,
  atime: 24,
  mtime: 32,
  ctime: 40,
  atimensec: 48,
  mtimensec: 52,
  ctimensec: 56,
  mode: 60,
  nlink: 64,
  uid: 68,
  gid: 72,
  rdev: 76,
  blksize: 80,
  flags: 84,
  BYTES: 88,
} as const;

export const InitIn = { major: 0, minor: 4, maxReadahead: 8, flags: 12, flags2: 16, BYTES: 64 } as const;
export const InitOut = {
  major: 0,
  minor: 4,
  maxReadahead: 8,
  flags: 12,
  maxBackground: 16,
  congestionThreshold: 18,
  maxWrite: 20,
  timeGran: 24,
  maxPages: 28,
  mapAlignment: 30,
  flags2: 32,
  BYTES: 64,
} as const;

export const EntryOut = {
  nodeid: 0,
  generation: 8,
  entryValid: 16,
  attrValid: 24,
  entryValidNsec: 32,
  attrValidNsec: 36,
  attr: 40,
  BYTES: 128,
} as const;
export const AttrOut = { attrValid: 0, attrValidNsec: 8, dummy: 12, attr: 16, BYTES: 104 } as const;
export const SetattrIn = {
  valid: 0,
  padding: 4,
  fh: 8,
  size: 16,
  lockOwner: 24,
  atime: 32,
  mtime: 40,
  ctime: 48,
  atimensec: 56,
  mtimensec: 60,
  ctimensec: 64,
  mode: 68,
  unused4: 72,
  uid: 76,
  gid: 80,
  unused5: 84,
  BYTES: 88,
} as const;

export const ForgetIn = { nlookup: 0, BYTES: 8 } as const;
export const BatchForgetIn = { count: 0, dummy: 4, BYTES: 8 } as const;
export const ForgetOne = { nodeid: 0, nlookup: 8, BYTES: 16 } as const;
export const InterruptIn = { unique: 0, BYTES: 8 } as const;

export const MknodIn = { mode: 0, rdev: 4, umask: 8, padding: 12, BYTES: 16 } as const;
export const MkdirIn = { mode: 0, umask: 4, BYTES: 8 } as const;
export const CreateIn = { flags: 0, mode: 4, umask: 8, openFlags: 12, BYTES: 16 } as const;
export const OpenOut = { fh: 0, openFlags: 8, padding: 12, BYTES: 16 } as const;
export const RenameIn = { newdir: 0, BYTES: 8 } as const;
export const Rename2In = { newdir: 0, flags: 8, padding: 12, BYTES: 16 } as const;
export const LinkIn = { oldnodeid: 0, BYTES: 8 } as const;

export const ReadIn = {
  fh: 0,
  offset: 8,
  size: 16,
  readFlags: 20,
  lockOwner: 24,
  flags: 32,
  padding: 36,
  BYTES: 40,
} as const;
export const WriteIn = {
  fh: 0,
  offset: 8,
  size: 16,
  writeFlags: 20,
  lockOwner: 24,
  flags: 32,
  padding: 36,
  BYTES: 40,
} as const;
export const WriteOut = { size: 0, padding: 4, BYTES: 8 } as const;
export const FallocateIn = { fh: 0, offset: 8, length: 16, mode: 24, padding: 28, BYTES: 32 } as const;
export const LseekIn = { fh: 0, offset: 8, whence: 16, padding: 20, BYTES: 24 } as const;
export const LseekOut = { offset: 0, BYTES: 8 } as const;
export const CopyFileRangeIn = {
  fhIn: 0,
  offIn: 8,
  nodeidOut: 16,
  fhOut: 24,
  offOut: 32,
  len: 40,
  flags: 48,
  BYTES: 56,
} as const;
/** The answer to COPY_FILE_RANGE_64; the older operation is answered with {@link WriteOut}. */
export const CopyFileRangeOut = { bytesCopied: 0, BYTES: 8 } as const;

/** An entry of a READDIR, its name after it, the whole a multiple of 8 bytes. */
export const Dirent = { ino: 0, off: 8, namelen: 16, type: 20, BYTES: 24 } as const;
/** An entry of a READDIRPLUS, likewise. */
export const DirentPlus = { entryOut: 0, dirent: 128, BYTES: 152 } as const;

export const StatfsOut = {
  blocks: 0,
  bfree: 8,
  bavail: 16,
  files: 24,
  ffree: 32,
  bsize: 40,
  namelen: 44,
  frsize: 48,
  padding: 52,
  BYTES: 80,
} as const;

/** The short form, without SETXATTR_EXT. */
export const SetxattrIn = { size: 0, flags: 4, BYTES: 8 } as const;
export const GetxattrIn = { size: 0, padding: 4, BYTES: 8 } as const;
export const GetxattrOut = { size: 0, padding: 4, BYTES: 8 } as const;

export const NotifyInvalInode = { ino: 0, off: 8, len: 16, BYTES: 24 } as const;
export const NotifyInvalEntry = { parent: 0, namelen: 8, flags: 12, BYTES: 16 } as const;

/** Where the body of a request starts. */
export const IN_BODY = 40;
/** Where the body of a reply, or of a notice, starts. */
export const OUT_BODY = 16;

/** Everything above by the name it has in `linux/fuse.h`, for the test that compares them. */
export const STRUCTS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  fuse_in_header: InHeader,
  fuse_out_header: OutHeader,
  fuse_attr: Attributes,
  fuse_init_in: InitIn,
  fuse_init_out: InitOut,
  fuse_entry_out: EntryOut,
  fuse_attr_out: AttrOut,
  fuse_setattr_in: SetattrIn,
  fuse_forget_in: ForgetIn,
  fuse_batch_forget_in: BatchForgetIn,
  fuse_forget_one: ForgetOne,
  fuse_interrupt_in: InterruptIn,
  fuse_mknod_in: MknodIn,
  fuse_mkdir_in: MkdirIn,
  fuse_create_in: CreateIn,
  fuse_open_out: OpenOut,
  fuse_rename_in: RenameIn,
  fuse_rename2_in: Rename2In,
  fuse_link_in: LinkIn,
  fuse_read_in: ReadIn,
  fuse_write_in: WriteIn,
  fuse_write_out: WriteOut,
  fuse_fallocate_in: FallocateIn,
  fuse_lseek_in: LseekIn,
  fuse_lseek_out: LseekOut,
  fuse_copy_file_range_in: CopyFileRangeIn,
  fuse_dirent: Dirent,
  fuse_direntplus: DirentPlus,
  fuse_kstatfs: StatfsOut,
  fuse_getxattr_in: GetxattrIn,
  fuse_getxattr_out: GetxattrOut,
  fuse_notify_inval_inode_out: NotifyInvalInode,
  fuse_notify_inval_entry_out: NotifyInvalEntry,
};
