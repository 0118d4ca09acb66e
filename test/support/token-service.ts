import { buffer } from "node:stream/consumers";
import type { CloudIdentity } from "../../server/cloud/cloud-identity";
import { answerTokenService } from "../../server/cloud/token-service";
import { type LoopbackServer, serve } from "./loopback-server";

/** The token service (STS) of an embedded cloud, for a server that asks it over HTTP: it verifies signatures. */
export function serveTokenService(cloud: CloudIdentity): Promise<LoopbackServer> {
  return serve(async (request, response) => {
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value));
    // As the cloud does, whatever way led here: a signature is of the host that the caller meant, and of the path `/`.
    const url = `https://${request.headers.host}/`;
    const asked = new Request(url, { method: "POST", headers, body: new Uint8Array(await buffer(request)) });
    const answer = await answerTokenService(asked, cloud);
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  });
}
