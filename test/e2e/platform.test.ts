import { describe } from "vitest";
import { startEmbedded } from "../support/contract-servers-embedded.ts";
import { needsPulumi } from "../support/pulumi-sandbox.ts";
import { tellPlatform } from "./platform-story.ts";

describe("examples/platform", needsPulumi(), () => tellPlatform(startEmbedded));
