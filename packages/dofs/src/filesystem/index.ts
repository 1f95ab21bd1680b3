/** Files by path: the API itself, and its verbs over any store for other front ends. */

export { chmod } from "./chmod.ts";
export { FileSystem } from "./file-system.ts";
export { link, readlink, symlink } from "./links.ts";
export { type MkdirOptions, mkdir } from "./mkdir.ts";
export { normalizePath, parsePath } from "./path.ts";
export { type ReadFileOptions, readStream, readText } from "./read-file.ts";
export { type ReaddirOptions, readdir, type WorkspaceDirentResult } from "./readdir.ts";
export { rename } from "./rename.ts";
export { attempt, existing, type Place, resolve, resolveDirectory, resolveNew } from "./resolve.ts";
export { type RmOptions, rm, rmdir, unlink } from "./rm.ts";
export { exists, lstat, orNull, stat, type WorkspaceStatResult } from "./stat.ts";
export { WorkspaceFilesystem, type WorkspaceFilesystemOptions } from "./workspace-filesystem.ts";
export { type WriteFileContent, type WriteFileOptions, writeFile, writeStream } from "./write-file.ts";
