import { faultsIn } from "../support/contract-fault-suite.ts";

faultsIn("update");
