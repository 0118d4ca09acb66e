import { describe, expect, it } from "vitest";
import { reasonAgainst } from "../../provider/hosts/terraform/table.ts";
import { exceptionTitle } from "../../tools/live/promises.mts";
import { cases } from "../contract/cases/index.ts";
import {
  type CaseName,
  definitionOf,
  type ResourceCase,
  type Skip,
  serviceOf,
  type Treatment,
} from "./contract-case.ts";
import { type HostName, hasResource, hostNames, type ResourceName } from "./contract-host.ts";
import { isFirstOfKind, representatives } from "./contract-kinds.ts";
import { closeServersAfterwards, isEmbedded, serverKind, servicesUnderTest } from "./contract-servers.ts";
import { openSubject, type Subject } from "./contract-subject.ts";
import { unwaited } from "./contract-unwaited.ts";
import type { ConnectionSettings, World } from "./contract-world.ts";
import { terraformCore } from "./terraform-core.ts";
import { testExtent } from "./test-extent.mts";

/** One resource on one host, for a test to be defined on. */
export interface Pairing {
  readonly resource: ResourceName;
  readonly host: HostName;
  readonly of: ResourceCase;
  /** A subject for one test. */
  open(settings?: ConnectionSettings, world?: World): Promise<Subject>;
  /**
   * A test of a promise that some resource may be unable to keep. There it runs all the same, and must fail as its
   * exception says.
   */
  promise(name: CaseName, test: () => Promise<void>): void;
}

/** The embedded server passes for another product or release than Vault 1.21. */
export const isOtherProfile = isEmbedded && serverKind !== "embedded";

/** In another profile of the embedded server only the fields that not every product has can fare otherwise. */
export function dependsOnServer(resource: ResourceName, field: string): boolean {
  return !isOtherProfile || definitionOf(resource).fields[field]?.availability !== undefined;
}

/** Every resource and property through every host, and not only what shows what a host does. */
const isEveryOnHosts = testExtent === "whole" || terraformCore === "cli";

function isTried(host: HostName, resource: ResourceName): boolean {
  return host === "engine" || isEveryOnHosts || representatives.includes(resource);
}

/** Whether a property is tried by itself: through the engine each is, on a host the first of its kind. */
export function isTriedField({ host, resource }: Pairing, field: string): boolean {
  return host === "engine" || isEveryOnHosts || isFirstOfKind(resource, field);
}

/** The resources that this run is about. */
export const resourceNames = (Object.keys(cases) as ResourceName[]).filter(
  (name) =>
    servicesUnderTest.includes(serviceOf(name)) &&
    Object.entries<Treatment>(cases[name].fields).some(
      ([field, { means }]) => (!isOtherProfile || means !== "nothing") && dependsOnServer(name, field),
    ),
);

export interface SuiteOptions {
  /** @default all */
  readonly hosts?: readonly HostName[];
  /** Every resource through every host, not only those that have every kind of property. @default false */
  readonly isEvery?: boolean;
  /** The tests write so often that none of them waits for what a real server does in the background. @default false */
  readonly writesOften?: boolean;
}

/** Runs the tests for every resource through every host. */
export function forEveryPairing(
  title: string,
  define: (pairing: Pairing) => void,
  { writesOften = false, isEvery = false, hosts = hostNames }: SuiteOptions = {},
): void {
  closeServersAfterwards();
  describe.each(resourceNames)(`%s: ${title}`, (resource) => {
    describe.each(hosts.filter((host) => isEvery || isTried(host, resource)))("through the %s host", (host) => {
      // The names of both tables agree, which the type of `cases` checks; here any of them is meant.
      const whole = cases[resource] as unknown as ResourceCase;
      const of = writesOften ? unwaited(whole) : whole;
      if (!hasResource(host, resource)) {
        const reason = reasonAgainst(definitionOf(resource));
        it(`there is no such resource: ${reason}`, () => expect(reason).toMatch(/\w+ \w+/));
        return;
      }
      define({
        resource,
        host,
        of,
        open: (settings, world) =>
          openSubject({ resource, host, of, ...(settings && { settings }), ...(world && { world }) }),
        promise(name, test) {
          const skip = of.skips?.find((one) => one.case === name && appliesTo(one, host));
          if (skip) it(exceptionTitle(name, skip.reason), () => expect(test()).rejects.toThrow(skip.fails));
          else it(name, test);
        },
      });
    });
  });
}

function appliesTo(skip: Skip, host: HostName): boolean {
  return (skip.host ?? host) === host && (skip.server ?? serverKind) === serverKind;
}
