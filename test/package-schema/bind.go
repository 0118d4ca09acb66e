package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/blang/semver"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

// bind answers the package, or everything that the binder has to say of it: a warning counts as an error here.
func bind(file string) (*schema.Package, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var spec schema.PackageSpec
	decoder := json.NewDecoder(bytes.NewReader(text))
	// A member that Pulumi does not know would be lost without a word.
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&spec); err != nil {
		return nil, err
	}
	bound, diagnostics, err := schema.BindSpec(spec, noOther{}, schema.ValidationOptions{})
	if err != nil {
		return nil, err
	}
	var said []string
	for _, each := range diagnostics {
		said = append(said, fmt.Sprintf("%s: %s", each.Summary, each.Detail))
	}
	if len(said) > 0 {
		return nil, errors.New(strings.Join(said, "\n"))
	}
	return bound, nil
}

// noOther is a loader of no package: this one's types are its own.
type noOther struct{}

var errOther = errors.New("the schema refers to another package")

func (noOther) LoadPackage(string, *semver.Version) (*schema.Package, error) { return nil, errOther }

func (noOther) LoadPackageV2(context.Context, *schema.PackageDescriptor) (*schema.Package, error) {
	return nil, errOther
}

func (noOther) LoadPackageReference(string, *semver.Version) (schema.PackageReference, error) {
	return nil, errOther
}

func (noOther) LoadPackageReferenceV2(context.Context, *schema.PackageDescriptor) (schema.PackageReference, error) {
	return nil, errOther
}
