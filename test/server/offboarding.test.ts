import { startServers } from "../../server/serve";
import { describeOffboarding } from "../support/offboarding-suite";

describeOffboarding("the embedded server", async () => {
  const { secrets, close } = await startServers();
  return { ...secrets, close };
});
