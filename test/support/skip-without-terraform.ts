import { beforeEach } from "vitest";
import { terraformCli } from "../../tools/terraform/terraform-cli.mts";

// For the projects of the live run that are about nothing else: each of their tests needs the CLI.

const { missing } = terraformCli();
if (missing !== undefined) beforeEach(({ skip }) => skip(missing));
