import { main } from "../../provider/hosts/plugin/main";

// The archive has package.json and the schema beside the script.
main(__dirname).catch(({ message }: Error) => {
  process.stderr.write(`pulumi-resource-trustplane: ${message}\n`);
  process.exitCode = 1;
});
