/** Tests that may be skipped: a part of the title, and why. Any other skipped test fails `npm test`. */
export const ALLOWED_SKIPS: readonly { readonly title: string; readonly reason: string }[] = [];
