import * as pulumi from "@pulumi/pulumi";
import * as sdk from "../../sdk";

/** What a class hands to Pulumi. */
export interface Registration {
  readonly type: string;
  readonly props: Readonly<Record<string, unknown>>;
  readonly opts: pulumi.CustomResourceOptions;
}

type AnyClass = (new (
  name: string,
  args: object,
  opts?: pulumi.CustomResourceOptions,
) => pulumi.CustomResource) & {
  get(name: string, id: string, state?: object, opts?: pulumi.CustomResourceOptions): pulumi.CustomResource;
  isInstance(obj: unknown): boolean;
};

/** The class of a type token such as `jwt:Role`. */
export function classOf(token: string, library: object = sdk): AnyClass {
  const [module = "", name = ""] = token.split(":");
  const found: unknown = Reflect.get(Reflect.get(library, module) ?? {}, name);
  if (typeof found !== "function") throw new Error(`the SDK has no ${token}`);
  // Every class of the SDK has this shape; the compiler sees each with its own arguments.
  return found as AnyClass;
}

/** Runs against a monitor that answers every registration with its inputs. */
export async function mockPulumi(): Promise<void> {
  await pulumi.runtime.setMocks({
    newResource: ({ name, id, inputs }) => ({ id: id || `${name}-id`, state: inputs }),
    call: () => ({}),
  });
}

/** Makes a resource and notes what Pulumi gets to see of it. */
export function registrationOf(
  make: (opts: pulumi.CustomResourceOptions) => pulumi.CustomResource,
  opts: pulumi.CustomResourceOptions = {},
): Registration & { readonly resource: pulumi.CustomResource } {
  const seen: Registration[] = [];
  const note: pulumi.ResourceTransformation = ({ type, props, opts }) => {
    seen.push({ type, props, opts });
    return undefined;
  };
  const resource = make({ ...opts, transformations: [note] });
  const [registration] = seen;
  if (!registration) throw new Error("nothing was registered");
  return { ...registration, resource };
}

/** The functions whose stack traces are written out while `work` runs. */
export function tracedFunctions(work: () => unknown): Set<string | null | undefined> {
  const prepare = Error.prepareStackTrace;
  const traced = new Set<string | null | undefined>();
  Error.prepareStackTrace = (error, frames) => {
    traced.add(frames[0]?.getFunctionName());
    return prepare.call(Error, error, frames);
  };
  try {
    work();
  } finally {
    Error.prepareStackTrace = prepare;
  }
  return traced;
}

/** Names of the properties that are marked as secret. */
export async function secretProps(props: Readonly<Record<string, unknown>>): Promise<string[]> {
  const outputs = Object.entries(props).flatMap(([name, value]) =>
    pulumi.Output.isInstance(value) && name !== "__provider" ? [[name, value] as const] : [],
  );
  const marks = await Promise.all(outputs.map(async ([name, value]) => ((await pulumi.isSecret(value)) ? [name] : [])));
  return marks.flat().sort();
}
