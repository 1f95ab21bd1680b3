import { describeNpmInstall } from "../npm-install.ts";

describeNpmInstall(300);
