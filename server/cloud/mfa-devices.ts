import type { Tables } from "../data/tables";
import type { CloudDirectory } from "./cloud-directory";
import { type CloudFailure, cloudFailure } from "./cloud-failure";
import { accountId, type MfaDevice } from "./identity-records";
import { newTimeSecret, timeCode, timeStep } from "./time-code";

/** A device as the admin interface shows it. */
export interface ShownMfaDevice extends MfaDevice {
  /** The code that it shows now. */
  readonly code: string;
}

interface MfaParts {
  readonly directory: CloudDirectory;
  readonly now: () => number;
  readonly tables: Tables;
}

/** The virtual devices that users have. Calls throw CloudFailure. */
export function createMfaDevices({ directory, now, tables }: MfaParts) {
  const devices = tables.open<MfaDevice>("cloud/mfa-devices");
  /** The last half minute whose code was used: every code works once. */
  const usedSteps = tables.open<number>("cloud/used-mfa-steps");
  const shown = (device: MfaDevice): ShownMfaDevice => ({ ...device, code: timeCode(device.secret, timeStep(now())) });

  return {
    all: () => [...devices.values()].map(shown),
    of: (userName: string) => [...devices.values()].filter((device) => device.userName === userName),
    add({
      userName,
      serialNumber,
      secret,
    }: {
      userName: string;
      serialNumber?: string;
      secret?: string;
    }): ShownMfaDevice {
      directory.find(userName);
      const device = {
        userName,
        serialNumber: serialNumber ?? `arn:aws:iam::${accountId}:mfa/${userName}`,
        secret: secret ?? newTimeSecret(),
      };
      if (devices.has(device.serialNumber)) {
        throw cloudFailure("EntityAlreadyExists", `MFA device ${device.serialNumber} already exists.`, 409);
      }
      devices.set(device.serialNumber, device);
      return shown(device);
    },
    remove(serialNumber: string): void {
      if (!devices.delete(serialNumber)) {
        throw cloudFailure("NoSuchEntity", `Virtual MFA Device with serial number ${serialNumber} doesn't exist.`, 404);
      }
      usedSteps.delete(serialNumber);
    },
    assertCode(userName: string, { serialNumber, code }: { serialNumber: string; code: string }): void {
      const device = devices.get(serialNumber);
      if (device?.userName !== userName) {
        throw denied(
          "unable to validate MFA code.  Please verify your MFA serial number is valid and associated with this user.",
        );
      }
      const step = timeStep(now());
      // A device's own clock may be a little off.
      const matching = [step, step - 1, step + 1].find((each) => timeCode(device.secret, each) === code);
      if (matching === undefined || matching <= (usedSteps.get(serialNumber) ?? -1)) {
        throw denied("with invalid MFA one time pass code.", { separator: " " });
      }
      usedSteps.set(serialNumber, matching);
    },
  };
}

export type MfaDevices = ReturnType<typeof createMfaDevices>;

function denied(why: string, { separator = ", " } = {}): CloudFailure {
  return cloudFailure("AccessDenied", `MultiFactorAuthentication failed${separator}${why}`, 403);
}
