import { describe, expect, it } from "vitest";
import { isCli, isDestroying, isOfSavedPlan, isPartial, isSavingPlan } from "../../../provider/engine/cli-process.ts";

const words = (line: string) => line.split(" ");

describe("which process is a CLI", () => {
  it.each([
    "terraform",
    "/opt/terraform1.5.7",
    "tofu_1.9",
    "opentofu",
    "terraform-bin",
    "terraform-v1.9.8.exe",
    "pulumi.exe",
    "terraform_1.9.8_linux_amd64",
  ])("%s is one", (file) => expect(isCli(file)).toBe(true));

  it.each([
    "terraform-provider-trustplane",
    "terraform-provider-trustplane_v1.0.0",
    "pulumi-resource-trustplane",
    "sh",
    "",
  ])("%s is none", (file) => expect(isCli(file)).toBe(false));
});

describe("what the words of a command say of the run", () => {
  it.each([
    ["terraform apply plan.out", true],
    ["terraform -chdir=stack apply -auto-approve -parallelism 1 plan.out -no-color", true],
    ["terraform apply", false],
    ["terraform apply -auto-approve -var name=value -target module.a", false],
    ["terraform plan -out plan.out", false],
    ["terraform destroy", false],
    ["terraform apply -var name=two words", false],
    ["terraform apply -var name=two words -auto-approve", false],
  ])("%s applies a saved plan: %s", (line, isSaved) => {
    expect(isOfSavedPlan(words(line), (path) => path !== "words")).toBe(isSaved);
  });

  it.each([
    ["terraform plan -out=p", {}, true],
    ["terraform -chdir=stack plan -out p", {}, true],
    ["tofu plan --out=p", {}, true],
    ["terraform plan", { TF_CLI_ARGS_plan: "-no-color -out=p" }, true],
    ["terraform plan -generate-config-out=p", {}, false],
    ["terraform apply p", {}, false],
  ])("%s with %o makes a saved plan: %s", (line, env, isSaved) => {
    expect(isSavingPlan(words(line), env)).toBe(isSaved);
  });

  it.each([
    ["terraform destroy -auto-approve", {}, true],
    ["terraform -chdir=stack apply -destroy", {}, true],
    ["tofu plan --destroy=true -out p", {}, true],
    ["terraform apply", { TF_CLI_ARGS_apply: "-destroy" }, true],
    ["terraform apply -destroy=false", {}, false],
    ["terraform apply -destroy -destroy=false", {}, false],
    ["terraform apply -destroy=false", { TF_CLI_ARGS_apply: "-destroy" }, false],
    ["terraform apply", { TF_CLI_ARGS_plan: "-destroy" }, false],
    ["terraform apply", { TF_CLI_ARGS: "-var 'x=a -destroy b'" }, false],
    ["terraform apply", { TF_CLI_ARGS: "-no-color -destroy" }, true],
    ["terraform apply destroy", {}, false],
  ])("%s with %o is a destroy: %s", (line, env, isDestroy) => {
    expect(isDestroying(words(line), env)).toBe(isDestroy);
  });

  it.each([
    ["terraform apply -target=module.a", {}, true],
    ["terraform apply", { TF_CLI_ARGS_apply: "-target=module.a" }, true],
    ["pulumi up -t urn", {}, true],
    ["pulumi up", { PULUMI_OPTION_EXCLUDE: "urn" }, true],
    ["pulumi up --yes", {}, false],
  ])("%s with %o is about a part of the program: %s", (line, env, isPart) => {
    expect(isPartial(words(line), env)).toBe(isPart);
  });
});
