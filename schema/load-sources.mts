import { registerHooks } from "node:module";

// Whoever imports this can import the package's sources: Node strips the types, and here it learns that these sources name
// each other without an ending and are written as ES modules. `dist/` would not do, because a stale generated file may be
// what keeps the package from compiling.
registerHooks({
  resolve(specifier, context, next) {
    const isSource = specifier.startsWith(".") && !/\.[cm]?[jt]s$/.test(specifier);
    if (!isSource) return next(specifier, context);
    try {
      return next(`${specifier}.ts`, context);
    } catch {
      return next(`${specifier}/index.ts`, context);
    }
  },
  load(url, context, next) {
    const isSource = url.endsWith(".ts") && !url.includes("/node_modules/");
    return next(url, isSource ? { ...context, format: "module-typescript" } : context);
  },
});
