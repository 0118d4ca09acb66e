/** The npm package as a program imports it. The provider's own name, in type tokens and settings, is another matter. */
export const PACKAGE_NAME = "trustplane";
/** The classes of the plugin in it. */
export const NATIVE_CLASSES = `${PACKAGE_NAME}/native`;
