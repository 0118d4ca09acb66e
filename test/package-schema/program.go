package main

import (
	"context"
	"encoding/json"
	"io"
	"os"

	"github.com/blang/semver"
	gogen "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/pcl"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
	"github.com/pulumi/pulumi/pkg/v3/importer"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/tokens"

	"github.com/hashicorp/hcl/v2"
)

// programGenerators are those with which `pulumi import` and `pulumi convert` write a program.
var programGenerators = map[string]func(*pcl.Program) (map[string][]byte, hcl.Diagnostics, error){
	"typescript": nodejs.GenerateProgram,
	"python":     python.GenerateProgram,
	"go":         gogen.GenerateProgram,
}

// imported is what `pulumi import` has read of a resource.
type imported struct {
	Type   string         `json:"type"`
	Name   string         `json:"name"`
	Inputs map[string]any `json:"inputs"`
}

// writeProgram writes the program that `pulumi import` suggests for these resources.
func writeProgram(out io.Writer, language, file, resources string) error {
	bound, err := bind(file)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(resources)
	if err != nil {
		return err
	}
	var list []imported
	if err := json.Unmarshal(text, &list); err != nil {
		return err
	}
	provider := &resource.State{
		Type: "pulumi:providers:trustplane", URN: urn("pulumi:providers:trustplane", "default"), ID: "id", Custom: true,
	}
	states := make([]*resource.State, len(list))
	for index, each := range list {
		inputs := resource.NewPropertyMapFromMap(each.Inputs)
		states[index] = &resource.State{
			Type: tokens.Type(each.Type), URN: urn(each.Type, each.Name), ID: resource.ID(each.Name), Custom: true,
			Inputs: inputs, Outputs: inputs, Provider: string(provider.URN) + "::" + string(provider.ID),
		}
	}
	generator := func(out io.Writer, program *pcl.Program) error {
		files, diagnostics, err := programGenerators[language](program)
		if err != nil {
			return err
		}
		if diagnostics.HasErrors() {
			return diagnostics
		}
		for _, content := range files {
			if _, err := out.Write(content); err != nil {
				return err
			}
		}
		return nil
	}
	return importer.GenerateLanguageDefinitions(out, ours{bound}, generator, states, []*resource.State{provider}, nil)
}

func urn(kind, name string) resource.URN {
	return resource.NewURN("stack", "project", "", tokens.Type(kind), name)
}

// ours is a loader of this package alone.
type ours struct{ bound *schema.Package }

func (o ours) LoadPackage(string, *semver.Version) (*schema.Package, error) { return o.bound, nil }

func (o ours) LoadPackageV2(context.Context, *schema.PackageDescriptor) (*schema.Package, error) {
	return o.bound, nil
}

func (o ours) LoadPackageReference(string, *semver.Version) (schema.PackageReference, error) {
	return o.bound.Reference(), nil
}

func (o ours) LoadPackageReferenceV2(context.Context, *schema.PackageDescriptor) (schema.PackageReference, error) {
	return o.bound.Reference(), nil
}
