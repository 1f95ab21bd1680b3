/** How each thing is drawn. */

import { GROUND_MOTIFS } from "./ground-motifs.ts";
import type { Motif } from "./motif.ts";
import { SKY_MOTIFS } from "./sky-motifs.ts";
import type { Thing } from "./vocabulary.ts";

export const MOTIFS: Readonly<Record<Thing, Motif>> = { ...SKY_MOTIFS, ...GROUND_MOTIFS };
