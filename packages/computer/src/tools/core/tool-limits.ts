/** How much a tool takes and gives unless it is told otherwise. */

/** Lines of a file in one result. */
export const READ_LINES: number = 2_000;
/** Bytes of a file's text in one result. */
export const READ_BYTES: number = 256 * 1024;
/** Bytes of an image or a PDF that are handed to a model. */
export const MEDIA_BYTES: number = 3.5 * 1024 * 1024;
/** Bytes at the front of a file by which it is told what it is. */
export const SNIFF_BYTES: number = 4_096;
/** Bytes of what is written, and of a file that is edited. */
export const WRITE_BYTES: number = 2 * 1024 * 1024;
/** Lines and bytes of a diff in a result. */
export const DIFF_LINES: number = 400;
export const DIFF_BYTES: number = 32 * 1024;
/** Entries in one page, unless asked for, and at most. */
export const PAGE_ENTRIES: number = 200;
export const PAGE_ENTRIES_MAX: number = 1_000;
/** UTF-16 units of the lines in one result of a search. */
export const SEARCH_TEXT: number = 64 * 1024;
/** Lines around a match at most. */
export const SEARCH_CONTEXT_MAX: number = 10;
/** Lines and bytes of each output of a command. */
export const EXEC_LINES: number = 2_000;
export const EXEC_BYTES: number = 64 * 1024;
/** UTF-16 units of each output that are shown while a command runs. */
export const EXEC_LIVE: number = 16 * 1024;
/** Milliseconds between two looks at a command that runs. */
export const EXEC_LIVE_MS: number = 250;
/** Seconds that a shared link works, unless asked for, and at most. */
export const PUBLISH_SECONDS: number = 3_600;
export const PUBLISH_SECONDS_MAX: number = 7 * 24 * 3_600;
