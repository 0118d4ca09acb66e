// @run test: every fault on every call

import { faultsIn } from "../support/contract-fault-suite.ts";

faultsIn("delete");
