/** The tests of hashing, with a file of a gibibyte. */

import "../hashing.fuse.test.ts";
