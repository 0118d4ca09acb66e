import { Server, type ServiceError, status } from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { type LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { PluginAttach, type PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import {
  CheckRequest,
  type CheckResponse,
  ConfigureRequest,
  type ConfigureResponse,
  CreateRequest,
  type CreateResponse,
  DiffRequest,
  DiffResponse,
  GetMappingRequest,
  GetSchemaRequest,
  type GetSchemaResponse,
  InvokeRequest,
  ProviderHandshakeRequest,
  type ProviderHandshakeResponse,
  UpdateRequest,
  type UpdateResponse,
} from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { describe, expect, it, onTestFinished } from "vitest";
import { isSealed } from "../../../provider/core/secret-envelope";
import { UNKNOWN } from "../../../provider/core/unknowns";
import { createEngineLog } from "../../../provider/hosts/plugin/engine-log";
import { listenOnLoopback, startPlugin } from "../../support/plugin-server.ts";

type Ask<Response> = (done: (error: ServiceError | null, response: Response) => void) => unknown;

/** The answer, or the failure. */
function answered<Response>(ask: Ask<Response>): Promise<Response> {
  return new Promise((resolve, reject) => {
    ask((error, response) => (error ? reject(error) : resolve(response)));
  });
}

const struct = (values: object) => Struct.fromJavaScript(values as never);
const urnOf = (type: string) => `urn:pulumi:dev::unit::my:component:Parent$${type}::it`;
/** Nobody listens there, and nobody is asked which server it is. */
const offline = { secrets: JSON.stringify({ address: "http://127.0.0.1:9", offline: true }) };

async function opened(config?: object) {
  const log = createEngineLog();
  const plugin = await startPlugin(log);
  onTestFinished(plugin.close);
  const { client } = plugin;
  if (config) {
    const request = new ConfigureRequest().setArgs(struct(config));
    await answered<ConfigureResponse>((done) => client.configure(request, done));
  }
  return client;
}

describe("the plugin", () => {
  it("says its version and its schema, and that it takes secrets", async () => {
    const client = await opened();

    const info = await answered<PluginInfo>((done) => client.getPluginInfo(new Empty(), done));
    const schema = await answered<GetSchemaResponse>((done) => client.getSchema(new GetSchemaRequest(), done));
    const handshake = await answered<ProviderHandshakeResponse>((done) =>
      client.handshake(new ProviderHandshakeRequest(), done),
    );

    expect(info.getVersion()).toBe("1.2.3");
    expect(JSON.parse(schema.getSchema())).toEqual({ name: "trustplane" });
    expect(handshake.getAcceptSecrets()).toBe(true);
  });

  it("leaves unimplemented what it does not do", async () => {
    const client = await opened();

    const mapping = answered((done) => client.getMapping(new GetMappingRequest().setKey("terraform"), done));

    await expect(mapping).rejects.toMatchObject({ code: status.UNIMPLEMENTED });
  });

  it.each([
    ["trustplane:jwt/rule:Rule", ""],
    // What `pulumi up` shows of a type.
    ["trustplane:jwt:Role", "; did you mean trustplane:jwt/role:Role?"],
  ])("names a type that it does not know: %s", async (type, near) => {
    const client = await opened(offline);
    const request = new CheckRequest().setUrn(urnOf(type)).setNews(struct({}));

    const refused = answered((done) => client.check(request, done));

    await expect(refused).rejects.toMatchObject({
      details: `this version of trustplane has no resource ${type}${near}`,
    });
  });
});

describe("the configuration of a provider", () => {
  const check = async (news: object) => {
    const client = await opened();
    return answered<CheckResponse>((done) => client.checkConfig(new CheckRequest().setNews(struct(news)), done));
  };

  it("is taken as text and as an object, whatever is not known yet in it", async () => {
    const news = { cluster: { address: UNKNOWN }, policy: UNKNOWN, secrets: '{"address":"http://127.0.0.1:9"}' };

    const response = await check(news);

    expect(response.getFailuresList()).toEqual([]);
    expect(response.getInputs()?.toJavaScript()).toEqual(news);
  });

  it.each(["token", "headers", "clientKeyPem"])("is answered as a secret where it holds %s", async (field) => {
    const value = field === "headers" ? { "X-Pass": "hidden" } : "hidden";
    const [secrets, cluster] = [{ [field]: value }, { tokenEnv: "OUR_TOKEN", httpAuthEnv: "OUR_AUTH" }];
    const connections = { east: { service: "cluster", ...secrets } };
    const texts = { secrets, cluster, connections };
    const response = await check(
      Object.fromEntries(Object.entries(texts).map(([key, entry]) => [key, JSON.stringify(entry)])),
    );

    expect(response.getFailuresList()).toEqual([]);
    const inputs = response.getInputs()?.toJavaScript() ?? {};
    expect(Object.keys(inputs).filter((key) => isSealed(inputs[key]))).toEqual(["connections", "secrets"]);
  });

  it("is refused without naming a property, whose value Pulumi would print", async () => {
    const [failure] = (await check({ secrets: '{"tokn":"hidden"}' })).getFailuresList();

    expect(failure?.getProperty()).toBe("");
    expect(failure?.getReason()).toMatch(/the configuration trustplane:secrets is not valid: .*tokn/);
    expect(failure?.getReason()).not.toContain("hidden");
  });

  it("is refused with a section that is misspelt, and not with keys of a program's own", async () => {
    const reasons = async (news: object) => (await check(news)).getFailuresList().map((each) => each.getReason());
    const program = { issuer: "https://issuer.example.com", version: "1.0.0" };
    expect(await reasons({ ...program, secret: "{}" })).toEqual([
      "the configuration trustplane:secret is not read; did you mean secrets?",
    ]);
    expect(await reasons(program)).toEqual([]);
  });

  it("never replaces the provider, and so none of its resources", async () => {
    const client = await opened();
    const differing = async (olds: object, news: object) => {
      const request = new DiffRequest().setOldInputs(struct(olds)).setNews(struct(news));
      return answered<DiffResponse>((done) => client.diffConfig(request, done));
    };

    const [same, other] = [
      await differing({ secrets: "{}", version: "1" }, { secrets: "{}", version: "2" }),
      await differing({ secrets: "{}" }, { secrets: '{"address":"http://127.0.0.1:9"}' }),
    ];

    expect(same.getChanges()).toBe(DiffResponse.DiffChanges.DIFF_NONE);
    expect(other.getChanges()).toBe(DiffResponse.DiffChanges.DIFF_SOME);
    expect(other.getReplacesList()).toEqual([]);
  });
});

describe("a preview", () => {
  const urn = urnOf("trustplane:sys/authMount:AuthMount");
  const inputs = { path: "jobs", type: "jwt" };

  it("of what is made shows the inputs, and that the rest is not known yet", async () => {
    const client = await opened(offline);
    const request = new CreateRequest().setUrn(urn).setPreview(true).setProperties(struct(inputs));

    const response = await answered<CreateResponse>((done) => client.create(request, done));

    expect(response.getId()).toBe("");
    expect(response.getProperties()?.toJavaScript()).toEqual({ ...inputs, accessor: UNKNOWN });
  });

  it("of what is changed knows the part of the id that only the server knows, and nothing else of it", async () => {
    const client = await opened(offline);
    const olds = { policySetId: "polset-1", key: "a", parameterId: "var-1", server: "x" };
    const request = new UpdateRequest()
      .setUrn(urnOf("trustplane:policy/parameter:Parameter"))
      .setPreview(true)
      .setOlds(struct(olds))
      .setNews(struct({ policySetId: "polset-1", key: "b" }));

    const response = await answered<UpdateResponse>((done) => client.update(request, done));

    expect(response.getProperties()?.toJavaScript()).toEqual({
      policySetId: "polset-1",
      key: "b",
      parameterId: "var-1",
    });
  });

  it.each([
    ["sys/authMount:AuthMount", { path: "jobs", type: "jwt", accessor: "a" }, { description: "d" }, ["accessor"]],
    ["cluster/peeringToken:PeeringToken", { peerName: "b", peeringId: "i" }, { generation: 1 }, ["peeringId"]],
    ["cluster/peering:Peering", { peerName: "b", peeringId: "i", terminated: true }, {}, []],
    ["cloud/rootRotation:RootRotation", { mount: "cloud", accessKey: "k" }, { triggers: { a: 1 } }, []],
    ["sys/authMount:AuthMount", { path: "jobs", type: "jwt", accessor: "a" }, { type: "oidc" }, []],
    ["sys/authMount:AuthMount", { path: "jobs", type: "jwt", accessor: "a" }, { path: "other" }, ["accessor"]],
  ])("knows what no update of %s changes, and says so where there is one", async (type, olds, change, stables) => {
    const client = await opened(offline);
    const inputs = Object.fromEntries(Object.entries(olds).filter(([name]) => !/accessor|Id$|accessKey/.test(name)));
    const news = { ...inputs, ...change };
    const about = { urn: urnOf(`trustplane:${type}`), olds: struct(olds), news: struct(news) };
    const diff = new DiffRequest().setUrn(about.urn).setId("id").setOlds(about.olds).setNews(about.news);
    const update = new UpdateRequest().setUrn(about.urn).setPreview(true).setOlds(about.olds).setNews(about.news);

    const difference = await answered<DiffResponse>((done) => client.diff(diff, done));
    const preview = await answered<UpdateResponse>((done) => client.update(update, done));

    expect(difference.getStablesList()).toEqual(stables);
    for (const name of stables) expect(preview.getProperties()?.toJavaScript()[name]).not.toBe(UNKNOWN);
    if (type.includes("rootRotation")) expect(preview.getProperties()?.toJavaScript()["accessKey"]).toBe(UNKNOWN);
  });

  it("of a changed secret shows its fingerprint, and never the key of the fingerprints", async () => {
    const client = await opened(offline);
    const olds = { mount: "cloud", accessKey: "k", secretKey: "s" };
    const kept = (print: string, key: string) => ({ fingerprints: { secretKey: print }, fingerprintKey: key });
    const request = new DiffRequest()
      .setUrn(urnOf("trustplane:cloud/rootConfig:RootConfig"))
      .setId("cloud/config/root")
      .setOlds(struct({ ...olds, ...kept("11111111", "one") }))
      .setNews(struct({ ...olds, secretKey: "t", ...kept("22222222", "two") }));

    const response = await answered<DiffResponse>((done) => client.diff(request, done));

    expect([...response.getDetaileddiffMap().keys()].sort()).toEqual(["fingerprints.secretKey", "secretKey"]);
    expect(response.getDiffsList()).toEqual(["secretKey"]);
  });

  it.each([
    [{ name: "deploy" }, /calling cloud\.getCredentials "deploy": it has the server issue something/],
    [{ name: "a b" }, /calling cloud\.getCredentials "a b": name must be/],
  ])("has nothing issued, and refuses wrong arguments: %j", async (args, details) => {
    const client = await opened(offline);
    const request = new InvokeRequest()
      .setTok("trustplane:cloud/getCredentials:getCredentials")
      .setArgs(struct(args))
      .setPreview(true);

    const refused = answered((done) => client.invoke(request, done));

    await expect(refused).rejects.toMatchObject({ details: expect.stringMatching(details) });
  });
});

it("what is worth saying reaches the engine with the resource that it is about, before the answer", async () => {
  const said: LogRequest[] = [];
  const engine = new Server();
  engine.addService(EngineService, {
    log: ({ request }: { request: LogRequest }, done: (error: null, answer: Empty) => void) => {
      said.push(request);
      done(null, new Empty());
    },
  });
  const port = await listenOnLoopback(engine);
  onTestFinished(() => engine.forceShutdown());
  const client = await opened(offline);
  await answered((done) => client.attach(new PluginAttach().setAddress(`127.0.0.1:${port}`), done));
  const urn = urnOf("trustplane:cloud/role:Role");
  const news = struct({ name: "a", policy: '{"Version":"2012-10-17"}' });

  await answered((done) => client.check(new CheckRequest().setUrn(urn).setNews(news), done));

  expect(said.map((line) => [line.getSeverity(), line.getUrn()])).toContainEqual([LogSeverity.WARNING, urn]);
  expect(said.map((line) => line.getMessage()).join()).toMatch(/cloud\.Role "a": policy is deprecated/);
});
