import type { ProgramFile, ProgramResource, Reference } from "./program";

/** Finds what a language calls the resource of a reference. */
export type NameOfReference = (reference: Reference) => string;

/** The names that a language gives the variables of a program, as seen from one of its files. */
export function variableNames(
  files: readonly ProgramFile[],
  nameOf: (resource: ProgramResource) => string,
): (from: ProgramFile) => NameOfReference {
  const names = new Map(
    files.flatMap(({ name, resources }) =>
      resources.map((each) => [`${name} ${each.variable}`, nameOf(each)] as const),
    ),
  );
  return (from) =>
    ({ of, file = from.name }) =>
      names.get(`${file} ${of}`) ?? of;
}
