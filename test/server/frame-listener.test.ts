import { connect } from "node:net";
import { request as undiciRequest } from "undici";
import { beforeAll, describe, expect, it } from "vitest";
import { startServers } from "../../server/serve";
import { rawExchange, serving, wrapped } from "./frame-harness";

const role = { role_type: "jwt", user_claim: "sub", bound_subject: "x" };

const { server, ask } = serving();
beforeAll(async () => {
  for (const name of ["b", "a"]) await ask(`POST auth/jwt/role/${name}`, role);
});

const head = (method: string, path: string) =>
  `${method} /v1/${path} HTTP/1.1\r\nHost: x\r\nX-Vault-Token: ${server().secrets.token}\r\n\r\n`;
const statuses = (answers: string) => answers.match(/(?<=^HTTP\/1\.1 )\d+/gm)?.map(Number);

describe("the verb LIST, which Node's parser does not know", () => {
  it("is answered to a raw client", async () => {
    const answer = await rawExchange(server().secrets.address, [head("LIST", "auth/jwt/role")]);
    expect(answer).toContain('"keys":["a","b"]');
  });

  it("is answered several times on one connection, between other verbs", async () => {
    const answers = await rawExchange(server().secrets.address, [
      head("LIST", "auth/jwt/role"),
      head("GET", "auth/jwt/role/a"),
      head("LIST", "auth/jwt/role/"),
      head("LIST", "cloud/roles"),
      head("GET", "auth/jwt/role/nope"),
    ]);
    expect(statuses(answers)).toEqual([200, 200, 200, 404, 404]);
  });

  it("is answered when it comes in pieces", async () => {
    const text = head("LIST", "auth/jwt/role");
    const { hostname, port } = new URL(server().secrets.address);
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(Number(port), hostname, () => {
        socket.setNoDelay();
        socket.write(text.slice(0, 20), () => setImmediate(() => socket.write(text.slice(20))));
      });
      socket.once("data", (chunk) => {
        socket.destroy();
        resolve(String(chunk));
      });
    });
    expect(answer).toContain('"keys":["a","b"]');
  });

  it("is answered when it follows another request in the same packet", async () => {
    const { hostname, port } = new URL(server().secrets.address);
    const answers = await new Promise<string>((resolve) => {
      let received = "";
      const socket = connect(Number(port), hostname, () => {
        socket.write(head("GET", "auth/jwt/role/a") + head("LIST", "auth/jwt/role"));
      });
      socket.on("data", (chunk) => {
        received += String(chunk);
        if (!received.includes('"keys"')) return;
        socket.destroy();
        resolve(received);
      });
    });
    expect(statuses(answers)).toEqual([200, 200]);
  });

  it("is answered to undici, again and again over its pool", async () => {
    for (let round = 0; round < 3; round += 1) {
      const answer = await undiciRequest(`${server().secrets.address}/v1/auth/jwt/role`, {
        // undici sends any token as a method; its type names only the usual ones.
        method: "LIST" as "GET",
        headers: { "x-vault-token": server().secrets.token },
      });
      expect(answer.statusCode).toBe(200);
      expect(await answer.body.json()).toMatchObject({ data: { keys: ["a", "b"] } });
    }
  });

  it("is the same as GET with list=true", async () => {
    expect((await ask("GET auth/jwt/role?list=true")).data).toEqual({ keys: ["a", "b"] });
  });

  it("is logged as it was sent", async () => {
    server().log.clear();
    await rawExchange(server().secrets.address, [head("LIST", "auth/jwt/role")]);
    expect(server().log.all()).toMatchObject([{ service: "secrets", method: "LIST", path: "/v1/auth/jwt/role" }]);
  });
});

describe("other verbs", () => {
  it.each(["SCAN", "FOO", "COPY", "TRACE", "UNBIND"])("%s is 405 without a text", async (method) => {
    const answer = await rawExchange(server().secrets.address, [head(method, "auth/jwt/config")]);
    expect(answer).toMatch(/^HTTP\/1\.1 405 /);
    expect(answer).toContain('{"errors":[]}');
  });

  it("what is no request at all is 400", async () => {
    const { hostname, port } = new URL(server().secrets.address);
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(Number(port), hostname, () => socket.write("nonsense\r\n\r\n"));
      socket.on("data", (chunk) => resolve(String(chunk)));
    });
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  });

  it("HEAD has the status and no body", async () => {
    const answer = await ask("HEAD auth/jwt/config");
    expect([answer.status, answer.text]).toEqual([405, ""]);
  });

  it("OPTIONS is an unsupported operation", async () => {
    expect((await ask("OPTIONS auth/jwt/config")).errors).toEqual([wrapped("unsupported operation")]);
  });
});

describe("a listener", () => {
  it("refuses a body over 32 MiB with 413", async () => {
    const answer = await ask("POST auth/jwt/config", `{"a":"${"x".repeat(32 * 1024 * 1024)}"}`);
    expect([answer.status, answer.errors]).toEqual([413, ["http: request body too large"]]);
  });

  it("listens on loopback only", () => {
    for (const { address } of [server().secrets, server().cluster, server().policy, server().admin]) {
      expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    }
  });

  it("keeps no bodies, tokens or parameter values in its log", async () => {
    server().log.clear();
    await ask("POST auth/jwt/role/logged?secret=in-the-query", { ...role, bound_subject: "in-the-body" });
    await ask("DELETE auth/jwt/role/logged");
    const log = JSON.stringify(server().log.all());
    expect(log).not.toMatch(new RegExp(`in-the-query|in-the-body|${server().secrets.token}`));
    expect(server().log.all()).toMatchObject([{ parameters: ["secret"] }, { method: "DELETE", status: 204 }]);
  });

  it("leaves no socket open when it closes, also of clients that keep theirs", async () => {
    const own = await startServers();
    const { hostname, port } = new URL(own.secrets.address);
    const closed = new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname, () => socket.write(head("LIST", "auth/jwt/role")));
      socket.once("data", () => void own.close());
      socket.on("close", () => resolve());
      socket.on("error", () => resolve());
    });
    await closed;
    await own.close();
    await expect(fetch(own.secrets.address)).rejects.toThrow();
  });

  it("says which port is taken, and opens none of the others", async () => {
    const taken = Number(new URL(server().secrets.address).port);
    await expect(startServers({ ports: { cluster: taken } })).rejects.toThrow(
      `cannot listen on 127.0.0.1:${taken} (cluster): the port is in use`,
    );
  });
});
