/** The programs, each against the public API and nothing else. */

import type { Program } from "../program.ts";
import { codecs } from "./codecs.ts";
import { errors } from "./errors.ts";
import { exec } from "./exec.ts";
import { files } from "./files.ts";
import { outputLimits } from "./output-limits.ts";
import { search } from "./search.ts";
import { streams } from "./streams.ts";
import { stubs } from "./stubs.ts";

export const programs: readonly Program[] = [files, streams, search, exec, outputLimits, codecs, errors, stubs];
