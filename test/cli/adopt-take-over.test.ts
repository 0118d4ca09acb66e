import { describe } from "vitest";
import { startServers } from "../../server/serve.ts";
import { tellAdoption } from "../support/adopt-suite.ts";

describe("on the embedded servers", () => tellAdoption(startServers));
