/** `ws:assets`: scripts share files of the workspace by links. */

import { z } from "zod";
import { noAssets } from "../assets/publisher.ts";
import type { WorkspaceModuleFactory } from "../backends/worker-javascript/module-types.ts";
import { checkOptions } from "../options/check-options.ts";

export interface AssetsModuleOptions {
  /** Milliseconds that a link works where a script does not say. Default one hour. */
  readonly defaultExpiresAfterMs?: number | undefined;
}

const HOUR_MS = 60 * 60 * 1000;

const options: z.ZodObject = z.strictObject({ defaultExpiresAfterMs: z.number().positive().optional() });

const shareArguments = z.tuple([
  z.string().min(1),
  z
    .strictObject({
      expiresAfter: z.number().optional(),
      prefix: z.string().optional(),
      contentType: z.string().optional(),
      filename: z.string().optional(),
      disposition: z.enum(["inline", "attachment"]).optional(),
    })
    .optional(),
]);

/**
 * A host module with `share(path, options?)`, which gives a link to a file; the options are those of `AssetsClient.share`.
 *
 * @example
 * new WorkerJavaScriptBackend({ loader: env.LOADER, modules: { "ws:assets": createAssetsModule() } });
 * // In a script: import { share } from "ws:assets"; export default () => share("report.pdf");
 */
export function createAssetsModule(given: AssetsModuleOptions = {}): WorkspaceModuleFactory {
  checkOptions(options, given, "createAssetsModule");
  const { defaultExpiresAfterMs = HOUR_MS } = given;
  const factory: WorkspaceModuleFactory = ({ assets }) => ({
    share: async (args, context) => {
      if (assets === undefined) throw noAssets();
      const asked = shareArguments.safeParse(args.length === 1 ? [...args, undefined] : args);
      if (!asked.success) {
        throw new TypeError(
          `share(path, options?) of ws:assets takes the path of a file, and { expiresAfter: 3600000, filename, contentType, disposition, prefix }: ${z.prettifyError(asked.error)}`,
        );
      }
      const [path, { expiresAfter = defaultExpiresAfterMs, ...opts } = {}] = asked.data;
      return assets.share(await context.resolvePath(path), { expiresAfter, ...opts });
    },
  });
  return Object.assign(factory, {
    description: "share(path, { expiresAfter, filename }) gives a link to a file, for so many milliseconds",
  });
}
