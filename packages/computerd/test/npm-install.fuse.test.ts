import { describeNpmInstall } from "./npm-install.ts";

// What 300 take is a long test.
describeNpmInstall(40);
