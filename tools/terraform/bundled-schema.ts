/** The package's schema; the bundler puts it here. */
export const schema: string = "";
