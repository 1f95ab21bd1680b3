/** The Vite plugin that builds directories into a Worker. */

export { computerBundle } from "./computer-bundle.ts";
