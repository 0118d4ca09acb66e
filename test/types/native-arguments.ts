import type * as dynamic from "trustplane";
import type * as native from "trustplane/native";

// What the dynamic classes and functions take, the native ones take too: a program switches by its import line. Nothing of this
// file runs.

type Dynamic = typeof dynamic;
type Native = typeof native;

/** The arguments of a class or a function; `get` and the like are none of these. */
type ArgumentsOf<T> = T extends abstract new (
  name: string,
  args: infer A,
  ...rest: never
) => unknown
  ? A
  : T extends (args: infer A, ...rest: never) => unknown
    ? A
    : never;

/** A program may or may not use the flag by which an absent member is none that is undefined. */
type Loose<T> = { readonly [K in keyof T]: T[K] | undefined };

/** Whether the native one takes what the dynamic one takes. */
type Switches<A, B> = [keyof A, Loose<A>] extends [keyof B, Loose<B>] ? true : false;

/** Every name of the dynamic side that the native one lacks, or of which it takes less. */
type Lacks<D, N> = {
  [M in keyof D & keyof N & string]: {
    [Name in keyof D[M] & string]: Name extends keyof N[M]
      ? Switches<ArgumentsOf<D[M][Name]>, ArgumentsOf<N[M][Name]>> extends true
        ? never
        : `${M}.${Name} takes less there`
      : `${M}.${Name} is missing there`;
  }[keyof D[M] & string];
}[keyof D & keyof N & string];

/** `true` where nothing is lacking, else what is: the compiler's message names it. */
type Nothing<T> = [T] extends [never] ? true : T;

/** Modules that only one side has are no common names. */
export const sameModules: Nothing<Exclude<keyof Dynamic, keyof Native>> = true;
export const switched: Nothing<Lacks<Dynamic, Native>> = true;

// That a lack is seen: a class that is missing, one without a property, and one that asks for more.
type Jwt = Native["jwt"];
interface WithoutRole {
  readonly jwt: Omit<Jwt, "Role">;
}
interface Exchanged {
  readonly jwt: Omit<Jwt, "Role" | "Config"> & { readonly Role: Jwt["Config"]; readonly Config: Jwt["Role"] };
}
export const missing: Nothing<Lacks<Dynamic, WithoutRole>> = "jwt.Role is missing there";
export const less: readonly Nothing<Lacks<Dynamic, Exchanged>>[] = [
  "jwt.Role takes less there",
  "jwt.Config takes less there",
];
