/** Files of a workspace behind links: objects of an R2 bucket that S3 signed for, or links that the Worker serves itself. */

export { type AssetLinksOptions, createAssetLinks, type LinkedWorkspace } from "./asset-links.ts";
export type { AssetsClient, AssetsPublisher, R2PutBucket, ShareOptions, WorkspaceLike } from "./assets-client.ts";
export { type CreateAssetsOptions, createAssets } from "./create-assets.ts";
export { type AssetsEnv, type ResolvedS3, resolveS3, type S3Config } from "./s3-config.ts";
export { type ServeAssetOptions, serveAsset } from "./serve-asset.ts";
